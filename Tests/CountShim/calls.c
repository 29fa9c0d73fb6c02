// The counted functions: each counts, and goes on to the function of the same name behind the shim.
// count-shim.c says what the counters mean.

#define _GNU_SOURCE
#include "count-shim.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/// Declares `next`, a pointer to the function behind the shim that has the same name. It is looked
/// up once; two threads that do so at a time find the same.
#define FIND_NEXT(name)                   \
  static __typeof__(&name) _Atomic found; \
  __typeof__(&name) next = found;         \
  if (next == NULL) found = next = (__typeof__(&name))next_function(#name)

/// Defines a function that counts itself.
#define COUNT(counter, result, name, parameters, arguments) \
  result name parameters {                                  \
    FIND_NEXT(name);                                        \
    count(counter, 1);                                      \
    return next arguments;                                  \
  }

// MARK: - Bytes

/// Defines a function that counts itself and the bytes that it moves; READS is followed by
/// READ_BYTES, and so on.
#define TRANSFER(counter, descriptor, name, parameters, arguments)  \
  ssize_t name parameters {                                         \
    FIND_NEXT(name);                                                \
    bool is_counted = is_watched(descriptor);                       \
    ssize_t moved = next arguments;                                 \
    count(is_counted ? counter : OTHER_TRANSFERS, 1);               \
    if (is_counted && moved > 0) count(counter + 1, (size_t)moved); \
    return moved;                                                   \
  }

typedef const struct iovec *vectors;

TRANSFER(READS, file, read, (int file, void *to, size_t size), (file, to, size))
TRANSFER(READS, file, pread, (int file, void *to, size_t size, off_t at), (file, to, size, at))
TRANSFER(READS, file, pread64, (int file, void *to, size_t size, off64_t at), (file, to, size, at))
TRANSFER(READS, file, readv, (int file, vectors to, int number), (file, to, number))
TRANSFER(READS, file, preadv, (int file, vectors to, int number, off_t at), (file, to, number, at))
TRANSFER(READS, file, preadv64, (int file, vectors to, int number, off64_t at),
         (file, to, number, at))

TRANSFER(WRITES, file, write, (int file, const void *from, size_t size), (file, from, size))
TRANSFER(WRITES, file, pwrite, (int file, const void *from, size_t size, off_t at),
         (file, from, size, at))
TRANSFER(WRITES, file, pwrite64, (int file, const void *from, size_t size, off64_t at),
         (file, from, size, at))
TRANSFER(WRITES, file, writev, (int file, vectors from, int number), (file, from, number))
TRANSFER(WRITES, file, pwritev, (int file, vectors from, int number, off_t at),
         (file, from, number, at))
TRANSFER(WRITES, file, pwritev64, (int file, vectors from, int number, off64_t at),
         (file, from, number, at))

TRANSFER(COPIES, to, copy_file_range,
         (int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags),
         (from, from_at, to, to_at, size, flags))
TRANSFER(COPIES, to, sendfile, (int to, int from, off_t *at, size_t size), (to, from, at, size))
TRANSFER(COPIES, to, sendfile64, (int to, int from, off64_t *at, size_t size), (to, from, at, size))

// MARK: - Files

/// Declares `mode`, the third argument of open(2), which only calls that may make a file have.
#define FIND_MODE(flags)                                            \
  mode_t mode = 0;                                                  \
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) { \
    va_list rest;                                                   \
    va_start(rest, flags);                                          \
    mode = va_arg(rest, mode_t);                                    \
    va_end(rest);                                                   \
  }

/// Defines a function that opens a file.
#define OPEN(name, parameters, arguments) \
  int name parameters {                   \
    FIND_NEXT(name);                      \
    FIND_MODE(flags);                     \
    count(OPENS, 1);                      \
    return next arguments;                \
  }

OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int directory, const char *path, int flags, ...), (directory, path, flags, mode))
OPEN(openat64, (int directory, const char *path, int flags, ...), (directory, path, flags, mode))
COUNT(CLOSES, int, close, (int file), (file))

