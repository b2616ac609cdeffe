// Tells ThreadSanitizer about the locks of Swift's `Mutex` on Linux; `scripts/prove sanitize` preloads it.
//
// The compiler instruments the atomic operation that takes a free lock. A lock that is held is waited for in Swift's
// runtime library, which is not instrumented, and handed over by the kernel (futex(2), FUTEX_LOCK_PI); so each access
// after a wait would be reported as a race with the one before it. These two functions of the runtime do what they
// did, and say that the lock was taken and given back. Nothing else is hidden: what no lock protects is reported.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Only sanitized programs have these two.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

// Synchronization._MutexHandle._lockSlow(UInt32)
SWIFT void mutex_lock(uint32_t thread, SELF void *self) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void mutex_lock(uint32_t thread, SELF void *self) {
    SWIFT void (*lock)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    lock(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

// Synchronization._MutexHandle._unlockSlow()
SWIFT void mutex_unlock(SELF void *self) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
SWIFT void mutex_unlock(SELF void *self) {
    SWIFT void (*unlock)(SELF void *) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    if (__tsan_release) __tsan_release(self);
    unlock(self);
}
