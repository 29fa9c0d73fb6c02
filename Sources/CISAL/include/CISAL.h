// ISA-L's checksums and its inflate, with the few types that Swift can import without effort: its own
// state is a struct with arrays of many thousand elements.

#ifndef CISAL_H
#define CISAL_H

#include <stddef.h>
#include <stdint.h>

// As zlib's crc32_z and adler32_z.
unsigned long cisal_crc32(unsigned long value, const unsigned char *bytes, size_t count);
unsigned long cisal_adler32(unsigned long value, const unsigned char *bytes, size_t count);

// Raw deflate data on its way back.
struct cisal_inflater;

// NULL where there is no memory.
struct cisal_inflater *cisal_inflater_new(void);
void cisal_inflater_free(struct cisal_inflater *inflater);

// Begins with other data.
void cisal_inflater_reset(struct cisal_inflater *inflater);

// Takes `count` bytes in, of which none may be left from before.
void cisal_inflater_give(struct cisal_inflater *inflater, const uint8_t *bytes, size_t count);

enum cisal_state {
  CISAL_NEEDS_INPUT,
  CISAL_HAS_OUTPUT,
  CISAL_ENDED,
  CISAL_DAMAGED
};

// Makes up to `*count` bytes, and sets it to how many there are.
enum cisal_state cisal_inflate(struct cisal_inflater *inflater, uint8_t *bytes, size_t *count);

// The bytes taken in that lie behind the end, once that has been found.
size_t cisal_inflater_left(const struct cisal_inflater *inflater);

#endif
