// Variances of long contiguous runs of real numbers: the leaves, cuts and merges of ops::variance_algebra, two passes a
// leaf.
#pragma once
#include "backend/cpu/kernels/lanes.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class T> struct float_moments {
    using algebra = ops::aggregate::variance_algebra<T>;
    using state = typename algebra::state;
    using lanes = lanes_of<T>;
    struct deviations {
        T sum, squares;
    };
    static constexpr std::int64_t lane_count = lanes::count, short_leaf = ops::tree_leaf<T>;

    // The leaf at `next` is asked for evenly over both passes: in one burst memory would be waited for, and then wait
    // itself.
    static T sum_leaf(T const* x, std::int64_t n, T const* next) {
        fetch_between(next, next + n / 2);
        lanes sum = lanes::load(x);
        std::int64_t i = for_later_vectors<T>(n, [&](std::int64_t at) { sum += lanes::load(x + at); });
        T result = sum.sum();
        for (; i < n; ++i) result += x[i];
        return result;
    }
    static T sum_tree(T const* x, std::int64_t n, T const* next) {
        if (n <= short_leaf) return sum_leaf(x, n, next);
        std::int64_t const left = ops::first_half(n, lane_count);
        T const earlier = sum_tree(x, left, next);
        return earlier + sum_tree(x + left, n - left, next + left / 2);
    }
    static deviations deviations_leaf(T const* x, std::int64_t n, T mean, T const* next) {
        fetch_between(next, next + n / 2);
        lanes d = lanes::load(x) - mean, sum = d, squares = d.squared();
        std::int64_t i = for_later_vectors<T>(n, [&](std::int64_t at) {
            d = lanes::load(x + at) - mean;
            sum += d;
            squares += d.squared();
        });
        deviations result{sum.sum(), squares.sum()};
        for (; i < n; ++i) {
            T const one = x[i] - mean;
            result.sum += one;
            result.squares += one * one;
        }
        return result;
    }
    static deviations deviations_tree(T const* x, std::int64_t n, T mean, T const* next) {
        if (n <= short_leaf) return deviations_leaf(x, n, mean, next);
        std::int64_t const left = ops::first_half(n, lane_count);
        deviations const a = deviations_tree(x, left, mean, next),
                         b = deviations_tree(x + left, n - left, mean, next + left / 2);
        return {a.sum + b.sum, a.squares + b.squares};
    }
    static state leaf(T const* x, std::int64_t n, T const* next) {
        if (n < lane_count) return algebra::leaf(x, n);
        T const mean = ops::aggregate::mean_of(sum_tree(x, n, next), n);
        deviations const d = deviations_tree(x, n, mean, next + n / 2);
        return {n, mean, d.squares, ops::aggregate::mean_of(d.sum, n)};
    }
};

// T is a real type, or std::uint8_t for bool.
template <class T> struct run_moments {
    using real = ops::aggregate::averaged<T>;
    using algebra = ops::aggregate::variance_algebra<real>;
    using state = typename algebra::state;

    static state leaf(T const* x, std::int64_t n) {
        T const* const next = x + n;
        if constexpr (ops::same_type<T, real>) {
            return float_moments<T>::leaf(x, n, next);
        } else {
            fetch_between(next, next + n);
            widened_leaf<real, algebra::leaf_size> const wide(x, n);
            return float_moments<real>::leaf(wide.of, n, wide.of);
        }
    }
    static state fold(T const* x, std::int64_t n) {
        if (n <= algebra::leaf_size) return leaf(x, n);
        std::int64_t const left = ops::first_half(n, algebra::granule);
        state const earlier = fold(x, left);
        return algebra::merge(earlier, fold(x + left, n - left));
    }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
