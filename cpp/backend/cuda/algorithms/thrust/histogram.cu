#include <thrust/fill.h>

#include "backend/cuda/algorithms/thrust/group_by_number.hpp"

namespace bascule::cuda::algorithms {
namespace {

// The bin of x in NumPy's arithmetic, T that of the data, D that of the division; `bins` for values outside.
template <class T, class D, class K> struct bin_of {
    T const *data, *edges;
    double width;
    std::int64_t bins;

    BASCULE_HD K operator()(std::int64_t at) const {
        T const x = data[at];
        T const first = edges[0], last = edges[bins];
        if (!(x >= first && x <= last)) return static_cast<K>(bins);
        auto i = static_cast<std::int64_t>(static_cast<D>(x - first) / static_cast<D>(width) * static_cast<D>(bins));
        if (i >= bins) i = bins - 1;
        if (i > 0 && x < edges[i]) --i;
        if (i != bins - 1 && x >= edges[i + 1]) ++i;
        return static_cast<K>(i);
    }
};
template <class K> struct write_counts {
    K const* sorted;
    std::int64_t n;
    std::int64_t* out;
    BASCULE_HD void operator()(std::int64_t b) const {
        out[b] = count_below(sorted, n, b + 1) - count_below(sorted, n, b);
    }
};
struct rounded_to_float32 {
    double const* data;
    BASCULE_HD float operator()(std::int64_t i) const { return static_cast<float>(data[i]); }
};

template <class K> void sum_weights(context const& c, histogram_args const& a, K* keys) {
    std::int64_t const n = a.length, bins = a.bins;
    auto* const sums = static_cast<double*>(a.sums);
    buffer<std::uint32_t> const order(c, n);
    buffer<std::int64_t> const starts(c, bins + 1);
    auto* const o = order.get();
    c.queue([=](auto const& policy) { thrust::fill(policy, sums, sums + bins, 0.0); });
    fill_by_index(c, o, n, row_number{});
    sort_pairs(c, keys, o, n);
    for_each_index(c, bins + 1, write_starts<K>{keys, n, starts.get()});
    // Elements outside come after the last segment and are in none.
    combine_segments<double>(c, static_cast<double const*>(a.weights), o, 1, starts.get(), bins, n, n, bincount_op::add,
                             sums, {});
    if (a.rounding != sum_rounding::none) fill_by_index(c, sums, bins, rounded_to_float32{sums});
}

template <class T, class D> void fill_bins(context const& c, histogram_args const& a) {
    std::int64_t const n = a.length;
    with_number(a.bins, [&](auto zero) {
        using K = decltype(zero);
        buffer<K> const keys(c, n);
        auto* const k = keys.get();
        auto const* const data = static_cast<T const*>(a.data);
        fill_by_index(c, k, n, bin_of<T, D, K>{data, static_cast<T const*>(a.edges), a.width, a.bins});
        if (a.weights) return sum_weights(c, a, k);
        sort_keys(c, k, n);
        for_each_index(c, a.bins, write_counts<K>{k, n, a.counts});
    });
}

}  // namespace

void histogram(context const& c, histogram_args const& a) {
    if (a.length >= most_positions) throw unsupported{"2^32 elements or more"};
    if (a.dtype == type_id::float64) fill_bins<double, double>(c, a);
    else if (a.dtype == type_id::float32 && a.wide) fill_bins<float, double>(c, a);
    else if (a.dtype == type_id::float32) fill_bins<float, float>(c, a);
    else throw unsupported{"data are float32 or float64"};
}

}  // namespace bascule::cuda::algorithms
