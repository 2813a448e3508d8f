// Reductions of long contiguous runs along the tree that the algebra names, with the memory ahead prefetched while a
// leaf is reduced. Without that, two cores reach three quarters of the read bandwidth.
#pragma once
#include "backend/cpu/kernels/reduce/contiguous_any_all.hpp"
#include "backend/cpu/kernels/reduce/contiguous_extrema.hpp"
#include "backend/cpu/kernels/reduce/contiguous_moments.hpp"
#include "backend/cpu/kernels/reduce/eight_leaves.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Sums in the floating-point type A: the leaf and the cuts of ops::pairwise, as a plain recursion.
template <class A, class T> struct tree_sum {
    static constexpr int lane_count = ops::tree_lanes<A>, leaf_size = ops::tree_leaf<A>;
    static constexpr std::int64_t ahead = 4096 / sizeof(T);

    static A leaf(T const* x, std::int64_t n) {
        fetch_between(x + ahead, x + ahead + n);
        if constexpr (ops::same_type<A, T>) return float_leaf(x, n);
        else return float_leaf(widened_leaf<A, leaf_size>(x, n).of, n);
    }
    static A float_leaf(A const* x, std::int64_t n) {
        if (n < lane_count) return rest(x[0], x, 1, n);
        auto sum = lanes_of<A>::load(x);
        std::int64_t const whole = for_later_vectors<A>(n, [&](std::int64_t i) { sum += lanes_of<A>::load(x + i); });
        return rest(sum.sum(), x, whole, n);
    }
    static A rest(A sum, A const* x, std::int64_t i, std::int64_t n) {
        for (; i < n; ++i) sum += x[i];
        return sum;
    }
    // Four leaves side by side: one alone waits for each addition to end before the next.
    static A four_leaves(A const* x) {
        fetch_between(x + ahead, x + ahead + 4 * leaf_size);
        using lanes = lanes_of<A>;
        lanes a = lanes::load(x), b = lanes::load(x + leaf_size), c = lanes::load(x + 2 * leaf_size),
              d = lanes::load(x + 3 * leaf_size);
        for (int i = lane_count; i < leaf_size; i += lane_count) {
            a += lanes::load(x + i), b += lanes::load(x + leaf_size + i);
            c += lanes::load(x + 2 * leaf_size + i), d += lanes::load(x + 3 * leaf_size + i);
        }
        return (a.sum() + b.sum()) + (c.sum() + d.sum());
    }
    // Two of any length, the first a multiple of the lanes and no longer than the second.
    static A two_leaves(A const* x, std::int64_t left, std::int64_t right) {
        A const* const y = x + left;
        fetch_between(x + ahead, y + right + ahead);
        auto a = lanes_of<A>::load(x), b = lanes_of<A>::load(y);
        std::int64_t i = lane_count;
        for (; i < left; i += lane_count) a += lanes_of<A>::load(x + i), b += lanes_of<A>::load(y + i);
        for (; i <= right - lane_count; i += lane_count) b += lanes_of<A>::load(y + i);
        return a.sum() + rest(b.sum(), y, i, right);
    }
    static A reduce(T const* x, std::int64_t n) {
        if (n <= leaf_size) return n < 1 ? A(0) : leaf(x, n);
        std::int64_t const left = ops::first_half(n, lane_count);
        // Only where each leaf is prefetched: the processor's own prefetching does not follow several streams as far
        // ahead.
        if constexpr (ops::same_type<A, T>)
            if (prefetches_streams) {
                if (n == 4 * leaf_size) return four_leaves(x);
                if (n - left <= leaf_size) return two_leaves(x, left, n - left);
            }
        if constexpr (ops::same_type<A, T>)
            if (!prefetches_streams && eight_leaves<T>::make(n)) return eight_leaves<T>::sum(x, n);
        bool const cut = n - left > leaf_size;
        A const earlier = cut ? reduce(x, left) : leaf(x, left);
        return earlier + (cut ? reduce(x + left, n - left) : leaf(x + left, n - left));
    }
};

