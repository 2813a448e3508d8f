// A caching pool over one device's memory. Blocks come in size classes an eighth of an octave apart, so at most an
// eighth of a block is unused; what is released is kept for the next request of its class until trim() or a lack of
// memory. Reuse needs no waiting: all work of a device runs in the order of its one stream.
#pragma once
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "backend/cuda/driver_api.hpp"
#include "bascule/core/backend.hpp"

namespace bascule::cuda {

class memory_pool {
public:
    // $BASCULE_CUDA_POOL=exact turns classes and caching off, so that a checker sees the end of every allocation.
    memory_pool(driver_api const& api, int ordinal);

    void* allocate(std::int64_t bytes);  // throws failure{out_of_memory} after trimming
    void release(void* p, std::int64_t bytes);
    std::int64_t trim();
    backend_memory statistics() const;
    void set_limit(std::int64_t bytes);

    static std::int64_t size_class(std::int64_t bytes);

private:
    std::int64_t rounded(std::int64_t bytes) const { return exact_ ? (bytes > 0 ? bytes : 1) : size_class(bytes); }
    void* take_cached(std::int64_t bytes);
    void* fresh(std::int64_t bytes, std::int64_t asked);
    std::int64_t trim_locked();

    driver_api const& api_;
    int ordinal_;
    bool exact_;
    mutable std::mutex mutex_;
    std::unordered_map<std::int64_t, std::vector<device_ptr>> cached_;
    std::int64_t in_use_ = 0, cached_bytes_ = 0, peak_ = 0, limit_ = 0;
};

}  // namespace bascule::cuda
