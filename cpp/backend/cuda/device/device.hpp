// One CUDA device: its context, stream, memory and kernels. Everything throws `failure`.
#pragma once
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backend/cuda/compiler/kernel_cache.hpp"
#include "backend/cuda/device/stream_uses.hpp"
#include "backend/cuda/driver/capture.hpp"
#include "backend/cuda/driver/memory_pool.hpp"
#include "backend/cuda/driver/staging.hpp"

namespace bascule::cuda {

// Kernel parameters: 64-bit words, numbered as the kernel's text numbers them.
using words = std::vector<std::uint64_t>;

inline constexpr int block_threads = 256;
// A kernel takes up to so many words by value (4 KB is every device's limit), more by pointer.
inline constexpr std::size_t most_parameter_words = 500;

// Of a card by its number, 90 for 9.0; it gets no context.
int capability_of(driver_api const& api, int ordinal);

class device {
public:
    device(driver_api const& api, compiler_place& place, int ordinal);

    void make_current() const;
    void* allocate(std::int64_t bytes);
    // Memory for work on a stream: that on the own stream of who had it before comes first.
    void* allocate_for(stream_handle stream, std::int64_t bytes);
    void release(void* p, std::int64_t bytes);
    // While work on a stream that uses it may still be queued. The next to get it may be another thread at once, on the
    // device's own stream: that stream waits first.
    void release_after(stream_handle stream, void* p, std::int64_t bytes);
    // Work queued on `waiting` from now on runs after the work that is on `running`, a stream of this device, now.
    void order(stream_handle waiting, device& running_on, stream_handle running) const;
    // A stream of a user's own that bascule made: what runs on it and is known to read and write need not be waited for
    // by work that depends on nothing of that. Other libraries' streams may be gone before they are waited for.
    stream_handle make_stream(bool non_blocking, std::int32_t priority);
    void drop_stream(stream_handle);
    bool overlaps(stream_handle) const;
    stream_uses& uses() { return uses_; }
    // The own stream waits for all work that it does not wait for yet.
    void settle();
    void copy(void* to, void const* from, std::int64_t bytes, copy_kind kind, stream_handle stream);
    // From another device's memory to this one's, on this one's own stream.
    void copy_from(device& other, void* to, void const* from, std::int64_t bytes);
    // False where the driver took no such work: what needs its result must not be queued.
    bool fill(void* to, unsigned char byte, std::int64_t bytes, stream_handle stream);
    // Waits; throws the first error of the work queued since the last call.
    void synchronize(stream_handle stream);

    // 0: memory of the host that the driver does not know.
    unsigned memory_type(void const* p) const;

    function_handle kernel(std::string const& text, char const* name) { return kernels_.find(text, name); }
    kernel_cache& kernels() { return kernels_; }
    // A kernel of the user's own.
    void launch(function_handle f, launch_shape const& shape, void** arguments, stream_handle stream);
    // False as for fill.
    bool launch(function_handle f, std::int64_t blocks, words const& parameters, stream_handle stream);
    // Blocks for a grid-stride loop over `items` threads: enough to fill the device, no more.
    std::int64_t grid_for(std::int64_t items) const;

    stream_handle own_stream() const { return stream_; }
    memory_pool& pool() { return pool_; }
    memory_pool& host_pool() { return host_pool_; }  // pinned
    captures& recorder() { return captures_; }
    // A line for users, with the compiler of kernels, or why there is none.
    std::string describe() const;  // opens NVRTC
    std::string const& describe_card() const { return description_; }
    driver_api const& api() const { return api_; }
    int handle() const { return handle_; }
    int capability() const;  // 90 for 9.0
    compiler_place& compiler() { return place_; }
    // For calls whose own success is required.
    void must_do(result code, char const* what) const;

private:
    bool note(result code, char const* what);
    void reach(device& other);
    void refuse_while_recording(char const* what) const;
    void record_copy(void* to, void const* from, std::int64_t bytes, copy_kind kind, stream_handle stream);

    driver_api const& api_;
    int handle_ = 0, multiprocessors_ = 1;
    bool reads_pageable_late_ = false;  // copies from the host's pageable memory read it when their turn comes
    context_handle context_ = nullptr;
    stream_handle stream_ = nullptr;
    std::string description_;
    compiler_place& place_;
    memory_pool pool_, host_pool_;
    staging staging_;
    captures captures_;
    kernel_cache kernels_;
    stream_uses uses_;
    mutable std::mutex made_mutex_;
    std::set<stream_handle> made_;  // for users
    std::mutex peers_mutex_;
    std::set<device const*> peers_;  // that it was tried to reach
    std::mutex error_mutex_;
    std::string pending_error_;
    bool lost_ = false;
};

// Work on a stream that is not the device's own: it starts after the work queued on the own stream, and the own stream
// continues after it, so memory may pass from one to the other without further synchronization. Where it is known what
// the work uses, and the stream overlaps with others, only what depends on it waits for it.
class ordered_stream {
public:
    ordered_stream(device& d, void* stream, std::optional<std::vector<memory_use>> uses = {});
    ~ordered_stream();
    ordered_stream(ordered_stream const&) = delete;
    ordered_stream& operator=(ordered_stream const&) = delete;
    stream_handle get() const { return stream_; }

private:
    device& device_;
    stream_handle stream_;
    std::optional<std::vector<memory_use>> uses_;  // empty: they are not known
};

// Device memory for the time of one call; returned to the pool while the kernels that use it may still be queued.
class scratch {
public:
    scratch(device& d, std::int64_t bytes, stream_handle stream)
        : device_(d), bytes_(bytes), stream_(stream), p_(d.allocate_for(stream, bytes)) {}
    ~scratch() { device_.release_after(stream_, p_, bytes_); }
    scratch(scratch const&) = delete;
    scratch& operator=(scratch const&) = delete;
    void* get() const { return p_; }

private:
    device& device_;
    std::int64_t bytes_;
    stream_handle stream_;
    void* p_;
};

}  // namespace bascule::cuda
