// Devices by name, and the registry that finds their backends.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bascule/core/backend.hpp"

namespace bascule {

struct device {
    backend const* api = nullptr;
    std::int32_t index = 0;

    [[nodiscard]] std::string name() const;  // "cpu", "cuda:1"
    friend bool operator==(device const&, device const&) = default;
};

// "cpu", "reference", "cuda", "cuda:1". Throws value_error for an unknown name, device_error when a known one is
// absent.
device find_device(std::string_view name);

// Why find_device("cuda") fails; empty when it does not.
std::string why_no_cuda();

// The folders of libbascule_cuda.so, of NVRTC, and of compiled kernels. Call before the first use of cuda.
void set_plugin_directories(std::string plugin, std::vector<std::string> libraries, std::string cache);

// The stream that the calling thread's work on a device goes to; null: the device's own.
void set_current_stream(device where, void* stream);
void* stream_set_for(device where) noexcept;
// CUDA's legacy default stream, where other libraries work unless a program says otherwise.
inline void* const legacy_stream = reinterpret_cast<void*>(std::uintptr_t{1});
// Work submitted to `waiting` from here on runs after the work submitted to `running` so far; null is the device's own
// stream.
inline void order_streams(device where, void* waiting, void* running) noexcept {
    if (where.api->streams) where.api->streams->order(where.index, waiting, running);
}
inline void* current_stream(device where) noexcept { return where.api->streams ? stream_set_for(where) : nullptr; }

// ok: returns. Otherwise throws the error class of the status with the backend's own text.
void throw_if(status s, device where);

}  // namespace bascule