COUNT(STATS, int, stat, (const char *path, struct stat *to), (path, to))
COUNT(STATS, int, stat64, (const char *path, struct stat64 *to), (path, to))
COUNT(STATS, int, lstat, (const char *path, struct stat *to), (path, to))
COUNT(STATS, int, lstat64, (const char *path, struct stat64 *to), (path, to))
COUNT(STATS, int, fstat, (int file, struct stat *to), (file, to))
COUNT(STATS, int, fstat64, (int file, struct stat64 *to), (file, to))
COUNT(STATS, int, fstatat, (int directory, const char *path, struct stat *to, int flags),
      (directory, path, to, flags))
COUNT(STATS, int, fstatat64, (int directory, const char *path, struct stat64 *to, int flags),
      (directory, path, to, flags))
COUNT(STATS, int, statx,
      (int directory, const char *path, int flags, unsigned mask, struct statx *to),
      (directory, path, flags, mask, to))

COUNT(SEEKS, off_t, lseek, (int file, off_t offset, int whence), (file, offset, whence))
COUNT(SEEKS, off64_t, lseek64, (int file, off64_t offset, int whence), (file, offset, whence))

COUNT(RESERVATIONS, int, fallocate, (int file, int mode, off_t at, off_t size),
      (file, mode, at, size))
COUNT(RESERVATIONS, int, fallocate64, (int file, int mode, off64_t at, off64_t size),
      (file, mode, at, size))
COUNT(RESERVATIONS, int, ftruncate, (int file, off_t size), (file, size))
COUNT(RESERVATIONS, int, ftruncate64, (int file, off64_t size), (file, size))
COUNT(FLUSHES, int, fsync, (int file), (file))
COUNT(FLUSHES, int, fdatasync, (int file), (file))

/// Defines a function of which the third argument, if there is one, is a number or a pointer.
#define CONTROL(name, command_type)               \
  int name(int file, command_type command, ...) { \
    FIND_NEXT(name);                              \
    va_list rest;                                 \
    va_start(rest, command);                      \
    void *argument = va_arg(rest, void *);        \
    va_end(rest);                                 \
    count(CONTROLS, 1);                           \
    return next(file, command, argument);         \
  }

CONTROL(fcntl, int)
CONTROL(fcntl64, int)
CONTROL(ioctl, unsigned long)

// MARK: - Memory

COUNT(MAPS, void *, mmap, (void *hint, size_t size, int access, int flags, int file, off_t at),
      (hint, size, access, flags, file, at))
COUNT(MAPS, void *, mmap64, (void *hint, size_t size, int access, int flags, int file, off64_t at),
      (hint, size, access, flags, file, at))
COUNT(MAPS, int, munmap, (void *address, size_t size), (address, size))

COUNT(ADVICE, int, madvise, (void *address, size_t size, int advice), (address, size, advice))
COUNT(ADVICE, int, posix_fadvise, (int file, off_t at, off_t size, int advice),
      (file, at, size, advice))
COUNT(ADVICE, int, posix_fadvise64, (int file, off64_t at, off64_t size, int advice),
      (file, at, size, advice))
COUNT(ADVICE, ssize_t, readahead, (int file, off64_t at, size_t size), (file, at, size))
COUNT(ADVICE, int, sync_file_range, (int file, off64_t at, off64_t size, unsigned flags),
      (file, at, size, flags))

static void count_allocation(size_t size) {
  count(ALLOCATIONS, 1);
  count(ALLOCATED_BYTES, size);
}

// dlsym(3) may call these, so they cannot be looked up with it; glibc has them under other names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size) {
  count_allocation(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count_allocation(number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count_allocation(size);
  return __libc_realloc(block, size);
}

/// Defines a function that allocates `size` bytes.
#define ALLOCATE(result, name, parameters, arguments) \
  result name parameters {                            \
    FIND_NEXT(name);                                  \
    count_allocation(size);                           \
    return next arguments;                            \
  }

ALLOCATE(int, posix_memalign, (void **block, size_t alignment, size_t size),
         (block, alignment, size))
ALLOCATE(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
ALLOCATE(void *, memalign, (size_t alignment, size_t size), (alignment, size))