// Sums of small integers are exact in any order, those that means need in floating point, too: 32 bits hold those of a
// piece.
template <class T> std::int64_t sum_of_pieces(T const* x, std::int64_t n) {
    constexpr std::int64_t piece = 4096;
    std::int64_t sum = 0;
    for (std::int64_t begin = 0; begin < n; begin += piece) {
        std::int64_t const end = n - begin < piece ? n : begin + piece;
        fetch_between(x + end, x + end + piece);
        std::int32_t part = 0;
        for (std::int64_t i = begin; i < end; ++i) part += x[i];
        sum += part;
    }
    return sum;
}

// An algebra whose leaves make several passes: the next leaf is fetched before them.
template <class Algebra, class T> struct fetching_leaves {
    T const* x;
    typename Algebra::state leaf(std::int64_t start, std::int64_t n) const {
        fetch_between(x + start + n, x + start + 2 * n);
        return Algebra::leaf(x + start, n);
    }
    typename Algebra::state merge(typename Algebra::state const& a, typename Algebra::state const& b) const {
        return Algebra::merge(a, b);
    }
};

// Products in order. Several leaves side by side: one alone waits for each product to end before the next.
template <class Algebra, class T> struct contiguous_products {
    struct piece {
        T const* x;
        std::int64_t n, position;
        piece half(bool second) const {
            std::int64_t const left = ops::first_half(n, Algebra::granule);
            return second ? piece{x + left, n - left, position + left} : piece{x, left, position};
        }
    };
    static T reduce(piece whole) {
        if (whole.n <= Algebra::leaf_size) return Algebra::leaf(whole.x, whole.n, whole.position);
        piece const left = whole.half(false), right = whole.half(true);
        if (right.n <= Algebra::leaf_size) {
            T s[2];
            reduce_alongside<2>({left, right}, s);
            return Algebra::merge(s[0], s[1]);
        }
        if (left.n > Algebra::leaf_size && right.half(true).n <= Algebra::leaf_size) {
            T s[4];
            reduce_alongside<4>({left.half(false), left.half(true), right.half(false), right.half(true)}, s);
            return Algebra::merge(Algebra::merge(s[0], s[1]), Algebra::merge(s[2], s[3]));
        }
        T const earlier = reduce(left);
        return Algebra::merge(earlier, reduce(right));
    }
    template <int N> static void reduce_alongside(piece const (&leaves)[N], T (&s)[N]) {
        std::int64_t common = leaves[0].n;
        for (int k = 0; k < N; ++k) {
            s[k] = Algebra::first(leaves[k].x[0], leaves[k].position);
            common = leaves[k].n < common ? leaves[k].n : common;
        }
        for (std::int64_t i = 1; i < common; ++i)
            for (int k = 0; k < N; ++k) s[k] = ops::multiply{}(s[k], leaves[k].x[i]);
        for (int k = 0; k < N; ++k)
            for (std::int64_t i = common; i < leaves[k].n; ++i) s[k] = ops::multiply{}(s[k], leaves[k].x[i]);
    }
};

// The first position of the extremum: the extremum of each piece is found in vectors, and its position searched in the
// best piece alone.
template <class A, class Extremum, class T> struct contiguous_argument {
    using algebra = typename A::template of<T>;
    static constexpr std::int64_t piece = 4096;
    static typename algebra::state reduce(T const* x, std::int64_t n, std::int64_t position) {
        auto best = algebra::identity();
        for (std::int64_t begin = 0; begin < n; begin += piece)
            best = algebra::merge(best, {extremum(x + begin, length(begin, n)), begin});
        if (n == 0) return best;
        T const* const from = x + best.index;
        std::int64_t const m = length(best.index, n);
        std::int64_t const i = best.value == best.value ? first_that(from, m, [&](auto v) { return v == best.value; })
                                                        : first_that(from, m, [](auto v) { return v != v; });
        return {from[i], position + best.index + i};
    }
    static std::int64_t length(std::int64_t begin, std::int64_t n) { return n - begin < piece ? n - begin : piece; }
    static T extremum(T const* x, std::int64_t n) {
        if constexpr (ops::is_float_type<T>) return contiguous_extremum<Extremum, T>::reduce(x, n, false);
        else return contiguous_extremum_of_integers<Extremum, T>::reduce(x, n, algebra::identity().value);
    }
};

// Numbers that a lane of a vector holds.
template <class T> inline constexpr bool is_lane = ops::is_float_type<T> || ops::is_integer_type<T>;

