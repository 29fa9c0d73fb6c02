// Calls and constants that Swift's Glibc, Musl and Darwin modules leave out, and the one thing
// that cannot be written in Swift at all: coming back from a SIGBUS.
#pragma once

#include <getopt.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Renames without replacing, or exchanges two names in one step: renameat2(2) with RENAME_NOREPLACE or
/// RENAME_EXCHANGE, renamex_np(2) with RENAME_EXCL or RENAME_SWAP.
int cplatform_rename(const char *from, const char *to, int exchanges);

/// Reserves blocks with fallocate(2), keeping the file's size. ENOTSUP where there is no such call.
int cplatform_preallocate(int descriptor, off_t size);

/// Gives the blocks of a range back and keeps the file's size: fallocate(2) with FALLOC_FL_PUNCH_HOLE,
/// fcntl(2) with F_PUNCHHOLE, which wants whole blocks.
int cplatform_punch_hole(int descriptor, off_t offset, off_t length);

/// Whether cplatform_punch_hole works in a directory: 1 or 0. Tried on a file without a name where there
/// are such; on Darwin, APFS can.
int cplatform_can_punch_holes(const char *directory);

/// Where the first hole at or behind an offset begins: lseek(2) with SEEK_HOLE. The position moves.
off_t cplatform_next_hole(int descriptor, off_t offset);

/// Where the first data at or behind an offset begins: lseek(2) with SEEK_DATA. ENXIO where there is none.
off_t cplatform_next_data(int descriptor, off_t offset);

/// flock(2), which Swift does not see, with LOCK_NB; LOCK_EX unless it is shared.
int cplatform_lock_file(int descriptor, int is_shared);

/// Whether any process has a file open for writing: 1 or 0, by taking a lease on it and giving that
/// back, fcntl(2) with F_SETLEASE. -1 where that is not told: with EACCES for a file of somebody else's,
/// with EINVAL on file systems without leases, with ENOTSUP on other systems than Linux. The descriptor
/// must be open for reading only.
int cplatform_has_writer(int descriptor);

/// How many numbers from one on and below another are no open descriptor's, of the first 1024: poll(2),
/// POLLNVAL.
int cplatform_free_descriptors(int from, int to);

/// A descriptor that becomes readable when something happens in a directory: inotify_init1(2) and
/// inotify_add_watch(2). ENOTSUP on other systems than Linux.
int cplatform_watch_directory(const char *path);

/// Takes the events that are waiting at such a descriptor. Returns 1, or 2 where the directory has lost
/// its name; -1 with what read(2) said, EAGAIN where there are none.
int cplatform_take_events(int descriptor);

/// Starts writeback of a file and returns at once, or waits until what is on its way to the device is there:
/// sync_file_range(2). Nothing on other systems.
void cplatform_write_back(int descriptor, int waits);

/// Drops the clean pages of a range from the page cache; all behind `offset` for a length of 0. On
/// Darwin the descriptor no longer fills the cache instead.
int cplatform_drop_cache(int descriptor, off_t offset, off_t length);

/// How many pages of a range are in the page cache: cachestat(2), Linux 6.5. -1 with ENOSYS on
/// kernels and systems that do not tell, with EPERM where the file is somebody else's.
int64_t cplatform_cached_pages(int descriptor, off_t offset, off_t length);

/// Makes a range of one file share the blocks of another: ioctl_ficlonerange(2). ENOTSUP on other
/// systems.
int cplatform_share_range(
    int source, off_t source_offset, off_t length, int destination, off_t destination_offset);

/// The bytes of a block device, or -1: BLKGETSIZE64 of Linux, DKIOCGETBLOCKCOUNT of Darwin.
int64_t cplatform_device_size(int descriptor);

/// The file system's block size in bytes, or -1; see fstatvfs(3).
long cplatform_block_size(int descriptor);

/// Asks for a range to be read ahead.
int cplatform_will_need(int descriptor, off_t offset, off_t length);

/// fsync(2) that reaches the medium: fcntl(2) with F_FULLFSYNC on Darwin.
int cplatform_synchronize(int descriptor);

/// Sets when a file was last changed, in nanoseconds since 1970; see futimens(2). Returns 0 or -1.
int cplatform_set_modified(int descriptor, int64_t nanoseconds);

/// Makes a pipe as large as an unprivileged process may, to save wake-ups; does nothing elsewhere.
void cplatform_widen_pipe(int descriptor);

/// Tunes glibc's malloc for large buffers that come and go; nothing elsewhere.
void cplatform_tune_malloc(void);

/// Gives the pages of free blocks back to the kernel: malloc_trim(3) of glibc; nothing elsewhere.
void cplatform_trim_malloc(void);

/// Whether this is a file system in memory, where preallocation costs more than it saves.
int cplatform_is_memory_file_system(int descriptor);

/// Whether `count` threads, at most 64, can be had at a time: 1 or 0.
int cplatform_can_start(int count);

/// Whether RLIMIT_STACK lets a stack have `size` bytes: 1 or 0.
int cplatform_has_stack(size_t size);

