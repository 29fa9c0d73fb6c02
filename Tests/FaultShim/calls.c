// The intercepted functions: each asks for a verdict, and then fails or goes on to the function of
// the same name behind the shim. fault-shim.c has the rules.

#define _GNU_SOURCE
#include "fault-shim.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static int fail(int error) {
  errno = error;
  return -1;
}

// MARK: - open

/// The third argument of open(2), which is there only for calls that may make a file.
static mode_t mode_of(int flags, va_list arguments) {
  bool makes_file = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return makes_file ? va_arg(arguments, mode_t) : 0;
}

static int open_file(int directory, const char *path, int flags, mode_t mode) {
  struct verdict verdict = judge_path(OPEN, path);
  if (verdict.error != 0) return fail(verdict.error);
  return next.openat(directory, path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(directory, path, flags, mode);
}

// MARK: - read and write

ssize_t read(int descriptor, void *buffer, size_t count) {
  struct verdict verdict = judge_descriptor(READ, descriptor, count);
  if (verdict.error != 0) return fail(verdict.error);
  return next.read(descriptor, buffer, verdict.count);
}

static ssize_t read_at(int descriptor, void *buffer, size_t count, off_t offset) {
  struct verdict verdict = judge_descriptor(READ, descriptor, count);
  if (verdict.error != 0) return fail(verdict.error);
  return next.pread(descriptor, buffer, verdict.count, offset);
}

ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset) {
  return read_at(descriptor, buffer, count, offset);
}

ssize_t pread64(int descriptor, void *buffer, size_t count, off64_t offset) {
  return read_at(descriptor, buffer, count, offset);
}

ssize_t write(int descriptor, const void *buffer, size_t count) {
  struct verdict verdict = judge_descriptor(WRITE, descriptor, count);
  if (verdict.error != 0) return fail(verdict.error);
  return next.write(descriptor, buffer, verdict.count);
}

static ssize_t write_at(int descriptor, const void *buffer, size_t count, off_t offset) {
  struct verdict verdict = judge_descriptor(WRITE, descriptor, count);
  if (verdict.error != 0) return fail(verdict.error);
  return next.pwrite(descriptor, buffer, verdict.count, offset);
}

ssize_t pwrite(int descriptor, const void *buffer, size_t count, off_t offset) {
  return write_at(descriptor, buffer, count, offset);
}

ssize_t pwrite64(int descriptor, const void *buffer, size_t count, off64_t offset) {
  return write_at(descriptor, buffer, count, offset);
}

ssize_t copy_file_range(
    int source, off64_t *source_offset, int destination, off64_t *destination_offset, size_t count,
    unsigned flags) {
  struct verdict verdict = judge_descriptor(COPY_FILE_RANGE, destination, count);
  if (verdict.error != 0) return fail(verdict.error);
  return next.copy_file_range(
      source, source_offset, destination, destination_offset, verdict.count, flags);
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  // Whatever it is, it is passed on as the C library does it.
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  if (request == FICLONERANGE) {
    struct verdict verdict = judge_descriptor(SHARE, descriptor, 0);
    if (verdict.error != 0) return fail(verdict.error);
  }
  ensure_set_up();
  return next.ioctl(descriptor, request, argument);
}

static void *map(
    void *hint, size_t length, int protection, int flags, int descriptor, off_t offset) {
  // A mapping of no file is the program's memory, not its input or output.
  if (descriptor != -1) {
    struct verdict verdict = judge_descriptor(MMAP, descriptor, length);
    if (verdict.error != 0) {
      errno = verdict.error;
      return MAP_FAILED;
    }
    // Far behind the end of any file: no page, and SIGBUS for whoever touches it.
    if (verdict.count < length) offset = (off_t)1 << 46;
  }
  ensure_set_up();
  return next.mmap(hint, length, protection, flags, descriptor, offset);
}

void *mmap(void *hint, size_t length, int protection, int flags, int descriptor, off_t offset) {
  return map(hint, length, protection, flags, descriptor, offset);
}

void *mmap64(void *hint, size_t length, int protection, int flags, int descriptor, off64_t offset) {
  return map(hint, length, protection, flags, descriptor, offset);
}

// MARK: - Descriptors

int fsync(int descriptor) {
  struct verdict verdict = judge_descriptor(FSYNC, descriptor, 0);
  if (verdict.error != 0) return fail(verdict.error);
  return next.fsync(descriptor);
}

