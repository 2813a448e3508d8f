// Variances of long contiguous runs of real numbers: the leaves, cuts and merges of ops::variance_algebra, two passes a
// leaf.
#pragma once
#include "backend/cpu/kernels/reduce/eight_leaves.hpp"
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

    // The leaf at `next` is prefetched evenly over both passes: in one burst, the loop would wait for memory and then
    // memory for the loop.
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

#if defined(__AVX512F__)
// Alternating leaves, for processors that prefetch ahead of a loop by themselves: the second pass over one leaf runs
// together with the first over the next, so that memory is read all the time.
template <class T> class moments_in_turn {
    using in_one = float_moments<T>;
    using algebra = typename in_one::algebra;
    using eight = eight_leaves<T>;

public:
    using state = typename algebra::state;
    moments_in_turn(T const* x, std::int64_t n) : sum_(sum(x, n)) {}
    // Of the leaf behind the last one; `later` elements make up the next, 0 if there is none. None has but a few.
    state leaf(T const* x, std::int64_t n, std::int64_t later) {
        T const mean = ops::aggregate::mean_of(sum_, n);
        typename eight::moments d{};
        if (eight::match(n, later)) d = eight::template deviations<true>(x, n, mean, x + n, later), sum_ = d.next;
        else {
            d = deviations(x, n, mean);
            if (later > 0) sum_ = sum(x + n, later);
        }
        return {n, mean, d.squares, ops::aggregate::mean_of(d.sum, n)};
    }

private:
    static T sum(T const* x, std::int64_t n) { return eight::make(n) ? eight::sum(x, n) : in_one::sum_tree(x, n, x); }
    static typename eight::moments deviations(T const* x, std::int64_t n, T mean) {
        if (eight::make(n)) return eight::template deviations<false>(x, n, mean);
        auto const d = in_one::deviations_tree(x, n, mean, x);
        return {d.sum, d.squares, T(0)};
    }
    T sum_;
};

// A run's leaves in turn, joined along its tree.
template <class T> class leaves_in_turn {
    using algebra = typename float_moments<T>::algebra;

public:
    using state = typename algebra::state;
    static state reduce(T const* x, std::int64_t n) {
        if (n > most_elements) {
            std::int64_t const left = ops::first_half(n, algebra::granule);
            state const earlier = reduce(x, left);
            return algebra::merge(earlier, reduce(x + left, n - left));
        }
        lengths l;
        l.cut(n);
        moments_in_turn<T> turn(x, l.of[0]);
        int next = 0;
        return ops::reduce_tree<state>(leaves{x, l.of, &next, &turn}, n, algebra::leaf_size, algebra::granule);
    }

private:
    static constexpr std::int64_t most_elements = 32 * 1024;
    struct lengths {
        std::int64_t of[most_elements / (algebra::leaf_size / 2) + 1] = {};  // a zero behind the last
        int count = 0;
        void cut(std::int64_t n) {
            if (n <= algebra::leaf_size) {
                of[count++] = n;
                return;
            }
            std::int64_t const left = ops::first_half(n, algebra::granule);
            cut(left), cut(n - left);
        }
    };
    struct leaves {
        T const* x;
        std::int64_t const* length;
        int* next;
        moments_in_turn<T>* turn;
        state leaf(std::int64_t start, std::int64_t n) const { return turn->leaf(x + start, n, length[++*next]); }
        state merge(state const& a, state const& b) const { return algebra::merge(a, b); }
    };
};
#endif

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
    static state reduce(T const* x, std::int64_t n) {
#if defined(__AVX512F__)
        if constexpr (ops::same_type<T, real>)
            if (!prefetches_streams && n >= shortest_in_turn) return leaves_in_turn<T>::reduce(x, n);
#endif
        if (n <= algebra::leaf_size) return leaf(x, n);
        std::int64_t const left = ops::first_half(n, algebra::granule);
        state const earlier = reduce(x, left);
        return algebra::merge(earlier, reduce(x + left, n - left));
    }
    // Of runs that follow one another.
    static void reduce_rows(state* s, T const* x, std::int64_t rows, std::int64_t n) {
#if defined(__AVX512F__)
        if constexpr (ops::same_type<T, real>)
            if (!prefetches_streams && n >= shortest_in_turn && n <= algebra::leaf_size) {
                moments_in_turn<T> turn(x, n);
                for (; rows > 0; --rows, x += n) *s++ = turn.leaf(x, n, rows > 1 ? n : 0);
                return;
            }
#endif
        for (std::int64_t r = 0; r < rows; ++r) s[r] = reduce(x + r * n, n);
    }

private:
    static constexpr std::int64_t shortest_in_turn = 4 * ops::tree_leaf<real>;
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
