#include "algorithm_traffic.hpp"

#include "bascule/core/algorithms.hpp"
#include "bascule/core/array_algorithms_fourier.hpp"
#include "bascule/core/array_algorithms_linear.hpp"
#include "bascule/core/array_algorithms_local.hpp"
#include "bascule/core/array_algorithms_ordered.hpp"
#include "bascule/core/array_algorithms_rows.hpp"
#include "bascule/core/array_algorithms_sparse.hpp"
#include "bascule/core/table_algorithms_csv.hpp"
#include "bascule/core/table_algorithms_group.hpp"
#include "bascule/core/table_algorithms_sort_join.hpp"
#include "bascule/core/table_algorithms_string_search.hpp"
#include "bascule/core/table_algorithms_strings.hpp"
#include "bascule/core/table_algorithms_tokens.hpp"
#include "bascule/core/table_algorithms_window.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::traffic {

std::int64_t elements(std::int32_t ndim, std::int64_t const* shape) {
    std::int64_t n = 1;
    for (int d = 0; d < ndim; ++d) n *= shape[d];
    return n;
}

std::int64_t touched(std::int32_t ndim, std::int64_t const* shape, std::int64_t const* strides) {
    std::int64_t n = 1;
    for (int d = 0; d < ndim; ++d) n *= strides[d] != 0 || shape[d] == 0 ? shape[d] : 1;
    return n;
}

