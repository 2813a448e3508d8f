// The one interface between arrays and tables on one side and a device on the other: a C struct of function pointers,
// status codes, no exceptions and no library types across. A device room fills one in; core's registry finds it.
#pragma once
#include "bascule/core/algorithm_list.hpp"
#include "bascule/core/plan.hpp"

namespace bascule {

inline constexpr std::uint32_t backend_abi = 6;

enum class status : std::int32_t {
    ok,
    out_of_memory,
    not_supported,
    device_error,
    compile_error,
    index_error,
    interrupted,
    value_error
};
enum class copy_kind : std::int32_t { host_to_device, device_to_host, device_to_device };

struct backend_memory {
    std::int64_t in_use, held, peak, limit;
};  // bytes; limit 0: none

// ---- programs of the user's own, in CUDA C++
struct program_source {
    char const* name = "";  // of the file, in the compiler's messages
    char const* text = "";
    char const* const* options = nullptr;      // of NVRTC
    char const* const* expressions = nullptr;  // "kernel<float>": instantiations, found by these names
    std::int32_t option_count = 0, expression_count = 0;
    char const* folder = nullptr;  // where a host's compiled programs are kept; null: nowhere for long
};
struct launch_shape {
    std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, shared_bytes = 0;
};
// Compiled programs are kept until the process ends.
struct backend_programs {
    // compile_error: the text is wrong, and last_error is the compiler's log; device_error: there is no compiler.
    status (*compile)(std::int32_t device, program_source const*, void** program) noexcept = nullptr;
    status (*find)(std::int32_t device, void* program, char const* name, void** function) noexcept = nullptr;
    status (*global)(std::int32_t device, void* program, char const* name, void** address,
                     std::int64_t* bytes) noexcept = nullptr;
    // The bytes of its parameters, less than zero for pointers where that is known, 0 behind the last; null: not known.
    std::int32_t const* (*parameters)(void* function) noexcept = nullptr;
    // CUDA's numbers of a function's attributes. Of the host's only some are known.
    status (*attribute)(std::int32_t device, void* function, std::int32_t which,
                        std::int32_t* value) noexcept = nullptr;
    status (*set_attribute)(std::int32_t device, void* function, std::int32_t which,
                            std::int32_t value) noexcept = nullptr;
    status (*launch)(std::int32_t device, void* function, launch_shape const*, void** arguments,
                     void* stream) noexcept = nullptr;
};

// ---- streams and events of the user's own, on devices that have such
struct backend_streams {
    void* (*own)(std::int32_t device) noexcept = nullptr;
    status (*create)(std::int32_t device, bool non_blocking, std::int32_t priority, void** stream) noexcept = nullptr;
    void (*destroy)(std::int32_t device, void* stream) noexcept = nullptr;
    status (*query)(std::int32_t device, void* stream, bool* done) noexcept = nullptr;
    status (*wait_event)(std::int32_t device, void* stream, void* event) noexcept = nullptr;
    // Work submitted to `waiting` from here on runs after the work submitted to `running` so far; null is the own
    // stream. The host waits only where there is no event for it.
    void (*order)(std::int32_t device, void* waiting, void* running) noexcept = nullptr;
    status (*create_event)(std::int32_t device, std::uint32_t flags, void** event) noexcept = nullptr;
    void (*destroy_event)(std::int32_t device, void* event) noexcept = nullptr;
    status (*record)(std::int32_t device, void* event, void* stream) noexcept = nullptr;
    status (*query_event)(std::int32_t device, void* event, bool* done) noexcept = nullptr;
    status (*synchronize_event)(std::int32_t device, void* event) noexcept = nullptr;
    status (*elapsed)(std::int32_t device, void* from, void* to, float* milliseconds) noexcept = nullptr;
    status (*memory)(std::int32_t device, std::int64_t* free, std::int64_t* total) noexcept = nullptr;
    status (*attribute)(std::int32_t device, std::int32_t which,
                        std::int32_t* value) noexcept = nullptr;  // CUDA's number
};

// Functions may be called from several threads. `device` counts from 0. Work on one (device, stream) pair runs in
// order; stream null is the device's own. On failure `last_error` (of the calling thread) names the function, the
// expected and the actual values.
struct backend {
    std::uint32_t abi = backend_abi;
    std::uint32_t size = sizeof(backend);
    char const* name = "";
    bool host_memory = true;  // a host pointer may read the memory that allocate returns
    std::int32_t (*device_count)() noexcept = nullptr;
    status (*allocate)(std::int32_t device, std::int64_t bytes, void** out) noexcept = nullptr;
    void (*release)(std::int32_t device, void* p, std::int64_t bytes) noexcept = nullptr;
    status (*copy)(std::int32_t device, void* to, void const* from, std::int64_t bytes, copy_kind,
                   void* stream) noexcept = nullptr;
    status (*synchronize)(std::int32_t device, void* stream) noexcept = nullptr;
    status (*run)(std::int32_t device, plan const*, void* stream) noexcept = nullptr;
    status (*algorithm)(std::int32_t device, algorithm_kind, void* args, void* stream) noexcept = nullptr;
    bool (*supports)(algorithm_kind, type_id) noexcept = nullptr;
    status (*memory)(std::int32_t device, backend_memory* out) noexcept = nullptr;
    status (*set_memory_limit)(std::int32_t device, std::int64_t bytes) noexcept = nullptr;
    std::int64_t (*trim)(std::int32_t device) noexcept = nullptr;     // gives cached memory back; bytes freed
    char const* (*describe)(std::int32_t device) noexcept = nullptr;  // one line for users
    char const* (*last_error)() noexcept = nullptr;
    // Plans that run one after another, as `run` runs each. The outermost dimension of every one is `rows` equal parts
    // and is not reduced, and a part reads only the same part of the outputs of earlier plans: a device may run all of
    // them for some rows before it goes on to the next. Null: the device would gain nothing, each is run by itself.
    status (*run_chain)(std::int32_t device, plan const* const* plans, std::int32_t count, std::int64_t rows,
                        void* stream) noexcept = nullptr;
    // From one of the backend's devices to another, after the work submitted to both before; returns at once. Null:
    // there is never more than one.
    status (*copy_between)(std::int32_t to_device, void* to, std::int32_t from_device, void const* from,
                           std::int64_t bytes) noexcept = nullptr;
    bool selects = false;  // runs plans with a selection: to count, for one store, or for one reduction of all
    backend_programs const* programs = nullptr;
    backend_streams const* streams = nullptr;  // null: everything is done when its call returns
};

// The functions of the core that a device library opened at run time may call.
struct host_api {
    std::uint32_t abi = backend_abi;
    char const* plugin_directory = nullptr;
    char const* const* library_directories = nullptr;  // null-terminated: folders in which NVRTC and the other
                                                       // libraries are searched
    char const* cache_directory = nullptr;             // for compiled kernels; null: keep none on disk
};
using backend_entry = status (*)(host_api const*, backend const** out);
inline constexpr char const* backend_entry_name = "bascule_backend_entry";

backend const* cpu_backend() noexcept;        // defined by backend/cpu
backend const* reference_backend() noexcept;  // defined by backend/reference
// The programs of a device in the host's memory, whose last_error is the text passed to `report`; defined by
// backend/emulation.
backend_programs const* host_programs(void (*report)(char const* text)) noexcept;

}  // namespace bascule
