#include "backend/cuda/driver/staging.hpp"

#include <algorithm>
#include <cstring>

#include "backend/cuda/driver/failure.hpp"

namespace bascule::cuda {
namespace {

constexpr auto piece = static_cast<std::size_t>(staging::piece_bytes);

}  // namespace

// They are made once and kept. Without memory for them copies go the driver's way.
bool staging::has_buffers() {
    if (failed_) return false;
    for (buffer& b : buffers_) {
        if (b.done) continue;
        try {
            if (!b.memory) b.memory = pinned_.allocate(piece_bytes);
        } catch (failure const&) { failed_ = true; }
        if (failed_ || api_.event_create(&b.done, event_without_timing) != success) {
            failed_ = true;
            b.done = nullptr;
            return false;
        }
    }
    return true;
}

bool staging::is_free(buffer& b) {
    if (b.recorded && api_.event_synchronize(b.done) != success) return false;
    b.recorded = false;
    return true;
}

bool staging::began(buffer& b, result code, stream_handle stream) {
    b.recorded = code == success && api_.event_record(b.done, stream) == success;
    if (!b.recorded && code == success) api_.stream_synchronize(stream);
    return b.recorded;
}

bool staging::to_device(device_ptr to, void const* from, std::size_t bytes, stream_handle stream) {
    std::unique_lock const lock(mutex_, std::try_to_lock);
    if (!lock || !has_buffers()) return false;
    auto const* source = static_cast<std::byte const*>(from);
    for (std::size_t at = 0, k = 0; at < bytes; at += piece, ++k) {
        buffer& b = buffers_[k % buffers];
        std::size_t const n = std::min(piece, bytes - at);
        if (!is_free(b)) return false;
        std::memcpy(b.memory, source + at, n);
        if (!began(b, api_.copy_to_device(to + at, b.memory, n, stream), stream)) return false;
    }
    return true;
}

// The oldest ones that the device has read; of too many the oldest is waited for.
void staging::let_go_of_done() {
    while (!kept_.empty()) {
        kept_copy const& oldest = kept_.front();
        bool const done = kept_.size() < most_kept ? api_.event_query(oldest.done) == success
                                                   : api_.event_synchronize(oldest.done) == success;
        if (!done) return;
        api_.event_destroy(oldest.done);
        pinned_.release(oldest.memory, oldest.bytes);
        kept_.pop_front();
    }
}

bool staging::kept_to_device(device_ptr to, void const* from, std::size_t bytes, stream_handle stream) {
    std::lock_guard const lock(kept_mutex_);
    let_go_of_done();
    kept_copy made{nullptr, static_cast<std::int64_t>(bytes), nullptr};
    try {
        made.memory = pinned_.allocate(made.bytes);
    } catch (failure const&) { return false; }
    bool submitted = api_.event_create(&made.done, event_without_timing) == success;
    if (submitted) {
        std::memcpy(made.memory, from, bytes);
        submitted = api_.copy_to_device(to, made.memory, bytes, stream) == success;
        if (submitted && api_.event_record(made.done, stream) == success) {
            kept_.push_back(made);
            return true;
        }
        api_.stream_synchronize(stream);
        api_.event_destroy(made.done);
    }
    pinned_.release(made.memory, made.bytes);
    return submitted;
}

bool staging::to_host(void* to, device_ptr from, std::size_t bytes, stream_handle stream) {
    std::unique_lock const lock(mutex_, std::try_to_lock);
    if (!lock || !has_buffers()) return false;
    auto* const target = static_cast<std::byte*>(to);
    auto const begin = [&](std::size_t at) {
        buffer& b = buffers_[at / piece % buffers];
        return is_free(b) &&
               began(b, api_.copy_to_host(b.memory, from + at, std::min(piece, bytes - at), stream), stream);
    };
    if (!begin(0)) return false;
    for (std::size_t at = 0; at < bytes; at += piece) {
        buffer& b = buffers_[at / piece % buffers];
        bool const next = at + piece >= bytes || begin(at + piece);
        if (!is_free(b) || !next) return false;
        std::memcpy(target + at, b.memory, std::min(piece, bytes - at));
    }
    return true;
}

}  // namespace bascule::cuda
