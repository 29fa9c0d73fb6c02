#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#endif
#ifdef __APPLE__
#include <string.h>
#include <sys/mount.h>
#include <sys/ioctl.h>
#include <sys/param.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

#if defined(__APPLE__) && !defined(DKIOCGETBLOCKSIZE)
// From <sys/disk.h>, which not every set of headers has.
#define DKIOCGETBLOCKSIZE _IOR('d', 24, uint32_t)
#define DKIOCGETBLOCKCOUNT _IOR('d', 25, uint64_t)
#endif

int cplatform_rename(const char *from, const char *to, int exchanges) {
#if defined(__APPLE__)
  return renamex_np(from, to, exchanges ? RENAME_SWAP : RENAME_EXCL);
#elif defined(__GLIBC__)
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, exchanges ? RENAME_EXCHANGE : RENAME_NOREPLACE);
#elif defined(__linux__)
  // RENAME_EXCHANGE and RENAME_NOREPLACE.
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, exchanges ? 2 : 1);
#else
  (void)from, (void)to, (void)exchanges;
  errno = ENOTSUP;
  return -1;
#endif
}

static void *wait_at(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

/// Whether so many bytes may be written to, which are asked for and not used. What may only be read does not count
/// for RLIMIT_DATA.
static int have_room(size_t bytes, int flags) {
  void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | flags, -1, 0);
  if (room == MAP_FAILED) return 0;
  munmap(room, bytes);
  return 1;
}

/// Whether RLIMIT_AS and RLIMIT_DATA leave `count` stacks of `size` bytes, with buffers beside them: serial was seen to
/// wait for ever with 24 MiB for those; and whether the kernel would commit itself to one of them, which may be larger
/// than its memory.
static int have_stacks(int count, size_t size) {
  return have_room((size_t)count * size + ((size_t)64 << 20), MAP_NORESERVE) && have_room(size, 0);
}

int cplatform_can_start(int count) {
  // All of them wait at the gate, so that all exist at the same time.
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[64];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  size_t usual;
  pthread_attr_getstacksize(&attributes, &usual);
  if (!have_stacks(count, usual)) {
    pthread_attr_destroy(&attributes);
    return 0;
  }
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_mutex_lock(&gate);
  int started = 0;
  while (started < count && started < 64 &&
         pthread_create(&threads[started], &attributes, wait_at, &gate) == 0) {
    started++;
  }
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  pthread_attr_destroy(&attributes);
  return started == count;
}

int cplatform_has_stack(size_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= size;
}

int cplatform_disposition(int signal_number) {
  struct sigaction action;
  if (sigaction(signal_number, NULL, &action) != 0) return -1;
  return action.sa_handler == SIG_DFL ? 0 : action.sa_handler == SIG_IGN ? 1 : -1;
}

int cplatform_preallocate(int descriptor, off_t size) {
#ifdef __linux__
  return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, size);
#else
  (void)descriptor, (void)size;
  errno = ENOTSUP;
  return -1;
#endif
}

int cplatform_punch_hole(int descriptor, off_t offset, off_t length) {
#ifdef __linux__
  return fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length);
#else
  struct fpunchhole hole = {.fp_offset = offset, .fp_length = length};
  return fcntl(descriptor, F_PUNCHHOLE, &hole);
#endif
}

int cplatform_can_punch_holes(const char *directory) {
#ifdef O_TMPFILE
  int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return 0;
  int result = cplatform_punch_hole(file, 0, 65536);
  close(file);
  return result == 0;
#elif defined(__APPLE__)
  struct statfs info;
  return statfs(directory, &info) == 0 && strcmp(info.f_fstypename, "apfs") == 0;
#else
  (void)directory;
  return 0;
#endif
}

int cplatform_free_descriptors(int from, int to) {
  struct pollfd list[1024];
  int count = 0;
  while (count < 1024 && from + count < to) {
    list[count] = (struct pollfd){.fd = from + count};
    count++;
  }
  while (poll(list, count, 0) == -1) {
    if (errno != EINTR) return count;
  }
  int unused = 0;
  for (int i = 0; i < count; i++) unused += (list[i].revents & POLLNVAL) != 0;
  return unused;
}

