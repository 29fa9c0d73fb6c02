// Digests by OpenSSL's libcrypto, 1.1.1 or newer, which is loaded when it is first asked for.

#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>

enum ccrypto_kind {
  CCRYPTO_MD5,
  CCRYPTO_SHA1,
  CCRYPTO_SHA224,
  CCRYPTO_SHA256,
  CCRYPTO_SHA384,
  CCRYPTO_SHA512,
  CCRYPTO_BLAKE2B512,
  CCRYPTO_KINDS
};

// Whether the program was built to load the library.
int ccrypto_may_load(void);

// Whether the library is there. Loads it; any thread may ask, any number of times.
int ccrypto_is_available(void);

// A digest of bytes that come one after the other.
struct ccrypto_digest;

// NULL where there is no memory or no library, or the library was built without the kind.
struct ccrypto_digest *ccrypto_digest_new(enum ccrypto_kind kind);
void ccrypto_digest_free(struct ccrypto_digest *digest);

// Returns whether the bytes were taken in.
int ccrypto_digest_update(struct ccrypto_digest *digest, const void *bytes, size_t count);

// Writes the digest of all bytes so far, at most 64, and begins again. Returns how many bytes it has,
// or 0 where that failed.
unsigned ccrypto_digest_finish(struct ccrypto_digest *digest, unsigned char *bytes);

#endif
