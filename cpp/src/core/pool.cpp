#include "bascule/core/pool.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "bascule/core/system.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace bascule {
namespace {

// Under the address sanitizer, blocks in the pool and the unused tail of a block are poisoned. A cached block's link
// stays legible.
void forbid(void* p, std::int64_t from, std::int64_t to) noexcept {
#ifdef __SANITIZE_ADDRESS__
    if (to > from) ASAN_POISON_MEMORY_REGION(static_cast<char*>(p) + from, static_cast<std::size_t>(to - from));
#else
    (void)p, (void)from, (void)to;
#endif
}
void permit(void* p, std::int64_t bytes) noexcept {
#ifdef __SANITIZE_ADDRESS__
    ASAN_UNPOISON_MEMORY_REGION(p, static_cast<std::size_t>(bytes));
#else
    (void)p, (void)bytes;
#endif
}

constexpr int shard_count = 16, steps_per_doubling = 8;
constexpr std::int64_t smallest = 64, largest = std::int64_t{1} << 46;

// Classes 0-7 are 64, 128, ... 512 bytes; from there each doubling has eight, so that at most an eighth is unused.
constexpr int class_of(std::int64_t bytes) {
    std::uint64_t const units = (static_cast<std::uint64_t>(std::max(bytes, smallest)) + smallest - 1) / smallest - 1;
    if (units < steps_per_doubling) return static_cast<int>(units);
    int const shift = std::bit_width(units) - 4;
    return static_cast<int>(static_cast<std::uint64_t>(shift) * steps_per_doubling + (units >> shift));
}
constexpr std::int64_t class_size(int c) {
    if (c < 2 * steps_per_doubling) return (c + 1) * smallest;
    int const shift = c / steps_per_doubling - 1;
    return (static_cast<std::int64_t>(c % steps_per_doubling + steps_per_doubling + 1) << shift) * smallest;
}
constexpr int class_count = class_of(largest) + 1;
static_assert(class_of(64) == 0 && class_of(65) == 1 && class_of(512) == 7 && class_of(1024) == 15 &&
              class_of(1025) == 16);
static_assert(class_size(15) == 1024 && class_size(16) == 1152 && class_size(class_of(65536)) == 65536);

constexpr bool is_huge(std::int64_t size) { return size >= memory_pool::huge_from; }
// The bytes that a block of a class takes from the system, without its padding.
constexpr std::int64_t block_size(int c) {
    std::int64_t const size = class_size(c);
    return is_huge(size) ? (size + memory_pool::huge_page - 1) / memory_pool::huge_page * memory_pool::huge_page : size;
}

// A load waits for an earlier store whose address has the same low 12 bits, so a loop is slow if the block it reads and
// the one it writes begin at the same offset in a page: huge blocks begin at four offsets in turn.
constexpr std::int64_t page = 4096, positions = 4, apart = page / positions;

// A huge block is followed by two extra pages: one for the bytes that its offset pushes over the end, one for the
// padding, which is only read and then is the shared zero page.
constexpr std::int64_t tail_pages = 2 * page;

void* map_huge(std::int64_t size) noexcept {
    static std::atomic<std::int64_t> made{0};
    std::int64_t const all = size + tail_pages + memory_pool::huge_page;
    void* const mapped =
        mmap(nullptr, static_cast<std::size_t>(all), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    auto const from = reinterpret_cast<std::uintptr_t>(mapped), to = from + static_cast<std::uintptr_t>(all);
    auto const begin = (from + memory_pool::huge_page - 1) & ~static_cast<std::uintptr_t>(memory_pool::huge_page - 1);
    auto const end = begin + static_cast<std::uintptr_t>(size + tail_pages);
    if (begin != from) munmap(mapped, begin - from);
    if (end != to) munmap(reinterpret_cast<void*>(end), to - end);
    auto* const block = reinterpret_cast<char*>(begin);
    system::prefer_huge_pages(block, size);
    return block + made.fetch_add(1, std::memory_order_relaxed) % positions * apart;
}

void unmap_huge(void* p, std::int64_t size) noexcept {
    auto const place = reinterpret_cast<std::uintptr_t>(p) % static_cast<std::uintptr_t>(page);
    munmap(static_cast<char*>(p) - place, static_cast<std::size_t>(size + tail_pages));
}

void* system_allocate(std::int64_t size) noexcept {
    if (is_huge(size)) return map_huge(size);
    return std::aligned_alloc(static_cast<std::size_t>(smallest),
                              static_cast<std::size_t>(size + memory_pool::padding));
}
void system_release(void* p, std::int64_t size) noexcept {
    permit(p, size);
    if (is_huge(size)) unmap_huge(p, size);
    else std::free(p);
}

int shard_of_this_thread() noexcept {
    static std::atomic<int> threads{0};
    thread_local int const mine = threads.fetch_add(1, std::memory_order_relaxed) % shard_count;
    return mine;
}

struct free_block {
    free_block* next;
};
constexpr std::int64_t link_bytes = 8;
static_assert(sizeof(free_block) == link_bytes);

std::atomic<memory_pool*> process_pool{nullptr};

// Small blocks of the process's pool that a thread gave back, for its next ones: programs on small arrays take and give
// some with every operation, and here that costs neither a lock nor a counter that others write. They stay counted as
// in use, and statistics subtract them.
struct kept_blocks {
    static constexpr int classes = class_of(65536) + 1;
    static constexpr std::int64_t most_bytes = std::int64_t{1} << 19;

    free_block* first[classes];
    std::int64_t bytes;  // written by the thread alone
    bool listed, closed;
    kept_blocks *next, *previous;  // in the list of all

    [[nodiscard]] std::int64_t now() const noexcept { return __atomic_load_n(&bytes, __ATOMIC_RELAXED); }
    void add(std::int64_t n) noexcept { __atomic_store_n(&bytes, bytes + n, __ATOMIC_RELAXED); }
    void* take(int c) noexcept {
        free_block* const block = first[c];
        if (block == nullptr) return nullptr;
        first[c] = block->next;
        add(-class_size(c));
        return block;
    }
    bool give(int c, void* p) noexcept {
        if (closed || bytes >= most_bytes) return false;
        if (!listed) enter_list();
        auto* const block = static_cast<free_block*>(p);
        block->next = first[c];
        first[c] = block;
        add(class_size(c));
        return true;
    }
    void enter_list() noexcept;
    void leave_list() noexcept;
    void empty() noexcept;  // into the pool's shards
};
thread_local constinit kept_blocks kept{};

struct {
    std::mutex mutex;
    kept_blocks* first = nullptr;
    std::int64_t lost = 0;  // with threads that a forked child does not have

    std::int64_t bytes() noexcept {
        std::lock_guard const lock(mutex);
        std::int64_t sum = lost;
        for (auto const* k = first; k; k = k->next) sum += k->now();
        return sum;
    }
    // In a forked child, whose only thread this is, with the mutex held.
    void forget_other_threads() noexcept {
        for (auto const* k = first; k; k = k->next)
            if (k != &kept) lost += k->now();
        first = kept.listed ? &kept : nullptr;
        kept.next = kept.previous = nullptr;
    }
} all_kept;

// Other things of the thread may end later and give more blocks back: those go to the shards.
struct end_of_thread {
    ~end_of_thread() {
        kept.empty();
        kept.leave_list();
        kept.closed = true;
    }
};

void kept_blocks::enter_list() noexcept {
    [[maybe_unused]] static thread_local end_of_thread const watcher;
    std::lock_guard const lock(all_kept.mutex);
    next = all_kept.first, previous = nullptr;
    if (next) next->previous = this;
    all_kept.first = this;
    listed = true;
}

void kept_blocks::leave_list() noexcept {
    std::lock_guard const lock(all_kept.mutex);
    (previous ? previous->next : all_kept.first) = next;
    if (next) next->previous = previous;
    listed = false;
}

void kept_blocks::empty() noexcept {
    bool const before = std::exchange(closed, true);
    memory_pool& pool = *process_pool.load(std::memory_order_relaxed);
    for (int c = 0; c < classes; ++c)
        while (void* const p = take(c)) pool.release(p, class_size(c));
    closed = before;
}

}  // namespace

// Threads are spread over the shards, so that the lock is nearly always free; it is held for a few instructions.
struct alignas(128) memory_pool::shard {
    std::atomic<bool> locked{false};
    std::atomic<free_block*> free[class_count] = {};

