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

namespace bascule::cpu {

status run_algorithm(algorithm_kind kind, void* args) noexcept {
    switch (kind) {
        case algorithm_kind::gather: return gather(*static_cast<gather_args*>(args));
        case algorithm_kind::scatter: return scatter(*static_cast<gather_args*>(args));
        case algorithm_kind::nonzero: return nonzero(*static_cast<nonzero_args*>(args));
        case algorithm_kind::compress: return compress(*static_cast<compress_args*>(args));
        case algorithm_kind::scan: return scan(*static_cast<scan_args const*>(args));
        case algorithm_kind::sort: return sorting::sort_values(*static_cast<sort_args const*>(args));
        case algorithm_kind::argsort: return sorting::argsort(*static_cast<argsort_args const*>(args));
        case algorithm_kind::join_pairs: return tables::joining::join_pairs(*static_cast<join_pairs_args*>(args));
        case algorithm_kind::factorize: return tables::factorize(*static_cast<factorize_args*>(args));
        case algorithm_kind::aggregate_by_id:
            return tables::aggregate_by_id(*static_cast<aggregate_by_id_args const*>(args));
        case algorithm_kind::read_csv: return csv::read_csv(*static_cast<read_csv_args*>(args));
        case algorithm_kind::gather_strings: return strings::gather_strings(*static_cast<gather_strings_args*>(args));
        case algorithm_kind::concat_strings: return strings::concat_strings(*static_cast<concat_strings_args*>(args));
        case algorithm_kind::compare_strings:
            return strings::compare_strings(*static_cast<compare_strings_args const*>(args));
        case algorithm_kind::find_strings: return strings::find_strings(*static_cast<find_strings_args const*>(args));
        case algorithm_kind::validity_bits: return strings::validity_bits(*static_cast<validity_bits_args*>(args));
        case algorithm_kind::searchsorted: return sorting::searchsorted(*static_cast<searchsorted_args const*>(args));
        case algorithm_kind::bincount: return bincount(*static_cast<bincount_args*>(args));
        case algorithm_kind::histogram: return histogram(*static_cast<histogram_args const*>(args));
        case algorithm_kind::select_ranks: return sorting::select_ranks(*static_cast<select_ranks_args const*>(args));
        case algorithm_kind::matrix_product: return linalg::product(*static_cast<matrix_product_args const*>(args));
        case algorithm_kind::matrix_factor: return linalg::factor(*static_cast<matrix_factor_args*>(args));
        case algorithm_kind::reduce_segments: return reduce_segments(*static_cast<reduce_segments_args const*>(args));
        case algorithm_kind::expand: return expand(*static_cast<expand_args*>(args));
        case algorithm_kind::interpolate: return interpolate(*static_cast<interpolate_args*>(args));
        case algorithm_kind::convolve: return convolve(*static_cast<convolve_args const*>(args));
        case algorithm_kind::contract: return contract(*static_cast<contract_args const*>(args));
        case algorithm_kind::pack_bits: return pack_bits(*static_cast<pack_bits_args const*>(args));
        case algorithm_kind::unpack_bits: return unpack_bits(*static_cast<pack_bits_args const*>(args));
        case algorithm_kind::window_bounds:
            return windows::window_bounds(*static_cast<window_bounds_args const*>(args));
        case algorithm_kind::window_aggregate:
            return windows::window_aggregate(*static_cast<window_aggregate_args const*>(args));
        case algorithm_kind::window_exponential:
            return windows::window_exponential(*static_cast<window_exponential_args const*>(args));
        case algorithm_kind::write_csv: return csv::write_csv(*static_cast<write_csv_args*>(args));
        default: break;
    }
    set_last_error("[cpu] this algorithm does not exist");
    return status::not_supported;
}

bool has_algorithm(algorithm_kind kind) noexcept {
    return kind <= algorithm_kind::write_csv || kind == algorithm_kind::find_strings;
}

}  // namespace bascule::cpu
