// The memory that is read and written by work on streams of users' own for which the device's own stream does not wait
// yet. Work on another stream waits for that which it depends on, and no other.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "backend/cuda/driver/driver_api.hpp"

namespace bascule::cuda {

// `add`: bits are or-ed in, in any order.
enum class use_kind : unsigned char { read, write, add };
struct memory_use {
    device_ptr begin, end;
    use_kind kind;
};

inline memory_use used(void const* p, std::int64_t bytes, use_kind kind) {
    auto const begin = reinterpret_cast<device_ptr>(p);
    return {begin, begin + static_cast<device_ptr>(bytes), kind};
}

class stream_uses {
public:
    bool any() const { return any_.load(std::memory_order_acquire); }
    // False: there are too many to keep them apart.
    bool add(stream_handle, std::span<memory_use const>) noexcept;
    // The streams other than `of` whose work such uses have to wait for.
    std::vector<stream_handle> in_the_way(stream_handle of, std::span<memory_use const>) const;
    // All streams that have some; they have none afterwards.
    std::vector<stream_handle> take_all();

private:
    struct use {
        stream_handle on;
        memory_use of;
    };
    mutable std::mutex mutex_;
    static constexpr std::size_t most = 512;
    std::vector<use> uses_;
    std::atomic<bool> any_ = false;
};

}  // namespace bascule::cuda
