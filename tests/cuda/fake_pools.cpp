// The fake driver's allocations in the order of a stream. Work of other streams that does not wait for the allocation,
// or that the release does not wait for, is an error where the order is checked.
#include "fake_driver.hpp"

using namespace bascule::fake;

namespace {
device& device_of_pool(void* pool) { return *static_cast<device*>(pool); }
}  // namespace

// A device's pool is the device.
EXPORTED int cuDeviceGetMemPool(void** out, int ordinal) {
    lock const l(the().mutex);
    if (int const code = enter("cuDeviceGetMemPool")) return code;
    *out = &the().devices[ordinal];
    return success;
}
EXPORTED int cuMemPoolSetAttribute(void* pool, int attribute, void* value) {
    constexpr int release_threshold = 4;
    if (!pool || attribute != release_threshold || !value) return invalid_value;
    return enter_call("cuMemPoolSetAttribute");
}
EXPORTED int cuMemPoolSetAccess(void* pool, void const* access, std::size_t count) {
    if (!pool || !access || count != 1) return invalid_value;
    return enter_call("cuMemPoolSetAccess");
}
EXPORTED int cuMemPoolTrimTo(void* pool, std::size_t) {
    if (!pool) return invalid_value;
    return enter_call("cuMemPoolTrimTo");
}
EXPORTED int cuMemAllocFromPoolAsync(device_ptr* out, std::size_t bytes, void* pool, void* where) {
    lock const l(the().mutex);
    if (int const code = enter("cuMemAllocFromPoolAsync")) return code;
    if (!has_room("BASCULE_FAKE_CUDA_MEMORY", bytes_used(), bytes)) return out_of_memory;
    device& on = device_of_pool(pool);
    if (stream_of(where).on != &on) return invalid_value;
    *out = on.memory.allocate(bytes);
    if (!*out) return out_of_memory;
    return submit(where, [&on, p = *out] {
        if (block_access* const used = on.memory.access_of(p)) note_access(*used, true);
        return success;
    });
}
EXPORTED int cuMemFreeAsync(device_ptr p, void* where) {
    lock const l(the().mutex);
    if (int const code = enter("cuMemFreeAsync"); code != the().broken) return code;
    device* const on = owner_of(p, 0);
    if (!on || stream_of(where).on != on) return breaks(illegal_address, "free of a pointer that is not allocated");
    return submit(where, [on, p] {
        if (block_access* const used = on->memory.access_of(p)) note_access(*used, true);
        if (!the().out_of_order.empty()) return breaks(launch_failed, std::exchange(the().out_of_order, {}));
        std::string const problem = on->memory.release(p);
        return problem.empty() ? success : breaks(illegal_address, problem);
    });
}
