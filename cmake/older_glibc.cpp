// For wheels of x86-64: the functions of glibc that got new versions after 2.28, or came after it, by way of their
// older versions, so that what is built on a newer system runs from 2.28 on. The definitions are hidden and take the
// references of all that is linked with them, the static C++ library too; `auditwheel show` says what a wheel still
// needs.
#if defined(__x86_64__) && defined(__linux__)
#include <sys/random.h>
#include <time.h>

// <name> is a jump to <name> as an older glibc has it.
#define BASCULE_OLDER_OF(name, version)                                                                                \
    __asm__(".symver bascule_older_" #name "," #name "@GLIBC_" version "\n"                                            \
            ".text\n.globl " #name "\n.hidden " #name "\n.type " #name ",@function\n" #name                            \
            ":\n  jmp bascule_older_" #name "@PLT\n.size " #name ",.-" #name)
#define BASCULE_OLDER(name) BASCULE_OLDER_OF(name, "2.2.5")

BASCULE_OLDER(exp);
BASCULE_OLDER(log);
BASCULE_OLDER(pow);

BASCULE_OLDER(dlopen);
BASCULE_OLDER_OF(dlmopen, "2.3.4");
BASCULE_OLDER(dlclose);
BASCULE_OLDER(dlsym);
BASCULE_OLDER(dlvsym);
BASCULE_OLDER(dlerror);
BASCULE_OLDER_OF(dladdr1, "2.3.3");

BASCULE_OLDER(pthread_create);
BASCULE_OLDER(pthread_join);
BASCULE_OLDER(pthread_detach);
BASCULE_OLDER(pthread_kill);
BASCULE_OLDER(pthread_sigmask);
BASCULE_OLDER(pthread_once);
BASCULE_OLDER(pthread_key_create);
BASCULE_OLDER(pthread_key_delete);
BASCULE_OLDER(pthread_getspecific);
BASCULE_OLDER(pthread_setspecific);
BASCULE_OLDER(pthread_mutex_trylock);
BASCULE_OLDER(pthread_mutexattr_init);
BASCULE_OLDER(pthread_mutexattr_destroy);
BASCULE_OLDER(pthread_mutexattr_settype);
BASCULE_OLDER(pthread_mutexattr_setpshared);
BASCULE_OLDER(pthread_condattr_setpshared);
BASCULE_OLDER(pthread_rwlock_init);
BASCULE_OLDER(pthread_rwlock_destroy);
BASCULE_OLDER(pthread_rwlock_rdlock);
BASCULE_OLDER(pthread_rwlock_tryrdlock);
BASCULE_OLDER(pthread_rwlock_timedrdlock);
BASCULE_OLDER(pthread_rwlock_wrlock);
BASCULE_OLDER(pthread_rwlock_trywrlock);
BASCULE_OLDER(pthread_rwlock_timedwrlock);
BASCULE_OLDER(pthread_rwlock_unlock);
BASCULE_OLDER(pthread_rwlockattr_init);
BASCULE_OLDER(pthread_rwlockattr_destroy);
BASCULE_OLDER(pthread_rwlockattr_setpshared);
BASCULE_OLDER(pthread_spin_init);
BASCULE_OLDER(pthread_spin_destroy);
BASCULE_OLDER(pthread_spin_lock);
BASCULE_OLDER(pthread_spin_trylock);
BASCULE_OLDER(pthread_spin_unlock);
BASCULE_OLDER(sem_init);
BASCULE_OLDER(sem_destroy);
BASCULE_OLDER(sem_post);
BASCULE_OLDER(sem_wait);
BASCULE_OLDER(sem_trywait);
BASCULE_OLDER(sem_timedwait);
BASCULE_OLDER(shm_open);
BASCULE_OLDER(shm_unlink);

// ---- with parameters of their own
#define BASCULE_CALLS_OLDER(result, name, parameters, version)                                                         \
    extern "C" result bascule_older_##name parameters;                                                                 \
    __asm__(".symver bascule_older_" #name "," #name "@GLIBC_" version)
#define BASCULE_OURS(result, name, parameters)                                                                         \
    extern "C" __attribute__((visibility("hidden"))) result name parameters;                                           \
    result name parameters

extern "C" int pthread_key_create(unsigned*, void (*)(void*));
BASCULE_OURS(int, __pthread_key_create, (unsigned* key, void (*end)(void*))) { return pthread_key_create(key, end); }

// Inline functions of the headers called them by these names before 2.33; 1 is the version of the structure.
BASCULE_CALLS_OLDER(int, __fxstat, (int, int, void*), "2.2.5");
BASCULE_OURS(int, fstat, (int file, void* status)) { return bascule_older___fxstat(1, file, status); }
BASCULE_OURS(int, fstat64, (int file, void* status)) { return bascule_older___fxstat(1, file, status); }
BASCULE_CALLS_OLDER(int, __xstat, (int, char const*, void*), "2.2.5");
BASCULE_OURS(int, stat, (char const* path, void* status)) { return bascule_older___xstat(1, path, status); }
BASCULE_OURS(int, stat64, (char const* path, void* status)) { return bascule_older___xstat(1, path, status); }
BASCULE_CALLS_OLDER(int, __lxstat, (int, char const*, void*), "2.2.5");
BASCULE_OURS(int, lstat, (char const* path, void* status)) { return bascule_older___lxstat(1, path, status); }
BASCULE_OURS(int, lstat64, (char const* path, void* status)) { return bascule_older___lxstat(1, path, status); }

// Since 2.36, which the static C++ library of such a system asks for its std::random_device.
BASCULE_OURS(unsigned, arc4random, ()) {
    unsigned r = 0;
    while (getrandom(&r, sizeof r, 0) != sizeof r) {}
    return r;
}

// Since 2.30; before, waits could only be told when to end by the clock that can be set.
BASCULE_CALLS_OLDER(int, pthread_cond_timedwait, (void*, void*, timespec const*), "2.3.2");
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
