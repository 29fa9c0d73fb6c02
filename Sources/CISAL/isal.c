#include "CISAL.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

unsigned long cisal_crc32(unsigned long value, const unsigned char *bytes, size_t count) {
  return crc32_gzip_refl((uint32_t)value, bytes, count);
}

unsigned long cisal_adler32(unsigned long value, const unsigned char *bytes, size_t count) {
  return isal_adler32((uint32_t)value, bytes, count);
}

struct cisal_inflater {
  struct inflate_state state;
};

struct cisal_inflater *cisal_inflater_new(void) {
  struct cisal_inflater *inflater = malloc(sizeof *inflater);
  if (inflater != NULL) cisal_inflater_reset(inflater);
  return inflater;
}

void cisal_inflater_free(struct cisal_inflater *inflater) { free(inflater); }

void cisal_inflater_reset(struct cisal_inflater *inflater) { isal_inflate_init(&inflater->state); }

void cisal_inflater_give(struct cisal_inflater *inflater, const uint8_t *bytes, size_t count) {
  inflater->state.next_in = (uint8_t *)bytes;
  inflater->state.avail_in = (uint32_t)count;
}

enum cisal_state cisal_inflate(struct cisal_inflater *inflater, uint8_t *bytes, size_t *count) {
  struct inflate_state *state = &inflater->state;
  state->next_out = bytes;
  state->avail_out = (uint32_t)*count;
  int result = isal_inflate(state);
  *count -= state->avail_out;
  if (result != ISAL_DECOMP_OK) return CISAL_DAMAGED;
  if (state->block_state == ISAL_BLOCK_FINISH) return CISAL_ENDED;
  return state->avail_out == 0 ? CISAL_HAS_OUTPUT : CISAL_NEEDS_INPUT;
}

size_t cisal_inflater_left(const struct cisal_inflater *inflater) {
  // Whole bytes that have been taken into the bit buffer and not used.
  return inflater->state.avail_in + (size_t)inflater->state.read_in_length / 8;
}
