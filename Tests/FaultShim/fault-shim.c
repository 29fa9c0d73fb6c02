// Makes chosen system calls of a dynamically linked program fail, so that tests can see what it
// does about it. Linux only; loaded with LD_PRELOAD.
//
//     CLEAVE_FAULTS='write@/out#7=ENOSPC; read@part#3+=EIO; read@x#*=short:777; fsync@.out#1=EIO'
//
// A rule is OPERATION[@TEXT][#WHEN]=ACTION, and several are separated by ';'.
//
// OPERATION  open, read (and pread), write (and pwrite), fsync, fdatasync, close, ftruncate,
//            fallocate, copy_file_range, rename, link, unlink, mmap, statfs, statvfs,
//            flock, share (ioctl with FICLONERANGE). Variants such as openat, pread64 and renameat2 count as
//            the operation that they vary. any is each of them, counted together.
// TEXT       only calls on a file whose path contains TEXT. For descriptors it is the path that
//            /proc/self/fd gives; for copy_file_range and share the destination's, for rename and
//            link the new name. TEXT must not contain '#', '=' or ';'.
// WHEN       '3' for the third matching call, '3+' for it and all later ones, '*' for all, which
//            is the default. Calls are counted over all threads, so that the same rule hits the
//            same amount of progress however work is spread over threads.
// ACTION     ENOSPC        fail with this error; a number will do too
//            short:N       read or write at most N bytes; a mapping has no pages, as of a file
//                          that has been truncated
//            kill          SIGKILL to the process
//            stop          SIGSTOP to the process; the call goes on after SIGCONT
//            exit:N        leave at once with status N
//            delay:MS      wait this long first
//            truncate:N:PATH  cut the file PATH to N bytes, then go on with the call
//            type:N        tell that a file system is of this type, as in linux/magic.h
//            append:PATH   append one byte to the file PATH, then go on with the call
//
// CLEAVE_FAULT_LOG=FILE appends a line to FILE for every rule that fired, 'RULE: OPERATION PATH': a
// sweep that fails the first, second, … call ends when there is no line.
//
// Calls that the C library makes to itself are not seen: fopen, posix_spawn, the loader's mmap.

#define _GNU_SOURCE
#include "fault-shim.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// MARK: - Operations, actions and rules

static const char *const operation_names[RULE_OPERATIONS] = {
    [OPEN] = "open",
    [READ] = "read",
    [WRITE] = "write",
    [FSYNC] = "fsync",
    [FDATASYNC] = "fdatasync",
    [CLOSE] = "close",
    [FTRUNCATE] = "ftruncate",
    [FALLOCATE] = "fallocate",
    [COPY_FILE_RANGE] = "copy_file_range",
    [RENAME] = "rename",
    [LINK] = "link",
    [UNLINK] = "unlink",
    [MMAP] = "mmap",
    [STATFS] = "statfs",
    [STATVFS] = "statvfs",
    [FLOCK] = "flock",
    [SHARE] = "share",
    [ANY] = "any",
};

enum action { FAIL, SHORT, KILL, STOP, EXIT, DELAY, TYPE, TRUNCATE, APPEND, ACTIONS };

/// How an action is spelled, and whether a number or a path follows it. FAIL has no word.
static const struct {
  const char *word;
  bool takes_number, takes_path;
} action_forms[ACTIONS] = {
    [SHORT] = {"short", true, false},
    [KILL] = {"kill", false, false},
    [STOP] = {"stop", false, false},
    [EXIT] = {"exit", true, false},
    [DELAY] = {"delay", true, false},
    [TYPE] = {"type", true, false},
    [TRUNCATE] = {"truncate", true, true},
    [APPEND] = {"append", false, true},
};

struct rule {
  const char *source;  // as the user wrote it, for the log
  enum operation operation;
  const char *text;    // null where every path matches
  unsigned long first;
  bool and_later;
  enum action action;
  long number;         // an errno, a count of bytes, a status, milliseconds or a type
  const char *path;
  atomic_ulong seen;   // matching calls so far
};

enum { MOST_RULES = 16 };
static struct rule rules[MOST_RULES];
static size_t rule_count;
static bool watched[RULE_OPERATIONS];  // whether any rule is about the operation
static const char *log_path;

