#include "backend/cuda/device/device.hpp"

#include <algorithm>

#include "backend/cuda/driver/failure.hpp"

namespace bascule::cuda {
namespace {

void must(driver_api const& api, result code, char const* what) {
    if (code != success) throw failure{status::device_error, std::string("[cuda] ") + what + ": " + api.describe(code)};
}

int attribute(driver_api const& api, int which, int handle) {
    int value = 0;
    must(api, api.device_attribute(&value, which, handle), "reading a device attribute");
    return value;
}

}  // namespace

int capability_of(driver_api const& api, int ordinal) {
    int handle = 0;
    must(api, api.device_get(&handle, ordinal), "opening the device");
    return attribute(api, attribute_major, handle) * 10 + attribute(api, attribute_minor, handle);
}

device::device(driver_api const& api, compiler_place& place, int ordinal)
    : api_(api), place_(place), pool_(api, ordinal), host_pool_(api, ordinal, memory_pool::kind::host),
      staging_(api, host_pool_), captures_(api, pool_, host_pool_), kernels_(place, capability_of(api, ordinal)) {
    must(api_, api_.device_get(&handle_, ordinal), "opening the device");
    multiprocessors_ = attribute(api_, attribute_multiprocessors, handle_);
    reads_pageable_late_ = attribute(api_, attribute_pageable_access, handle_) != 0;
    char name[256] = "";
    std::size_t bytes = 0;
    must(api_, api_.device_name(name, sizeof name, handle_), "reading the device's name");
    must(api_, api_.device_memory(&bytes, handle_), "reading the device's memory");
    description_ = std::string("cuda: ") + name + ", " + std::to_string(bytes >> 20) + " MiB, sm_" +
                   std::to_string(capability_of(api_, ordinal)) + ", driver for CUDA " +
                   std::to_string(place.driver_version / 1000) + "." + std::to_string(place.driver_version / 10 % 100);
    must(api_, api_.retain_primary(&context_, handle_), "making a context");
    make_current();
    must(api_, api_.stream_create(&stream_, stream_non_blocking), "making a stream");
    pool_.in_order().works_on(stream_);
}

void device::make_current() const { must(api_, api_.set_current(context_), "entering the context"); }

void* device::allocate(std::int64_t bytes) {
    make_current();
    void* const p = pool_.allocate(bytes);
    if (captures_.by_this_thread()) {
        captures_.note_allocated(p);
        fill(p, 0xFF, bytes, stream_);  // until the graph runs: NaN, and no bad index
    }
    return p;
}

void device::release(void* p, std::int64_t bytes) {
    if (uses_.any()) {
        memory_use const all = used(p, bytes, use_kind::write);
        for (stream_handle s : uses_.in_the_way(nullptr, {&all, 1})) order(stream_, *this, s);
    }
    if (!captures_.park(p, bytes)) pool_.release(p, bytes);
}

// A call's stream waits for the own one when the call begins. Work that another thread submits there after that, and
// whose memory it then releases, is waited for here.
void* device::allocate_for(stream_handle stream, std::int64_t bytes) {
    void* const p = allocate(bytes);
    if (stream != stream_) order(stream, *this, stream_);
    return p;
}

void device::release_after(stream_handle stream, void* p, std::int64_t bytes) {
    if (stream != stream_) order(stream_, *this, stream);
    release(p, bytes);
}

// Captured work does not run, so a wait for it would never end.
void device::refuse_while_recording(char const* what) const {
    if (captures_.by_this_thread())
        throw failure{status::value_error, std::string("[cuda] ") + what +
                                               " waits for work, and between begin_capture and end_capture none runs: "
                                               "values can be read once the graph has been launched"};
}

// Errors of queued work are returned by the next call of any kind, so a call may succeed although its work fails, and
// its error may be another call's: the first error is kept for the next synchronize. After it was reported, calls to a
// device that cannot continue fail at once.
bool device::note(result code, char const* what) {
    if (code == success) return true;
    std::lock_guard const lock(error_mutex_);
    std::string const text = std::string("[cuda] ") + what + ": " + api_.describe(code);
    if (lost_) throw failure{status::device_error, text + "; the device was lost by an earlier error"};
    if (pending_error_.empty()) pending_error_ = text;
    return false;
}

unsigned device::memory_type(void const* p) const {
    unsigned type = 0;
    result const code = api_.pointer_attribute(&type, pointer_attribute_memory_type, reinterpret_cast<device_ptr>(p));
    return code == success ? type : 0;
}

void device::copy(void* to, void const* from, std::int64_t bytes, copy_kind kind, stream_handle stream) {
    if (bytes == 0) return;
    auto const n = static_cast<std::size_t>(bytes);
    auto const target = reinterpret_cast<device_ptr>(to), source = reinterpret_cast<device_ptr>(from);
    if (captures_.records(stream)) return record_copy(to, from, bytes, kind, stream);
    switch (kind) {
        case copy_kind::host_to_device: {
            unsigned const type = memory_type(from);
            if (staging_.serves(bytes) && type == 0 && staging_.to_device(target, from, n, stream)) return;
            if (reads_pageable_late_ && type == 0 && !staging_.serves(bytes) &&
                staging_.kept_to_device(target, from, n, stream))
                return;
            note(api_.copy_to_device(target, from, n, stream), "copy to the device");
            // Other memory of the host has been read by now; this is read when the copy's turn comes.
            if (type == memory_type_host || reads_pageable_late_)
                note(api_.stream_synchronize(stream), "copy to the device");
            return;
        }
        case copy_kind::device_to_host:
            if (staging_.serves(bytes) && memory_type(to) == 0 && staging_.to_host(to, source, n, stream)) return;
            note(api_.copy_to_host(to, source, n, stream), "copy to the host");
            return;
        case copy_kind::device_to_device:
            note(api_.copy_on_device(target, source, n, stream), "copy on the device");
            return;
    }
}

// Pinned memory is read or written when the graph runs; other memory of the host is read now.
void device::record_copy(void* to, void const* from, std::int64_t bytes, copy_kind kind, stream_handle stream) {
    auto const n = static_cast<std::size_t>(bytes);
    auto const target = reinterpret_cast<device_ptr>(to), source = reinterpret_cast<device_ptr>(from);
    if (kind == copy_kind::device_to_device)
        return must_do(api_.copy_on_device(target, source, n, stream), "recording a copy");
    if (kind == copy_kind::host_to_device) {
        void const* const kept = memory_type(from) == memory_type_host ? from : captures_.kept_copy(from, bytes);
        return must_do(api_.copy_to_device(target, kept, n, stream), "recording a copy");
    }
    if (memory_type(to) != memory_type_host) refuse_while_recording("a copy to the host");
    must_do(api_.copy_to_host(to, source, n, stream), "recording a copy");
}

// Where two cards can, they copy to each other without the host's memory in between; else the driver does it by that
// way.
void device::reach(device& other) {
    std::lock_guard const lock(peers_mutex_);
    if (!peers_.insert(&other).second) return;
    int can = 0;
    if (api_.can_access_peer(&can, handle_, other.handle_) == success && can)
        api_.enable_peer_access(other.context_, 0);
}

void device::copy_from(device& other, void* to, void const* from, std::int64_t bytes) {
    if (bytes == 0) return;
    settle(), other.settle();
    order(stream_, other, other.stream_);
    make_current();
    reach(other);
    note(api_.copy_peer(reinterpret_cast<device_ptr>(to), context_, reinterpret_cast<device_ptr>(from), other.context_,
                        static_cast<std::size_t>(bytes), stream_),
         "copy from another device");
    other.order(other.stream_, *this, stream_);
}

// An event that cannot be made would leave two streams unordered: then the host waits instead. Events are made and
// recorded in the context of the stream that runs.
// A captured stream does not wait: the work it was ordered after ran before the capture, and the launch is ordered.
void device::order(stream_handle waiting, device& running_on, stream_handle running) const {
    if (captures_.records(waiting) || running_on.captures_.records(running)) return;
    event_handle event = nullptr;
    running_on.make_current();
    bool const recorded = api_.event_create(&event, event_without_timing) == success &&
                          api_.event_record(event, running) == success;
    bool const ordered = recorded && api_.stream_wait_event(waiting, event, 0) == success;
    if (!ordered) api_.stream_synchronize(running);
    if (event) api_.event_destroy(event);
    make_current();
}

std::string device::describe() const {
    try {
        place_.ready();
        return description_ + ", kernels by NVRTC " + place_.get().version() + " (" + place_.prebuilt.describe() + ")";
    } catch (failure const& f) { return description_ + ", NO KERNELS (" + place_.prebuilt.describe() + "): " + f.text; }
}

bool device::fill(void* to, unsigned char byte, std::int64_t bytes, stream_handle stream) {
    return bytes == 0 ||
           note(api_.fill_bytes(reinterpret_cast<device_ptr>(to), byte, static_cast<std::size_t>(bytes), stream),
                "fill");
}

void device::synchronize(stream_handle stream) {
    refuse_while_recording("reading a value");
    note(api_.stream_synchronize(stream), "synchronize");
    std::lock_guard const lock(error_mutex_);
    if (pending_error_.empty()) return;
    lost_ = api_.stream_synchronize(stream) != success;
    throw failure{status::device_error, std::exchange(pending_error_, {})};
}

std::int64_t device::grid_for(std::int64_t items) const {
    constexpr std::int64_t blocks_per_multiprocessor = 2048 / block_threads;
    std::int64_t const wanted = (items + block_threads - 1) / block_threads;
    return std::clamp<std::int64_t>(wanted, 1, multiprocessors_ * blocks_per_multiprocessor * 4);
}

bool device::launch(function_handle f, std::int64_t blocks, words const& parameters, stream_handle stream) {
    void const* data = parameters.data();
    std::size_t const bytes = parameters.size() * sizeof(std::uint64_t);
    auto start = [&](void const* argument) {
        void* arguments[] = {const_cast<void*>(argument)};
        return note(
            api_.launch(f, static_cast<unsigned>(blocks), 1, 1, block_threads, 1, 1, 0, stream, arguments, nullptr),
            "launch");
    };
    if (parameters.size() <= most_parameter_words) return start(data);
    scratch const memory(*this, static_cast<std::int64_t>(bytes), stream);
    copy(memory.get(), data, static_cast<std::int64_t>(bytes), copy_kind::host_to_device, stream);
    void* const p = memory.get();
    return start(&p);
}

// An error that the driver returns at once is this call's own.
void device::launch(function_handle f, launch_shape const& s, void** arguments, stream_handle stream) {
    must_do(api_.launch(f, s.grid[0], s.grid[1], s.grid[2], s.block[0], s.block[1], s.block[2], s.shared_bytes, stream,
                        arguments, nullptr),
            "launch of a program's kernel");
}

int device::capability() const {
    return attribute(api_, attribute_major, handle_) * 10 + attribute(api_, attribute_minor, handle_);
}

void device::must_do(result code, char const* what) const { must(api_, code, what); }

stream_handle device::make_stream(bool non_blocking, std::int32_t priority) {
    stream_handle s = nullptr;
    unsigned const flags = non_blocking ? stream_non_blocking : 0;
    make_current();
    must_do(priority ? api_.stream_create_with_priority(&s, flags, priority) : api_.stream_create(&s, flags),
            "making a stream");
    std::lock_guard const lock(made_mutex_);
    made_.insert(s);
    return s;
}

// Once it is no longer among those that overlap, the own stream waits for its work at once.
void device::drop_stream(stream_handle s) {
    {
        std::lock_guard const lock(made_mutex_);
        made_.erase(s);
    }
    settle();
    make_current();
    api_.stream_destroy(s);
}

bool device::overlaps(stream_handle s) const {
    if (!s || s == stream_ || captures_.records(s)) return false;
    std::lock_guard const lock(made_mutex_);
    return made_.contains(s);
}

void device::settle() {
    if (!uses_.any()) return;
    for (stream_handle s : uses_.take_all()) order(stream_, *this, s);
}

ordered_stream::ordered_stream(device& d, void* stream, std::optional<std::vector<memory_use>> uses)
    : device_(d), stream_(stream ? static_cast<stream_handle>(stream) : d.own_stream()), uses_(std::move(uses)) {
    d.make_current();
    if (!uses_) d.settle();
    if (stream_ != d.own_stream()) d.order(stream_, d, d.own_stream());
    if (!uses_) return;
    for (stream_handle s : d.uses().in_the_way(stream_, *uses_)) d.order(stream_, d, s);
}

ordered_stream::~ordered_stream() {
    if (uses_ && device_.uses().add(stream_, *uses_)) return;
    if (uses_) device_.settle();  // there is room again for those of later work
    if (stream_ != device_.own_stream()) device_.order(device_.own_stream(), device_, stream_);
}

}  // namespace bascule::cuda
