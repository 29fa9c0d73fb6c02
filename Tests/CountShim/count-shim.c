// Counts what a dynamically linked program asks of the C library, so that tests can hold it to a
// number that does not depend on how busy the machine is. Linux with glibc; loaded with LD_PRELOAD.
//
//     CLEAVE_COUNTS=FILE CLEAVE_COUNTS_BELOW=DIRECTORY
//
// When the program calls exit(3), FILE gets one line, a JSON object of numbers:
//
// reads, readBytes        read(2) and its variants on files below DIRECTORY, and what they gave
// writes, writeBytes      the same for write(2)
// copies, copyBytes       copy_file_range(2) and sendfile(2)
// otherTransfers          read and write on anything else: /proc, pipes, signals
// opens, closes, stats, seeks, controls (fcntl, ioctl)
// maps                    mmap and munmap
// advice                  madvise, posix_fadvise, readahead, sync_file_range
// reservations            fallocate, ftruncate
// flushes                 fsync, fdatasync
// allocations             malloc, calloc, realloc, posix_memalign, aligned_alloc, memalign
// allocatedBytes          what they were asked for
// faults                  page faults that needed no device, of the process; see getrusage(2)
// switches                context switches of the process that it asked for by waiting: how often
//                         others took the processor depends on what else runs
// peakResidentBytes       VmHWM of proc(5): unlike ru_maxrss, not what there was before exec
//
// libdispatch and the Swift runtime call the C library like any program, so that their calls are
// counted, too, whether they are linked statically or not: for all but the allocations, the numbers
// were found to be those of `strace -f`. Not seen is what the C library and the loader do by
// themselves (stacks of threads, malloc's own brk, mmap and madvise, fopen, eventfd_read), and all
// waiting, which is futex(2), by the C library or through syscall(2).

#define _GNU_SOURCE
#include "count-shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char *const names[COUNTERS] = {
    [READS] = "reads",
    [READ_BYTES] = "readBytes",
    [WRITES] = "writes",
    [WRITE_BYTES] = "writeBytes",
    [COPIES] = "copies",
    [COPY_BYTES] = "copyBytes",
    [OTHER_TRANSFERS] = "otherTransfers",
    [OPENS] = "opens",
    [CLOSES] = "closes",
    [STATS] = "stats",
    [SEEKS] = "seeks",
    [MAPS] = "maps",
    [ADVICE] = "advice",
    [RESERVATIONS] = "reservations",
    [FLUSHES] = "flushes",
    [CONTROLS] = "controls",
    [ALLOCATIONS] = "allocations",
    [ALLOCATED_BYTES] = "allocatedBytes",
};

static atomic_ullong counters[COUNTERS];

void count(enum counter counter, size_t amount) {
  atomic_fetch_add_explicit(&counters[counter], amount, memory_order_relaxed);
}

bool is_watched(int descriptor) {
  const char *directory = getenv("CLEAVE_COUNTS_BELOW");
  if (directory == NULL) return false;
  int saved = errno;
  char link_name[32];
  char path[PATH_MAX];
  snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link_name, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = '\0';
  errno = saved;
  size_t prefix = strlen(directory);
  return strncmp(path, directory, prefix) == 0 && path[prefix] == '/';
}

void *next_function(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (function == NULL) {
    dprintf(STDERR_FILENO, "count-shim: no %s behind it\n", name);
    abort();
  }
  return function;
}

// MARK: - The report

static _Noreturn void give_up(const char *what) {
  dprintf(STDERR_FILENO, "count-shim: %s: %s\n", what, strerror(errno));
  _exit(99);
}

/// From the line `VmHWM:     1234 kB`.
static unsigned long long peak_resident_bytes(void) {
  FILE *status = fopen("/proc/self/status", "re");
  if (status == NULL) give_up("/proc/self/status");
  char line[256];
  unsigned long long kibibytes = 0;
  while (fgets(line, sizeof line, status) != NULL) {
    if (sscanf(line, "VmHWM: %llu", &kibibytes) == 1) break;
  }
  fclose(status);
  return kibibytes << 10;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("CLEAVE_COUNTS");
  if (path == NULL) return;
  // First of all, since what follows allocates and makes system calls, too.
  unsigned long long values[COUNTERS];
  for (int i = 0; i < COUNTERS; i++) values[i] = atomic_load(&counters[i]);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);

  FILE *file = fopen(path, "we");
  if (file == NULL) give_up(path);
  fprintf(file, "{");
  for (int i = 0; i < COUNTERS; i++) fprintf(file, "\"%s\":%llu,", names[i], values[i]);
  fprintf(file, "\"faults\":%ld,\"switches\":%ld,\"peakResidentBytes\":%llu}\n", usage.ru_minflt,
          usage.ru_nvcsw, peak_resident_bytes());
  if (fclose(file) != 0) give_up(path);
}