static const struct {
  const char *name;
  int number;
} errors[] = {
    {"EACCES", EACCES}, {"EAGAIN", EAGAIN}, {"EBADF", EBADF}, {"EBUSY", EBUSY},
    {"EDQUOT", EDQUOT}, {"EEXIST", EEXIST}, {"EFAULT", EFAULT}, {"EFBIG", EFBIG},
    {"EINTR", EINTR}, {"EINVAL", EINVAL}, {"EIO", EIO}, {"EISDIR", EISDIR}, {"ELOOP", ELOOP},
    {"EMFILE", EMFILE}, {"EMLINK", EMLINK}, {"ENAMETOOLONG", ENAMETOOLONG}, {"ENFILE", ENFILE},
    {"ENODEV", ENODEV}, {"ENOENT", ENOENT}, {"ENOLCK", ENOLCK}, {"ENOMEM", ENOMEM}, {"ENOSPC", ENOSPC},
    {"ENOSYS", ENOSYS}, {"ENOTDIR", ENOTDIR}, {"ENOTSUP", ENOTSUP}, {"ENXIO", ENXIO},
    {"EOPNOTSUPP", EOPNOTSUPP}, {"EPERM", EPERM}, {"EPIPE", EPIPE}, {"EROFS", EROFS},
    {"ESTALE", ESTALE}, {"ETXTBSY", ETXTBSY}, {"EXDEV", EXDEV},
};

// MARK: - The functions behind this shim

struct next_functions next;

/// Where each of the functions above is kept; dlsym(3) knows them by name.
static const struct {
  void *place;
  const char *name;
} symbols[] = {
    {&next.open, "open"},
    {&next.openat, "openat"},
    {&next.read, "read"},
    {&next.pread, "pread"},
    {&next.write, "write"},
    {&next.pwrite, "pwrite"},
    {&next.fsync, "fsync"},
    {&next.fdatasync, "fdatasync"},
    {&next.close, "close"},
    {&next.ftruncate, "ftruncate"},
    {&next.fallocate, "fallocate"},
    {&next.copy_file_range, "copy_file_range"},
    {&next.rename, "rename"},
    {&next.renameat, "renameat"},
    {&next.renameat2, "renameat2"},
    {&next.link, "link"},
    {&next.linkat, "linkat"},
    {&next.unlink, "unlink"},
    {&next.unlinkat, "unlinkat"},
    {&next.mmap, "mmap"},
    {&next.statfs, "statfs"},
    {&next.statvfs, "statvfs"},
    {&next.fstatvfs, "fstatvfs"},
    {&next.flock, "flock"},
    {&next.ioctl, "ioctl"},
};

static void find_next_functions(void) {
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    void *symbol = dlsym(RTLD_NEXT, symbols[i].name);
    memcpy(symbols[i].place, &symbol, sizeof symbol);
  }
}

// MARK: - Reading the rules

/// A rule that is not understood must not look like a fault that was survived.
static _Noreturn void reject(const char *rule, const char *why) {
  dprintf(STDERR_FILENO, "fault-shim: %s: %s\n", rule, why);
  _exit(99);
}

static enum operation parse_operation(const char *word, const char *rule) {
  for (int i = 0; i < RULE_OPERATIONS; i++) {
    if (strcmp(operation_names[i], word) == 0) return (enum operation)i;
  }
  reject(rule, "no such operation");
}

static int parse_error(const char *word, const char *rule) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    if (strcmp(errors[i].name, word) == 0) return errors[i].number;
  }
  if (!isdigit((unsigned char)*word)) reject(rule, "no such action");
  return atoi(word);
}

static void parse_when(struct rule *rule, const char *when) {
  if (strcmp(when, "*") == 0) {
    rule->first = 1;
    rule->and_later = true;
    return;
  }
  char *end;
  rule->first = strtoul(when, &end, 10);
  rule->and_later = *end == '+';
  if (rule->first == 0) reject(rule->source, "calls are counted from 1");
}

/// `arguments` is what follows the action's word and a colon.
static void parse_arguments(struct rule *rule, char *arguments) {
  if (action_forms[rule->action].takes_number) {
    rule->number = strtol(arguments, &arguments, 10);
    if (*arguments == ':') arguments++;
  }
  if (action_forms[rule->action].takes_path) {
    if (*arguments == '\0') reject(rule->source, "the action needs a path");
    rule->path = arguments;
  }
}

static void parse_action(struct rule *rule, char *action) {
  size_t length = strcspn(action, ":");
  for (int i = FAIL + 1; i < ACTIONS; i++) {
    const char *word = action_forms[i].word;
    if (strlen(word) != length || strncmp(word, action, length) != 0) continue;
    rule->action = (enum action)i;
    parse_arguments(rule, action + length + (action[length] == ':'));
    return;
  }
  rule->action = FAIL;
  rule->number = parse_error(action, rule->source);
}

