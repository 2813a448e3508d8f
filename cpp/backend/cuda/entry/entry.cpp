// The device behind the interface of core/backend.hpp, and the one symbol the library shows.
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "backend/cuda/algorithms/algorithm_library.hpp"
#include "backend/cuda/algorithms/algorithms.hpp"
#include "backend/cuda/device/device.hpp"
#include "backend/cuda/driver/failure.hpp"
#include "backend/cuda/engine/run_plan.hpp"
#include "backend/cuda/entry/interface_programs.hpp"
#include "backend/cuda/libraries/toolkit.hpp"

namespace bascule::cuda {

std::string& last_error_text() {
    thread_local std::string text;
    return text;
}

namespace {

struct library {
    driver_api api;
    compiler_place place{api};
    // An unused card gets no context: that takes memory on it, and fails where another process uses it exclusively.
    struct slot {
        std::atomic<device*> open = nullptr;
    };
    std::vector<slot> devices;
    std::mutex opening;

    device& at(int i) {
        slot& s = devices[static_cast<std::size_t>(i)];
        if (device* const d = s.open.load(std::memory_order_acquire)) return *d;
        std::lock_guard const lock(opening);
        if (!s.open.load(std::memory_order_relaxed))
            s.open.store(new device(api, place, i), std::memory_order_release);  // for as long as the process
        return *s.open.load(std::memory_order_relaxed);
    }
};
// Never destroyed: at exit the driver may be unloaded before static objects are destroyed.
library* the_library = nullptr;
constexpr int oldest_driver = 12000;
// The driver does not work in a process that was forked after the driver was started, and its locks may be held by
// threads that do not exist there: calls to a device in such a process fail instead of calling it.
bool forked = false;

}  // namespace

device& device_at(std::int32_t i) {
    expects(!forked, status::device_error,
            "CUDA was in use when this process was forked and does not work here: use the start method \"spawn\" or "
            "\"forkserver\"");
    bool const known = i >= 0 && static_cast<std::size_t>(i) < the_library->devices.size();
    if (!known)
        throw failure{status::value_error, "[cuda] no device " + std::to_string(i) + "; there are " +
                                               std::to_string(the_library->devices.size())};
    return the_library->at(i);
}

namespace {

std::int32_t device_count() noexcept { return static_cast<std::int32_t>(the_library->devices.size()); }

status allocate(std::int32_t i, std::int64_t bytes, void** out) noexcept {
    return guarded([&] {
        *out = nullptr;
        expects(bytes >= 0, status::value_error, "allocate: a size is not negative");
        *out = device_at(i).allocate(bytes);
    });
}

void release(std::int32_t i, void* p, std::int64_t bytes) noexcept {
    guarded([&] { device_at(i).release(p, bytes); });
}

status copy(std::int32_t i, void* to, void const* from, std::int64_t bytes, copy_kind kind, void* stream) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        std::optional<std::vector<memory_use>> uses;
        if (d.overlaps(static_cast<stream_handle>(stream))) {
            uses.emplace();
            if (kind != copy_kind::device_to_host) uses->push_back(used(to, bytes, use_kind::write));
            if (kind != copy_kind::host_to_device) uses->push_back(used(from, bytes, use_kind::read));
        }
        ordered_stream const s(d, stream, std::move(uses));
        d.copy(to, from, bytes, kind, s.get());
    });
}

// The work of other streams may still run.
status synchronize(std::int32_t i, void* stream) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        auto const s = static_cast<stream_handle>(stream);
        if (d.overlaps(s)) {
            d.make_current();
            d.order(s, d, d.own_stream());
            return d.synchronize(s);
        }
        ordered_stream const ordered(d, stream);
        d.synchronize(ordered.get());
    });
}

status run(std::int32_t i, plan const* p, void* stream) noexcept {
    return guarded([&] {
        device& d = device_at(i);
        bool const known = d.overlaps(static_cast<stream_handle>(stream)) && p->nreductions == 0;
        ordered_stream const s(d, stream, known ? std::optional(uses_of(*p)) : std::nullopt);
        run_plan(d, *p, s.get());
    });
}

status algorithm(std::int32_t i, algorithm_kind kind, void* args, void* stream) noexcept {
    return guarded([&] {
        ordered_stream const s(device_at(i), stream);
        run_algorithm(device_at(i), kind, args, s.get());
    });
}

bool supports(algorithm_kind kind, type_id t) noexcept { return supports_algorithm(kind, t); }

// ---- of either pool: the device's memory, or pinned memory of the host
using pool_of = memory_pool& (device::*)();

template <pool_of Pool> status memory_in(std::int32_t i, backend_memory* out) noexcept {
    return guarded([&] { *out = (device_at(i).*Pool)().statistics(); });
}

template <pool_of Pool> std::int64_t free_blocks_in(std::int32_t i) noexcept {
    std::int64_t n = 0;
    guarded([&] { n = (device_at(i).*Pool)().free_blocks(); });
    return n;
}

template <pool_of Pool> std::int64_t trim_in(std::int32_t i) noexcept {
    std::int64_t freed = 0;
    guarded([&] {
        device_at(i).make_current();
        freed = (device_at(i).*Pool)().trim();
    });
    return freed;
}

status set_memory_limit(std::int32_t i, std::int64_t bytes) noexcept {
    return guarded([&] {
        device_at(i).make_current();
        device_at(i).pool().set_limit(bytes);
    });
}

