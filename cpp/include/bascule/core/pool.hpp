// The caching memory pool of the CPU. Fresh pages cost more than most kernels, so blocks that come back are kept.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "bascule/core/backend.hpp"

namespace bascule {

// Blocks are 64-byte aligned, those of 1 MiB and more on huge pages where the system has them. At least `padding` bytes
// behind every block may be read (not written), so that vector loads need no tail. Thread-safe.
class memory_pool {
public:
    static constexpr std::int64_t padding = 64, huge_page = std::int64_t{2} << 20, huge_from = std::int64_t{1} << 20;

    memory_pool();
    ~memory_pool();
    memory_pool(memory_pool const&) = delete;
    memory_pool& operator=(memory_pool const&) = delete;

    // Null: out of memory, or over the limit, also after giving all cached blocks back.
    [[nodiscard]] void* allocate(std::int64_t bytes) noexcept;
    // `bytes` as it was allocated. Kept for reuse while the pool holds at most max(25 % of RAM, its peak in use), and
    // no more than the cache limit.
    void release(void* p, std::int64_t bytes) noexcept;
    // Gives cached blocks back to the system; bytes freed.
    std::int64_t trim() noexcept;

    // Sizes are those of the blocks, slightly more than was requested. Limit 0: none.
    [[nodiscard]] backend_memory statistics() const noexcept;
    void set_limit(std::int64_t bytes) noexcept;
    // Blocks in use may exceed this limit, but then nothing is cached: cached blocks are freed before new ones are
    // taken, and released ones at once. Limit 0: none.
    void set_cache_limit(std::int64_t bytes) noexcept;
    void reset_peak() noexcept;

    // Around fork: the child must not find a lock that a thread it does not have was holding.
    void lock_all() noexcept;
    void unlock_all() noexcept;

private:
    struct shard;
    void* take_cached(int size_class) noexcept;
    void* take_fresh(int size_class) noexcept;
    bool within_limit(std::int64_t block) noexcept;
    bool may_cache(std::int64_t block) noexcept;

    std::unique_ptr<shard[]> shards_;
    std::int64_t keep_at_least_;
    std::atomic<std::int64_t> in_use_{0}, held_{0}, peak_{0}, limit_{0}, cache_limit_{0};
};

// The process's own; fork-safe.
memory_pool& host_pool() noexcept;

}  // namespace bascule
