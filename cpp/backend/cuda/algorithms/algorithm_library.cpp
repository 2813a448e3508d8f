#include "backend/cuda/algorithms/algorithm_library.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <optional>
#include <unistd.h>

#include "backend/cuda/algorithms/thrust/library.hpp"
#include "backend/cuda/driver/failure.hpp"

namespace bascule::cuda {
namespace {

constexpr char const* file_name = "libbascule_cuda_algorithms.so";

struct place {
    std::string directory;
    int driver_version = 0;
};
place& where() {
    static auto* p = new place;
    return *p;
}

struct opened {
    algorithm_library const* api = nullptr;
    std::string why_not;
};

opened open_library() {
    char const* const asked = std::getenv("BASCULE_CUDA_ALGORITHMS");
    std::string const path = asked && *asked ? asked : where().directory + "/" + file_name;
    std::string const fix = "; where nvcc is installed (a CUDA toolkit, or pip install 'nvidia-cuda-nvcc>=13,<14' "
                            "'nvidia-cuda-cccl>=13,<14' 'nvidia-cuda-runtime>=13,<14'), building bascule with -C "
                            "cmake.define.BASCULE_CUDA_ALGORITHMS=ON makes it";
    if (access(path.c_str(), F_OK) != 0) return {nullptr, path + " is missing" + fix};
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return {nullptr, std::string(dlerror()) + fix};
    auto const entry = reinterpret_cast<algorithm_entry>(dlsym(library, algorithm_entry_name));
    if (!entry) return {nullptr, path + " lacks " + algorithm_entry_name + fix};
    algorithm_library const* const api = entry();
    if (api->version != algorithm_library_version || api->abi != backend_abi)
        return {nullptr, path + " belongs to another version of bascule" + fix};
    if (std::string const problem = api->problem(where().driver_version); !problem.empty())
        return {nullptr, path + ": " + problem};
    return {api, {}};
}

opened const& the_library() {
    static auto const* const once = new opened(open_library());
    return *once;
}

// One call of the library. An exception thrown here is kept until the library has returned.
struct call {
    device& on;
    stream_handle stream;
    std::optional<failure> why;

    template <class Body> bool guarded(Body&& body) noexcept {
        try {
            body();
            return true;
        } catch (failure& f) { why = std::move(f); } catch (std::bad_alloc const&) {
            why = failure{status::out_of_memory, "[cuda] no host memory"};
        }
        return false;
    }
};
call& call_of(void* owner) { return *static_cast<call*>(owner); }

void* allocate(void* owner, std::int64_t bytes) noexcept {
    call& c = call_of(owner);
    void* p = nullptr;
    c.guarded([&] { p = c.on.allocate_for(c.stream, bytes); });
    return p;
}

void release(void* owner, void* p, std::int64_t bytes) noexcept {
    call& c = call_of(owner);
    c.guarded([&] { c.on.release_after(c.stream, p, bytes); });
}

bool upload(void* owner, void* to, void const* from, std::int64_t bytes) noexcept {
    call& c = call_of(owner);
    return c.guarded([&] { c.on.copy(to, from, bytes, copy_kind::host_to_device, c.stream); });
}

bool read(void* owner, void* to, void const* from, std::int64_t bytes) noexcept {
    call& c = call_of(owner);
    return c.guarded([&] {
        c.on.copy(to, from, bytes, copy_kind::device_to_host, c.stream);
        c.on.synchronize(c.stream);
    });
}

}  // namespace

void algorithms_lie_in(std::string directory, int driver_version) { where() = {std::move(directory), driver_version}; }

bool library_runs(algorithm_kind kind) {
    algorithm_library const* const api = the_library().api;
    return api && api->runs(kind);
}

std::string describe_algorithms() {
    opened const& found = the_library();
    return found.api ? std::string("algorithms by ") + found.api->describe() : "NO SORTING: " + found.why_not;
}

void run_library_algorithm(device& d, algorithm_kind kind, void* args, stream_handle stream) {
    opened const& found = the_library();
    std::string const what = std::string("[cuda] ") + describe(kind);
    if (found.api && !found.api->runs(kind))
        throw failure{status::not_supported, std::string("[cuda] no CUDA code yet for ") + describe(kind) +
                                                 "; .to_device(\"cpu\") brings the operands to where there is some"};
    if (!found.api)
        throw failure{status::not_supported,
                      what + ": " + found.why_not + "; .to_device(\"cpu\") brings the operands to where there is one"};
    call c{d, stream, {}};
    algorithm_host const host{&c, stream, allocate, release, upload, read};
    switch (found.api->run(&host, kind, args)) {
        case algorithm_outcome::ok: return;
        case algorithm_outcome::host_said_no:
            if (c.why) throw std::move(*c.why);
            throw failure{status::out_of_memory, what + ": no memory for the result"};
        case algorithm_outcome::bad_index: throw failure{status::index_error, what + ": " + found.api->last_error()};
        case algorithm_outcome::not_supported:
            throw failure{status::not_supported, what + ": " + found.api->last_error() +
                                                     "; .to_device(\"cpu\") brings the operands to where it is"};
        case algorithm_outcome::device_failed:
            throw failure{status::device_error, what + ": " + found.api->last_error()};
    }
}

}  // namespace bascule::cuda
