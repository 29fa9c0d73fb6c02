#include "CPlatform.h"

#ifdef __linux__
// Defined by the sanitizer's runtime, where it is linked in.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

void cplatform_lock_taken(void *lock) {
  if (__tsan_acquire) __tsan_acquire(lock);
}

void cplatform_lock_given(void *lock) {
  if (__tsan_release) __tsan_release(lock);
}
#else
void cplatform_lock_taken(void *lock) { (void)lock; }
void cplatform_lock_given(void *lock) { (void)lock; }
#endif
