#include "backend/cpu/algorithm_table.hpp"

#include "backend/cpu/algorithms/algorithms.hpp"
#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/csv/csv.hpp"
#include "backend/cpu/linalg/linalg.hpp"
#include "backend/cpu/sort/sort.hpp"
#include "backend/cpu/strings/strings.hpp"
#include "backend/cpu/tables/group_algorithms.hpp"
#include "backend/cpu/tables/join.hpp"
#include "backend/cpu/windows/windows.hpp"
#include "bascule/core/algorithm_table.hpp"

namespace bascule::cpu {
namespace {

using function = status (*)(void* args) noexcept;
template <algorithm_kind kind, auto algorithm> status call(void* args) noexcept {
    return algorithm(arguments<kind>(args));
}
template <algorithm_kind kind, auto algorithm> constexpr algorithm_row<function> row = {kind, call<kind, algorithm>};

using enum algorithm_kind;
constexpr algorithm_table<function> table = {
    row<gather, cpu::gather>,
    row<scatter, cpu::scatter>,
    row<nonzero, cpu::nonzero>,
    row<compress, cpu::compress>,
    row<expand, cpu::expand>,
    row<scan, cpu::scan>,
    row<reduce_segments, cpu::reduce_segments>,
    row<sort, sorting::sort_values>,
    row<argsort, sorting::argsort>,
    row<select_ranks, sorting::select_ranks>,
    row<searchsorted, sorting::searchsorted>,
    row<bincount, cpu::bincount>,
    row<histogram, cpu::histogram>,
    row<interpolate, cpu::interpolate>,
    row<convolve, cpu::convolve>,
    row<contract, cpu::contract>,
    row<pack_bits, cpu::pack_bits>,
    row<unpack_bits, cpu::unpack_bits>,
    row<matrix_product, linalg::product>,
    row<matrix_factor, linalg::factor>,
    row<nearest, linalg::nearest>,
    row<within_radius, linalg::within_radius>,
    row<nearest_centers, linalg::nearest_centers>,
    row<center_distances, linalg::center_distances>,
    row<column_spread, linalg::column_spread>,
    row<row_products, linalg::row_products>,
    row<sparse_product, linalg::sparse_product>,
    row<describe_keys, tables::describe_keys>,
    row<factorize, tables::factorize>,
    row<aggregate_by_id, tables::aggregate_by_id>,
    row<aggregate_by_key, tables::aggregate_by_key>,
    row<group_ranks, tables::group_ranks>,
    row<join_pairs, tables::joining::join_pairs>,
    row<join_nearest, tables::joining::join_nearest>,
    row<gather_strings, strings::gather_strings>,
    row<concat_strings, strings::concat_strings>,
    row<compare_strings, strings::compare_strings>,
    row<find_strings, strings::find_strings>,
    row<parse_times, strings::parse_times>,
    row<count_tokens, strings::count_tokens>,
    row<validity_bits, strings::validity_bits>,
    row<window_bounds, windows::window_bounds>,
    row<window_aggregate, windows::window_aggregate>,
    row<window_exponential, windows::window_exponential>,
    row<read_csv, csv::read_csv>,
    row<write_csv, csv::write_csv>,
};

}  // namespace

status run_algorithm(algorithm_kind kind, void* args) noexcept {
    if (function const f = table.find(kind)) return f(args);
    set_last_error("[cpu] this algorithm does not exist");
    return status::not_supported;
}

bool has_algorithm(algorithm_kind kind) noexcept { return table.find(kind) != nullptr; }

}  // namespace bascule::cpu
