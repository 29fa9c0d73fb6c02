#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
#include <crt_externs.h>
#include <mach-o/dyld.h>
#else
extern char **environ;
#endif

char *const *cplatform_environment(void) {
#ifdef __APPLE__
  return *_NSGetEnviron();
#else
  return environ;
#endif
}

int cplatform_executable(char *path, uint32_t size) {
#ifdef __APPLE__
  if (_NSGetExecutablePath(path, &size) == 0) return 0;
  errno = ENAMETOOLONG;
#else
  // Linux has a name for it in /proc, which stays right when the file is replaced.
  (void)path, (void)size;
  errno = ENOTSUP;
#endif
  return -1;
}

int cplatform_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) == -1) return -1;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

// Between fork and exec of a process with threads only async-signal-safe calls are allowed. Through
// pointers they are looked up when the program is loaded: the first call would otherwise look it up in
// the child, in pages of every library, which count towards its ru_maxrss (measured: 0.7 MiB).
static int (*const volatile call_setpgid)(pid_t, pid_t) = setpgid;
static int (*const volatile call_sigaction)(
    int, const struct sigaction *, struct sigaction *) = sigaction;
static int (*const volatile call_sigprocmask)(int, const sigset_t *, sigset_t *) = sigprocmask;
static int (*const volatile call_dup2)(int, int) = dup2;
static int (*const volatile call_execve)(const char *, char *const[], char *const[]) = execve;

static void become(
    const cplatform_child *child, const struct sigaction *standard, const sigset_t *none, int report) {
  for (int i = 0; i < child->signal_count; i++) call_sigaction(child->signals[i], standard, NULL);
  if (!child->stays) call_setpgid(0, 0);
  // A thread of Dispatch blocks nearly all of them.
  call_sigprocmask(SIG_SETMASK, none, NULL);
  int failed = 0;
  for (int i = 0; i < 3; i++) failed |= call_dup2(child->standard[i], i) == -1;
  if (!failed) call_execve(child->program, child->arguments, child->environment);
  int error = errno;
  (void)!write(report, &error, sizeof error);
  _exit(127);
}

pid_t cplatform_start(const cplatform_child *child) {
  int report[2];
  if (cplatform_pipe(report) == -1) return -1;
  struct sigaction standard = {.sa_handler = SIG_DFL};
  sigset_t none;
  sigemptyset(&standard.sa_mask);
  sigemptyset(&none);
  // Not posix_spawn(3): on Linux its child lives in the parent's memory until exec, and all of that
  // counts towards the child's ru_maxrss. A fork has of the parent's memory only anonymous pages.
  pid_t process = fork();
  if (process == 0) become(child, &standard, &none, report[1]);
  int error = process == -1 ? errno : 0;
  close(report[1]);
  if (process > 0) {
    // Ends without a byte when exec closes the other end.
    while (read(report[0], &error, sizeof error) == -1 && errno == EINTR) {}
    if (error != 0) while (waitpid(process, NULL, 0) == -1 && errno == EINTR) {}
  }
  close(report[0]);
  if (error == 0) return process;
  errno = error;
  return -1;
}

int cplatform_await_end(pid_t process) {
  siginfo_t info;
  return waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT);
}