/// What a signal does: 0 is what it does by default, 1 nothing, and -1 something else; see sigaction(2).
int cplatform_disposition(int signal_number);

/// The type of the file system that a path is on: statfs(2). Linux has a number for it, and leaves
/// `name` empty; Darwin has a name.
int cplatform_file_system(const char *path, uint64_t *number, char name[16]);

/// The environment of the process, which nothing here changes: environ(7).
char *const *cplatform_environment(void);

/// The path of the running program: _NSGetExecutablePath(3). ENOTSUP on Linux.
int cplatform_executable(char *path, uint32_t size);

/// A program to be started.
typedef struct {
  const char *program;       // a path; PATH is not searched
  char *const *arguments;    // the program's own name first, a null pointer last
  char *const *environment;  // likewise
  int standard[3];           // what its standard descriptors shall be; none of 0, 1 and 2
  const int *signals;        // those that it shall find at their defaults; it finds none blocked
  int signal_count;
  int stays;  // whether it stays in this process's group
} cplatform_child;

/// A pipe that no other program inherits: pipe2(2).
int cplatform_pipe(int ends[2]);

/// Starts a program, in a process group of its own unless it stays, with fork(2) and execve(2). Returns its number,
/// or -1 with what either of the two said. Safe in a process with threads.
pid_t cplatform_start(const cplatform_child *child);

/// Waits for the end of a child and leaves it to be collected, so that its number stays taken:
/// waitid(2) with WNOWAIT.
int cplatform_await_end(pid_t process);

/// Tells the thread sanitizer that a lock at this address was taken, or is about to be given back.
/// Does nothing in a process without it.
void cplatform_lock_taken(void *lock);
void cplatform_lock_given(void *lock);

/// A checksum with the signature of zlib's crc32_z and adler32_z.
typedef unsigned long (*cplatform_checksum)(unsigned long, const unsigned char *, size_t);

/// Touches mapped memory, so that it is there, and runs up to two checksums over it. Returns 0, or -1
/// where the file was truncated under the mapping (SIGBUS). A null function is skipped. Safe on many
/// threads at once.
int cplatform_guarded_checksums(
    cplatform_checksum first, unsigned long *first_value, cplatform_checksum second,
    unsigned long *second_value, const unsigned char *bytes, size_t count);

/// Moves bytes from a file or a pipe to another one, one of which is a pipe, from the positions of both:
/// splice(2). ENOTSUP on other systems than Linux.
ssize_t cplatform_splice(int source, int destination, size_t count);

/// Whether RLIMIT_FSIZE sets no limit: 1 or 0.
int cplatform_has_unlimited_files(void);

/// The next key that was pressed on the terminal that is standard input; -1 where there is none, or the process
/// is in the background. From the first call on, keys come one by one and are not shown, until
/// ``cplatform_leave_keys``, or a signal of a crash.
int cplatform_key(void);

/// Puts the terminal back as it was; nothing where it was not changed. Safe in handlers of signals.
void cplatform_leave_keys(void);

/// The name of a signal without SIG, as kill(1) has it; "" where it has none.
void cplatform_signal_name(int signal_number, char name[32]);

/// Whether characters are UTF-8 by the environment's locale: 1 or 0; see locale(7).
int cplatform_is_utf8(void);

/// The bytes of the first character by the environment's locale, at least 1, and whether it can be
/// printed. A character that is cut off has all that is there.
size_t cplatform_character(const char *bytes, size_t count, int *is_printable);

/// The place behind the byte that has a value for the `times`th time, at least the first; 0 where there
/// are fewer. `times` then is how many are missing still.
size_t cplatform_skip_byte(const void *bytes, size_t count, unsigned char byte, uint64_t *times);

/// Where the first byte of a value is: memchr(3). `count` where there is none.
size_t cplatform_first_byte(const void *bytes, size_t count, unsigned char byte);

/// Where the last byte of a value is: memrchr(3). `count` where there is none.
size_t cplatform_last_byte(const void *bytes, size_t count, unsigned char byte);

/// Bytes that are gathered for one of several outputs.
typedef struct {
  unsigned char *bytes;
  size_t count;
  size_t capacity;
} cplatform_heap;

/// Deals records out, one to each heap in turn, from `current` on. Returns how many bytes were dealt: fewer
/// than there are where the heap `current` is full.
size_t cplatform_deal(
    const void *bytes, size_t count, unsigned char separator, cplatform_heap *heaps, size_t heap_count,
    size_t *current);

/// getopt_long(3) without its global variables: they are set and read here, so that Swift sees none.
typedef struct {
  int value;        // what getopt_long returned
  int next;         // optind afterwards
  int option;       // optopt
  const char *argument;  // optarg
} cplatform_option;

/// Starts (next == 0) or continues a scan. Permutes `argv` as getopt_long does; prints nothing.
cplatform_option cplatform_getopt(
    int argc, char *const *argv, const char *shorts, const struct option *longs, int next);
