// Large copies between pageable memory of the host and a device, by pieces through pinned buffers: while the device
// copies one piece, the host copies the next. When a call returns the host's memory has been read, or holds the
// elements.
#pragma once
#include <cstdint>
#include <mutex>

#include "backend/cuda/driver/driver_api.hpp"
#include "backend/cuda/driver/memory_pool.hpp"

namespace bascule::cuda {

class staging {
public:
    static constexpr std::int64_t least_bytes = std::int64_t{1} << 20, piece_bytes = std::int64_t{2} << 20;

    staging(driver_api const& api, memory_pool& pinned) : api_(api), pinned_(pinned) {}

    static bool serves(std::int64_t bytes) { return bytes >= least_bytes; }
    // The device's context is current. False: another thread uses the buffers, or something failed; the copy has to be
    // made again without them, which reports the error.
    bool to_device(device_ptr to, void const* from, std::size_t bytes, stream_handle stream);
    bool to_host(void* to, device_ptr from, std::size_t bytes, stream_handle stream);

private:
    static constexpr int buffers = 2;

    struct buffer {
        void* memory = nullptr;
        event_handle done = nullptr;  // of the device's last copy with it
        bool recorded = false;
    };
    bool has_buffers();
    bool is_free(buffer& b);
    bool began(buffer& b, result code, stream_handle stream);

    driver_api const& api_;
    memory_pool& pinned_;
    std::mutex mutex_;
    bool failed_ = false;
    buffer buffers_[buffers];
};

}  // namespace bascule::cuda