// Of booleans, any byte but 0 is true.
template <class A, class... B> inline constexpr bool is_one_of = (ops::same_type<A, B> || ...);
template <class A>
inline constexpr bool finds_true = is_one_of<A, ops::aggregate::any, ops::aggregate::maximum, ops::aggregate::argmax>;
template <class A>
inline constexpr bool finds_false = is_one_of<A, ops::aggregate::all, ops::aggregate::minimum, ops::aggregate::argmin>;

template <class A, class State> State reduce_booleans(std::uint8_t const* x, std::int64_t n, std::int64_t position) {
    using boolean = contiguous_any_all<std::uint8_t>;
    if constexpr (ops::same_type<State, bool>) return finds_true<A> ? boolean::any(x, n) : boolean::all(x, n);
    else {
        if (n == 0) return A::template of<bool>::identity();
        std::int64_t const i = finds_true<A> ? first_that(x, n, [](auto v) { return v != 0; })
                                             : first_that(x, n, [](auto v) { return v == 0; });
        return i < n ? State{finds_true<A>, position + i} : State{!finds_true<A>, position};
    }
}

template <class A, class T>
typename A::template of<T>::state contiguous_reduce(T const* x, std::int64_t n, std::int64_t position) {
    using algebra = typename A::template of<T>;
    using state = typename algebra::state;
    constexpr bool adds = ops::same_type<A, ops::aggregate::sum> || ops::same_type<A, ops::aggregate::mean>;
    auto const* const s = reinterpret_cast<stored_t<T> const*>(x);
    if constexpr (ops::is_bool_type<T> && (finds_true<A> || finds_false<A>))
        return reduce_booleans<A, state>(s, n, position);
    else if constexpr (requires(state m) { m.squares; } && !ops::is_complex_type<T>)
        return run_moments<stored_t<T>>::reduce(s, n);
    else if constexpr (requires(state m) { m.squares; })
        return ops::reduce_tree<state>(fetching_leaves<algebra, T>{x}, n, algebra::leaf_size, algebra::granule);
    else if constexpr (ops::is_float_type<T> && ops::same_type<A, ops::aggregate::minimum>)
        return contiguous_extremum<ops::minimum, T>::reduce(x, n);
    else if constexpr (ops::is_float_type<T> && ops::same_type<A, ops::aggregate::maximum>)
        return contiguous_extremum<ops::maximum, T>::reduce(x, n);
    else if constexpr (is_lane<T> && ops::same_type<A, ops::aggregate::minimum>)
        return contiguous_extremum_of_integers<ops::minimum, T>::reduce(x, n, algebra::identity());
    else if constexpr (is_lane<T> && ops::same_type<A, ops::aggregate::maximum>)
        return contiguous_extremum_of_integers<ops::maximum, T>::reduce(x, n, algebra::identity());
    else if constexpr (is_lane<T> && ops::same_type<A, ops::aggregate::argmin>)
        return contiguous_argument<A, ops::minimum, T>::reduce(x, n, position);
    else if constexpr (is_lane<T> && ops::same_type<A, ops::aggregate::argmax>)
        return contiguous_argument<A, ops::maximum, T>::reduce(x, n, position);
    else if constexpr (ops::is_complex_type<T> && ops::same_type<A, ops::aggregate::prod>)
        return contiguous_products<algebra, T>::reduce({x, n, position});
    else if constexpr (adds && sizeof(T) == 1) return static_cast<state>(sum_of_bytes(s, n));
    else if constexpr (adds && sizeof(T) == 2 && !ops::is_float_type<T>) return static_cast<state>(sum_of_pieces(s, n));
    else if constexpr (adds && ops::is_float_type<state> && (ops::is_float_type<T> || sizeof(T) < 8))
        return tree_sum<state, stored_t<T>>::reduce(s, n);
    else if constexpr (is_lane<stored_t<T>> && ops::same_type<A, ops::aggregate::count_nonzero>)
        return contiguous_any_all<stored_t<T>>::count(s, n);
    else if constexpr (is_lane<T> && ops::same_type<A, ops::aggregate::any>) return contiguous_any_all<T>::any(x, n);
    else if constexpr (is_lane<T> && ops::same_type<A, ops::aggregate::all>) return contiguous_any_all<T>::all(x, n);
    else return algebra::reduce(x, n, position);
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
