// The common parts of counts and sums by number: ordering elements by their numbers, and the tree of sums.
#pragma once
#include <thrust/scan.h>

#include <algorithm>
#include <type_traits>

#include "backend/cuda/algorithms/thrust/radix_sort.hpp"
#include "backend/cuda/algorithms/thrust/raise_to.hpp"
#include "backend/cuda/algorithms/thrust/row_numbers.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::cuda::algorithms {

// f(K{}) with the narrowest numbers that hold 0 ... most: fewer bits are fewer passes of the sort.
template <class F> void with_number(std::int64_t most, F&& f) {
    if (most < 1 << 8) f(std::uint8_t{});
    else if (most < 1 << 16) f(std::uint16_t{});
    else if (most < std::int64_t{1} << 32) f(std::uint32_t{});
    else f(std::uint64_t{});
}

// How many of n sorted numbers are below `number`.
template <class K> BASCULE_HD std::int64_t count_below(K const* sorted, std::int64_t n, std::int64_t number) {
    std::int64_t low = 0, high = n;
    while (low < high) {
        std::int64_t const middle = low + (high - low) / 2;
        if (static_cast<std::int64_t>(sorted[middle]) < number) low = middle + 1;
        else high = middle;
    }
    return low;
}

// sums[i] = f(0) + ... + f(i - 1), of n + 1 sums.
template <class F> struct before_each {
    F f;
    BASCULE_HD std::int64_t operator()(std::int64_t i) const { return i == 0 ? 0 : f(i - 1); }
};
template <class F> void sums_before(context const& c, std::int64_t* sums, std::int64_t n, F f) {
    fill_by_index(c, sums, n + 1, before_each<F>{f});
    c.queue([=](auto const& policy) { thrust::inclusive_scan(policy, sums, sums + n + 1, sums); });
}

template <class K> struct write_starts {
    K const* sorted;
    std::int64_t n;
    std::int64_t* starts;
    BASCULE_HD void operator()(std::int64_t b) const { starts[b] = count_below(sorted, n, b); }
};

// out[b] op= the elements of segment b, in order, 64 by 64: a tree that depends on the lengths alone. A segment of at
// most 64 gives the same bits as adding one after the other.
inline constexpr std::int64_t piece = 64;

struct pieces_of {
    std::int64_t const* starts;
    BASCULE_HD std::int64_t operator()(std::int64_t b) const { return (starts[b + 1] - starts[b] + piece - 1) / piece; }
};

template <class T> BASCULE_HD T combine(bincount_op op, T to, T v) {
    if (op == bincount_op::maximum) return to > v ? to : v;
    if (op == bincount_op::minimum) return to < v ? to : v;
    return static_cast<T>(to + v);
}
template <class T> BASCULE_HD complex<T> combine(bincount_op, complex<T> to, complex<T> v) {
    return {to.re + v.re, to.im + v.im};
}

// Floating-point errors of a sum: words in which a thread that finds one leaves 1.
struct error_words {
    std::uint32_t *over = nullptr, *invalid = nullptr;
    template <class T> BASCULE_HD void look(T a, T b, T sum) const {
        T const none = sum - sum;  // NaN where the sum is infinite or NaN
        if (none == none) return;
        bool const given_nan = !(a == a) || !(b == b), given_infinite = !(a - a == a - a) || !(b - b == b - b);
        if (!(sum == sum)) {
            if (!given_nan) raise_to(invalid, 1u);
        } else if (!given_infinite) {
            raise_to(over, 1u);
        }
    }
    template <class T> BASCULE_HD void look(complex<T> a, complex<T> b, complex<T> sum) const {
        look(a.re, b.re, sum.re);
        look(a.im, b.im, sum.im);
    }
};

template <class T> struct add_pieces {
    T const* values;
    std::uint32_t const* order;  // null: values are those of the tree
    std::int64_t step;
    std::int64_t const *starts, *pieces;
    std::int64_t bins;
    bincount_op op;
    T const* begin_with;
    T* sums;
    error_words errors;

    BASCULE_HD T value(std::int64_t i) const { return values[order ? order[i] * step : i]; }
    BASCULE_HD void operator()(std::int64_t p) const {
        if (p >= pieces[bins]) return;
        std::int64_t const b = count_below(pieces, bins + 1, p + 1) - 1, k = p - pieces[b];
        std::int64_t i = starts[b] + piece * k;
        std::int64_t const end = i + piece < starts[b + 1] ? i + piece : starts[b + 1];
        T sum = begin_with && k == 0 ? begin_with[b] : value(i++);
        for (; i < end; ++i) {
            T const next = combine(op, sum, value(i));
            if constexpr (std::is_floating_point_v<T> || std::is_class_v<T>)
                if (errors.over) errors.look(sum, value(i), next);
            sum = next;
        }
        sums[p] = sum;
    }
};
template <class T> struct write_sums {
    T const* sums;
    std::int64_t const* starts;
    T* out;
    BASCULE_HD void operator()(std::int64_t b) const {
        if (starts[b] < starts[b + 1]) out[b] = sums[starts[b]];
    }
};

// `starts` of bins + 1 segments' beginnings, and n, their end; none is longer than `longest`.
template <class T>
void combine_segments(context const& c, T const* values, std::uint32_t const* order, std::int64_t step,
                      std::int64_t const* starts, std::int64_t bins, std::int64_t n, std::int64_t longest,
                      bincount_op op, T* out, error_words errors) {
    std::int64_t const most = std::min(n, n / piece + bins);  // there are no more pieces than this
    buffer<std::int64_t> const pieces(c, bins + 1);
    buffer<T> const sums(c, most);
    auto* const p = pieces.get();
    sums_before(c, p, bins, pieces_of{starts});
    T const* const begin_with = order ? out : nullptr;
    for_each_index(c, most, add_pieces<T>{values, order, step, starts, p, bins, op, begin_with, sums.get(), errors});
    if (longest <= piece) return for_each_index(c, bins, write_sums<T>{sums.get(), p, out});
    combine_segments<T>(c, sums.get(), nullptr, 1, p, bins, most, (longest + piece - 1) / piece, op, out, errors);
}

}  // namespace bascule::cuda::algorithms
