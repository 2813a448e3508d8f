// The floating-point errors of a reduction itself, derived only from its states: a GPU keeps no status flags. Pieces
// are reduced without checking the steps; only where the result is not finite the steps are repeated and checked one by
// one. Underflow leaves no such trace: if it is looked for, every step is checked.
#pragma once
#include "backend/cuda/kernels/fp_errors.cuh"
#include "bascule/ops/aggregates/sums.hpp"
#include "bascule/ops/aggregates/variance.hpp"

namespace bascule::cuda {

template <class S> inline constexpr bool is_moments = false;
template <class A> inline constexpr bool is_moments<ops::aggregate::moments<A>> = true;

// Sums, products and moments of numbers that can overflow; `Program::check` is not 0 for them alone.
template <class S> __device__ inline bool is_plain(S const& s) {
    if constexpr (is_moments<S>) return ops::is_finite(s.mean) && ops::is_finite(s.squares) && ops::is_finite(s.rest);
    else return ops::is_finite(s);
}

template <class A> __device__ inline bool has_nan(ops::aggregate::moments<A> const& s) {
    return ops::is_nan(s.mean) || ops::is_nan(s.squares) || ops::is_nan(s.rest);
}

template <class Program> inline constexpr bool asks_for_underflow = (Program::check & ops::fp::under) != 0;

// The sum of squared differences from a mean.
template <class A> __device__ inline std::uint32_t square_underflow(A difference) {
    if constexpr (ops::is_complex_type<A>) return square_underflow(difference.re) | square_underflow(difference.im);
    else return product_underflows(difference * difference, difference, difference) ? ops::fp::under : ops::fp::none;
}

// Chan's formula of finite moments makes no infinity but by an overflow, and a NaN only of infinities that cancel.
template <class A>
__device__ inline std::uint32_t moments_fp_errors(ops::aggregate::moments<A> const& merged,
                                                  ops::aggregate::moments<A> const& a,
                                                  ops::aggregate::moments<A> const& b, bool under) {
    if (a.count == 0 || b.count == 0) return ops::fp::none;
    if (is_plain(merged)) return under ? square_underflow(ops::subtract{}(b.mean, a.mean)) : ops::fp::none;
    std::uint32_t const found = is_plain(a) && is_plain(b) ? ops::fp::over : ops::fp::none;
    return found | (has_nan(merged) && !has_nan(a) && !has_nan(b) ? ops::fp::invalid : ops::fp::none);
}

template <class Algebra, class Program, class S>
__device__ inline std::uint32_t merge_fp_errors(S const& merged, S const& a, S const& b) {
    if constexpr (is_moments<S>) return moments_fp_errors(merged, a, b, asks_for_underflow<Program>);
    else {
        std::uint32_t found = fp_errors_of<typename Algebra::combine>(merged, a, b);
        if constexpr (asks_for_underflow<Program>) found |= underflow_of<typename Algebra::combine>(merged, a, b);
        return found;
    }
}

// Of Algebra::update, which made `next` of `before` and x.
template <class Algebra, class Program, class S, class X>
__device__ inline std::uint32_t update_fp_errors(S const& next, S const& before, X x) {
    if constexpr (is_moments<S>) {
        auto const value = ops::aggregate::accumulator_of<typename Algebra::average>(x);
        std::uint32_t const found = ops::is_nan(value) || ops::is_finite(value) ? ops::fp::none : ops::fp::invalid;
        S const alone{1, value, ops::aggregate::square_size(ops::subtract{}(value, value)), {}};
        return found | moments_fp_errors(next, before, alone, asks_for_underflow<Program>);
    } else return merge_fp_errors<Algebra, Program, S>(next, before, ops::aggregate::accumulator_of<S>(x));
}

// A merge, with its errors reported.
template <class Algebra, class Program, class S> __device__ inline S merged(Program const& f, S const& a, S const& b) {
    S const r = Algebra::merge(a, b);
    if constexpr (Program::check != 0)
        if (asks_for_underflow<Program> || !is_plain(r)) f.note(merge_fp_errors<Algebra, Program>(r, a, b));
    return r;
}

// Whether no later element can change a state: a boolean that decides, the position of a NaN, the position of the first
// true element.
template <class Algebra, class S> __device__ inline bool is_decided(S const& s) {
    if constexpr (requires { Algebra::decided(s); }) return Algebra::decided(s);
    else if constexpr (ops::is_bool_type<typename Algebra::input>)
        return s.index >= 0 && s.value != Algebra::identity().value;
    else return s.index >= 0 && ops::is_nan(s.value);
}

// `start` and the items first, first + step, ... before `end`. One loop serves the pass without checks and the one with
// checks: its body is the whole of a fused expression.
template <class Algebra, class Program, class S, class Items>
__device__ inline S reduce_items(Program const& f, S const& start, Items const& items, std::int64_t first,
                                 std::int64_t end, std::int64_t step) {
    for (bool looks = asks_for_underflow<Program>;; looks = true) {
        S s = start;
        for (std::int64_t i = first; i < end; i += step) {
            auto const x = items[i];
            S const before = s;
            Algebra::update(s, x, items.position + i);
            if constexpr (Program::check != 0)
                if (looks) f.note(update_fp_errors<Algebra, Program>(s, before, x));
            if constexpr (Program::stops)
                if (is_decided<Algebra>(s)) break;
        }
        if constexpr (Program::check == 0) return s;
        else if (looks || is_plain(s)) return s;
    }
}

// Of a leaf that was reduced in several passes over it: derived from its elements and from the result.
template <class Algebra, class Program, class S, class Items>
__device__ inline void note_leaf_of_moments(Program const& f, S const& s, Items const& items, std::int64_t n) {
    bool nan = false, infinite = false;
    for (std::int64_t i = 0; i < n; ++i) {
        auto const x = ops::aggregate::accumulator_of<typename Algebra::average>(items[i]);
        nan |= ops::is_nan(x);
        infinite |= !ops::is_nan(x) && !ops::is_finite(x);
        if constexpr (asks_for_underflow<Program>) f.note(square_underflow(ops::subtract{}(x, s.mean)));
    }
    if (nan || is_plain(s)) return;
    f.note(infinite ? ops::fp::invalid : has_nan(s) ? ops::fp::over | ops::fp::invalid : ops::fp::over);
}

// A product in order.
template <class Algebra, class Program, class Items>
__device__ inline typename Algebra::state whole_leaf(Program const& f, Items const& items, std::int64_t n) {
    using state = typename Algebra::state;
    state const s = Algebra::leaf(items, n, items.position);
    if constexpr (Program::check != 0)
        if (n > 0 && (asks_for_underflow<Program> || !is_plain(s))) {  // in order, from one on or from its first factor
            state const from = items.position == 0 ? Algebra::identity() : static_cast<state>(items[0]);
            reduce_items<Algebra>(f, from, items, items.position == 0 ? 0 : 1, n, 1);
        }
    return s;
}

}  // namespace bascule::cuda
