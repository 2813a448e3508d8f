// Optional services of a device with memory of its own, in addition to `backend`. They are found by name in its
// library, so that devices without them, and callers that do not use them, need not know of them. Null: the device does
// not have the service.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

inline constexpr std::uint32_t device_services_abi = 1;

// Called before an allocation of so many bytes fails: frees memory of the device, in the allocating thread and possibly
// inside a call of the device; returns how many bytes. 0: nothing was freed, and `why` may give the reason.
using memory_relief = std::int64_t (*)(backend const* api, std::int32_t device, std::int64_t bytes, char const** why);

// Where the memory of devices comes from: the device's own pool, the driver's allocations in the order of a stream, or
// functions, such as those of PyTorch's pluggable allocators and RMM have. Their memory is used in the order of the
// given stream, and is released after the work that is on it.
enum class memory_origin : std::int32_t { pool, driver, functions };
struct memory_functions {
    void* (*allocate)(std::size_t bytes, int device, void* stream) = nullptr;  // null: there is no memory
    void (*release)(void* p, std::size_t bytes, int device, void* stream) = nullptr;
};

struct device_services {
    std::uint32_t abi = device_services_abi;
    std::uint32_t size = sizeof(device_services);
    // ---- memory
    std::int64_t (*free_blocks)(std::int32_t device) noexcept = nullptr;  // pieces that are held and not in use
    void (*set_relief)(memory_relief) noexcept = nullptr;
    // Memory of the host that the device copies to and from fastest. A caller that frees it has waited for the copies.
    status (*allocate_host)(std::int32_t device, std::int64_t bytes, void** out) noexcept = nullptr;
    void (*release_host)(std::int32_t device, void* p, std::int64_t bytes) noexcept = nullptr;
    status (*host_memory)(std::int32_t device, backend_memory* out) noexcept = nullptr;
    std::int64_t (*host_free_blocks)(std::int32_t device) noexcept = nullptr;
    std::int64_t (*trim_host)(std::int32_t device) noexcept = nullptr;
    // ---- graphs. Work that the calling thread submits to a stream between begin and end is not run but recorded, and
    // runs at each launch, with the same addresses: memory that it uses stays where it is as long as the graph lives.
    // Waiting in between is an error.
    status (*begin_capture)(std::int32_t device, void* stream) noexcept = nullptr;
    status (*end_capture)(std::int32_t device, void* stream, void** graph) noexcept = nullptr;
    status (*upload_graph)(std::int32_t device, void* graph, void* stream) noexcept = nullptr;
    status (*launch_graph)(std::int32_t device, void* graph, void* stream) noexcept = nullptr;
    void (*destroy_graph)(std::int32_t device, void* graph) noexcept = nullptr;
    // ---- the card and its driver, one line: `backend::describe` without the libraries, none of which is opened
    char const* (*describe_card)(std::int32_t device) noexcept = nullptr;
    // ---- of all devices, for what is allocated from now on
    void (*set_memory_origin)(memory_origin, memory_functions) noexcept = nullptr;
};

using device_services_entry = device_services const* (*)();
inline constexpr char const* device_services_name = "bascule_device_services";

// Of an opened device; a table of nothing where it has none.
device_services const& services_of(backend const* api) noexcept;

}  // namespace bascule
