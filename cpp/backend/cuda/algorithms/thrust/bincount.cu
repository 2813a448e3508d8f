#include <thrust/fill.h>

#include <string>

#include "backend/cuda/algorithms/thrust/group_by_number.hpp"
#include "bascule/core/element_dispatch.hpp"

namespace bascule::cuda::algorithms {
namespace {

struct find_outside {
    std::int64_t const* index;
    std::int64_t bins;
    std::int64_t* found;  // a place, counted from 1
    BASCULE_HD void operator()(std::int64_t i) const {
        if (index[i] < 0 || index[i] >= bins) *found = i + 1;
    }
};
template <class K> struct add_counts {
    K const* sorted;
    std::int64_t n;
    std::int64_t* out;
    BASCULE_HD void operator()(std::int64_t b) const {
        out[b] += count_below(sorted, n, b + 1) - count_below(sorted, n, b);
    }
};

void check_range(context const& c, bincount_args& a) {
    buffer<std::int64_t> const found(c, 1);
    auto* const f = found.get();
    c.queue([=](auto const& policy) { thrust::fill(policy, f, f + 1, std::int64_t{0}); });
    for_each_index(c, a.length, find_outside{a.index, a.bins, f});
    std::int64_t const at = c.read(f);
    if (at == 0) return;
    a.bad_value = c.read(a.index + at - 1);
    throw bad_index{"an index lies outside the bins"};
}

template <class T> void sum(context const& c, bincount_args const& a) {
    std::int64_t const n = a.length, bins = a.bins;
    auto const* const index = a.index;
    buffer<std::uint32_t> const order(c, n), errors(c, 2);
    buffer<std::int64_t> const starts(c, bins + 1);
    auto *const o = order.get(), *const e = errors.get();
    c.queue([=](auto const& policy) { thrust::fill(policy, e, e + 2, 0u); });
    fill_by_index(c, o, n, row_number{});
    with_number(bins, [&](auto zero) {
        using K = decltype(zero);
        buffer<K> const keys(c, n);
        auto* const k = keys.get();
        fill_by_index(c, k, n, element_at<std::int64_t>{index});
        sort_pairs(c, k, o, n);
        for_each_index(c, bins + 1, write_starts<K>{k, n, starts.get()});
    });
    error_words const words = a.fp_flags ? error_words{e, e + 1} : error_words{};
    combine_segments<T>(c, static_cast<T const*>(a.values), o, a.step, starts.get(), bins, n, n, a.op,
                        static_cast<T*>(a.out), words);
    if (!a.fp_flags || !(is_float(a.dtype) || is_complex(a.dtype))) return;
    if (c.read(e)) *a.fp_flags |= ops::fp::over;
    if (c.read(e + 1)) *a.fp_flags |= ops::fp::invalid;
}

void count(context const& c, bincount_args const& a) {
    std::int64_t const n = a.length;
    auto const* const index = a.index;
    with_number(a.bins, [&](auto zero) {
        using K = decltype(zero);
        buffer<K> const keys(c, n);
        auto* const k = keys.get();
        fill_by_index(c, k, n, element_at<std::int64_t>{index});
        sort_keys(c, k, n);
        for_each_index(c, a.bins, add_counts<K>{k, n, static_cast<std::int64_t*>(a.out)});
    });
}

}  // namespace

void bincount(context const& c, bincount_args& a) {
    if (a.length == 0) return;
    if (a.length >= most_positions) throw unsupported{"2^32 elements or more"};
    if (!a.within) check_range(c, a);
    if (!a.values) return count(c, a);
    if (!with_element<types::numbers & ~bit(type_id::float16)>(a.dtype, [&](auto zero) { sum<decltype(zero)>(c, a); }))
        throw unsupported{"values are integers, float32, float64, complex64 or complex128"};
}

}  // namespace bascule::cuda::algorithms