namespace {

using count = std::int64_t;

constexpr count text_bytes(count const* offsets, count length, bool legible) {
    return 8 * (length + 1) + (legible && offsets ? offsets[length] - offsets[0] : 0);
}
constexpr count bitmap(void const* bits, count length) { return bits ? (length + 7) / 8 : 0; }
constexpr count number_size(bool wide) { return wide ? 8 : 4; }

// ---- arrays

count of(gather_args const& a) {
    count bytes = 2 * elements(a.ndim, a.shape) * a.itemsize;
    for (int k = 0; k < a.nindex; ++k) bytes += 8 * touched(a.ndim, a.shape, a.index[k].strides);
    return bytes;
}
count of(nonzero_args const& a) {
    return touched(a.ndim, a.shape, a.mask.strides) + (a.out ? 8 * a.count * a.ndim : 0);
}
count of(compress_args const& a) {
    return touched(a.ndim, a.shape, a.mask.strides) + (a.out ? 2 * a.count * a.itemsize : 0);
}
count of(expand_args const& a) { return touched(a.ndim, a.shape, a.mask.strides) + 2 * a.count * a.itemsize; }
count of(scan_args const& a) {
    return touched(a.ndim, a.shape, a.in.strides) * itemsize(a.in.dtype) +
           touched(a.ndim, a.shape, a.out.strides) * itemsize(a.out.dtype);
}
count of(searchsorted_args const& a) { return (a.length + a.count) * itemsize(a.dtype) + 8 * a.count; }
count of(bincount_args const& a) {
    count const item = a.values ? itemsize(a.dtype) : 8;
    return 8 * a.length + (a.values && a.step != 0 ? a.length * item : 0) + a.bins * item;
}
count of(histogram_args const& a) {
    return a.length * (itemsize(a.dtype) + (a.weights ? 8 : 0)) + 8 * (2 * a.bins + 1);
}
count of(select_ranks_args const& a) { return a.rows * (a.length + a.count) * itemsize(a.dtype); }
count of(reduce_segments_args const& a) { return a.rows * (a.length + a.count) * itemsize(a.dtype) + 8 * a.count; }
count of(nearest_args const& a) { return 8 * a.columns * (a.length + a.nqueries) + 16 * a.nqueries * a.count; }
count of(within_radius_args const& a) { return 8 * a.columns * (a.length + a.nqueries) + 8 * a.nqueries; }
count of(nearest_centers_args const& a) {
    return 8 * (a.columns + (a.weights != nullptr) + (a.squares != nullptr)) * a.length +
           4 * (1 + (a.before != nullptr)) * a.length + 8 * a.count * a.columns;
}
count of(center_distances_args const& a) {
    return 8 * (a.columns + a.count + (a.weights != nullptr) + (a.closest != nullptr)) * a.length +
           8 * a.count * a.columns;
}
count of(column_spread_args const& a) { return a.length * a.columns * itemsize(a.type) + 24 * a.columns; }
count of(row_products_args const& a) {
    count const all = a.columns + a.ntargets;
    return a.length * all * itemsize(a.type) + 8 * all * (all + 1);
}
count of(sparse_product_args const& a) {  // as if each row had one element: how many there are is on the device
    count const rows = a.transposed ? a.matrix.columns : a.matrix.length;
    return (a.matrix.length + rows * a.count) * itemsize(a.type) + (a.matrix.length + 1) * itemsize(a.index_type);
}
count of(interpolate_args const& a) { return 16 * (a.count + a.samples); }
count of(convolve_args const& a) { return (a.length + a.count + a.positions) * itemsize(a.dtype); }
count of(contract_args const& a) {
    count n = a.elements;
    for (int k = 0; k < a.operands; ++k) n += touched(a.labels, a.size, a.step[k]);
    return n * itemsize(a.dtype);
}
count of(pack_bits_args const& a) { return a.count + (a.count + 7) / 8; }
count of(matrix_product_args const& a) {
    return elements(a.ndim, a.shape) * (a.m * a.k + a.k * a.n + a.m * a.n) * itemsize(a.dtype);
}
count of(matrix_factor_args const& a) {  // results are as large as the input, or smaller
    return elements(a.ndim, a.shape) * (2 * a.m * a.n + a.m * a.columns) * itemsize(a.dtype);
}

// ---- tables

count of(sort_args const& a) { return 2 * a.rows * a.length * itemsize(a.dtype); }
count of(argsort_args const& a, bool legible) {
    count bytes = a.rows * a.length * number_size(a.wide);
    for (int k = 0; k < a.nkeys; ++k) {
        sort_key const& key = a.keys[k];
        bytes += key.offsets ? text_bytes(key.offsets, a.length, legible) : a.rows * a.length * itemsize(key.dtype);
        bytes += bitmap(key.validity, a.length);
    }
    for (int k = 0; k < a.ncarried; ++k) bytes += 2 * a.length * a.carried[k].bytes;
    return bytes + (a.sorted ? a.length * itemsize(a.keys[0].dtype) : 0);
}
count of(group_column const& c, count length, bool legible) {
    return (c.offsets ? text_bytes(c.offsets, length, legible) : length * itemsize(c.dtype)) +
           bitmap(c.validity, length);
}
count of(describe_keys_args const& a) {
    count bytes = 0;
    for (int k = 0; k < a.nkeys; ++k)
        bytes += a.together.rows * (a.keys[k].offsets ? 16 + a.columns[k].longest : itemsize(a.keys[k].dtype));
    return bytes;
}
count of(factorize_args const& a, bool legible) {
    count bytes = a.length * ((a.codes ? 4 : 0) + (a.wide_codes ? 8 : 0)) + (a.want_first ? 8 * a.groups : 0);
    for (int k = 0; k < a.nkeys; ++k) bytes += of(a.keys[k], a.length, legible);
    return bytes;
}
count of_requests(group_request const* requests, count n, count length, count groups) {
    count bytes = 0;
    for (count k = 0; k < n; ++k) {
        group_request const& r = requests[k];
        if (r.aggregate != ops::aggregate_number<ops::aggregate::size>)
            bytes += length * itemsize(r.column.dtype) + bitmap(r.column.validity, length);
        bytes += (r.running ? length : groups) * itemsize(ops::group_result_type(r.aggregate, r.column.dtype));
    }
    return bytes;
}
count of(aggregate_by_id_args const& a) {
    return 4 * a.length + of_requests(a.requests, a.nrequests, a.length, a.groups);
}
count of(aggregate_by_key_args const& a) {
    return (a.length + a.groups) * itemsize(a.keys.dtype) + of_requests(a.requests, a.nrequests, a.length, a.groups);
}
count of(group_ranks_args const& a) {
    count const found = 2 * a.nshares * itemsize(a.column.dtype) + 8 + (a.distinct ? 8 : 0);
    return a.length * (4 + itemsize(a.column.dtype)) + a.groups * found;
}
count of(join_nearest_args const& a) { return 20 * a.left_rows + 4 * a.right_rows; }
count of(join_pairs_args const& a) {
    return (a.left.length + a.right.length) * itemsize(a.dtype) + bitmap(a.left.validity, a.left.length) +
           bitmap(a.right.validity, a.right.length) + 2 * a.count * number_size(a.wide);
}
count of(fourier_args const& a) {
    count const all = a.batch * elements(a.rank, a.lengths), last = a.lengths[a.rank - 1], item = number_size(a.wide);
    bool const real = a.kind == fourier_kind::from_real || a.kind == fourier_kind::to_real;
    if (last == 0) return 0;
    return real ? item * (all + 2 * (all / last) * (last / 2 + 1)) : 4 * item * all;
}
count of(read_csv_args const& a, bool legible) {  // the text, if it is in memory, and the columns
    count bytes = a.path ? 0 : a.memory.size;
    for (count k = 0; k < a.column_count; ++k) {
        csv_column const& c = a.columns[k];
        bytes += c.kind == csv_kind::text      ? c.offsets ? text_bytes(c.offsets, a.length, legible) : 0
                 : c.kind == csv_kind::boolean ? a.length
                                               : 8 * a.length;
    }
    return bytes;
}
count of(write_csv_args const& a) {
    count bytes = 0, rows = a.past - a.first;
    for (count k = 0; k < a.piece_count; ++k) bytes += a.pieces[k].size;
    for (count k = 0; k < a.column_count; ++k) {
        csv_cells const& c = a.columns[k];
        bytes += c.form == csv_form::text         ? c.offsets[a.past] - c.offsets[a.first] + 8 * rows
                 : c.form == csv_form::coded_text ? 4 * rows
                                                  : rows * itemsize(c.type);
    }
    return bytes;
}
count of(gather_strings_args const& a, bool legible) {
    count const found = text_bytes(a.out.offsets, a.length, legible);
    return 8 * a.length + 2 * found;  // found elements were read
}
count of(concat_strings_args const& a, bool legible) {
    count bytes = 0;
    for (int k = 0; k < a.nparts; ++k) bytes += text_bytes(a.parts[k].offsets, a.parts[k].length, legible);
    return 2 * bytes;
}
count of(compare_strings_args const& a, bool legible) {
    return text_bytes(a.left.offsets, a.left.length, legible) + text_bytes(a.right.offsets, a.right.length, legible) +
           a.left.length;
}
count of(find_strings_args const& a, bool legible) {
    return text_bytes(a.in.offsets, a.in.length, legible) + (a.from ? 16 : 8) * a.in.length;
}
count of(parse_times_args const& a, bool legible) {
    return text_bytes(a.in.offsets, a.in.length, legible) + 8 * a.in.length;
}
count of(assemble_strings_args const& a, bool legible) {
    return 2 * text_bytes(a.out.offsets, a.length, legible);  // found strings were read
}
count of(replace_strings_args const& a, bool legible) {
    return text_bytes(a.in.offsets, a.in.length, legible) + text_bytes(a.out.offsets, a.in.length, legible);
}
count of(count_tokens_args const& a, bool legible) {
    count const found = legible && a.starts ? a.starts[a.in.length] : 0;
    return text_bytes(a.in.offsets, a.in.length, legible) + 8 * (a.in.length + 1) + 8 * found;
}
count of(validity_bits_args const& a) { return a.length + (a.length + 7) / 8; }
count of(window_bounds_args const& a) { return 8 * a.length * (a.ticks ? 3 : 2) + 8 * (a.nsegments + 1); }
count of(window_aggregate_args const& a) {
    count words = 0;
    for (count k = 0; k < a.nrequests; ++k) {
        window_request const& r = a.requests[k];
        words += r.length * (r.others ? 2 : 1) + r.span.windows * (r.span.start ? 3 : 1);
    }
    return 8 * words;
}
count of(window_exponential_args const& a) {
    return 8 * a.length * (2 + (a.others ? 1 : 0) + (a.deltas ? 1 : 0)) + 8 * (a.nsegments + 1);
}

// Some counts need the host to read the memory of the operands.
template <class Args> count of_any(Args const& a, bool legible) {
    if constexpr (requires { of(a, legible); }) return of(a, legible);
    else return of(a);
}

}  // namespace

std::int64_t of(algorithm_kind k, void const* args, bool host_memory) {
    switch (k) {
#define BASCULE_BYTES(kind, arguments, name)                                                                           \
    case algorithm_kind::kind: return of_any(*static_cast<arguments const*>(args), host_memory);
        BASCULE_ALGORITHMS(BASCULE_BYTES)
#undef BASCULE_BYTES
    }
    return 0;
}

}  // namespace bascule::traffic
