#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What is used of libcurl, whose numbers and signatures stay as they are; see libcurl-easy(3), libcurl-multi(3).
typedef void easy;
typedef void multi;
struct message {
  int kind;
  easy *handle;
  union {
    void *whatever;
    int result;
  } data;
};
struct list;

enum {
  OK = 0,
  GLOBAL_ALL = 3,
  MESSAGE_DONE = 1,
  INFO_EFFECTIVE_URL = 0x100001,
  INFO_RESPONSE_CODE = 0x200002,
  PAUSE = 0x10000001,
  CONTINUE = 0,
  HTTP = 1,
  HTTPS = 2,
};

enum option {
  AUTHORITIES = 10065,
  BUFFER_SIZE = 98,
  CONNECT_TIMEOUT = 78,
  CUSTOM_REQUEST = 10036,
  ERROR_BUFFER = 10010,
  FOLLOW_LOCATION = 52,
  HEADER_DATA = 10029,
  HEADER_FUNCTION = 20079,
  HTTP_GET = 80,
  HTTP_HEADER = 10023,
  IN_FILE_SIZE = 30115,
  MAX_REDIRECTIONS = 68,
  NETRC = 51,
  NO_BODY = 44,
  NO_SIGNAL = 99,
  PATH_AS_IS = 234,
  PROTOCOLS = 181,
  READ_DATA = 10009,
  READ_FUNCTION = 20012,
  REDIRECTION_PROTOCOLS = 182,
  SEEK_DATA = 10168,
  SEEK_FUNCTION = 20167,
  SUPPRESS_PROXY_HEADERS = 265,
  UPLOAD = 46,
  UPLOAD_BUFFER_SIZE = 280,
  URL = 10002,
  USER_AGENT = 10018,
  WRITE_DATA = 10001,
  WRITE_FUNCTION = 20011,
};

static struct {
  int (*global_init)(long flags);
  easy *(*easy_new)(void);
  void (*easy_free)(easy *);
  void (*easy_reset)(easy *);
  int (*set)(easy *, int option, ...);
  int (*info)(easy *, int info, ...);
  int (*pause)(easy *, int what);
  multi *(*multi_new)(void);
  int (*multi_free)(multi *);
  int (*add)(multi *, easy *);
  int (*take)(multi *, easy *);
  int (*perform)(multi *, int *running);
  int (*poll)(multi *, void *, unsigned, int milliseconds, int *);
  struct message *(*message)(multi *, int *left);
  struct list *(*append)(struct list *, const char *);
  void (*list_free)(struct list *);
  const char *(*text)(int);
} library;

static const char *const names[] = {
#ifdef __APPLE__
  "/usr/lib/libcurl.4.dylib",
#else
  "libcurl.so.4",
  "libcurl-gnutls.so.4",
#endif
};

static int is_loaded;

static int find(void *handle, const char *name, void *pointer) {
  *(void **)pointer = dlsym(handle, name);
  return *(void **)pointer != NULL;
}

// As with libcrypto: a program with a libc of its own must not load what brings another.
int ccurl_may_load(void) {
#ifdef CCURL_NONE
  return 0;
#else
  return 1;
#endif
}

static void load(void) {
  if (!ccurl_may_load()) return;
  void *handle = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && handle == NULL; i++) {
    handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  }
  if (handle == NULL) return;
  is_loaded = find(handle, "curl_global_init", &library.global_init) &&
              find(handle, "curl_easy_init", &library.easy_new) &&
              find(handle, "curl_easy_cleanup", &library.easy_free) &&
              find(handle, "curl_easy_reset", &library.easy_reset) &&
              find(handle, "curl_easy_setopt", &library.set) &&
              find(handle, "curl_easy_getinfo", &library.info) &&
              find(handle, "curl_easy_pause", &library.pause) &&
              find(handle, "curl_multi_init", &library.multi_new) &&
              find(handle, "curl_multi_cleanup", &library.multi_free) &&
              find(handle, "curl_multi_add_handle", &library.add) &&
              find(handle, "curl_multi_remove_handle", &library.take) &&
              find(handle, "curl_multi_perform", &library.perform) &&
              find(handle, "curl_multi_poll", &library.poll) &&
              find(handle, "curl_multi_info_read", &library.message) &&
              find(handle, "curl_slist_append", &library.append) &&
              find(handle, "curl_slist_free_all", &library.list_free) &&
              find(handle, "curl_easy_strerror", &library.text) &&
              library.global_init(GLOBAL_ALL) == OK;
}

