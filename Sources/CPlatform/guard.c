#define _GNU_SOURCE
#include "CPlatform.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

// A file truncated under a mapping raises SIGBUS at the first touch. The jump leaves only frames of
// checksum loops, which hold no lock and own no memory.

// Bytes that both checksums take while they are in the cache; also how far Linux maps around a fault.
static const size_t step = 64 << 10;

static __thread sigjmp_buf *volatile active_guard;
static struct sigaction previous_action;

static void on_bus_error(int signal_number, siginfo_t *info, void *context) {
  if (active_guard) siglongjmp(*active_guard, 1);
  // Not ours: hand it to the handler that was there before, or let it kill the process as it would have.
  if (previous_action.sa_flags & SA_SIGINFO) {
    previous_action.sa_sigaction(signal_number, info, context);
  } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal_number);
  } else {
    signal(SIGBUS, SIG_DFL);
  }
}

static void install_handler(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
  action.sa_sigaction = on_bus_error;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &previous_action);
}

int cplatform_guarded_checksums(
    cplatform_checksum first, unsigned long *first_value, cplatform_checksum second,
    unsigned long *second_value, const unsigned char *bytes, size_t count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install_handler);

  sigjmp_buf guard;
  if (sigsetjmp(guard, 1) != 0) {
    active_guard = NULL;
    return -1;
  }
  active_guard = &guard;
  for (size_t done = 0; done < count; done += step) {
    size_t left = count - done < step ? count - done : step;
    // Linux maps what is in memory around a page that is touched, so that one byte brings the rest.
    *(volatile const unsigned char *)(bytes + done);
    if (first) *first_value = first(*first_value, bytes + done, left);
    if (second) *second_value = second(*second_value, bytes + done, left);
  }
  active_guard = NULL;
  return 0;
}
