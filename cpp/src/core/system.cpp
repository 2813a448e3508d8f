#include "bascule/core/system.hpp"

#include <unistd.h>

#include <cerrno>

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#endif

namespace bascule::system {

#if defined(__linux__)

// By its number: glibc has a function for it since 2.30 only.
std::int64_t thread_number() noexcept { return syscall(SYS_gettid); }
bool is_main_thread() noexcept { return thread_number() == getpid(); }

int processors() noexcept {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));  // more processors than a cpu_set_t holds
}

void wait_while(std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept {
    syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
void wake(std::atomic<std::uint32_t>& word, int threads) noexcept {
    syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

namespace {

bool membarrier(int command) noexcept { return syscall(SYS_membarrier, command, 0, 0) == 0; }

}  // namespace

// Only asked for: to register takes milliseconds in a process that has threads, as one with NumPy's OpenBLAS has.
bool has_barriers_for_all() noexcept {
    long const commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    return commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
}

// The first call registers the process, and perhaps that of a forked child again.
bool barrier_for_all() noexcept {
    return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||
           (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
}

void prefer_huge_pages(void* at, std::int64_t bytes) noexcept {
    madvise(at, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
}

int unnamed_file() noexcept {
    return static_cast<int>(syscall(SYS_memfd_create, "bascule", 1u));  // closed in other programs
}

int reserve_space(int file, std::int64_t from, std::int64_t bytes) noexcept {
    return posix_fallocate(file, from, bytes);
}

#else

namespace {

std::atomic<std::int64_t> threads_seen{0};
std::int64_t const main_thread = thread_number();  // the library is loaded by the first thread

}  // namespace

std::int64_t thread_number() noexcept {
    thread_local std::int64_t const number = threads_seen.fetch_add(1) + 1;
    return number;
}
bool is_main_thread() noexcept { return thread_number() == main_thread; }

int processors() noexcept { return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)); }

void wait_while(std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept { word.wait(value); }
void wake(std::atomic<std::uint32_t>& word, int threads) noexcept {
    if (threads == 1) word.notify_one();
    else word.notify_all();
}

bool has_barriers_for_all() noexcept { return false; }
bool barrier_for_all() noexcept { return false; }
void prefer_huge_pages(void*, std::int64_t) noexcept {}
int unnamed_file() noexcept { return -1; }

// Makes the file longer, but a full disk is noticed only when its space is written.
int reserve_space(int file, std::int64_t from, std::int64_t bytes) noexcept {
    return ftruncate(file, from + bytes) == 0 ? 0 : errno;
}

#endif

void give_back_free_memory() noexcept {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

}  // namespace bascule::system
