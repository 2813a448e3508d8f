// Copies between pageable memory of the host and a device through pinned memory. Large ones go by pieces: while the
// device copies one piece, the host copies the next. When a call returns the host's memory has been read, or holds the
// elements.
#pragma once
#include <cstdint>
#include <deque>
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
    // A small copy through memory of its own, which is kept until the device has read it: for devices that read
    // pageable memory themselves, when the copy's turn comes. False as above.
    bool kept_to_device(device_ptr to, void const* from, std::size_t bytes, stream_handle stream);

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

    struct kept_copy {
        void* memory;
        std::int64_t bytes;
        event_handle done;
    };
    static constexpr std::size_t most_kept = 64;
    void let_go_of_done();

    driver_api const& api_;
    memory_pool& pinned_;
    std::mutex mutex_;
    bool failed_ = false;
    buffer buffers_[buffers];
    std::mutex kept_mutex_;
    std::deque<kept_copy> kept_;  // the oldest first
};

}  // namespace bascule::cuda
