// Folds of long contiguous runs along the tree that the algebra names, with the memory ahead on its way while a leaf is
// folded. Without that, two cores reach three quarters of what they can read.
#pragma once
#include "backend/cpu/kernels/contiguous_moments.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Fetching what is not there does nothing, so nobody asks where the run ends.
inline void fetch(void const* at) { __builtin_prefetch(at, 0, 3); }

// Sums of floats: the leaf and the cuts of ops::pairwise, as a plain recursion.
template <class T> struct float_sum {
    static constexpr int lanes = ops::tree_lanes<T>, leaf_size = ops::tree_leaf<T>;
    static constexpr std::int64_t ahead = 4096 / sizeof(T);

    static T leaf(T const* x, std::int64_t n) {
        if (n == 0) return T(0);
        if (n < lanes) return rest(x[0], x, 1, n);
        T lane[lanes];
        fetch(x + ahead);
        for (int j = 0; j < lanes; ++j) lane[j] = x[j];
        std::int64_t i = lanes;
        for (; i <= n - lanes; i += lanes) {
            fetch(x + i + ahead);
            for (int j = 0; j < lanes; ++j) lane[j] += x[i + j];
        }
        for (int step = 1; step < lanes; step *= 2)
            for (int j = 0; j < lanes; j += 2 * step) lane[j] += lane[j + step];
        return rest(lane[0], x, i, n);
    }
    static T rest(T sum, T const* x, std::int64_t i, std::int64_t n) {
        for (; i < n; ++i) sum += x[i];
        return sum;
    }
    static T fold(T const* x, std::int64_t n) {
        if (n <= leaf_size) return leaf(x, n);
        std::int64_t const left = ops::first_half(n, lanes);
        return fold(x, left) + fold(x + left, n - left);
    }
};

template <class A, class T>
inline constexpr bool is_float_sum = ops::is_float_type<T> && (ops::same_type<A, ops::aggregate::sum> || ops::same_type<A, ops::aggregate::mean>);

// An algebra whose leaves make several passes: the next leaf is fetched before them.
template <class Algebra, class T> struct fetching_leaves {
    T const* x;
    typename Algebra::state leaf(std::int64_t start, std::int64_t n) const {
        T const* const next = x + start + n;
        for (std::int64_t i = 0; i < n; i += 64 / sizeof(T)) fetch(next + i);
        return Algebra::leaf(x + start, n);
    }
    typename Algebra::state merge(typename Algebra::state const& a, typename Algebra::state const& b) const { return Algebra::merge(a, b); }
};

template <class A, class T> typename A::template of<T>::state contiguous_fold(T const* x, std::int64_t n, std::int64_t position) {
    using algebra = typename A::template of<T>;
    if constexpr (is_float_sum<A, T>) return float_sum<T>::fold(x, n);
    else if constexpr (requires(typename algebra::state s) { s.squares; } && ops::is_float_type<T>) return float_moments<T>::fold(x, n);
    else if constexpr (requires(typename algebra::state s) { s.squares; })
        return ops::fold_tree<typename algebra::state>(fetching_leaves<algebra, T>{x}, n, algebra::leaf_size, algebra::granule);
    else return algebra::fold(x, n, position);
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
