// A caching pool over one device's memory, or over pinned memory of the host. A segment allocated by the driver is
// split into blocks on request, taking the smallest free block that is large enough; released blocks join free
// neighbours and are kept until trim() or a lack of memory. Small requests share segments of their own, so that they do
// not break up large ones. Reuse needs no waiting: all work of a device runs in the order of its one stream.
#pragma once
#include <cstdint>
#include <mutex>
#include <set>
#include <unordered_map>

#include "backend/cuda/driver/driver_api.hpp"
#include "backend/cuda/driver/ordered_memory.hpp"
#include "bascule/core/device_services.hpp"

namespace bascule::cuda {

class memory_pool {
public:
    // $BASCULE_CUDA_POOL=exact turns rounding, splitting and caching off, so that a checker sees the end of every
    // allocation.
    enum class kind : unsigned char { device, host };
    memory_pool(driver_api const& api, int ordinal, kind of = kind::device);

    // Throws failure{out_of_memory} when the device has none, nothing is left to trim and no other pool frees any.
    void* allocate(std::int64_t bytes);
    void release(void* p, std::int64_t bytes);
    std::int64_t trim();
    backend_memory statistics() const;
    std::int64_t free_blocks() const;
    void set_limit(std::int64_t bytes);
    // Memory of the device that another allocator gives, in the order of the device's stream.
    ordered_memory& in_order() { return ordered_; }

    // The callback that pools of all devices call before they fail; `self` is the device they pass to it.
    static void ask(memory_relief relief, backend const* self);

    static constexpr std::int64_t unit = 512;  // of sizes
    // Requests up to little_bytes are blocks of segments of little_segment; larger ones split free blocks of up to
    // most_times their size before the driver is called.
    static constexpr std::int64_t little_bytes = std::int64_t{1} << 20, little_segment = std::int64_t{2} << 20;
    static constexpr std::int64_t most_times = 8;

private:
    struct block {
        device_ptr at;
        std::int64_t bytes;
        block *before = nullptr, *after = nullptr;  // neighbours in the segment
        bool little = false;                        // of a segment for small requests
    };
    struct by_size {
        bool operator()(block const* a, block const* b) const {
            return a->bytes != b->bytes ? a->bytes < b->bytes : a->at < b->at;
        }
    };
    using free_list = std::set<block*, by_size>;

    void* try_to_allocate(std::int64_t size);
    void* allocate_exactly(std::int64_t bytes);
    void* allocate_in_order(std::int64_t bytes);
    void* try_any(std::int64_t bytes, std::int64_t rounded);
    block* take_free(std::int64_t size, bool little, std::int64_t most);
    block* fresh(std::int64_t size, bool little);
    device_ptr from_driver(std::int64_t bytes);  // 0: it has none
    block* new_segment(std::int64_t bytes, bool little);
    void* counted(device_ptr p, std::int64_t bytes);
    void split(block* b, std::int64_t size);
    block* joined(block* b, block* after);
    std::int64_t trim_locked();
    bool fits(std::int64_t bytes) const { return !limit_ || held_ + bytes <= limit_; }

    result get(device_ptr* p, std::int64_t bytes) const;
    void give_back(device_ptr p) const;

    driver_api const& api_;
    int ordinal_;
    kind of_;
    bool exact_;
    ordered_memory ordered_;
    mutable std::mutex mutex_;
    free_list free_[2];  // of large segments, of those for small requests
    std::unordered_map<device_ptr, block*> used_;
    std::int64_t in_use_ = 0, held_ = 0, peak_ = 0, limit_ = 0;
};

}  // namespace bascule::cuda