int fdatasync(int descriptor) {
  struct verdict verdict = judge_descriptor(FDATASYNC, descriptor, 0);
  if (verdict.error != 0) return fail(verdict.error);
  return next.fdatasync(descriptor);
}

int flock(int descriptor, int manner) {
  struct verdict verdict = judge_descriptor(FLOCK, descriptor, 0);
  if (verdict.error != 0) return fail(verdict.error);
  return next.flock(descriptor, manner);
}

int close(int descriptor) {
  struct verdict verdict = judge_descriptor(CLOSE, descriptor, 0);
  int result = next.close(descriptor);
  // On Linux the number is free again even where close(2) reports an error.
  return verdict.error != 0 ? fail(verdict.error) : result;
}

static int set_size(int descriptor, off_t size) {
  struct verdict verdict = judge_descriptor(FTRUNCATE, descriptor, 0);
  if (verdict.error != 0) return fail(verdict.error);
  return next.ftruncate(descriptor, size);
}

int ftruncate(int descriptor, off_t size) { return set_size(descriptor, size); }
int ftruncate64(int descriptor, off64_t size) { return set_size(descriptor, size); }

static int reserve(int descriptor, int mode, off_t offset, off_t length) {
  struct verdict verdict = judge_descriptor(FALLOCATE, descriptor, 0);
  if (verdict.error != 0) return fail(verdict.error);
  return next.fallocate(descriptor, mode, offset, length);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  return reserve(descriptor, mode, offset, length);
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
  return reserve(descriptor, mode, offset, length);
}

// MARK: - Names

int rename(const char *from, const char *to) {
  struct verdict verdict = judge_path(RENAME, to);
  if (verdict.error != 0) return fail(verdict.error);
  return next.rename(from, to);
}

int renameat(int from_directory, const char *from, int to_directory, const char *to) {
  struct verdict verdict = judge_path(RENAME, to);
  if (verdict.error != 0) return fail(verdict.error);
  return next.renameat(from_directory, from, to_directory, to);
}

int renameat2(
    int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
  struct verdict verdict = judge_path(RENAME, to);
  if (verdict.error != 0) return fail(verdict.error);
  return next.renameat2(from_directory, from, to_directory, to, flags);
}

int link(const char *from, const char *to) {
  struct verdict verdict = judge_path(LINK, to);
  if (verdict.error != 0) return fail(verdict.error);
  return next.link(from, to);
}

int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags) {
  struct verdict verdict = judge_path(LINK, to);
  if (verdict.error != 0) return fail(verdict.error);
  return next.linkat(from_directory, from, to_directory, to, flags);
}

int unlink(const char *path) {
  struct verdict verdict = judge_path(UNLINK, path);
  if (verdict.error != 0) return fail(verdict.error);
  return next.unlink(path);
}

int unlinkat(int directory, const char *path, int flags) {
  struct verdict verdict = judge_path(UNLINK, path);
  if (verdict.error != 0) return fail(verdict.error);
  return next.unlinkat(directory, path, flags);
}

static int file_system_type(const char *path, struct statfs *info) {
  struct verdict verdict = judge_path(STATFS, path);
  if (verdict.error != 0) return fail(verdict.error);
  int result = next.statfs(path, info);
  if (verdict.type != 0) info->f_type = verdict.type;
  return result;
}

int statfs(const char *path, struct statfs *info) { return file_system_type(path, info); }

// struct statfs64 has the same layout wherever off_t has 64 bits.
int statfs64(const char *path, struct statfs64 *info) {
  return file_system_type(path, (struct statfs *)info);
}

static int file_system(const char *path, struct statvfs *info) {
  struct verdict verdict = judge_path(STATVFS, path);
  if (verdict.error != 0) return fail(verdict.error);
  return next.statvfs(path, info);
}

static int file_system_of(int descriptor, struct statvfs *info) {
  struct verdict verdict = judge_descriptor(STATVFS, descriptor, 0);
  if (verdict.error != 0) return fail(verdict.error);
  return next.fstatvfs(descriptor, info);
}

int statvfs(const char *path, struct statvfs *info) { return file_system(path, info); }
int fstatvfs(int descriptor, struct statvfs *info) { return file_system_of(descriptor, info); }

// struct statvfs64 has the same layout wherever off_t has 64 bits.
int statvfs64(const char *path, struct statvfs64 *info) {
  return file_system(path, (struct statvfs *)info);
}
int fstatvfs64(int descriptor, struct statvfs64 *info) {
  return file_system_of(descriptor, (struct statvfs *)info);
}
