#include "CCrypto.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

// What is used of libcrypto, which has had these signatures since OpenSSL 1.1.1; its headers are not
// needed. See EVP_DigestInit(3) and OPENSSL_init_crypto(3).
typedef const void *evp_method(void);
static struct {
  int (*init_crypto)(uint64_t options, const void *settings);
  void *(*context_new)(void);
  void (*context_free)(void *context);
  int (*begin)(void *context, const void *method, void *engine);
  int (*update)(void *context, const void *bytes, size_t count);
  int (*final)(void *context, unsigned char *bytes, unsigned *count);
  evp_method *methods[CCRYPTO_KINDS];
} library;

// Newest first. macOS ends a program that loads the system's own.
static const char *const names[] = {
#ifdef __APPLE__
  "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
  "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
  "/opt/local/libexec/openssl3/lib/libcrypto.3.dylib",
#else
  "libcrypto.so.3",
  "libcrypto.so.1.1",
#endif
};

static const char *const methods[CCRYPTO_KINDS] = {
  [CCRYPTO_MD5] = "EVP_md5",
  [CCRYPTO_SHA1] = "EVP_sha1",
  [CCRYPTO_SHA224] = "EVP_sha224",
  [CCRYPTO_SHA256] = "EVP_sha256",
  [CCRYPTO_SHA384] = "EVP_sha384",
  [CCRYPTO_SHA512] = "EVP_sha512",
  [CCRYPTO_BLAKE2B512] = "EVP_blake2b512",
};

// OPENSSL_INIT_NO_LOAD_CONFIG: the system's configuration is not for files that others made, it may
// take MD5 away. OPENSSL_INIT_NO_ATEXIT: nothing is cleaned up at exit, when threads may still be at
// work.
static const uint64_t options = 0x80 | 0x80000;

static int is_loaded;

static int find(void *handle, const char *name, void *pointer) {
  *(void **)pointer = dlsym(handle, name);
  return *(void **)pointer != NULL;
}

// A program that is linked with a libc of its own must not load what brings another: where the two differ, it may
// crash.
int ccrypto_may_load(void) {
#ifdef CCRYPTO_NONE
  return 0;
#else
  return 1;
#endif
}

static void load(void) {
  if (!ccrypto_may_load()) return;
  void *handle = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && handle == NULL; i++) {
    handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  }
  if (handle == NULL) return;
  // A library may have been built without a kind.
  for (int kind = 0; kind < CCRYPTO_KINDS; kind++) {
    find(handle, methods[kind], &library.methods[kind]);
  }
  is_loaded = find(handle, "OPENSSL_init_crypto", &library.init_crypto) &&
              find(handle, "EVP_MD_CTX_new", &library.context_new) &&
              find(handle, "EVP_MD_CTX_free", &library.context_free) &&
              find(handle, "EVP_DigestInit_ex", &library.begin) &&
              find(handle, "EVP_DigestUpdate", &library.update) &&
              find(handle, "EVP_DigestFinal_ex", &library.final) &&
              library.init_crypto(options, NULL) == 1;
}

int ccrypto_is_available(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

struct ccrypto_digest {
  const void *method;
  void *context;
};

struct ccrypto_digest *ccrypto_digest_new(enum ccrypto_kind kind) {
  if (!ccrypto_is_available() || library.methods[kind] == NULL) return NULL;
  struct ccrypto_digest *digest = malloc(sizeof *digest);
  if (digest == NULL) return NULL;
  digest->method = library.methods[kind]();
  digest->context = library.context_new();
  if (digest->method == NULL || digest->context == NULL ||
      library.begin(digest->context, digest->method, NULL) != 1) {
    ccrypto_digest_free(digest);
    return NULL;
  }
  return digest;
}

void ccrypto_digest_free(struct ccrypto_digest *digest) {
  library.context_free(digest->context);
  free(digest);
}

int ccrypto_digest_update(struct ccrypto_digest *digest, const void *bytes, size_t count) {
  return library.update(digest->context, bytes, count) == 1;
}

unsigned ccrypto_digest_finish(struct ccrypto_digest *digest, unsigned char *bytes) {
  unsigned count = 0;
  if (library.final(digest->context, bytes, &count) != 1) return 0;
  return library.begin(digest->context, digest->method, NULL) == 1 ? count : 0;
}
