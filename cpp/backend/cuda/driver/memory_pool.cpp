#include "backend/cuda/driver/memory_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "backend/cuda/driver/failure.hpp"

namespace bascule::cuda {
namespace {

std::atomic<memory_relief> relief = nullptr;
std::atomic<backend const*> relieved = nullptr;

}  // namespace

void memory_pool::ask(memory_relief r, backend const* self) {
    relieved = self;
    relief = r;
}

memory_pool::memory_pool(driver_api const& api, int ordinal, kind of)
    : api_(api), ordinal_(ordinal), of_(of), ordered_(api, ordinal) {
    char const* mode = std::getenv("BASCULE_CUDA_POOL");
    exact_ = mode && std::string_view(mode) == "exact";
}

result memory_pool::get(device_ptr* p, std::int64_t bytes) const {
    auto const n = static_cast<std::size_t>(bytes);
    if (of_ == kind::device) return api_.allocate(p, n);
    void* host = nullptr;
    result const code = api_.allocate_host(&host, n, host_memory_portable);
    *p = reinterpret_cast<device_ptr>(host);
    return code;
}

void memory_pool::give_back(device_ptr p) const {
    if (of_ == kind::device) api_.release(p);
    else api_.release_host(reinterpret_cast<void*>(p));
}

// ---- blocks

memory_pool::block* memory_pool::take_free(std::int64_t size, bool little, std::int64_t most) {
    free_list& list = free_[little];
    block wanted{0, size};
    auto const found = list.lower_bound(&wanted);
    if (found == list.end() || (*found)->bytes > most) return nullptr;
    block* const b = *found;
    list.erase(found);
    split(b, size);
    return b;
}

// The bytes beyond `size` become a free block behind it.
void memory_pool::split(block* b, std::int64_t size) {
    if (b->bytes == size) return;
    auto* const rest = new block{b->at + static_cast<device_ptr>(size), b->bytes - size, b, b->after, b->little};
    if (rest->after) rest->after->before = rest;
    b->after = rest, b->bytes = size;
    free_[b->little].insert(rest);
}

// Both are in no list.
memory_pool::block* memory_pool::joined(block* b, block* after) {
    b->bytes += after->bytes;
    b->after = after->after;
    if (b->after) b->after->before = b;
    delete after;
    return b;
}

device_ptr memory_pool::from_driver(std::int64_t bytes) {
    if (!fits(bytes)) return 0;
    device_ptr p = 0;
    result const code = get(&p, bytes);
    if (code == error_out_of_memory) return 0;
    if (code != success) throw failure{status::device_error, "[cuda] allocate: " + api_.describe(code)};
    held_ += bytes;
    return p;
}

memory_pool::block* memory_pool::new_segment(std::int64_t bytes, bool little) {
    device_ptr const p = from_driver(bytes);
    return p ? new block{p, bytes, nullptr, nullptr, little} : nullptr;
}

// A segment for it; where there is no memory for one, any free block that is large enough.
memory_pool::block* memory_pool::fresh(std::int64_t size, bool little) {
    constexpr auto any = std::numeric_limits<std::int64_t>::max();
    std::int64_t const wanted = little ? little_segment : size;
    for (bool const trimmed : {false, true}) {
        if (trimmed && trim_locked() == 0) break;
        if (block* const b = new_segment(wanted, little)) {
            split(b, size);
            return b;
        }
    }
    for (bool const of_little : {little, !little})
        if (block* const b = take_free(size, of_little, any)) return b;
    return little ? new_segment(size, little) : nullptr;
}

void* memory_pool::counted(device_ptr p, std::int64_t bytes) {
    in_use_ += bytes;
    peak_ = std::max(peak_, in_use_);
    return reinterpret_cast<void*>(p);
}

void* memory_pool::try_to_allocate(std::int64_t size) {
    bool const little = size <= little_bytes;
    std::lock_guard const lock(mutex_);
    block* b = take_free(size, little, little ? little_segment : size * most_times);
    if (!b) b = fresh(size, little);
    if (!b) return nullptr;
    used_.emplace(b->at, b);
    return counted(b->at, size);
}

void* memory_pool::allocate_exactly(std::int64_t bytes) {
    std::lock_guard const lock(mutex_);
    device_ptr const p = from_driver(bytes);
    return p ? counted(p, bytes) : nullptr;
}

void* memory_pool::allocate_in_order(std::int64_t bytes) {
    std::lock_guard const lock(mutex_);
    if (!fits(bytes)) return nullptr;
    device_ptr p = ordered_.allocate(bytes);
    if (!p && trim_locked() > 0) p = ordered_.allocate(bytes);
    if (!p) return nullptr;
    held_ += bytes;
    return counted(p, bytes);
}

void* memory_pool::try_any(std::int64_t bytes, std::int64_t rounded) {
    if (of_ == kind::device && ordered_memory::is_chosen()) return allocate_in_order(bytes);
    return exact_ ? allocate_exactly(bytes) : try_to_allocate(rounded);
}

void* memory_pool::allocate(std::int64_t bytes) {
    std::int64_t const least = std::max<std::int64_t>(bytes, 1), size = (least + unit - 1) / unit * unit;
    for (;;) {
        if (void* const p = try_any(least, size)) return p;
        char const* why = "";
        backend_memory const now = statistics();
        auto const ask = of_ == kind::device ? relief.load() : nullptr;
        bool const hopeless = now.limit && least > now.limit;
        if (ask && !hopeless && ask(relieved, ordinal_, size, &why) > 0) continue;
        throw failure{status::out_of_memory,
                      "[cuda] " +
                          (of_ == kind::device ? "device " + std::to_string(ordinal_) : std::string("the host")) +
                          ": no memory for " + std::to_string(bytes) + " bytes; " + std::to_string(now.in_use) +
                          " in use" + (now.limit ? ", limit " + std::to_string(now.limit) : "") +
                          (*why ? std::string("; nothing more of it can be moved to the host: ") + why : "")};
    }
}

void memory_pool::release(void* p, std::int64_t bytes) {
    if (!p) return;
    auto const at = reinterpret_cast<device_ptr>(p);
    std::lock_guard const lock(mutex_);
    if (std::int64_t const size = ordered_.release(at); size >= 0) {
        in_use_ -= size, held_ -= size;
        return;
    }
    if (exact_) {
        std::int64_t const size = std::max<std::int64_t>(bytes, 1);
        in_use_ -= size, held_ -= size;
        give_back(at);
        return;
    }
    auto const found = used_.find(at);
    if (found == used_.end()) return;
    block* b = found->second;
    used_.erase(found);
    in_use_ -= b->bytes;
    free_list& list = free_[b->little];
    if (b->after && list.erase(b->after)) b = joined(b, b->after);
    if (b->before && list.erase(b->before)) b = joined(b->before, b);
    list.insert(b);
}

// Segments of which nothing is in use. The driver waits for the device before it takes memory back, so nothing queued
// can still use it.
std::int64_t memory_pool::trim_locked() {
    std::int64_t freed = 0;
    for (free_list& list : free_)
        for (auto i = list.begin(); i != list.end();) {
            block* const b = *i;
            if (b->before || b->after) {
                ++i;
                continue;
            }
            i = list.erase(i);
            give_back(b->at);
            freed += b->bytes;
            delete b;
        }
    held_ -= freed;
    ordered_.trim();
    return freed;
}

std::int64_t memory_pool::trim() {
    std::lock_guard const lock(mutex_);
    return trim_locked();
}

backend_memory memory_pool::statistics() const {
    std::lock_guard const lock(mutex_);
    return {in_use_, held_, peak_, limit_};
}

std::int64_t memory_pool::free_blocks() const {
    std::lock_guard const lock(mutex_);
    return static_cast<std::int64_t>(free_[0].size() + free_[1].size());
}

void memory_pool::set_limit(std::int64_t bytes) {
    std::lock_guard const lock(mutex_);
    limit_ = bytes;
    if (!fits(0)) trim_locked();
}

}  // namespace bascule::cuda
