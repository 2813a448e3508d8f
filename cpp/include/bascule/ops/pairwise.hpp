// The fixed tree of a run (core/plan.hpp, plan_reduction), for any state that has a leaf and a merge. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"

namespace bascule::ops {

// Where a run longer than a leaf is cut: halves, the first a multiple of `granule` elements.
BASCULE_HD constexpr std::int64_t first_half(std::int64_t n, std::int64_t granule) {
    std::int64_t const half = n / 2;
    return half - half % granule;
}

// Reduces elements [0, n) of a run along the tree: leaf(start, count) makes the state of at most leaf_size elements,
// merge(earlier, later) joins two. The recursion is unrolled into a stack, because a function that is forced inline
// cannot call itself.
template <class State, class Reduce>
BASCULE_HD State reduce_tree(Reduce const& reduce, std::int64_t n, std::int64_t leaf_size, std::int64_t granule) {
    constexpr int max_depth = 60;
    State earlier[max_depth];
    std::int64_t waiting[max_depth];  // length of the right part; 0 once it is being reduced
    int depth = 0;
    for (std::int64_t start = 0;;) {
        for (; n > leaf_size; ++depth) {
            std::int64_t const left = first_half(n, granule);
            waiting[depth] = n - left;
            n = left;
        }
        State s = reduce.leaf(start, n);
        start += n;
        for (; depth > 0 && waiting[depth - 1] == 0; --depth) s = reduce.merge(earlier[depth - 1], s);
        if (depth == 0) return s;
        earlier[depth - 1] = s;
        n = waiting[depth - 1];
        waiting[depth - 1] = 0;
    }
}

// ---- sums and products along the tree. Combine{}(a, b) is the rounded operation, Load gives element i as an
// Accumulator. A complex number counts as two: eight partial results are four complex ones.
template <class Accumulator> inline constexpr int tree_lanes = is_complex_type<Accumulator> ? 4 : 8;
template <class Accumulator> inline constexpr int tree_leaf = 16 * tree_lanes<Accumulator>;

template <class Accumulator, class Combine, class Load> struct tree_reduce {
    Load load;
    Accumulator neutral;

    BASCULE_HD Accumulator leaf(std::int64_t start, std::int64_t n) const {
        constexpr int lanes = tree_lanes<Accumulator>;
        Combine const combine{};
        if (n == 0) return neutral;
        // Not from `neutral`: one times an infinite complex number is NaN, and the whole reduction multiplies by it
        // once already.
        if (n < lanes) return rest(load(start), start + 1, start + n);
        Accumulator lane[lanes];
        for (int j = 0; j < lanes; ++j) lane[j] = load(start + j);
        std::int64_t i = lanes;
        for (; i <= n - lanes; i += lanes)
            for (int j = 0; j < lanes; ++j) lane[j] = combine(lane[j], load(start + i + j));
        for (int step = 1; step < lanes; step *= 2)
            for (int j = 0; j < lanes; j += 2 * step) lane[j] = combine(lane[j], lane[j + step]);
        return rest(lane[0], start + i, start + n);
    }
    BASCULE_HD Accumulator merge(Accumulator earlier, Accumulator later) const { return Combine{}(earlier, later); }

private:
    BASCULE_HD Accumulator rest(Accumulator result, std::int64_t i, std::int64_t end) const {
        for (; i < end; ++i) result = Combine{}(result, load(i));
        return result;
    }
};

template <class Accumulator, class Combine, class Load>
BASCULE_HD Accumulator pairwise(Load load, std::int64_t n, Accumulator neutral) {
    return reduce_tree<Accumulator>(tree_reduce<Accumulator, Combine, Load>{load, neutral}, n, tree_leaf<Accumulator>,
                                    tree_lanes<Accumulator>);
}

}  // namespace bascule::ops
