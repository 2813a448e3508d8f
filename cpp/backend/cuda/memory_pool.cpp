#include "backend/cuda/memory_pool.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string_view>

#include "backend/cuda/failure.hpp"

namespace bascule::cuda {

memory_pool::memory_pool(driver_api const& api, int ordinal) : api_(api), ordinal_(ordinal) {
    char const* mode = std::getenv("BASCULE_CUDA_POOL");
    exact_ = mode && std::string_view(mode) == "exact";
}

std::int64_t memory_pool::size_class(std::int64_t bytes) {
    constexpr std::int64_t least = 512;
    if (bytes <= least) return least;
    auto const octave = std::int64_t{1} << (std::bit_width(static_cast<std::uint64_t>(bytes - 1)) - 1);
    std::int64_t const step = std::max(octave / 8, least);
    return (bytes + step - 1) / step * step;
}

void* memory_pool::take_cached(std::int64_t bytes) {
    auto found = cached_.find(bytes);
    if (found == cached_.end() || found->second.empty()) return nullptr;
    device_ptr const p = found->second.back();
    found->second.pop_back();
    cached_bytes_ -= bytes;
    return reinterpret_cast<void*>(p);
}

void* memory_pool::fresh(std::int64_t bytes, std::int64_t asked) {
    if (limit_ && in_use_ + cached_bytes_ + bytes > limit_) trim_locked();
    bool const over = limit_ && in_use_ + bytes > limit_;
    device_ptr p = 0;
    result code = over ? error_out_of_memory : api_.allocate(&p, static_cast<std::size_t>(bytes));
    if (code == error_out_of_memory && !over && trim_locked() > 0)
        code = api_.allocate(&p, static_cast<std::size_t>(bytes));
    if (code == success) return reinterpret_cast<void*>(p);
    if (code != error_out_of_memory) throw failure{status::device_error, "[cuda] allocate: " + api_.describe(code)};
    throw failure{status::out_of_memory, "[cuda] device " + std::to_string(ordinal_) + ": no memory for " +
                                             std::to_string(asked) + " bytes; " + std::to_string(in_use_) + " in use" +
                                             (limit_ ? ", limit " + std::to_string(limit_) : "")};
}

void* memory_pool::allocate(std::int64_t bytes) {
    std::int64_t const size = rounded(bytes);
    std::lock_guard const lock(mutex_);
    void* p = take_cached(size);
    if (!p) p = fresh(size, bytes);
    in_use_ += size;
    peak_ = std::max(peak_, in_use_);
    return p;
}

void memory_pool::release(void* p, std::int64_t bytes) {
    if (!p) return;
    std::int64_t const size = rounded(bytes);
    std::lock_guard const lock(mutex_);
    in_use_ -= size;
    if (exact_) {
        api_.release(reinterpret_cast<device_ptr>(p));
        return;
    }
    cached_[size].push_back(reinterpret_cast<device_ptr>(p));
    cached_bytes_ += size;
}

// The driver waits for the device before it takes memory back, so nothing queued can still use it.
std::int64_t memory_pool::trim_locked() {
    for (auto& [size, blocks] : cached_)
        for (device_ptr p : blocks) api_.release(p);
    cached_.clear();
    std::int64_t const freed = cached_bytes_;
    cached_bytes_ = 0;
    return freed;
}

std::int64_t memory_pool::trim() {
    std::lock_guard const lock(mutex_);
    return trim_locked();
}

backend_memory memory_pool::statistics() const {
    std::lock_guard const lock(mutex_);
    return {in_use_, in_use_ + cached_bytes_, peak_, limit_};
}

void memory_pool::set_limit(std::int64_t bytes) {
    std::lock_guard const lock(mutex_);
    limit_ = bytes;
    if (limit_ && in_use_ + cached_bytes_ > limit_) trim_locked();
}

}  // namespace bascule::cuda