int ccurl_is_available(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

struct ccurl {
  easy *easy;
  multi *multi;
  struct list *headers;
  int is_under_way;
  int is_done;
  int is_paused;
  int follows;
  int result;
  char error[256];

  // The answer's headers: of the last one, where several came.
  char *lines;
  size_t lines_size;
  int has_headers;
  int is_too_long;

  // Where the body goes, and what had no room there.
  unsigned char *room;
  size_t room_size;
  unsigned char *rest;
  size_t rest_size, rest_start, rest_capacity;

  const unsigned char *body;
  size_t body_size, body_sent;
};

// Bytes. Servers limit theirs to 8 to 64 KiB.
enum { MOST_LINES = 256 << 10 };

static size_t did_receive_header(char *bytes, size_t size, size_t count, void *context) {
  struct ccurl *request = context;
  size_t length = size * count;
  if (length >= 5 && memcmp(bytes, "HTTP/", 5) == 0) {
    request->lines_size = 0;
    request->has_headers = 0;
  }
  if (length > MOST_LINES - request->lines_size) {
    request->is_too_long = 1;
    return 0;
  }
  char *lines = realloc(request->lines, request->lines_size + length + 1);
  if (lines == NULL) return 0;
  memcpy(lines + request->lines_size, bytes, length);
  request->lines = lines;
  request->lines_size += length;
  lines[request->lines_size] = 0;
  if (length <= 2 && (bytes[0] == '\r' || bytes[0] == '\n')) {
    // Others come behind those of 100 and of an answer that leads elsewhere.
    const char *code = strchr(lines, ' ');
    int class = code == NULL ? 0 : code[1];
    request->has_headers = class != '1' && !(class == '3' && request->follows);
  }
  return length;
}

static size_t did_receive(char *bytes, size_t size, size_t count, void *context) {
  struct ccurl *request = context;
  size_t length = size * count;
  request->has_headers = 1;
  if (request->room_size == 0) {
    request->is_paused = 1;
    return PAUSE;
  }
  size_t now = length < request->room_size ? length : request->room_size;
  memcpy(request->room, bytes, now);
  request->room += now;
  request->room_size -= now;
  size_t rest = length - now;
  if (rest > 0) {
    if (rest > request->rest_capacity) {
      unsigned char *larger = realloc(request->rest, rest);
      if (larger == NULL) return 0;
      request->rest = larger;
      request->rest_capacity = rest;
    }
    memcpy(request->rest, bytes + now, rest);
    request->rest_start = 0;
    request->rest_size = rest;
  }
  return length;
}

static size_t will_send(char *buffer, size_t size, size_t count, void *context) {
  struct ccurl *request = context;
  size_t length = request->body_size - request->body_sent;
  if (length > size * count) length = size * count;
  memcpy(buffer, request->body + request->body_sent, length);
  request->body_sent += length;
  return length;
}

// For a request that is sent again, on another connection.
static int did_seek(void *context, int64_t offset, int origin) {
  struct ccurl *request = context;
  if (origin != 0 || offset < 0 || (uint64_t)offset > request->body_size) return 1;
  request->body_sent = (size_t)offset;
  return 0;
}

struct ccurl *ccurl_new(void) {
  if (!ccurl_is_available()) return NULL;
  struct ccurl *request = calloc(1, sizeof *request);
  if (request == NULL) return NULL;
  request->easy = library.easy_new();
  request->multi = library.multi_new();
  if (request->easy == NULL || request->multi == NULL) {
    ccurl_free(request);
    return NULL;
  }
  return request;
}

void ccurl_end(struct ccurl *request) {
  if (request->is_under_way) library.take(request->multi, request->easy);
  request->is_under_way = 0;
  if (request->headers != NULL) library.list_free(request->headers);
  request->headers = NULL;
  request->rest_size = 0;
  request->is_paused = 0;
}

void ccurl_free(struct ccurl *request) {
  if (request->easy != NULL) {
    ccurl_end(request);
    library.easy_free(request->easy);
  }
  if (request->multi != NULL) library.multi_free(request->multi);
  free(request->lines);
  free(request->rest);
  free(request);
}

int ccurl_begin(struct ccurl *request, const struct ccurl_settings *settings) {
  ccurl_end(request);
  easy *easy = request->easy;
  library.easy_reset(easy);
  request->is_done = request->has_headers = request->is_too_long = 0;
  request->result = OK;
  request->follows = settings->follows;
  request->error[0] = 0;
  request->lines_size = 0;
  if (request->lines != NULL) request->lines[0] = 0;
  request->room_size = 0;
  request->body = settings->body;
  request->body_size = settings->body_size;
  request->body_sent = 0;
  for (const char *const *line = settings->headers; *line != NULL; line++) {
    struct list *longer = library.append(request->headers, *line);
    if (longer == NULL) return 0;
    request->headers = longer;
  }
  int result = OK;
#define SET(option, value) result = result != OK ? result : library.set(easy, option, value)
  SET(URL, settings->url);
  SET(PROTOCOLS, (long)(HTTP | HTTPS));
  SET(NO_SIGNAL, 1L);
  SET(PATH_AS_IS, 1L);
  SET(SUPPRESS_PROXY_HEADERS, 1L);
  SET(CONNECT_TIMEOUT, settings->connect_timeout);
  SET(BUFFER_SIZE, 256L << 10);
  SET(USER_AGENT, settings->user_agent);
  SET(HTTP_HEADER, (void *)request->headers);
  SET(ERROR_BUFFER, request->error);
  SET(HEADER_FUNCTION, did_receive_header);
  SET(HEADER_DATA, (void *)request);
  SET(WRITE_FUNCTION, did_receive);
  SET(WRITE_DATA, (void *)request);
  if (settings->authorities != NULL) SET(AUTHORITIES, settings->authorities);
  if (settings->follows) {
    SET(FOLLOW_LOCATION, 1L);
    // Names and passwords from ~/.netrc, for their own hosts alone.
    SET(NETRC, 1L);
    SET(MAX_REDIRECTIONS, 10L);
    SET(REDIRECTION_PROTOCOLS, (long)(settings->https_alone ? HTTPS : HTTP | HTTPS));
  }
  if (settings->body != NULL) {
    SET(UPLOAD, 1L);
    // Pieces are in memory: smaller ones would cost more system calls.
    SET(UPLOAD_BUFFER_SIZE, 256L << 10);
    SET(READ_FUNCTION, will_send);
    SET(READ_DATA, (void *)request);
    SET(SEEK_FUNCTION, did_seek);
    SET(SEEK_DATA, (void *)request);
    SET(IN_FILE_SIZE, (int64_t)settings->body_size);
    SET(CUSTOM_REQUEST, settings->method);
  } else if (strcmp(settings->method, "HEAD") == 0) {
    SET(NO_BODY, 1L);
  } else {
    SET(HTTP_GET, 1L);
    if (strcmp(settings->method, "GET") != 0) SET(CUSTOM_REQUEST, settings->method);
  }
#undef SET
  if (result == OK && library.add(request->multi, easy) == OK) {
    request->is_under_way = 1;
    return 1;
  }
  request->result = result;
  return 0;
}

static long long milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void take_rest(struct ccurl *request) {
  size_t now = request->rest_size < request->room_size ? request->rest_size : request->room_size;
  memcpy(request->room, request->rest + request->rest_start, now);
  request->room += now;
  request->room_size -= now;
  request->rest_start += now;
  request->rest_size -= now;
}

enum ccurl_state ccurl_receive(struct ccurl *request, void *buffer, size_t count, size_t *received,
                               int milliseconds) {
  request->room = buffer;
  request->room_size = count;
  *received = 0;
  if (request->rest_size > 0 && count > 0) take_rest(request);
  enum ccurl_state state = CCURL_IDLE;
  long long since = milliseconds_now();
  for (;;) {
    *received = count - request->room_size;
    int has_failed = request->is_done && request->result != OK;
    if (count > 0 ? request->room_size == 0 : request->has_headers && !has_failed) {
      state = CCURL_FULL;
      break;
    }
    if (request->is_done) {
      state = request->result == OK ? CCURL_DONE : CCURL_FAILED;
      break;
    }
    if (!request->is_under_way) {
      state = CCURL_FAILED;
      break;
    }
    if (request->is_paused && count > 0) {
      request->is_paused = 0;
      library.pause(request->easy, CONTINUE);
      continue;
    }
    int running = 0, left = 0;
    size_t before = request->room_size;
    if (library.perform(request->multi, &running) != OK) {
      request->result = 55;
      request->is_done = 1;
      continue;
    }
    for (struct message *message; (message = library.message(request->multi, &left)) != NULL;) {
      if (message->kind != MESSAGE_DONE) continue;
      request->result = message->data.result;
      request->is_done = request->has_headers = 1;
    }
    if (request->is_done || request->room_size != before || (request->has_headers && count == 0)) {
      since = milliseconds_now();
      continue;
    }
    if (request->is_paused) continue;
    long long left_to_wait = since + milliseconds - milliseconds_now();
    if (left_to_wait <= 0) {
      state = CCURL_IDLE;
      break;
    }
    int ready = 0;
    // With nothing to wait for the library's own timers set the pace.
    library.poll(request->multi, NULL, 0, left_to_wait < 100 ? (int)left_to_wait : 100, &ready);
  }
  *received = count - request->room_size;
  request->room = NULL;
  request->room_size = 0;
  return state;
}

size_t ccurl_sent(struct ccurl *request) { return request->body_sent; }

long ccurl_status(struct ccurl *request) {
  long status = 0;
  library.info(request->easy, INFO_RESPONSE_CODE, &status);
  return status;
}

const char *ccurl_headers(struct ccurl *request) {
  return request->lines == NULL ? "" : request->lines;
}

const char *ccurl_effective_url(struct ccurl *request) {
  char *url = NULL;
  library.info(request->easy, INFO_EFFECTIVE_URL, &url);
  return url;
}

const char *ccurl_error(struct ccurl *request) {
  if (request->is_too_long) return "the headers of the answer are too long";
  return request->error[0] != 0 ? request->error : library.text(request->result);
}

enum ccurl_fault ccurl_fault(struct ccurl *request) {
  switch (request->result) {
  case 1: case 3: case 47: return CCURL_REFUSED;
  case 5: case 6: return CCURL_NO_HOST;
  case 7: return CCURL_NO_CONNECTION;
  case 28: return CCURL_TIMED_OUT;
  case 51: case 53: case 54: case 58: case 59: case 60: case 66: case 77: case 83:
    return CCURL_UNTRUSTED;
  // 35: a handshake that was broken off may be done at the next try.
  case 8: case 16: case 18: case 35: case 52: case 55: case 56: case 61: case 65: case 81: case 92:
  case 95:
    return CCURL_BROKEN;
  default: return CCURL_OTHER;
  }
}
