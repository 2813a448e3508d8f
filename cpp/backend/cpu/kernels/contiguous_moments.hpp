// Variances of long contiguous runs of floats: the leaves, cuts and merges of ops::variance_algebra, two passes a leaf. What
// a pass adds up stays in vector registers, written as concrete vectors: as arrays of lanes the two sums of the second pass
// go through memory with every element.
#pragma once
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

// Eight lanes of a type in as few registers as hold them. The attribute needs sizes that depend on no template.
template <class T> struct eight_lanes;
template <> struct eight_lanes<double> {
    static constexpr int size = vector_bytes;
    typedef double vector __attribute__((vector_size(size)));
    typedef double unaligned __attribute__((vector_size(size), aligned(8), may_alias));
};
template <> struct eight_lanes<float> {
    static constexpr int size = vector_bytes < 32 ? vector_bytes : 32;
    typedef float vector __attribute__((vector_size(size)));
    typedef float unaligned __attribute__((vector_size(size), aligned(4), may_alias));
};

template <class T> struct lanes_of {
    using vector = typename eight_lanes<T>::vector;
    using unaligned = typename eight_lanes<T>::unaligned;
    static constexpr int count = 8, width = eight_lanes<T>::size / static_cast<int>(sizeof(T)), parts = count / width;
    vector part[parts];

    static lanes_of load(T const* x) {
        lanes_of r;
        for (int k = 0; k < parts; ++k) r.part[k] = *reinterpret_cast<unaligned const*>(x + k * width);
        return r;
    }
    lanes_of operator-(T s) const {
        lanes_of r;
        for (int k = 0; k < parts; ++k) r.part[k] = part[k] - s;
        return r;
    }
    lanes_of squared() const {
        lanes_of r;
        for (int k = 0; k < parts; ++k) r.part[k] = part[k] * part[k];
        return r;
    }
    void operator+=(lanes_of const& o) {
        for (int k = 0; k < parts; ++k) part[k] += o.part[k];
    }
    // Neighbours first, as in ops::tree_fold.
    T sum() const {
        T lane[count];
        __builtin_memcpy(lane, part, sizeof lane);
        return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    }
};

template <class T> struct float_moments {
    using algebra = ops::aggregate::variance_algebra<T>;
    using state = typename algebra::state;
    using lanes = lanes_of<T>;
    struct deviations { T sum, squares; };
    static constexpr std::int64_t lane_count = lanes::count, short_leaf = ops::tree_leaf<T>;

    // Memory is asked for evenly over both passes: in one burst it would wait for itself, and the passes for nothing.
    static void fetch_between(T const* from, T const* to) {
        for (; from < to; from += 64 / sizeof(T)) __builtin_prefetch(from, 0, 3);
    }

    static T sum_leaf(T const* x, std::int64_t n, T const* next) {
        fetch_between(next, next + n / 2);
        lanes sum = lanes::load(x);
        std::int64_t i = lane_count;
        for (; i <= n - lane_count; i += lane_count) sum += lanes::load(x + i);
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
        std::int64_t i = lane_count;
        for (; i <= n - lane_count; i += lane_count) {
            d = lanes::load(x + i) - mean;
            sum += d;
            squares += d.squared();
        }
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
        deviations const a = deviations_tree(x, left, mean, next), b = deviations_tree(x + left, n - left, mean, next + left / 2);
        return {a.sum + b.sum, a.squares + b.squares};
    }
    static state leaf(T const* x, std::int64_t n) {
        if (n < lane_count) return algebra::leaf(x, n);
        T const* const next = x + n;
        T const mean = ops::aggregate::mean_of(sum_tree(x, n, next), n);
        deviations const d = deviations_tree(x, n, mean, next + n / 2);
        return {n, mean, d.squares, ops::aggregate::mean_of(d.sum, n)};
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
