#include "CCrypto.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>

struct ccrypto_digest {
  const EVP_MD *method;
  EVP_MD_CTX *context;
};

static const EVP_MD *method(enum ccrypto_kind kind) {
  switch (kind) {
  case CCRYPTO_MD5: return EVP_md5();
  case CCRYPTO_SHA1: return EVP_sha1();
  case CCRYPTO_SHA256: return EVP_sha256();
  case CCRYPTO_SHA512: return EVP_sha512();
  case CCRYPTO_BLAKE2B512: return EVP_blake2b512();
  }
  return NULL;
}

struct ccrypto_digest *ccrypto_digest_new(enum ccrypto_kind kind) {
  // The system's configuration is not for files that others made: it may take MD5 away. Nothing is
  // cleaned up at exit, when threads may still be at work.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL);
  struct ccrypto_digest *digest = malloc(sizeof *digest);
  if (digest == NULL) return NULL;
  digest->method = method(kind);
  digest->context = EVP_MD_CTX_new();
  if (digest->method == NULL || digest->context == NULL ||
      EVP_DigestInit_ex(digest->context, digest->method, NULL) != 1) {
    ccrypto_digest_free(digest);
    return NULL;
  }
  return digest;
}

void ccrypto_digest_free(struct ccrypto_digest *digest) {
  EVP_MD_CTX_free(digest->context);
  free(digest);
}

int ccrypto_digest_update(struct ccrypto_digest *digest, const void *bytes, size_t count) {
  return EVP_DigestUpdate(digest->context, bytes, count) == 1;
}

unsigned ccrypto_digest_finish(struct ccrypto_digest *digest, unsigned char *bytes) {
  unsigned count = 0;
  if (EVP_DigestFinal_ex(digest->context, bytes, &count) != 1) return 0;
  return EVP_DigestInit_ex(digest->context, digest->method, NULL) == 1 ? count : 0;
}
