#define _GNU_SOURCE
#include "CPlatform.h"

#include <ctype.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#ifdef __APPLE__
#include <xlocale.h>
#endif

// The environment's locale; that of C where the environment names one that is not there.
static locale_t environment_locale;

static void find_locale(void) {
  environment_locale = newlocale(LC_ALL_MASK, "", (locale_t)0);
  if (!environment_locale) environment_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static locale_t the_locale(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_locale);
  return environment_locale;
}

int cplatform_is_utf8(void) {
  locale_t locale = the_locale();
  return locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
}

size_t cplatform_character(const char *bytes, size_t count, int *is_printable) {
  locale_t locale = the_locale();
  unsigned char first = (unsigned char)bytes[0];
  *is_printable = first >= 0x20 && first < 0x7F;
  if (!locale || first < 0x80) return 1;
  locale_t before = uselocale(locale);
  size_t length = 1;
  if (MB_CUR_MAX == 1) {
    *is_printable = isprint(first) != 0;
  } else {
    mbstate_t state;
    memset(&state, 0, sizeof state);
    wchar_t character;
    size_t found = mbrtowc(&character, bytes, count, &state);
    if (found == (size_t)-2) {
      length = count;
    } else if (found != (size_t)-1 && found > 0) {
      length = found;
      *is_printable = iswprint((wint_t)character) != 0;
    }
  }
  uselocale(before);
  return length;
}

void cplatform_signal_name(int signal_number, char name[32]) {
  static const struct {
    int number;
    const char *name;
  } names[] = {
      {SIGHUP, "HUP"},   {SIGINT, "INT"},       {SIGQUIT, "QUIT"}, {SIGILL, "ILL"},   {SIGTRAP, "TRAP"},
      {SIGABRT, "ABRT"}, {SIGBUS, "BUS"},       {SIGFPE, "FPE"},   {SIGKILL, "KILL"}, {SIGUSR1, "USR1"},
      {SIGSEGV, "SEGV"}, {SIGUSR2, "USR2"},     {SIGPIPE, "PIPE"}, {SIGALRM, "ALRM"}, {SIGTERM, "TERM"},
      {SIGCHLD, "CHLD"}, {SIGCONT, "CONT"},     {SIGSTOP, "STOP"}, {SIGTSTP, "TSTP"}, {SIGTTIN, "TTIN"},
      {SIGTTOU, "TTOU"}, {SIGURG, "URG"},       {SIGXCPU, "XCPU"}, {SIGXFSZ, "XFSZ"}, {SIGVTALRM, "VTALRM"},
      {SIGPROF, "PROF"}, {SIGWINCH, "WINCH"},   {SIGSYS, "SYS"},
#ifdef SIGSTKFLT
      {SIGSTKFLT, "STKFLT"},
#endif
#ifdef SIGPOLL
      {SIGPOLL, "POLL"},
#endif
#ifdef SIGPWR
      {SIGPWR, "PWR"},
#endif
  };
  name[0] = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (names[i].number == signal_number) strcpy(name, names[i].name);
  }
#ifdef SIGRTMIN
  int first = SIGRTMIN, last = SIGRTMAX;
  if (signal_number >= first && signal_number <= last) {
    int is_low = signal_number <= first + (last - first) / 2;
    int distance = is_low ? signal_number - first : last - signal_number;
    const char *base = is_low ? "RTMIN" : "RTMAX";
    snprintf(name, 32, distance ? "%s%c%d" : "%s", base, is_low ? '+' : '-', distance);
  }
#endif
}