/// Cuts `text` at the first `mark`. Returns what is behind it, or null where there is none.
static char *cut(char *text, char mark) {
  char *found = strchr(text, mark);
  if (found == NULL) return NULL;
  *found = '\0';
  return found + 1;
}

static void parse_rule(char *text) {
  if (rule_count == MOST_RULES) reject(text, "too many rules");
  struct rule *rule = &rules[rule_count++];
  rule->source = strdup(text);
  char *action = cut(text, '=');
  if (action == NULL) reject(rule->source, "no '=' and action");
  char *when = cut(text, '#');
  rule->text = cut(text, '@');
  rule->operation = parse_operation(text, rule->source);
  parse_when(rule, when == NULL ? "*" : when);
  parse_action(rule, action);
  watched[rule->operation] = true;
}

static void parse_rules(const char *list) {
  char *rest = strdup(list);
  while (rest != NULL) {
    char *rule = rest + strspn(rest, " \n");
    rest = cut(rule, ';');
    if (*rule != '\0') parse_rule(rule);
  }
}

static void set_up(void) {
  find_next_functions();
  log_path = getenv("CLEAVE_FAULT_LOG");
  const char *list = getenv("CLEAVE_FAULTS");
  if (list != NULL) parse_rules(list);
}

/// Every intercepted function starts with this, as other libraries' constructors may come before
/// ours. It is a constructor too, so that a program that calls nothing still rejects a bad rule.
__attribute__((constructor)) void ensure_set_up(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_up);
}

// MARK: - Carrying out a rule

static void append_bytes(const char *path, const char *bytes, size_t count) {
  int file = next.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file == -1 || next.write(file, bytes, count) != (ssize_t)count) {
    reject(path, strerror(errno));
  }
  next.close(file);
}

static void record(const struct rule *rule, enum operation operation, const char *path) {
  if (log_path == NULL) return;
  char line[PATH_MAX + 256];
  int length = snprintf(
      line, sizeof line, "%s: %s %s\n", rule->source, operation_names[operation], path);
  size_t count = (size_t)length < sizeof line ? (size_t)length : sizeof line;
  append_bytes(log_path, line, count);
}

static void wait_milliseconds(long milliseconds) {
  struct timespec rest = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  while (nanosleep(&rest, &rest) == -1 && errno == EINTR) continue;
}

static void carry_out(const struct rule *rule, struct verdict *verdict) {
  switch (rule->action) {
  case FAIL:
    verdict->error = (int)rule->number;
    return;
  case SHORT:
    if (verdict->count > (size_t)rule->number) verdict->count = (size_t)rule->number;
    return;
  case KILL:
    raise(SIGKILL);
    return;
  case STOP:
    raise(SIGSTOP);
    return;
  case EXIT:
    _exit((int)rule->number);
  case DELAY:
    wait_milliseconds(rule->number);
    return;
  case TYPE:
    verdict->type = rule->number;
    return;
  case TRUNCATE:
    if (truncate(rule->path, rule->number) == -1) reject(rule->source, strerror(errno));
    return;
  case APPEND:
    append_bytes(rule->path, "+", 1);
    return;
  case ACTIONS:
    return;
  }
}

/// Counts the call, and says whether it is one that the rule is about.
static bool is_due(struct rule *rule) {
  unsigned long call = atomic_fetch_add(&rule->seen, 1) + 1;
  return rule->and_later ? call >= rule->first : call == rule->first;
}

/// Applies every rule to a call on the file at `path` that wants `count` bytes. Keeps errno.
static struct verdict judge(enum operation operation, const char *path, size_t count) {
  struct verdict verdict = {.error = 0, .count = count};
  int saved = errno;
  for (size_t i = 0; i < rule_count; i++) {
    struct rule *rule = &rules[i];
    if (rule->operation != operation && rule->operation != ANY) continue;
    if (rule->text != NULL && strstr(path, rule->text) == NULL) continue;
    if (!is_due(rule)) continue;
    record(rule, operation, path);
    carry_out(rule, &verdict);
  }
  errno = saved;
  return verdict;
}

struct verdict judge_path(enum operation operation, const char *path) {
  ensure_set_up();
  return judge(operation, path, 0);
}

/// The path of a descriptor that is not open is empty.
struct verdict judge_descriptor(enum operation operation, int descriptor, size_t count) {
  ensure_set_up();
  if (!watched[operation] && !watched[ANY]) return (struct verdict){.error = 0, .count = count};
  int saved = errno;
  char link_name[32];
  char path[PATH_MAX];
  snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link_name, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = '\0';
  errno = saved;
  return judge(operation, path, count);
}