int cplatform_lock_file(int descriptor, int is_shared) {
  return flock(descriptor, (is_shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
}

off_t cplatform_next_hole(int descriptor, off_t offset) {
  return lseek(descriptor, offset, SEEK_HOLE);
}

off_t cplatform_next_data(int descriptor, off_t offset) {
  return lseek(descriptor, offset, SEEK_DATA);
}

int cplatform_has_writer(int descriptor) {
#ifdef __linux__
  // Who opens the file for writing at this very moment has a signal sent here. The usual one, SIGIO,
  // would end the process; this one is ignored unless somebody asks for it.
  if (fcntl(descriptor, F_SETSIG, SIGURG) == -1) return -1;
  if (fcntl(descriptor, F_SETLEASE, F_RDLCK) == -1) return errno == EAGAIN ? 1 : -1;
  fcntl(descriptor, F_SETLEASE, F_UNLCK);
  return 0;
#else
  (void)descriptor;
  errno = ENOTSUP;
  return -1;
#endif
}

int cplatform_watch_directory(const char *path) {
#ifdef __linux__
  int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (descriptor == -1) return -1;
  uint32_t names = IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;
  uint32_t itself = IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
  if (inotify_add_watch(descriptor, path, names | itself) != -1) return descriptor;
  int error = errno;
  close(descriptor);
  errno = error;
  return -1;
#else
  (void)path;
  errno = ENOTSUP;
  return -1;
#endif
}

int cplatform_take_events(int descriptor) {
#ifdef __linux__
  char buffer[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
  ssize_t count = read(descriptor, buffer, sizeof buffer);
  if (count == -1) return -1;
  int result = 1;
  for (char *place = buffer; place < buffer + count;) {
    const struct inotify_event *event = (const struct inotify_event *)place;
    if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)) result = 2;
    place += sizeof *event + event->len;
  }
  return result;
#else
  (void)descriptor;
  errno = ENOTSUP;
  return -1;
#endif
}

void cplatform_write_back(int descriptor, int waits) {
#ifdef __linux__
  unsigned flags = waits ? SYNC_FILE_RANGE_WAIT_BEFORE : SYNC_FILE_RANGE_WRITE;
  (void)sync_file_range(descriptor, 0, 0, flags);
#else
  (void)descriptor, (void)waits;
#endif
}

int cplatform_drop_cache(int descriptor, off_t offset, off_t length) {
#ifdef __APPLE__
  (void)offset, (void)length;
  return fcntl(descriptor, F_NOCACHE, 1);
#else
  int error = posix_fadvise(descriptor, offset, length, POSIX_FADV_DONTNEED);
  if (error == 0) return 0;
  errno = error;
  return -1;
#endif
}

int64_t cplatform_cached_pages(int descriptor, off_t offset, off_t length) {
#ifdef __linux__
  // As in linux/mman.h, which older headers do not have.
  struct { uint64_t offset, length; } range = {(uint64_t)offset, (uint64_t)length};
  struct { uint64_t cached, dirty, writeback, evicted, recently_evicted; } found;
  if (syscall(451 /* SYS_cachestat on every architecture */, descriptor, &range, &found, 0) == -1) {
    return -1;
  }
  return (int64_t)found.cached;
#else
  (void)descriptor, (void)offset, (void)length;
  errno = ENOSYS;
  return -1;
#endif
}

int cplatform_share_range(
    int source, off_t source_offset, off_t length, int destination, off_t destination_offset) {
#ifdef __linux__
  struct file_clone_range range = {
      .src_fd = source,
      .src_offset = (uint64_t)source_offset,
      .src_length = (uint64_t)length,
      .dest_offset = (uint64_t)destination_offset,
  };
  return ioctl(destination, FICLONERANGE, &range);
#else
  (void)source, (void)source_offset, (void)length, (void)destination, (void)destination_offset;
  errno = ENOTSUP;
  return -1;
#endif
}

int64_t cplatform_device_size(int descriptor) {
#ifdef __linux__
  uint64_t size = 0;
  if (ioctl(descriptor, BLKGETSIZE64, &size) == -1) return -1;
#elif defined(__APPLE__)
  uint32_t block = 0;
  uint64_t count = 0;
  uint64_t size = 0;
  if (ioctl(descriptor, DKIOCGETBLOCKSIZE, &block) == -1) return -1;
  if (ioctl(descriptor, DKIOCGETBLOCKCOUNT, &count) == -1) return -1;
  if (__builtin_mul_overflow(count, block, &size)) size = UINT64_MAX;
#else
  (void)descriptor;
  errno = ENOTSUP;
  return -1;
#endif
#if defined(__linux__) || defined(__APPLE__)
  if (size > INT64_MAX) {
    errno = EOVERFLOW;
    return -1;
  }
  return (int64_t)size;
#endif
}

long cplatform_block_size(int descriptor) {
  struct statvfs info;
  return fstatvfs(descriptor, &info) == -1 ? -1 : (long)info.f_frsize;
}

int cplatform_will_need(int descriptor, off_t offset, off_t length) {
#ifdef __APPLE__
  struct radvisory advice = {.ra_offset = offset, .ra_count = (int)length};
  return fcntl(descriptor, F_RDADVISE, &advice);
#else
  int error = posix_fadvise(descriptor, offset, length, POSIX_FADV_WILLNEED);
  if (error == 0) return 0;
  errno = error;
  return -1;
#endif
}

int cplatform_set_modified(int descriptor, int64_t nanoseconds) {
  const int64_t second = 1000000000;
  int64_t seconds = nanoseconds / second, rest = nanoseconds % second;
  // Before 1970, division rounds towards it.
  if (rest < 0) { seconds -= 1; rest += second; }
  struct timespec times[2] = {{0, UTIME_OMIT}, {(time_t)seconds, (long)rest}};
  return futimens(descriptor, times);
}

int cplatform_synchronize(int descriptor) {
#ifdef __APPLE__
  if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
  // Network and some removable file systems have no F_FULLFSYNC; theirs is an ordinary fsync.
  if (errno != ENOTSUP && errno != EINVAL && errno != ENOTTY) return -1;
#endif
  return fsync(descriptor);
}

ssize_t cplatform_splice(int source, int destination, size_t count) {
#ifdef __linux__
  return splice(source, NULL, destination, NULL, count, SPLICE_F_MOVE | SPLICE_F_MORE);
#else
  (void)source, (void)destination, (void)count;
  errno = ENOTSUP;
  return -1;
#endif
}

int cplatform_has_unlimited_files(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

void cplatform_widen_pipe(int descriptor) {
#ifdef __linux__
  (void)fcntl(descriptor, F_SETPIPE_SZ, 1 << 20);
#else
  (void)descriptor;
#endif
}

void cplatform_tune_malloc(void) {
#ifdef __GLIBC__
  // Measured: page faults in fresh buffers were most of the serial engine's time. One arena and no
  // return of large blocks to the kernel bring it from 2.6–3.2 times cat's time to 1.35.
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, 128 << 20);
#endif
}

void cplatform_trim_malloc(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

int cplatform_is_memory_file_system(int descriptor) {
#ifdef __linux__
  struct statfs info;
  if (fstatfs(descriptor, &info) == -1) return 0;
  return info.f_type == 0x01021994 /* TMPFS_MAGIC */ || info.f_type == 0x858458f6 /* RAMFS_MAGIC */;
#else
  (void)descriptor;
  return 0;
#endif
}

int cplatform_file_system(const char *path, uint64_t *number, char name[16]) {
  struct statfs info;
  *number = 0;
  name[0] = 0;
  if (statfs(path, &info) == -1) return -1;
#ifdef __linux__
  // Of 32 bits, but signed on some systems.
  *number = (uint32_t)info.f_type;
#else
  strlcpy(name, info.f_fstypename, 16);
#endif
  return 0;
}

cplatform_option cplatform_getopt(
    int argc, char *const *argv, const char *shorts, const struct option *longs, int next) {
  opterr = 0;
  // Zero makes glibc and musl start afresh; Darwin wants optreset.
#ifdef __APPLE__
  if (next == 0) optreset = 1;
  optind = next == 0 ? 1 : next;
#else
  if (next == 0) optind = 0;
#endif
  optarg = NULL;
  cplatform_option result;
  result.value = getopt_long(argc, argv, shorts, longs, NULL);
  result.next = optind;
  result.option = optopt;
  result.argument = optarg;
  return result;
}
