// Programs in CUDA C++ on the CPU device: for users who write kernels without a GPU. Blocks run one after the other.
#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/emulation/emulation_scheduler.hpp"
#include "backend/emulation/host_compiler.hpp"
#include "bascule/core/backend.hpp"

namespace bascule::emulation {
namespace {

// The shared memory that every device offers by default, and the most that a function may be allowed.
constexpr std::int64_t usual_shared = 48 << 10, most_shared = 227 << 10;
constexpr std::uint32_t most_threads = 1024;
enum attribute_number {
    max_threads,
    shared_size,
    const_size,
    local_size,
    num_regs,
    ptx_version,
    binary_version,
    cache_mode,
    max_dynamic_shared,
    carveout
};

struct program {
    void* library = nullptr;
    char *shared_begin = nullptr, *shared_end = nullptr;
    std::vector<std::string> expressions;
};
struct function {
    program const* of;
    void (*body)(void*);
    int const* sizes;
    std::int64_t dynamic_limit;
};

void (*send_report)(char const*) = nullptr;
status fails(status s, std::string const& text) {
    send_report(text.c_str());
    return s;
}

// Programs and functions live as long as the process; one kernel runs at a time.
struct state {
    std::mutex mutex, running;
    std::deque<program> programs;
    std::map<std::pair<program const*, std::string>, function> functions;
    std::map<std::string, program*> by_file;
};
state& the() {
    static auto* const s = new state;
    return *s;
}

status compile(std::int32_t, program_source const* source, void** out) noexcept {
    try {
        host_library const made = compile_for_host(*source, source->folder ? source->folder : "");
        if (made.file.empty()) return fails(made.no_compiler ? status::device_error : status::compile_error, made.log);
        std::lock_guard const lock(the().mutex);
        program*& known = the().by_file[made.file];
        if (!known) {
            void* const library = dlopen(made.file.c_str(), RTLD_NOW | RTLD_LOCAL);
            if (!library) return fails(status::compile_error, dlerror());
            the().programs.emplace_back();
            known = &the().programs.back();
            known->library = library;
            known->expressions = {source->expressions, source->expressions + source->expression_count};
            auto const bind = reinterpret_cast<void (*)(runtime*, char**, char**)>(dlsym(library, "bascule_bind"));
            bind(shared_runtime(), &known->shared_begin, &known->shared_end);
        }
        *out = known;
        return status::ok;
    } catch (std::exception const& e) { return fails(status::device_error, e.what()); }
}

status find(std::int32_t, void* handle, char const* name, void** out) noexcept {
    try {
        auto const& p = *static_cast<program const*>(handle);
        auto const at = std::find(p.expressions.begin(), p.expressions.end(), name);
        bool const by_expression = at != p.expressions.end();
        std::string const label = by_expression ? "bascule_expression_" + std::to_string(at - p.expressions.begin())
                                                : std::string(name);
        auto const body = reinterpret_cast<void (*)(void*)>(dlsym(p.library, ("bascule_body_" + label).c_str()));
        auto const sizes = reinterpret_cast<int const* (*)()>(dlsym(p.library, ("bascule_sizes_" + label).c_str()));
        if (!body || !sizes)
            return fails(status::value_error, "the program has no kernel " + std::string(name) +
                                                  ": expected extern \"C\" __global__ void " + name +
                                                  "(...), or its name among name_expressions");
        std::lock_guard const lock(the().mutex);
        std::int64_t const fixed = p.shared_end - p.shared_begin;
        auto const made = the().functions.try_emplace({&p, label}, function{&p, body, sizes(), usual_shared - fixed});
        *out = &made.first->second;
        return status::ok;
    } catch (std::exception const& e) { return fails(status::device_error, e.what()); }
}

status global(std::int32_t, void* handle, char const* name, void** address, std::int64_t* bytes) noexcept {
    auto const& p = *static_cast<program const*>(handle);
    *address = dlsym(p.library, name);
    Dl_info info;
    ElfW(Sym)* symbol = nullptr;
    if (!*address || !dladdr1(*address, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) || !symbol)
        return fails(status::value_error, std::string("the program has no variable ") + name);
    *bytes = static_cast<std::int64_t>(symbol->st_size);
    return status::ok;
}

std::int32_t const* parameters(void* f) noexcept { return static_cast<function const*>(f)->sizes; }

status attribute(std::int32_t, void* handle, std::int32_t which, std::int32_t* value) noexcept {
    auto const& f = *static_cast<function const*>(handle);
    switch (which) {
        case max_threads: *value = static_cast<std::int32_t>(most_threads); return status::ok;
        case shared_size: *value = static_cast<std::int32_t>(f.of->shared_end - f.of->shared_begin); return status::ok;
        case max_dynamic_shared: *value = static_cast<std::int32_t>(f.dynamic_limit); return status::ok;
        default:
            return fails(status::not_supported,
                         "the CPU device knows no such attribute of a kernel: it has no registers");
    }
}

status set_attribute(std::int32_t, void* handle, std::int32_t which, std::int32_t value) noexcept {
    auto& f = *static_cast<function*>(handle);
    std::int64_t const fixed = f.of->shared_end - f.of->shared_begin;
    if (which != max_dynamic_shared)
        return fails(status::not_supported, "the CPU device can set max_dynamic_shared_size_bytes alone");
    if (value < 0 || value + fixed > most_shared)
        return fails(status::value_error,
                     "a block has at most " + std::to_string(most_shared) + " bytes of shared memory");
    f.dynamic_limit = value;
    return status::ok;
}

// ---- a kernel that accesses invalid memory, or divides by zero: an error of the call, not the end of the process
thread_local sigjmp_buf* way_out = nullptr;
constexpr int faults[] = {SIGSEGV, SIGBUS, SIGFPE};
struct sigaction before[std::size(faults)];

void on_fault(int signal, siginfo_t*, void*) {
    if (way_out) siglongjmp(*way_out, signal);
    for (std::size_t k = 0; k < std::size(faults); ++k)
        if (faults[k] == signal) sigaction(signal, &before[k], nullptr);
}

std::string run_guarded(bascule::emulation::launch const& work) {
    sigjmp_buf place;
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    for (std::size_t k = 0; k < std::size(faults); ++k) sigaction(faults[k], &action, &before[k]);
    std::string problem;
    if (int const signal = sigsetjmp(place, 1); signal == 0) {
        way_out = &place;
        try {
            run(work);
        } catch (error const& e) { problem = e.what(); }
    } else {
        problem = signal == SIGFPE ? "it divided an integer by zero" : "it touched memory that is nobody's";
    }
    way_out = nullptr;
    for (std::size_t k = 0; k < std::size(faults); ++k) sigaction(faults[k], &before[k], nullptr);
    return problem;
}

status launch(std::int32_t, void* handle, launch_shape const* shape, void** arguments, void*) noexcept {
    auto const& f = *static_cast<function const*>(handle);
    std::uint32_t const *g = shape->grid, *b = shape->block;
    std::int64_t const fixed = f.of->shared_end - f.of->shared_begin;
    try {
        if (!g[0] || !g[1] || !g[2] || g[1] > 65535 || g[2] > 65535)
            return fails(status::value_error,
                         "a grid has at least one block, and at most 65535 along its second and third axis");
        if (!b[0] || !b[1] || !b[2] || b[2] > 64 || std::uint64_t{b[0]} * b[1] * b[2] > most_threads)
            return fails(status::value_error, "a block has 1 to 1024 threads, and at most 64 along its third axis");
        if (shape->shared_bytes > f.dynamic_limit)
            return fails(status::value_error, "shared memory: a launch may ask for " + std::to_string(f.dynamic_limit) +
                                                  " bytes beside the kernel's own " + std::to_string(fixed) +
                                                  " (max_dynamic_shared_size_bytes allows more)");
        std::lock_guard const alone(the().running);
        bascule::emulation::launch const work{{g[0], g[1], g[2]}, {b[0], b[1], b[2]}, f.body,
                                              arguments,          f.of->shared_begin, static_cast<std::size_t>(fixed),
                                              shape->shared_bytes};
        std::string const problem = run_guarded(work);
        return problem.empty() ? status::ok : fails(status::device_error, "the kernel failed: " + problem);
    } catch (std::exception const& e) { return fails(status::device_error, e.what()); }
}

constexpr backend_programs interface = {
    .compile = compile,
    .find = find,
    .global = global,
    .parameters = parameters,
    .attribute = attribute,
    .set_attribute = set_attribute,
    .launch = launch,
};

}  // namespace
}  // namespace bascule::emulation

namespace bascule {

backend_programs const* host_programs(void (*report)(char const*)) noexcept {
    emulation::send_report = report;
    return &emulation::interface;
}

}  // namespace bascule
