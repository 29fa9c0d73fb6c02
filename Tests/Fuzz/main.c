// libFuzzer brings the main function.

#include <stddef.h>
#include <stdint.h>

// ZipTrial.swift
void cleave_zip_trial(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  cleave_zip_trial(bytes, count);
  return 0;
}
