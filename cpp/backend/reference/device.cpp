// The reference device behind the interface of core/backend.hpp: one device, memory from malloc, everything at once.
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "backend/reference/arrays_local.hpp"
#include "backend/reference/arrays_ordered.hpp"
#include "backend/reference/arrays_rows.hpp"
#include "backend/reference/parts.hpp"
#include "backend/reference/tables_group.hpp"
#include "backend/reference/tables_sort_join.hpp"
#include "backend/reference/tables_strings.hpp"
#include "backend/reference/windows.hpp"
#include "bascule/core/algorithm_table.hpp"

namespace bascule::reference {
namespace {

thread_local std::string last_text;

struct counters {
    std::atomic<std::int64_t> in_use{0}, peak{0}, limit{0};
};
counters memory_counters;

std::int32_t device_count() noexcept { return 1; }

void raise_peak(std::int64_t in_use) noexcept {
    auto peak = memory_counters.peak.load();
    while (peak < in_use && !memory_counters.peak.compare_exchange_weak(peak, in_use)) {}
}

status allocate(std::int32_t, std::int64_t bytes, void** out) noexcept {
    return guarded([&] {
        *out = nullptr;
        expects(bytes >= 0, status::value_error, "allocate: expected a size >= 0, got " + std::to_string(bytes));
        auto const limit = memory_counters.limit.load();
        auto const in_use = memory_counters.in_use.fetch_add(bytes) + bytes;
        bool const fits = limit == 0 || in_use <= limit;
        if (fits) *out = std::malloc(bytes > 0 ? static_cast<std::size_t>(bytes) : 1);
        if (*out == nullptr) memory_counters.in_use.fetch_sub(bytes);
        expects(*out != nullptr, status::out_of_memory,
                "allocate: " + std::to_string(bytes) + " bytes asked for, " + std::to_string(in_use - bytes) +
                    " in use, limit " + (limit == 0 ? "none" : std::to_string(limit)));
        raise_peak(in_use);
    });
}

void release(std::int32_t, void* p, std::int64_t bytes) noexcept {
    if (p == nullptr) return;
    std::free(p);
    memory_counters.in_use.fetch_sub(bytes);
}

status copy(std::int32_t, void* to, void const* from, std::int64_t bytes, copy_kind, void*) noexcept {
    if (bytes > 0) std::memmove(to, from, static_cast<std::size_t>(bytes));
    return status::ok;
}

status synchronize(std::int32_t, void*) noexcept { return status::ok; }

status run_plan(std::int32_t, plan const* p, void*) noexcept {
    return guarded([&] { run(*p); });
}

using function = void (*)(void* args);
template <algorithm_kind kind, auto algorithm> void call(void* args) { algorithm(arguments<kind>(args)); }
template <algorithm_kind kind, auto algorithm> constexpr algorithm_row<function> row = {kind, call<kind, algorithm>};

using enum algorithm_kind;
constexpr algorithm_table<function> table = {
    row<gather, reference::gather>,
    row<scatter, reference::scatter>,
    row<nonzero, reference::nonzero>,
    row<compress, reference::compress>,
    row<scan, reference::scan>,
    row<sort, reference::sort_values>,
    row<argsort, reference::argsort>,
    row<select_ranks, reference::select_ranks>,
    row<searchsorted, reference::searchsorted>,
    row<bincount, reference::bincount>,
    row<histogram, reference::histogram>,
    row<interpolate, reference::interpolate>,
    row<nearest, reference::nearest>,
    row<within_radius, reference::within_radius>,
    row<nearest_centers, reference::nearest_centers>,
    row<center_distances, reference::center_distances>,
    row<column_spread, reference::column_spread>,
    row<row_products, reference::row_products>,
    row<sparse_product, reference::sparse_product>,
    row<convolve, reference::convolve>,
    row<contract, reference::contract>,
    row<pack_bits, reference::pack_bits>,
    row<unpack_bits, reference::unpack_bits>,
    row<factorize, reference::factorize>,
    row<aggregate_by_id, reference::aggregate_by_id>,
    row<group_ranks, reference::group_ranks>,
    row<join_pairs, reference::join_pairs>,
    row<join_nearest, reference::join_nearest>,
    row<gather_strings, reference::gather_strings>,
    row<concat_strings, reference::concat_strings>,
    row<compare_strings, reference::compare_strings>,
    row<find_strings, reference::find_strings>,
    row<parse_times, reference::parse_times>,
    row<assemble_strings, reference::assemble_strings>,
    row<replace_strings, reference::replace_strings>,
    row<count_tokens, reference::count_tokens>,
    row<validity_bits, reference::validity_bits>,
    row<window_bounds, reference::window_bounds>,
    row<window_aggregate, reference::window_aggregate>,
    row<window_exponential, reference::window_exponential>,
};

status run_algorithm(std::int32_t, algorithm_kind kind, void* args, void*) noexcept {
    return guarded([&] {
        function const f = table.find(kind);
        if (!f)
            throw failure{status::not_supported,
                          std::string("[reference] ") + bascule::describe(kind) + " does not exist"};
        f(args);
    });
}

bool supports(algorithm_kind kind, type_id) noexcept { return table.find(kind) != nullptr; }

status memory(std::int32_t, backend_memory* out) noexcept {
    auto const in_use = memory_counters.in_use.load();
    *out = {in_use, in_use, memory_counters.peak.load(), memory_counters.limit.load()};
    return status::ok;
}

status set_memory_limit(std::int32_t, std::int64_t bytes) noexcept {
    memory_counters.limit = bytes;
    return status::ok;
}

std::int64_t trim(std::int32_t) noexcept { return 0; }
char const* describe(std::int32_t) noexcept { return "reference: one element at a time, for tests"; }
char const* last_error() noexcept { return last_text.c_str(); }

constexpr backend interface = {
    .name = "reference",
    .host_memory = true,
    .device_count = device_count,
    .allocate = allocate,
    .release = release,
    .copy = copy,
    .synchronize = synchronize,
    .run = run_plan,
    .algorithm = run_algorithm,
    .supports = supports,
    .memory = memory,
    .set_memory_limit = set_memory_limit,
    .trim = trim,
    .describe = describe,
    .last_error = last_error,
};

}  // namespace

status report(status code, std::string text) noexcept {
    last_text = std::move(text);
    return code;
}

}  // namespace bascule::reference

bascule::backend const* bascule::reference_backend() noexcept { return &reference::interface; }
