// libFuzzer brings the main function.

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Trial.swift
int cleave_trial(const char *name, const uint8_t *bytes, size_t count);

static const char *name;

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  (void)count, (void)arguments;
  name = getenv("CLEAVE_TRIAL");
  if (name != NULL && cleave_trial(name, (const uint8_t *)"", 0)) return 0;
  fprintf(stderr, "CLEAVE_TRIAL names no trial\n");
  exit(64);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  cleave_trial(name, bytes, count);
  return 0;
}
