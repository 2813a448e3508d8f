// The CPU's side of core/backend.hpp.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "backend/cpu/algorithm_table.hpp"
#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/jit/jit.hpp"
#include "bascule/core/pool.hpp"
#include "bascule/core/system.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

// Copies below this size are not worth a second thread.
constexpr std::int64_t parallel_copy_from = std::int64_t{1} << 20, copy_piece = std::int64_t{1} << 18;

std::int32_t device_count() noexcept { return 1; }

status allocate(std::int32_t, std::int64_t bytes, void** out) noexcept {
    *out = host_pool().allocate(bytes);
    if (*out) return status::ok;
    char text[96];
    std::snprintf(text, sizeof text, "[cpu] no memory for %lld bytes", static_cast<long long>(bytes));
    set_last_error(text);
    return status::out_of_memory;
}

void release(std::int32_t, void* p, std::int64_t bytes) noexcept { host_pool().release(p, bytes); }

status copy(std::int32_t, void* to, void const* from, std::int64_t bytes, copy_kind, void*) noexcept {
    auto const piece = [&](std::int64_t t) {
        std::int64_t const begin = t * copy_piece, left = bytes - begin;
        std::memcpy(static_cast<char*>(to) + begin, static_cast<char const*>(from) + begin,
                    static_cast<std::size_t>(left < copy_piece ? left : copy_piece));
    };
    if (bytes > parallel_copy_from)
        sched::parallel_for((bytes + copy_piece - 1) / copy_piece, true, piece, sched::task_order::any);
    else if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return status::ok;
}

status synchronize(std::int32_t, void*) noexcept { return status::ok; }

bool asks_for_a_missing_jit() noexcept {
    char const* const wanted = std::getenv("BASCULE_JIT");
    return !jit::is_built() && wanted && std::strcmp(wanted, "always") == 0;
}
bool const lacks_jit = asks_for_a_missing_jit();

status report_no_kernels() noexcept {
    char const* why = "[cpu] BASCULE_JIT=always, but this library was built without the just-in-time compiler";
    if (!lacks_jit) active_kernels(&why);
    set_last_error(why);
    return status::not_supported;
}

status refuse_other_version() noexcept {
    set_last_error("[cpu] the plan was made for another version of the library");
    return status::value_error;
}

status run_chain(std::int32_t, plan const* const* plans, std::int32_t count, std::int64_t rows, void*) noexcept {
    kernel_table const* const kernels = active_kernels(nullptr);
    if (!kernels || lacks_jit) return report_no_kernels();
    for (std::int32_t k = 0; k < count; ++k)
        if (plans[k]->abi != plan_abi) return refuse_other_version();
    return count == 1 ? run_plan(*plans[0], *kernels) : run_row_blocked(plans, count, rows, *kernels);
}

status run(std::int32_t, plan const* p, void*) noexcept {
    kernel_table const* const kernels = active_kernels(nullptr);
    if (!kernels || lacks_jit) return report_no_kernels();
    return p->abi == plan_abi ? run_plan(*p, *kernels) : refuse_other_version();
}

status algorithm(std::int32_t, algorithm_kind kind, void* args, void*) noexcept { return run_algorithm(kind, args); }

bool supports(algorithm_kind kind, type_id) noexcept { return has_algorithm(kind); }

status memory(std::int32_t, backend_memory* out) noexcept {
    *out = host_pool().statistics();
    return status::ok;
}

status set_memory_limit(std::int32_t, std::int64_t bytes) noexcept {
    host_pool().set_limit(bytes);
    return status::ok;
}

std::int64_t trim(std::int32_t) noexcept {
    std::int64_t const freed = host_pool().trim();
    system::give_back_free_memory();  // small blocks go back to the C library, which keeps them too
    return freed;
}

char const* describe(std::int32_t) noexcept {
    thread_local char text[96];
    int const threads = sched::thread_count();
    std::snprintf(text, sizeof text, "CPU, %s kernels, %d thread%s", isa_name(), threads, threads == 1 ? "" : "s");
    return text;
}

char const* last_error() noexcept { return last_error_text(); }

backend make() noexcept {
    backend b;
    b.name = "cpu";
    b.device_count = device_count;
    b.allocate = allocate;
    b.release = release;
    b.copy = copy;
    b.synchronize = synchronize;
    b.run = run;
    b.run_chain = run_chain;
    b.selects = true;
    b.algorithm = algorithm;
    b.supports = supports;
    b.memory = memory;
    b.set_memory_limit = set_memory_limit;
    b.trim = trim;
    b.describe = describe;
    b.last_error = last_error;
    b.programs = host_programs(set_last_error);
    return b;
}

}  // namespace
}  // namespace bascule::cpu

namespace bascule {

backend const* cpu_backend() noexcept {
    static backend const b = cpu::make();
    return &b;
}

}  // namespace bascule
