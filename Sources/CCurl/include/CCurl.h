// HTTP by libcurl, 7.66 or newer, which is loaded when it is first asked for; its headers are not needed.

#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

// Whether the program was built to load the library.
int ccurl_may_load(void);

// Whether the library is there. Loads it; any thread may ask, any number of times.
int ccurl_is_available(void);

// One request at a time, and the connection that it leaves open for the next one. One thread at a time.
struct ccurl;

// NULL where there is no memory or no library.
struct ccurl *ccurl_new(void);
void ccurl_free(struct ccurl *request);

struct ccurl_settings {
  const char *method;
  const char *url;
  // "Name: value"; ends with NULL.
  const char *const *headers;
  const char *user_agent;
  // Sent, and kept by the caller until the request is over; NULL where there is none.
  const void *body;
  size_t body_size;
  // Whether answers that lead elsewhere are followed: by http and https, or by https alone.
  int follows;
  int https_alone;
  // The file of certificates that are trusted; NULL for those that the library has by itself.
  const char *authorities;
  // Seconds until there is a connection.
  long connect_timeout;
};

// Begins a request; one that is under way is given up. Returns whether it could be.
int ccurl_begin(struct ccurl *request, const struct ccurl_settings *settings);

// Gives up what is under way.
void ccurl_end(struct ccurl *request);

enum ccurl_state {
  // The buffer is full.
  CCURL_FULL,
  // The answer is over; the buffer may not be full.
  CCURL_DONE,
  // Nothing happened for the time given.
  CCURL_IDLE,
  // See ccurl_error().
  CCURL_FAILED,
};

// Receives up to `count` bytes of the body, and waits up to so many milliseconds for each piece of it. With a count
// of 0 returns CCURL_FULL when the headers of the answer are there.
enum ccurl_state ccurl_receive(struct ccurl *request, void *buffer, size_t count, size_t *received,
                               int milliseconds);

// Bytes of the body that have been handed over so far.
size_t ccurl_sent(struct ccurl *request);

// The status of the answer, 0 where there is none yet.
long ccurl_status(struct ccurl *request);
// The lines of the last answer's headers; NULL-terminated, valid until the next call.
const char *ccurl_headers(struct ccurl *request);
// Where redirections led; NULL where that is not known.
const char *ccurl_effective_url(struct ccurl *request);

// What went wrong, in one line.
const char *ccurl_error(struct ccurl *request);
enum ccurl_fault {
  CCURL_OTHER,
  CCURL_NO_HOST,
  CCURL_NO_CONNECTION,
  CCURL_TIMED_OUT,
  // The connection broke, or ended before the answer did.
  CCURL_BROKEN,
  // The certificate is not to be trusted.
  CCURL_UNTRUSTED,
  // An address, a scheme or a redirection that is not followed.
  CCURL_REFUSED,
};
enum ccurl_fault ccurl_fault(struct ccurl *request);

#endif