    void lock() noexcept {
        for (int tries = 0; locked.exchange(true, std::memory_order_acquire); ++tries)
            if (tries > 100) sched_yield();
    }
    void unlock() noexcept { locked.store(false, std::memory_order_release); }
    bool has(int c) const noexcept { return free[c].load(std::memory_order_relaxed) != nullptr; }
    void push(int c, void* p) noexcept {
        auto* const block = static_cast<free_block*>(p);
        lock();
        block->next = free[c].load(std::memory_order_relaxed);
        free[c].store(block, std::memory_order_relaxed);
        unlock();
    }
    void* pop(int c) noexcept {
        lock();
        free_block* const block = free[c].load(std::memory_order_relaxed);
        if (block != nullptr) free[c].store(block->next, std::memory_order_relaxed);
        unlock();
        return block;
    }
    free_block* pop_all(int c) noexcept {
        lock();
        free_block* const first = free[c].exchange(nullptr, std::memory_order_relaxed);
        unlock();
        return first;
    }
};

memory_pool::memory_pool()
    : shards_(new shard[shard_count]),
      keep_at_least_(static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 4) {}

memory_pool::~memory_pool() { trim(); }

// A thread's own shard first; another's block is still far cheaper than fresh pages.
void* memory_pool::take_cached(int c) noexcept {
    int const mine = shard_of_this_thread();
    for (int i = 0; i < shard_count; ++i) {
        shard& s = shards_[static_cast<std::size_t>((mine + i) % shard_count)];
        if (!s.has(c)) continue;
        if (void* const p = s.pop(c)) return p;
    }
    return nullptr;
}

bool memory_pool::within_limit(std::int64_t block) noexcept {
    std::int64_t const limit = limit_.load(std::memory_order_relaxed);
    return limit == 0 || held_.load(std::memory_order_relaxed) + block <= limit;
}

bool memory_pool::may_cache(std::int64_t block) noexcept {
    std::int64_t const limit = cache_limit_.load(std::memory_order_relaxed);
    return limit == 0 || held_.load(std::memory_order_relaxed) + block <= limit;
}

void* memory_pool::take_fresh(int c) noexcept {
    std::int64_t const size = block_size(c);
    if (!may_cache(size) && held_.load(std::memory_order_relaxed) > in_use_.load(std::memory_order_relaxed)) trim();
    if (!within_limit(size)) {
        trim();
        if (!within_limit(size)) return nullptr;
    }
    void* p = system_allocate(size);
    if (p == nullptr && trim() > 0) p = system_allocate(size);
    if (p != nullptr) held_.fetch_add(size, std::memory_order_relaxed);
    return p;
}

void* memory_pool::allocate(std::int64_t bytes) noexcept {
    if (bytes < 0 || bytes > largest) return nullptr;
    int const c = class_of(bytes);
    bool const may_be_kept = c < kept_blocks::classes && this == process_pool.load(std::memory_order_relaxed);
    void* p = may_be_kept ? kept.take(c) : nullptr;
    bool const was_kept = p != nullptr;
    if (p == nullptr) p = take_cached(c);
    if (p == nullptr) p = take_fresh(c);
    if (p == nullptr) return nullptr;
    permit(p, block_size(c));
    forbid(p, bytes + padding, block_size(c));
    if (was_kept) return p;
    std::int64_t const now = in_use_.fetch_add(block_size(c), std::memory_order_relaxed) + block_size(c);
    for (std::int64_t peak = peak_.load(std::memory_order_relaxed); now > peak;)
        if (peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) break;
    return p;
}

void memory_pool::release(void* p, std::int64_t bytes) noexcept {
    if (p == nullptr) return;
    int const c = class_of(bytes);
    std::int64_t const size = block_size(c);
    if (c < kept_blocks::classes && this == process_pool.load(std::memory_order_relaxed) &&
        limit_.load(std::memory_order_relaxed) == 0) {
        forbid(p, link_bytes, size);
        if (kept.give(c, p)) return;
    }
    in_use_.fetch_sub(size, std::memory_order_relaxed);
    if (held_.load(std::memory_order_relaxed) <= std::max(keep_at_least_, peak_.load(std::memory_order_relaxed)) &&
        within_limit(0) && may_cache(0)) {
        forbid(p, link_bytes, size);
        shards_[static_cast<std::size_t>(shard_of_this_thread())].push(c, p);
        return;
    }
    system_release(p, size);
    held_.fetch_sub(size, std::memory_order_relaxed);
}

std::int64_t memory_pool::trim() noexcept {
    if (this == process_pool.load(std::memory_order_relaxed)) kept.empty();
    std::int64_t freed = 0;
    for (int s = 0; s < shard_count; ++s)
        for (int c = 0; c < class_count; ++c) {
            shard& from = shards_[static_cast<std::size_t>(s)];
            if (!from.has(c)) continue;
            for (free_block* block = from.pop_all(c); block != nullptr;) {
                free_block* const next = block->next;
                system_release(block, block_size(c));
                freed += block_size(c);
                block = next;
            }
        }
    held_.fetch_sub(freed, std::memory_order_relaxed);
    return freed;
}

backend_memory memory_pool::statistics() const noexcept {
    std::int64_t const not_used = this == process_pool.load(std::memory_order_relaxed) ? all_kept.bytes() : 0;
    return {in_use_.load(std::memory_order_relaxed) - not_used, held_.load(std::memory_order_relaxed),
            peak_.load(std::memory_order_relaxed), limit_.load(std::memory_order_relaxed)};
}

void memory_pool::set_limit(std::int64_t bytes) noexcept {
    limit_.store(std::max<std::int64_t>(bytes, 0), std::memory_order_relaxed);
    if (!within_limit(0)) trim();
}

void memory_pool::set_cache_limit(std::int64_t bytes) noexcept {
    cache_limit_.store(std::max<std::int64_t>(bytes, 0), std::memory_order_relaxed);
    if (!may_cache(0)) trim();
}

void memory_pool::reset_peak() noexcept {
    peak_.store(in_use_.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

void memory_pool::lock_all() noexcept {
    for (int s = 0; s < shard_count; ++s) shards_[static_cast<std::size_t>(s)].lock();
}
void memory_pool::unlock_all() noexcept {
    for (int s = 0; s < shard_count; ++s) shards_[static_cast<std::size_t>(s)].unlock();
}

// Never destroyed: arrays of static storage duration may come back after it would have been.
memory_pool& host_pool() noexcept {
    static memory_pool* const pool = [] {
        static memory_pool* made;
        made = new memory_pool;
        process_pool = made;
        pthread_atfork(
            [] {
                all_kept.mutex.lock();
                made->lock_all();
            },
            [] {
                made->unlock_all();
                all_kept.mutex.unlock();
            },
            [] {
                all_kept.forget_other_threads();
                made->unlock_all();
                all_kept.mutex.unlock();
            });
        return made;
    }();
    return *pool;
}

}  // namespace bascule
