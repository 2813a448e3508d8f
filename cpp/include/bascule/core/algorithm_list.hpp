// The whole algorithms that a device may have, a row each: kind, argument struct, and the functions that need it, for
// messages. The numbers of kinds, names, bytes moved (array/graph/algorithm_traffic.cpp) and the devices' tables
// (core/algorithm_table.hpp) follow from the rows; their order means nothing.
#pragma once

#define BASCULE_ALGORITHMS(ROW)                                                                                        \
    ROW(gather, gather_args, "indexing by arrays")                                                                     \
    ROW(scatter, gather_args, "assignment to elements by arrays of indices")                                           \
    ROW(nonzero, nonzero_args, "nonzero and argwhere")                                                                 \
    ROW(compress, compress_args, "indexing by a mask")                                                                 \
    ROW(expand, expand_args, "assignment by a mask from consecutive values")                                           \
    ROW(scan, scan_args, "running sums, products and extrema")                                                         \
    ROW(reduce_segments, reduce_segments_args, "reduceat")                                                             \
    ROW(sort, sort_args, "sort")                                                                                       \
    ROW(argsort, argsort_args, "argsort and lexsort")                                                                  \
    ROW(select_ranks, select_ranks_args, "partition, median, quantile and ranks")                                      \
    ROW(searchsorted, searchsorted_args, "searchsorted and digitize")                                                  \
    ROW(bincount, bincount_args, "bincount")                                                                           \
    ROW(histogram, histogram_args, "histogram")                                                                        \
    ROW(interpolate, interpolate_args, "interp")                                                                       \
    ROW(convolve, convolve_args, "convolve and correlate")                                                             \
    ROW(contract, contract_args, "einsum")                                                                             \
    ROW(pack_bits, pack_bits_args, "packbits")                                                                         \
    ROW(unpack_bits, pack_bits_args, "unpackbits")                                                                     \
    ROW(matrix_product, matrix_product_args, "products of matrices")                                                   \
    ROW(matrix_factor, matrix_factor_args, "factors of matrices: solve, inv, eig and svd")                             \
    ROW(nearest, nearest_args, "nearest neighbours")                                                                   \
    ROW(within_radius, within_radius_args, "neighbours within a radius")                                               \
    ROW(nearest_centers, nearest_centers_args, "KMeans")                                                               \
    ROW(center_distances, center_distances_args, "distances from centers")                                             \
    ROW(column_spread, column_spread_args, "means and variances of columns")                                           \
    ROW(row_products, row_products_args, "products of columns")                                                        \
    ROW(sparse_product, sparse_product_args, "products of sparse matrices")                                            \
    ROW(fourier_transform, fourier_args, "fft")                                                                        \
    ROW(describe_keys, describe_keys_args, "statistics of group keys")                                                 \
    ROW(factorize, factorize_args, "unique, factorize and group keys")                                                 \
    ROW(aggregate_by_id, aggregate_by_id_args, "aggregation of groups")                                                \
    ROW(aggregate_by_key, aggregate_by_key_args, "aggregation of groups by one key")                                   \
    ROW(group_ranks, group_ranks_args, "quantiles and distinct values of groups")                                      \
    ROW(join_pairs, join_pairs_args, "merge and join")                                                                 \
    ROW(join_nearest, join_nearest_args, "merge_asof")                                                                 \
    ROW(gather_strings, gather_strings_args, "gathering text")                                                         \
    ROW(concat_strings, concat_strings_args, "concatenating text")                                                     \
    ROW(compare_strings, compare_strings_args, "comparing text")                                                       \
    ROW(find_strings, find_strings_args, "finding text")                                                               \
    ROW(parse_times, parse_times_args, "to_datetime")                                                                  \
    ROW(count_tokens, count_tokens_args, "CountVectorizer and HashingVectorizer")                                      \
    ROW(assemble_strings, assemble_strings_args, "putting text together")                                              \
    ROW(replace_strings, replace_strings_args, "replacing text")                                                       \
    ROW(validity_bits, validity_bits_args, "bitmaps of missing values")                                                \
    ROW(window_bounds, window_bounds_args, "bounds of moving windows")                                                 \
    ROW(window_aggregate, window_aggregate_args, "aggregation of moving windows")                                      \
    ROW(window_exponential, window_exponential_args, "exponentially weighted windows")                                 \
    ROW(read_csv, read_csv_args, "read_csv")                                                                           \
    ROW(write_csv, write_csv_args, "to_csv")

namespace bascule {

#define BASCULE_ARGUMENTS(kind, arguments, name) struct arguments;
BASCULE_ALGORITHMS(BASCULE_ARGUMENTS)
#undef BASCULE_ARGUMENTS

#define BASCULE_KIND(kind, arguments, name) kind,
enum class algorithm_kind : unsigned { BASCULE_ALGORITHMS(BASCULE_KIND) };
#undef BASCULE_KIND

#define BASCULE_ONE(kind, arguments, name) +1
inline constexpr unsigned algorithm_count = 0 BASCULE_ALGORITHMS(BASCULE_ONE);
#undef BASCULE_ONE

// The name of an algorithm in messages: the functions that need it.
constexpr char const* describe(algorithm_kind k) {
    switch (k) {
#define BASCULE_NAME(kind, arguments, name)                                                                            \
    case algorithm_kind::kind: return name;
        BASCULE_ALGORITHMS(BASCULE_NAME)
#undef BASCULE_NAME
    }
    return "an algorithm of a newer version";
}

// The argument struct of an algorithm.
template <algorithm_kind kind> struct arguments_of;
#define BASCULE_TYPE(kind, arguments, name)                                                                            \
    template <> struct arguments_of<algorithm_kind::kind> { using type = arguments; };
BASCULE_ALGORITHMS(BASCULE_TYPE)
#undef BASCULE_TYPE

}  // namespace bascule