status allocate_host(std::int32_t i, std::int64_t bytes, void** out) noexcept {
    return guarded([&] {
        *out = nullptr;
        expects(bytes >= 0, status::value_error, "allocate: a size is not negative");
        device_at(i).make_current();
        *out = device_at(i).host_pool().allocate(bytes);
    });
}

void release_host(std::int32_t i, void* p, std::int64_t bytes) noexcept {
    guarded([&] { device_at(i).host_pool().release(p, bytes); });
}

char const* describe(std::int32_t i) noexcept {
    thread_local std::string text;
    text.clear();
    guarded([&] { text = device_at(i).describe() + ", " + describe_algorithms() + ", " + libraries::describe(); });
    return text.c_str();
}

char const* describe_card(std::int32_t i) noexcept {
    thread_local std::string text;
    text.clear();
    guarded([&] { text = device_at(i).describe_card(); });
    return text.c_str();
}

status copy_between(std::int32_t to_device, void* to, std::int32_t from_device, void const* from,
                    std::int64_t bytes) noexcept {
    return guarded([&] { device_at(to_device).copy_from(device_at(from_device), to, from, bytes); });
}

char const* last_error() noexcept { return last_error_text().c_str(); }

backend const interface = {
    .name = "cuda",
    .host_memory = false,
    .device_count = device_count,
    .allocate = allocate,
    .release = release,
    .copy = copy,
    .synchronize = synchronize,
    .run = run,
    .algorithm = algorithm,
    .supports = supports,
    .memory = memory_in<&device::pool>,
    .set_memory_limit = set_memory_limit,
    .trim = trim_in<&device::pool>,
    .describe = describe,
    .last_error = last_error,
    .copy_between = copy_between,
    .programs = program_interface(),
    .streams = stream_interface(),
};

void set_memory_origin(memory_origin origin, memory_functions functions) noexcept {
    ordered_memory::come_from(origin, functions);
}

void set_relief(memory_relief relief) noexcept { memory_pool::ask(relief, &interface); }

device_services const services = [] {
    device_services s = graph_services();
    s.free_blocks = free_blocks_in<&device::pool>, s.set_relief = set_relief;
    s.allocate_host = allocate_host, s.release_host = release_host;
    s.host_memory = memory_in<&device::host_pool>, s.host_free_blocks = free_blocks_in<&device::host_pool>;
    s.trim_host = trim_in<&device::host_pool>;
    s.describe_card = describe_card, s.set_memory_origin = set_memory_origin;
    return s;
}();

void count_devices(library& lib) {
    auto const must = [&](result code, char const* what) {
        if (code != success)
            throw failure{status::device_error, std::string("[cuda] ") + what + ": " + lib.api.describe(code)};
    };
    int version = 0, count = 0;
    must(lib.api.init(0), "starting the driver");
    must(lib.api.driver_version(&version), "reading the driver's version");
    must(lib.api.device_count(&count), "counting devices");
    expects(count > 0, status::device_error, "the driver sees no device (CUDA_VISIBLE_DEVICES may hide it)");
    if (version < oldest_driver)
        throw failure{status::device_error, "[cuda] the driver runs CUDA " + std::to_string(version / 1000) + "." +
                                                std::to_string(version / 10 % 100) +
                                                ", bascule needs a driver for CUDA 12.0 or newer (525.60 or newer)"};
    lib.place.driver_version = version;
    lib.place.oldest_capability = capability_of(lib.api, 0);
    for (int k = 1; k < count; ++k)
        lib.place.oldest_capability = std::min(lib.place.oldest_capability, capability_of(lib.api, k));
    lib.devices = std::vector<library::slot>(static_cast<std::size_t>(count));
}

// A file in the folder of this library, or the one that $BASCULE_CUDA_KERNELS names.
std::string prebuilt_file(host_api const& host) {
    char const* const named = std::getenv("BASCULE_CUDA_KERNELS");
    return named ? named : std::string(host.plugin_directory ? host.plugin_directory : ".") + "/cuda_kernels.bin";
}

void open_library(host_api const& host) {
    auto lib = std::make_unique<library>();
    if (std::string const problem = lib->api.load(); !problem.empty()) throw failure{status::device_error, problem};
    for (char const* const* d = host.library_directories; d && *d; ++d) lib->place.library_directories.emplace_back(*d);
    if (host.cache_directory) lib->place.cache_directory = host.cache_directory;
    lib->place.prebuilt.lie_in(prebuilt_file(host));
    count_devices(*lib);
    libraries::lie_in(lib->place.library_directories, lib->place.driver_version);
    algorithms_lie_in(host.plugin_directory ? host.plugin_directory : "", lib->place.driver_version);
    pthread_atfork(nullptr, nullptr, [] { forked = true; });
    the_library = lib.release();
}

}  // namespace
}  // namespace bascule::cuda

// On failure `*out` is a backend of which only last_error may be called.
extern "C" __attribute__((visibility("default"))) bascule::status bascule_backend_entry(bascule::host_api const* host,
                                                                                        bascule::backend const** out) {
    using namespace bascule::cuda;
    *out = &interface;
    return guarded([&] {
        if (host->abi != bascule::backend_abi)
            throw failure{bascule::status::not_supported, "[cuda] the core speaks ABI " + std::to_string(host->abi) +
                                                              ", this library " + std::to_string(bascule::backend_abi)};
        if (!the_library) open_library(*host);
    });
}

extern "C" __attribute__((visibility("default"))) bascule::device_services const* bascule_device_services() {
    return &bascule::cuda::services;
}
