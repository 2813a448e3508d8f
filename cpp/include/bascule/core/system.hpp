// Requests to the operating system that POSIX does not have; src/core/system.cpp alone knows Linux.
#pragma once
#include <atomic>
#include <cstdint>

namespace bascule::system {

/// A number of this thread that no other running thread of the process has.
std::int64_t thread_number() noexcept;
/// Whether this is the thread that the process began with.
bool is_main_thread() noexcept;
/// The processors that this process may use.
int processors() noexcept;

/// Sleep as long as a word has a value, until `wake`; may return earlier.
void wait_while(std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept;
/// Wake up to so many threads that sleep on a word.
void wake(std::atomic<std::uint32_t>& word, int threads) noexcept;

/// Whether one thread can make all others of the process pass a memory barrier.
bool has_barriers_for_all() noexcept;
/// Make all threads of the process pass a memory barrier; false where that failed.
bool barrier_for_all() noexcept;

/// Say that memory, at a multiple of the size of huge pages, is to lie in them.
void prefer_huge_pages(void* at, std::int64_t bytes) noexcept;
/// A file in memory without a name, which programs that this one starts do not get; -1 where there is none.
int unnamed_file() noexcept;
/// Take the disk's space for bytes of an open file from an offset on; a number of <cerrno> where there is none, else 0.
int reserve_space(int file, std::int64_t from, std::int64_t bytes) noexcept;
/// Hand free memory that the C library keeps back to the system.
void give_back_free_memory() noexcept;

}  // namespace bascule::system
