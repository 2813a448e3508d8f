#include "backend/cuda/driver/ordered_memory.hpp"

#include <limits>
#include <mutex>
#include <new>

#include "backend/cuda/driver/failure.hpp"

namespace bascule::cuda {
namespace {

struct choice {
    memory_origin origin = memory_origin::pool;
    memory_functions functions;
};
std::mutex choice_mutex;
choice chosen;

choice now() {
    std::lock_guard const lock(choice_mutex);
    return chosen;
}

}  // namespace

void ordered_memory::come_from(memory_origin origin, memory_functions functions) {
    std::lock_guard const lock(choice_mutex);
    chosen = {origin, functions};
}

bool ordered_memory::is_chosen() { return now().origin != memory_origin::pool; }

// The one that other libraries of the process use, too. Without a threshold the driver would take memory back at each
// synchronization.
memory_pool_handle ordered_memory::drivers() {
    if (drivers_) return drivers_;
    int device = 0;
    std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();
    result code = api_.device_get(&device, ordinal_);
    if (code == success) code = api_.device_pool(&drivers_, device);
    if (code == success) code = api_.set_pool_attribute(drivers_, pool_attribute_release_threshold, &keep);
    if (code != success) {
        drivers_ = nullptr;
        throw failure{status::device_error, "[cuda] the driver's memory pool: " + api_.describe(code)};
    }
    let_others_reach();
    return drivers_;
}

// The access that one context gives another does not hold for a pool.
void ordered_memory::let_others_reach() const {
    int count = 0, own = 0, other = 0, can = 0;
    if (api_.device_count(&count) != success || api_.device_get(&own, ordinal_) != success) return;
    for (int k = 0; k < count; ++k) {
        bool const is_other = k != ordinal_ && api_.device_get(&other, k) == success;
        if (!is_other || api_.can_access_peer(&can, other, own) != success || !can) continue;
        pool_access const access{location_device, other, access_read_write};
        api_.set_pool_access(drivers_, &access, 1);
    }
}

device_ptr ordered_memory::allocate(std::int64_t bytes) {
    auto const n = static_cast<std::size_t>(bytes);
    choice const from = now();
    device_ptr p = 0;
    if (from.origin == memory_origin::functions) {
        try {
            p = reinterpret_cast<device_ptr>(from.functions.allocate(n, ordinal_, stream_));
        } catch (std::bad_alloc const&) { return 0; } catch (std::exception const& e) {
            throw failure{status::device_error, std::string("[cuda] the allocator that was set: ") + e.what()};
        }
        if (p) pieces_.emplace(p, piece{bytes, from.functions.release});
        return p;
    }
    result const code = api_.allocate_ordered(&p, n, drivers(), stream_);
    if (code == error_out_of_memory) return 0;
    if (code != success) throw failure{status::device_error, "[cuda] allocate: " + api_.describe(code)};
    pieces_.emplace(p, piece{bytes, nullptr});
    return p;
}

std::int64_t ordered_memory::release(device_ptr p) noexcept {
    auto const found = pieces_.find(p);
    if (found == pieces_.end()) return -1;
    piece const was = found->second;
    pieces_.erase(found);
    if (was.release) was.release(reinterpret_cast<void*>(p), static_cast<std::size_t>(was.bytes), ordinal_, stream_);
    else api_.release_ordered(p, stream_);
    return was.bytes;
}

void ordered_memory::trim() noexcept {
    if (drivers_) api_.trim_pool(drivers_, 0);
}

}  // namespace bascule::cuda
