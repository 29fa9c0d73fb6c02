// What the two halves of the shim have in common: the counters.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// The 64-bit variants are the same functions under two names only where off_t has 64 bits.
_Static_assert(sizeof(off_t) == 8, "off_t must have 64 bits");

enum counter {
  READS, READ_BYTES, WRITES, WRITE_BYTES, COPIES, COPY_BYTES, OTHER_TRANSFERS, OPENS, CLOSES, STATS,
  SEEKS, MAPS, ADVICE, RESERVATIONS, FLUSHES, CONTROLS, ALLOCATIONS, ALLOCATED_BYTES, COUNTERS
};

// A program may have symbols of these names, which must not take the place of the shim's.
#pragma GCC visibility push(hidden)

/// Adds to a counter. Neither allocates nor changes errno.
void count(enum counter counter, size_t amount);

/// Whether the descriptor is one of a file whose bytes are to be counted. Keeps errno.
bool is_watched(int descriptor);

/// The function of that name behind the shim.
void *next_function(const char *name);

#pragma GCC visibility pop
