// The interface between the device and libbascule_cuda_algorithms.so, which it opens at first use: plain data, no
// exceptions across. The sources of this folder are written against Thrust. nvcc builds the library from them; where
// there is no GPU, the C++ compiler builds a replacement with Thrust's host system.
#pragma once
#include "bascule/core/algorithms.hpp"

namespace bascule::cuda {

inline constexpr std::uint32_t algorithm_library_version = 1;

// The services of the device that an algorithm runs on. When one of them fails, the owner keeps the reason, and the
// algorithm ends.
struct algorithm_host {
    void* owner = nullptr;
    void* stream = nullptr;  // all work is queued here
    void* (*allocate)(void* owner, std::int64_t bytes) noexcept = nullptr;
    // Returns at once: queued work may still use the memory, and so may work that is queued next.
    void (*release)(void* owner, void* p, std::int64_t bytes) noexcept = nullptr;
    bool (*upload)(void* owner, void* to, void const* from, std::int64_t bytes) noexcept = nullptr;  // queued
    bool (*read)(void* owner, void* to, void const* from, std::int64_t bytes) noexcept = nullptr;    // waits
};

enum class algorithm_outcome : std::int32_t { ok, host_said_no, not_supported, device_failed, bad_index };

struct algorithm_library {
    std::uint32_t version = algorithm_library_version;
    std::uint32_t abi = backend_abi;
    bool (*runs)(algorithm_kind) noexcept = nullptr;
    algorithm_outcome (*run)(algorithm_host const*, algorithm_kind, void* args) noexcept = nullptr;
    char const* (*describe)() noexcept = nullptr;  // a line for users
    // Why nothing of it can run with a driver for this version of CUDA (13000: 13.0); empty where all can.
    char const* (*problem)(int driver_version) noexcept = nullptr;
    char const* (*last_error)() noexcept = nullptr;  // of the calling thread
};

using algorithm_entry = algorithm_library const* (*)();
inline constexpr char const* algorithm_entry_name = "bascule_cuda_algorithms";

}  // namespace bascule::cuda
