#define _GNU_SOURCE
#include "CPlatform.h"

#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

// A terminal whose keys are read one by one. It is put back however the process ends, but for SIGKILL.

static const int keyboard = 0;
static struct termios before;
static volatile sig_atomic_t is_set;

static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};

// In the background, a change would stop the process, and keys are the shell's.
static int is_in_front(void) { return tcgetpgrp(keyboard) == getpgrp(); }

// A process group in the background is not to be stopped by what puts the terminal back: tcsetattr(3) is
// not called then.
void cplatform_leave_keys(void) {
  if (!is_set) return;
  is_set = 0;
  if (is_in_front()) tcsetattr(keyboard, TCSANOW, &before);
}

static void on_crash(int signal_number) {
  cplatform_leave_keys();
  // As it was before: the default, by which the process ends when the instruction fails again.
  raise(signal_number);
}

static void watch_crashes(void) {
  static int is_watching;
  if (is_watching) return;
  is_watching = 1;
  for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++) {
    struct sigaction action;
    // Others know better what to do, as with files that are cut short under a mapping.
    if (sigaction(crashes[index], NULL, &action) != 0) continue;
    if ((action.sa_flags & SA_SIGINFO) || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = on_crash;
    action.sa_flags = SA_RESETHAND | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(crashes[index], &action, NULL);
  }
}

int cplatform_key(void) {
  struct termios now;
  if (!is_in_front() || tcgetattr(keyboard, &now) != 0) return -1;
  // A shell that has had the terminal meanwhile has left it as it likes it.
  if (now.c_lflag & ICANON) {
    before = now;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    // A read takes what is there, and waits for nothing.
    now.c_cc[VMIN] = 0;
    now.c_cc[VTIME] = 0;
    watch_crashes();
    is_set = 1;
    if (tcsetattr(keyboard, TCSANOW, &now) != 0) {
      is_set = 0;
      return -1;
    }
  }
  struct pollfd waiting = {.fd = keyboard, .events = POLLIN};
  unsigned char key;
  if (!is_set || poll(&waiting, 1, 0) != 1 || !(waiting.revents & POLLIN)) return -1;
  return read(keyboard, &key, 1) == 1 ? key : -1;
}
