// The fake driver's memory of devices and of the host, and copies between them.
#include "fake_driver.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace bascule::fake;

EXPORTED int cuMemAlloc_v2(device_ptr* out, std::size_t bytes) {
    lock const l(the().mutex);
    if (int const code = enter("cuMemAlloc_v2")) return code;
    if (!has_room("BASCULE_FAKE_CUDA_MEMORY", bytes_used(), bytes)) return out_of_memory;
    *out = here->memory.allocate(bytes);
    return *out ? success : out_of_memory;
}
EXPORTED int cuMemFree_v2(device_ptr p) {
    lock const l(the().mutex);
    if (int const code = enter("cuMemFree_v2"); code != the().broken) return code;
    drain_all();
    device* const on = owner_of(p, 0);
    block_access const* const used = on && checks_order() ? on->memory.access_of(p) : nullptr;
    if (used && !on->own.empty()) {
        std::string why = "";
        bool const ordered = std::any_of(on->own.begin(), on->own.end(),
                                         [&](stream const* s) { return (why = used_out_of_order(*used, *s)).empty(); });
        if (!ordered) return breaks(launch_failed, why);
    }
    std::string const problem = on ? on->memory.release(p) : "free of a pointer that is not allocated";
    return problem.empty() ? success : breaks(illegal_address, problem);
}
EXPORTED int cuMemHostAlloc(void** out, std::size_t bytes, unsigned) {
    lock const l(the().mutex);
    if (int const code = enter("cuMemHostAlloc")) return code;
    std::size_t pinned = 0;
    for (auto const& [begin, size] : the().pinned) pinned += size;
    if (!has_room("BASCULE_FAKE_CUDA_PINNED", pinned, bytes)) return out_of_memory;
    *out = std::malloc(std::max<std::size_t>(bytes, 1));
    if (!*out) return out_of_memory;
    the().pinned[static_cast<char*>(*out)] = bytes;
    return success;
}
EXPORTED int cuMemFreeHost(void* p) {
    lock const l(the().mutex);
    if (int const code = enter("cuMemFreeHost"); code != the().broken) return code;
    drain_all();
    if (!the().pinned.erase(static_cast<char*>(p))) return invalid_value;
    std::free(p);
    return success;
}

namespace {
// Runs f with access to the blocks of both pointers, each null for one of the host.
template <class F> int with_open(void const* to, void const* from, std::size_t n, F&& f) {
    device *opened[2] = {}, **next = opened;
    for (void const* p : {to, from}) {
        if (!p) continue;
        device* const on = owner_of(reinterpret_cast<std::size_t>(p), n);
        if (!on && is_global(static_cast<char const*>(p), n)) continue;
        if (!on)
            return breaks(illegal_address,
                          "a copy or fill of " + std::to_string(n) + " bytes outside of any allocation");
        if (auto* const access = on->memory.open(reinterpret_cast<std::size_t>(p), p == to))
            note_access(*access, p == to);
        *next++ = on;
    }
    f();
    if (to && opened[0]) opened[0]->memory.host_wrote(reinterpret_cast<std::size_t>(to), n);
    for (device* d : opened)
        if (d) d->memory.close_all();
    if (!the().out_of_order.empty()) return breaks(launch_failed, std::exchange(the().out_of_order, {}));
    return success;
}

int copy(char const* name, void* to, void const* from, std::size_t n, bool to_device, bool from_device, void* where) {
    lock const l(the().mutex);
    if (int const code = enter(name)) return code;
    if (!from_device) the().to_device_bytes += static_cast<long long>(n);
    if (!to_device) the().to_host_bytes += static_cast<long long>(n);
    // The driver has read pageable host memory when the call returns, pinned memory when the copy's turn comes.
    std::vector<char> staged;
    // A card that reads pageable memory itself does so when the copy's turn comes, too.
    bool const known = from_device || is_pinned(from, n), later = known || reads_pageable_late();
    // A graph reads and writes the host's memory when it runs, when pageable memory may be gone: stricter than CUDA's.
    if (stream_of(where).capturing && (!known || (!to_device && !is_pinned(to, n)))) {
        refuses(stream_of(where));
        return capture_unsupported;
    }
    if (!later) staged.assign(static_cast<char const*>(from), static_cast<char const*>(from) + n);
    return submit(where, [=, staged = std::move(staged)] {
        return with_open(to_device ? to : nullptr, from_device ? from : nullptr, n,
                         [&] { std::memmove(to, later ? from : staged.data(), n); });
    });
}
void* host(device_ptr p) { return reinterpret_cast<void*>(p); }
}  // namespace
EXPORTED int cuMemcpyHtoDAsync_v2(device_ptr to, void const* from, std::size_t n, void* s) {
    return copy("cuMemcpyHtoDAsync_v2", host(to), from, n, true, false, s);
}
EXPORTED int cuMemcpyDtoHAsync_v2(void* to, device_ptr from, std::size_t n, void* s) {
    return copy("cuMemcpyDtoHAsync_v2", to, host(from), n, false, true, s);
}
EXPORTED int cuMemcpyDtoDAsync_v2(device_ptr to, device_ptr from, std::size_t n, void* s) {
    return copy("cuMemcpyDtoDAsync_v2", host(to), host(from), n, true, true, s);
}
EXPORTED int cuDeviceCanAccessPeer(int* can, int device, int peer) {
    *can = device != peer && !number_from("BASCULE_FAKE_CUDA_NO_PEERS", 0);
    return enter_call("cuDeviceCanAccessPeer");
}
EXPORTED int cuCtxEnablePeerAccess(void* peer, unsigned flags) {
    lock const l(the().mutex);
    constexpr int already = 704;
    if (int const code = enter("cuCtxEnablePeerAccess")) return code;
    if (!here || !peer || peer == here || flags) return invalid_value;
    return here->peers.insert(peer).second ? success : already;
}
EXPORTED int cuMemcpyPeerAsync(device_ptr to, void* to_context, device_ptr from, void* from_context, std::size_t n,
                               void* s) {
    {
        lock const l(the().mutex);
        auto const lies = [n](device_ptr p, void* in) { return static_cast<device*>(in)->memory.contains(p, n); };
        if (!to_context || !from_context || !lies(to, to_context) || !lies(from, from_context)) return invalid_value;
    }
    return copy("cuMemcpyPeerAsync", host(to), host(from), n, true, true, s);
}
// The driver knows only that memory of the host which is registered with it.
EXPORTED int cuPointerGetAttribute(void* value, int attribute, device_ptr p) {
    constexpr int memory_type = 2;
    lock const l(the().mutex);
    if (attribute != memory_type) return invalid_value;
    bool const host_memory = is_pinned(host(p), 0);
    if (!host_memory && !owner_of(p, 0)) return invalid_value;
    *static_cast<unsigned*>(value) = host_memory ? 1 : 2;
    return success;
}
EXPORTED int cuMemsetD8Async(device_ptr to, unsigned char byte, std::size_t n, void* s) {
    lock const l(the().mutex);
    if (int const code = enter("cuMemsetD8Async")) return code;
    return submit(s, [=] { return with_open(host(to), nullptr, n, [&] { std::memset(host(to), byte, n); }); });
}
