// The reference device behind the interface of core/backend.hpp: one device, memory from malloc, everything at once.
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "backend/reference/arrays_local.hpp"
#include "backend/reference/arrays_ordered.hpp"
#include "backend/reference/parts.hpp"
#include "backend/reference/tables_group.hpp"
#include "backend/reference/tables_sort_join.hpp"
#include "backend/reference/tables_strings.hpp"
#include "backend/reference/windows.hpp"

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

status run_algorithm(std::int32_t, algorithm_kind kind, void* args, void*) noexcept {
    return guarded([&] {
        switch (kind) {
            case algorithm_kind::gather: return gather(*static_cast<gather_args*>(args));
            case algorithm_kind::scatter: return scatter(*static_cast<gather_args*>(args));
            case algorithm_kind::nonzero: return nonzero(*static_cast<nonzero_args*>(args));
            case algorithm_kind::compress: return compress(*static_cast<compress_args*>(args));
            case algorithm_kind::scan: return scan(*static_cast<scan_args const*>(args));
            case algorithm_kind::sort: return sort_values(*static_cast<sort_args const*>(args));
            case algorithm_kind::argsort: return argsort(*static_cast<argsort_args const*>(args));
            case algorithm_kind::join_pairs: return join_pairs(*static_cast<join_pairs_args*>(args));
            case algorithm_kind::factorize: return factorize(*static_cast<factorize_args*>(args));
            case algorithm_kind::aggregate_by_id:
                return aggregate_by_id(*static_cast<aggregate_by_id_args const*>(args));
            case algorithm_kind::gather_strings: return gather_strings(*static_cast<gather_strings_args*>(args));
            case algorithm_kind::concat_strings: return concat_strings(*static_cast<concat_strings_args*>(args));
            case algorithm_kind::compare_strings:
                return compare_strings(*static_cast<compare_strings_args const*>(args));
            case algorithm_kind::find_strings: return find_strings(*static_cast<find_strings_args const*>(args));
            case algorithm_kind::assemble_strings: return assemble_strings(*static_cast<assemble_strings_args*>(args));
            case algorithm_kind::replace_strings: return replace_strings(*static_cast<replace_strings_args*>(args));
            case algorithm_kind::validity_bits: return validity_bits(*static_cast<validity_bits_args*>(args));
            case algorithm_kind::searchsorted: return searchsorted(*static_cast<searchsorted_args const*>(args));
            case algorithm_kind::bincount: return bincount(*static_cast<bincount_args*>(args));
            case algorithm_kind::histogram: return histogram(*static_cast<histogram_args const*>(args));
            case algorithm_kind::select_ranks: return select_ranks(*static_cast<select_ranks_args const*>(args));
            case algorithm_kind::interpolate: return interpolate(*static_cast<interpolate_args*>(args));
            case algorithm_kind::convolve: return convolve(*static_cast<convolve_args const*>(args));
            case algorithm_kind::contract: return contract(*static_cast<contract_args const*>(args));
            case algorithm_kind::pack_bits: return pack_bits(*static_cast<pack_bits_args const*>(args));
            case algorithm_kind::unpack_bits: return unpack_bits(*static_cast<pack_bits_args const*>(args));
            case algorithm_kind::window_bounds: return window_bounds(*static_cast<window_bounds_args const*>(args));
            case algorithm_kind::window_aggregate:
                return window_aggregate(*static_cast<window_aggregate_args const*>(args));
            case algorithm_kind::window_exponential:
                return window_exponential(*static_cast<window_exponential_args const*>(args));
            default:
                throw failure{status::not_supported, "[reference] algorithm " +
                                                         std::to_string(static_cast<std::uint32_t>(kind)) +
                                                         " does not exist"};
        }
    });
}

bool supports(algorithm_kind kind, type_id) noexcept {
    bool const known = kind <= algorithm_kind::select_ranks ||
                       (kind >= algorithm_kind::interpolate && kind <= algorithm_kind::window_exponential) ||
                       (kind >= algorithm_kind::find_strings && kind <= algorithm_kind::replace_strings);
    return known && kind != algorithm_kind::read_csv;
}

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
