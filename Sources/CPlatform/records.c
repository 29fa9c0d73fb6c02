#define _GNU_SOURCE
#include "CPlatform.h"

#include <string.h>

// Bytes that are looked at before what was counted in them is summed up.
enum { STEP = 4096 };

static size_t count_byte(const void *bytes, size_t count, unsigned char byte) {
  const unsigned char *place = bytes;
  size_t found = 0;
  // 255 rounds fit into sums of one byte each, of which the compiler makes vectors.
  while (count >= 64) {
    size_t rounds = count / 64 < 255 ? count / 64 : 255;
    unsigned char sums[64] = {0};
    for (size_t round = 0; round < rounds; round++, place += 64) {
      for (int i = 0; i < 64; i++) sums[i] += place[i] == byte;
    }
    for (int i = 0; i < 64; i++) found += sums[i];
    count -= rounds * 64;
  }
  while (count-- > 0) found += *place++ == byte;
  return found;
}

size_t cplatform_skip_byte(const void *bytes, size_t count, unsigned char byte, uint64_t *times) {
  const unsigned char *start = bytes, *place = start, *end = start + count;
  while (place < end) {
    size_t step = (size_t)(end - place) < STEP ? (size_t)(end - place) : STEP;
    size_t found = count_byte(place, step, byte);
    if (found >= *times) {
      while (*times > 0) {
        place = (const unsigned char *)memchr(place, byte, (size_t)(end - place)) + 1;
        --*times;
      }
      return (size_t)(place - start);
    }
    *times -= found;
    place += step;
  }
  return 0;
}

size_t cplatform_first_byte(const void *bytes, size_t count, unsigned char byte) {
  const unsigned char *found = count > 0 ? memchr(bytes, byte, count) : NULL;
  return found ? (size_t)(found - (const unsigned char *)bytes) : count;
}

size_t cplatform_last_byte(const void *bytes, size_t count, unsigned char byte) {
#ifdef __linux__
  const unsigned char *found = count > 0 ? memrchr(bytes, byte, count) : NULL;
  return found ? (size_t)(found - (const unsigned char *)bytes) : count;
#else
  const unsigned char *place = bytes;
  for (size_t i = count; i > 0; i--) {
    if (place[i - 1] == byte) return i - 1;
  }
  return count;
#endif
}

size_t cplatform_deal(
    const void *bytes, size_t count, unsigned char separator, cplatform_heap *heaps, size_t heap_count,
    size_t *current) {
  const unsigned char *start = bytes, *place = start, *end = start + count;
  while (place < end) {
    const unsigned char *found = memchr(place, separator, (size_t)(end - place));
    size_t length = found ? (size_t)(found + 1 - place) : (size_t)(end - place);
    cplatform_heap *heap = &heaps[*current];
    size_t room = heap->capacity - heap->count;
    if (length > room) {
      memcpy(heap->bytes + heap->count, place, room);
      heap->count += room;
      place += room;
      break;
    }
    memcpy(heap->bytes + heap->count, place, length);
    heap->count += length;
    place += length;
    if (found) *current = *current + 1 == heap_count ? 0 : *current + 1;
  }
  return (size_t)(place - start);
}
