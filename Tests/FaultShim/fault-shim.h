// What the two halves of the shim have in common: the rules, and the calls that they are about.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stddef.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/types.h>

// The 64-bit variants are the same functions under two names only where off_t has 64 bits.
_Static_assert(sizeof(off_t) == 8, "off_t must have 64 bits");

enum operation {
  OPEN, READ, WRITE, FSYNC, FDATASYNC, CLOSE, FTRUNCATE, FALLOCATE, COPY_FILE_RANGE, RENAME, LINK,
  UNLINK, MMAP, STATFS, STATVFS, FLOCK, SHARE, OPERATIONS,
  ANY = OPERATIONS,  // in a rule: each of them
  RULE_OPERATIONS
};

/// What the intercepted function shall do.
struct verdict {
  int error;     // fail with this errno, unless 0
  size_t count;  // ask for no more bytes than this
  long type;     // tell this type of a file system, unless 0
};

// A program may have symbols of these names, which must not take the place of the shim's.
#pragma GCC visibility push(hidden)

/// Applies the rules to a call that names a file.
struct verdict judge_path(enum operation operation, const char *path);

/// Applies the rules to a call on a descriptor that wants `count` bytes.
struct verdict judge_descriptor(enum operation operation, int descriptor, size_t count);

/// Reads the rules and finds the functions below, once; the two above do it themselves.
void ensure_set_up(void);

/// The functions behind this shim, under their own names.
struct next_functions {
  int (*open)(const char *, int, ...);
  int (*openat)(int, const char *, int, ...);
  ssize_t (*read)(int, void *, size_t);
  ssize_t (*pread)(int, void *, size_t, off_t);
  ssize_t (*write)(int, const void *, size_t);
  ssize_t (*pwrite)(int, const void *, size_t, off_t);
  int (*fsync)(int);
  int (*fdatasync)(int);
  int (*close)(int);
  int (*ftruncate)(int, off_t);
  int (*fallocate)(int, int, off_t, off_t);
  ssize_t (*copy_file_range)(int, off_t *, int, off_t *, size_t, unsigned);
  int (*rename)(const char *, const char *);
  int (*renameat)(int, const char *, int, const char *);
  int (*renameat2)(int, const char *, int, const char *, unsigned);
  int (*link)(const char *, const char *);
  int (*linkat)(int, const char *, int, const char *, int);
  int (*unlink)(const char *);
  int (*unlinkat)(int, const char *, int);
  void *(*mmap)(void *, size_t, int, int, int, off_t);
  int (*statfs)(const char *, struct statfs *);
  int (*statvfs)(const char *, struct statvfs *);
  int (*fstatvfs)(int, struct statvfs *);
  int (*flock)(int, int);
  int (*ioctl)(int, unsigned long, ...);
};

extern struct next_functions next;

#pragma GCC visibility pop
