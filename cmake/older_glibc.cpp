// For wheels of x86-64: the functions of glibc that got new versions after 2.28, or came after it, by way of their
// older versions, so that what is built on a newer system runs from 2.28 on. The definitions are hidden and take the
// references of all that is linked with them, the static C++ library too; `auditwheel show` says what a wheel still
// needs.
#if defined(__x86_64__) && defined(__linux__)
#include <sys/random.h>
#include <time.h>

// `bascule_older_<name>` is <name> as an older glibc has it.
#define BASCULE_OLDER(result, name, parameters, version)                                                               \
    extern "C" result bascule_older_##name parameters;                                                                 \
    __asm__(".symver bascule_older_" #name "," #name "@GLIBC_" version)
#define BASCULE_OURS(result, name, parameters)                                                                         \
    extern "C" __attribute__((visibility("hidden"))) result name parameters;                                           \
    result name parameters

BASCULE_OLDER(double, exp, (double), "2.2.5");
BASCULE_OURS(double, exp, (double x)) { return bascule_older_exp(x); }
BASCULE_OLDER(double, log, (double), "2.2.5");
BASCULE_OURS(double, log, (double x)) { return bascule_older_log(x); }
BASCULE_OLDER(double, pow, (double, double), "2.2.5");
BASCULE_OURS(double, pow, (double x, double y)) { return bascule_older_pow(x, y); }

BASCULE_OLDER(void*, dlopen, (char const*, int), "2.2.5");
BASCULE_OURS(void*, dlopen, (char const* path, int flags)) { return bascule_older_dlopen(path, flags); }
BASCULE_OLDER(void*, dlsym, (void*, char const*), "2.2.5");
BASCULE_OURS(void*, dlsym, (void* library, char const* name)) { return bascule_older_dlsym(library, name); }
BASCULE_OLDER(char*, dlerror, (), "2.2.5");
BASCULE_OURS(char*, dlerror, ()) { return bascule_older_dlerror(); }
BASCULE_OLDER(int, dladdr1, (void const*, void*, void**, int), "2.3.3");
BASCULE_OURS(int, dladdr1, (void const* address, void* about, void** more, int what)) {
    return bascule_older_dladdr1(address, about, more, what);
}

BASCULE_OLDER(int, pthread_sigmask, (int, void const*, void*), "2.2.5");
BASCULE_OURS(int, pthread_sigmask, (int how, void const* set, void* old)) {
    return bascule_older_pthread_sigmask(how, set, old);
}
BASCULE_OLDER(int, pthread_rwlock_rdlock, (void*), "2.2.5");
BASCULE_OURS(int, pthread_rwlock_rdlock, (void* lock)) { return bascule_older_pthread_rwlock_rdlock(lock); }
BASCULE_OLDER(int, pthread_rwlock_wrlock, (void*), "2.2.5");
BASCULE_OURS(int, pthread_rwlock_wrlock, (void* lock)) { return bascule_older_pthread_rwlock_wrlock(lock); }
BASCULE_OLDER(int, pthread_rwlock_unlock, (void*), "2.2.5");
BASCULE_OURS(int, pthread_rwlock_unlock, (void* lock)) { return bascule_older_pthread_rwlock_unlock(lock); }

BASCULE_OLDER(int, pthread_mutex_trylock, (void*), "2.2.5");
BASCULE_OURS(int, pthread_mutex_trylock, (void* mutex)) { return bascule_older_pthread_mutex_trylock(mutex); }

BASCULE_OLDER(int, pthread_create, (void*, void const*, void* (*)(void*), void*), "2.2.5");
BASCULE_OURS(int, pthread_create, (void* thread, void const* how, void* (*run)(void*), void* with)) {
    return bascule_older_pthread_create(thread, how, run, with);
}
BASCULE_OLDER(int, pthread_join, (unsigned long, void**), "2.2.5");
BASCULE_OURS(int, pthread_join, (unsigned long thread, void** result)) {
    return bascule_older_pthread_join(thread, result);
}
BASCULE_OLDER(int, pthread_detach, (unsigned long), "2.2.5");
BASCULE_OURS(int, pthread_detach, (unsigned long thread)) { return bascule_older_pthread_detach(thread); }
BASCULE_OLDER(int, pthread_once, (int*, void (*)()), "2.2.5");
BASCULE_OURS(int, pthread_once, (int* done, void (*run)())) { return bascule_older_pthread_once(done, run); }
BASCULE_OLDER(int, pthread_key_create, (unsigned*, void (*)(void*)), "2.2.5");
BASCULE_OURS(int, pthread_key_create, (unsigned* key, void (*end)(void*))) {
    return bascule_older_pthread_key_create(key, end);
}
BASCULE_OURS(int, __pthread_key_create, (unsigned* key, void (*end)(void*))) {
    return bascule_older_pthread_key_create(key, end);
}
BASCULE_OLDER(int, pthread_key_delete, (unsigned), "2.2.5");
BASCULE_OURS(int, pthread_key_delete, (unsigned key)) { return bascule_older_pthread_key_delete(key); }
BASCULE_OLDER(void*, pthread_getspecific, (unsigned), "2.2.5");
BASCULE_OURS(void*, pthread_getspecific, (unsigned key)) { return bascule_older_pthread_getspecific(key); }
BASCULE_OLDER(int, pthread_setspecific, (unsigned, void const*), "2.2.5");
BASCULE_OURS(int, pthread_setspecific, (unsigned key, void const* value)) {
    return bascule_older_pthread_setspecific(key, value);
}

// Inline functions of the headers called them by these names before 2.33; 1 is the version of the structure.
BASCULE_OLDER(int, __fxstat, (int, int, void*), "2.2.5");
BASCULE_OURS(int, fstat, (int file, void* status)) { return bascule_older___fxstat(1, file, status); }
BASCULE_OURS(int, fstat64, (int file, void* status)) { return bascule_older___fxstat(1, file, status); }
BASCULE_OLDER(int, __xstat, (int, char const*, void*), "2.2.5");
BASCULE_OURS(int, stat, (char const* path, void* status)) { return bascule_older___xstat(1, path, status); }
BASCULE_OURS(int, stat64, (char const* path, void* status)) { return bascule_older___xstat(1, path, status); }
BASCULE_OLDER(int, __lxstat, (int, char const*, void*), "2.2.5");
BASCULE_OURS(int, lstat, (char const* path, void* status)) { return bascule_older___lxstat(1, path, status); }
BASCULE_OURS(int, lstat64, (char const* path, void* status)) { return bascule_older___lxstat(1, path, status); }

// Since 2.36, which the static C++ library of such a system asks for its std::random_device.
BASCULE_OURS(unsigned, arc4random, ()) {
    unsigned r = 0;
    while (getrandom(&r, sizeof r, 0) != sizeof r) {}
    return r;
}

// Since 2.30; before, waits could only be told when to end by the clock that can be set.
BASCULE_OLDER(int, pthread_cond_timedwait, (void*, void*, timespec const*), "2.3.2");
BASCULE_OURS(int, pthread_cond_clockwait, (void* condition, void* mutex, clockid_t clock, timespec const* until)) {
    constexpr long second = 1'000'000'000;
    timespec now, other;
    clock_gettime(clock, &now);
    clock_gettime(CLOCK_REALTIME, &other);
    other.tv_sec += until->tv_sec - now.tv_sec;
    other.tv_nsec += until->tv_nsec - now.tv_nsec;
    if (other.tv_nsec < 0) --other.tv_sec, other.tv_nsec += second;
    if (other.tv_nsec >= second) ++other.tv_sec, other.tv_nsec -= second;
    return bascule_older_pthread_cond_timedwait(condition, mutex, &other);
}

// Since 2.32 it says that a process has no other thread, so that counters need not be atomic; here they always are.
extern "C" {
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
}
#endif
