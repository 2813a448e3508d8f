// Reduction kernels of a family of aggregations, by a reduction over its list.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"
#include "backend/cpu/kernels/reduce/any_all_columns.hpp"
#include "backend/cpu/kernels/reduce/argextremum_columns.hpp"
#include "backend/cpu/kernels/reduce/column_extrema.hpp"
#include "backend/cpu/kernels/reduce/column_strips.hpp"
#include "backend/cpu/kernels/reduce/contiguous_reduce.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class A, class T> struct reduction {
    using algebra = typename A::template of<T>;
    using state = typename algebra::state;
    using result = typename algebra::result;

    static void reduce(void* s, void const* data, std::int64_t n, std::int64_t position) {
        *static_cast<state*>(s) = contiguous_reduce<A>(static_cast<T const*>(data), n, position);
    }
    // Of rows with so few numbers, which are added one after the other, several are added side by side.
    template <int N> static bool add_rows_of(state* s, T const* x, std::int64_t rows, std::int64_t n) {
        if constexpr (N == ops::tree_lanes<state>) return false;
        else if (n != N) return add_rows_of<N + 1>(s, x, rows, n);
        else
            for (std::int64_t r = 0; r < rows; ++r) {
                state sum = x[r * N];
                for (int k = 1; k < N; ++k) sum += x[r * N + k];
                s[r] = sum;
            }
        return true;
    }
    // The positions of the extrema of short rows, several rows at a time, without a branch. The first NaN is the
    // extremum.
    static constexpr std::int64_t side_by_side = 16;
    template <bool Largest> static void find_in_rows(state* s, T const* x, std::int64_t n, std::int64_t position) {
        using index = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
        T best[side_by_side];
        index at[side_by_side] = {};
        for (std::int64_t r = 0; r < side_by_side; ++r) best[r] = x[r * n];
        for (std::int64_t k = 1; k < n; ++k)
            for (std::int64_t r = 0; r < side_by_side; ++r) {
                T const v = x[r * n + k];
                bool const before = Largest ? v <= best[r] : v >= best[r];
                bool const better = !before & (best[r] == best[r]);
                best[r] = better ? v : best[r];
                at[r] = better ? static_cast<index>(k) : at[r];
            }
        for (std::int64_t r = 0; r < side_by_side; ++r) s[r] = {best[r], position + at[r]};
    }
    static void reduce_rows(void* s, void const* data, std::int64_t rows, std::int64_t n, std::int64_t position) {
        if constexpr (ops::same_type<A, ops::aggregate::sum> && ops::is_float_type<T> && ops::same_type<state, T>)
            if (n > 0 && add_rows_of<1>(static_cast<state*>(s), static_cast<T const*>(data), rows, n)) return;
        constexpr bool varies = !ops::is_complex_type<T> && requires(state m) { m.squares; };
        if constexpr (varies)
            if (n >= 64)
                return run_moments<stored_t<T>>::reduce_rows(static_cast<state*>(s),
                                                             static_cast<stored_t<T> const*>(data), rows, n);
        constexpr bool extremum = ops::same_type<A, ops::aggregate::minimum> ||
                                  ops::same_type<A, ops::aggregate::maximum>;
        constexpr std::int64_t shortest = extremum ? 16 : 64;  // below, the work around a run costs more than the run
        std::int64_t r = 0;
        constexpr bool largest = ops::same_type<A, ops::aggregate::argmax>;
        if constexpr (is_lane<T> && sizeof(T) >= 4 && (largest || ops::same_type<A, ops::aggregate::argmin>))
            if (n > 0 && n < shortest)
                for (; r + side_by_side <= rows; r += side_by_side)
                    find_in_rows<largest>(static_cast<state*>(s) + r, static_cast<T const*>(data) + r * n, n, position);
        constexpr bool adds = ops::same_type<A, ops::aggregate::sum> || ops::same_type<A, ops::aggregate::mean>;
        if constexpr (adds && ops::is_float_type<T> && ops::same_type<state, T>)
            if (n == sums_of_eight<T>::count)
                r = sums_of_eight<T>::reduce(static_cast<state*>(s), static_cast<T const*>(data), rows);
        for (; r < rows; ++r) {
            T const* const x = static_cast<T const*>(data) + r * n;
            static_cast<state*>(s)[r] = n >= shortest ? contiguous_reduce<A>(x, n, position)
                                                      : algebra::reduce(x, n, position);
        }
    }
    static void merge(void* s, void const* later, std::int64_t n) {
        auto* const earlier = static_cast<state*>(s);
#pragma GCC ivdep
        for (std::int64_t j = 0; j < n; ++j)
            earlier[j] = algebra::merge(earlier[j], static_cast<state const*>(later)[j]);
    }
    static void columns(columns_args const& a) {
        auto* const s = static_cast<state*>(a.states);
        if constexpr (requires(state x) { x.mean + x.squares + x.rest; }) return columns_of_moments(s, a);
        if constexpr (std::is_arithmetic_v<T>) {
            if constexpr (ops::same_type<A, ops::aggregate::any>) return any_all_columns<T>::any(a);
            if constexpr (ops::same_type<A, ops::aggregate::all>) return any_all_columns<T>::all(a);
            if constexpr (ops::same_type<A, ops::aggregate::count_nonzero>)
                return any_all_columns<T>::template count<state>(a);
        }
        constexpr bool largest = ops::same_type<A, ops::aggregate::argmax>;
        if constexpr (is_lane<T> && (largest || ops::same_type<A, ops::aggregate::argmin>))
            return argextremum_columns<T, largest, state>::find(a);
        std::int64_t r = 0;
        // Aggregates that choose an element do not vectorise across several rows, and read one row after the other
        // fastest.
        constexpr bool adds = ops::same_type<A, ops::aggregate::sum> || ops::same_type<A, ops::aggregate::mean>;
        if constexpr (adds && std::is_same_v<T, bool>) return any_all_columns<T>::template count<state>(a);  // exact
        if constexpr (adds && is_lane<T> && std::is_arithmetic_v<state>)
            for (; r + cross_row_cse <= a.rows; r += cross_row_cse) update_together(s, a, r);
        if constexpr (ops::is_float_type<T> && is_one_of<A, ops::aggregate::minimum, ops::aggregate::maximum>) {
            using better = std::conditional_t<ops::same_type<A, ops::aggregate::minimum>, ops::minimum, ops::maximum>;
            using extrema = column_extrema<better, T>;
            for (; r + extrema::rows <= a.rows; r += extrema::rows)
                extrema::update(s, row(a, r), a.row_stride, a.columns);
        }
        std::int64_t const rows = a.rows, columns = a.columns;  // which stores to states do not change
        for (; r < rows; ++r) {
            T const* const x = row(a, r);
            std::int64_t const position = a.position + r;
#pragma GCC ivdep
            for (std::int64_t j = 0; j < columns; ++j) algebra::update(s[j], x[j], position);
        }
    }
    // Several rows are on their way from memory at a time, and a state is loaded and stored once for them.
    static constexpr std::int64_t cross_row_cse = 8;
    static void update_together(state* s, columns_args const& a, std::int64_t first) {
        T const* x[cross_row_cse];
        for (std::int64_t r = 0; r < cross_row_cse; ++r) x[r] = row(a, first + r);
        std::int64_t const columns = a.columns, position = a.position + first;  // which stores to states do not change
#pragma GCC ivdep
        for (std::int64_t j = 0; j < columns; ++j) {
            state one = s[j];
#pragma GCC unroll 8
            for (std::int64_t r = 0; r < cross_row_cse; ++r) algebra::update(one, x[r][j], position + r);
            s[j] = one;
        }
    }
    static T const* row(columns_args const& a, std::int64_t r) {
        return reinterpret_cast<T const*>(static_cast<char const*>(a.data) + r * a.row_stride);
    }

    // A state of several numbers does not vectorise as an array of structs: its members are copied to arrays for some
    // rows and columns.
    static void columns_of_moments(state* s, columns_args const& a) {
        constexpr std::int64_t columns = 512;
        for (std::int64_t j = 0; j < a.columns; j += columns)
            tile_of_moments(s + j, a, j, a.columns - j < columns ? a.columns - j : columns);
    }
    template <int Columns = 512>
    static void tile_of_moments(state* s, columns_args const& a, std::int64_t column, std::int64_t n) {
        using real = decltype(state{}.squares);
        real mean[Columns], squares[Columns], rest[Columns];
        auto const take_apart = [&] {
            for (std::int64_t j = 0; j < n; ++j) mean[j] = s[j].mean, squares[j] = s[j].squares, rest[j] = s[j].rest;
        };
        take_apart();
        std::int64_t const before = s[0].count;  // the same in all columns
        std::int64_t r = 0, added = 0;
        real* const sums = a.sums ? static_cast<real*>(a.sums) + column : nullptr;
        auto const add_rows = [&](std::int64_t end) {
            if constexpr (ops::same_type<T, real>)
                for (; sums && added < end; ++added) {
                    T const* const x = row(a, added) + column;
#pragma GCC ivdep
                    for (std::int64_t j = 0; j < n; ++j) sums[j] += x[j];
                }
        };
        auto const update_rows = [&](std::int64_t end) {
            for (; r < end; ++r) {
                T const* const x = row(a, r) + column;
                std::int64_t const count = before + r;
#pragma GCC ivdep
                for (std::int64_t j = 0; j < n; ++j) {
                    state one{count, mean[j], squares[j], rest[j]};
                    algebra::update(one, x[j], 0);
                    mean[j] = one.mean;
                    squares[j] = one.squares;
                    rest[j] = one.rest;
                }
            }
        };
        if constexpr (ops::is_float_type<T>) {
            if (before == 0) update_rows(1);
            for (; r + finite_rows <= a.rows; r += finite_rows) {
                T const* x[finite_rows];
                for (std::int64_t k = 0; k < finite_rows; ++k) x[k] = row(a, r + k) + column;
                add_rows(r);
                if (sums) update_finite<true>(x, before + r, n, mean, squares, rest, sums), added = r + finite_rows;
                else update_finite<false>(x, before + r, n, mean, squares, rest, sums);
            }
            bool finite = true;
            for (std::int64_t j = 0; j < n; ++j) finite &= rest[j] == rest[j];
            if (!finite) take_apart(), r = 0;
        }
        update_rows(a.rows);
        add_rows(a.rows);
        for (std::int64_t j = 0; j < n; ++j) s[j] = {before + a.rows, mean[j], squares[j], rest[j]};
    }
    // algebra::update for finite elements, without the terms that are then zero; `rest` becomes NaN where one is not
    // finite.
    static constexpr std::int64_t finite_rows = 4;
    template <bool Adds, class R>
    static void update_finite(T const* const (&x)[finite_rows], std::int64_t count, std::int64_t n, R* mean, R* squares,
                              R* rest, R* sums) {
        R weight[finite_rows], spread[finite_rows];
        for (std::int64_t k = 0; k < finite_rows; ++k) {
            R const before = static_cast<R>(count + k);
            weight[k] = R(1) / (before + R(1)), spread[k] = before * weight[k];
        }
        std::int64_t begin = 0;
        constexpr bool adds = Adds && ops::same_type<T, R>;
        if constexpr (ops::same_type<T, R>)
            begin = column_strips<R>::template update<adds>(x, weight, spread, n, mean, squares, rest, sums);
#pragma GCC ivdep
        for (std::int64_t j = begin; j < n; ++j) {
            R m = mean[j], q = squares[j], lost = rest[j], sum = adds ? sums[j] : R(0);
#pragma GCC unroll 4
            for (std::int64_t k = 0; k < finite_rows; ++k) {
                R const delta = (x[k][j] - m) - lost, step = delta * weight[k], next = m + step;
                lost = ((m - next) + step) + lost;
                q = q + delta * delta * spread[k];
                m = next;
                if constexpr (adds) sum = sum + x[k][j];
            }
            mean[j] = m, squares[j] = q, rest[j] = lost;
            if constexpr (adds) sums[j] = sum;
        }
    }

    static void init(void* s, std::int64_t n) {
        for (std::int64_t j = 0; j < n; ++j) static_cast<state*>(s)[j] = algebra::identity();
    }
    static void finish(finish_args const& a) {
        auto const* const s = static_cast<state const*>(a.states);
        auto* const out = static_cast<char*>(a.out);
        if (a.out_stride == sizeof(result)) {
            for (std::int64_t j = 0; j < a.states_count; ++j)
                reinterpret_cast<result*>(out)[j] = algebra::finish(s[j], a.reduced, a.ddof);
        } else {
            for (std::int64_t j = 0; j < a.states_count; ++j)
                *reinterpret_cast<result*>(out + j * a.out_stride) = algebra::finish(s[j], a.reduced, a.ddof);
        }
    }
};

template <class A, type_id Id> void add_reduction(kernel_table& t) {
    if constexpr (contains(A::meta.types, Id) && Id != type_id::float16) {
        using R = reduction<A, element<Id>>;
        using algebra = typename R::algebra;
        reduction_kernels& k = t.reduction[ops::aggregate_number<A>][static_cast<int>(Id)];
        k.reduce = R::reduce;
        k.reduce_rows = R::reduce_rows;
        k.merge = R::merge;
        k.columns = R::columns;
        k.init = R::init;
        k.finish = R::finish;
        k.state_size = sizeof(typename R::state);
        k.granule = algebra::granule;
        if constexpr (requires(typename R::state s) { algebra::decided(s); })
            k.decided = [](void const* s) { return algebra::decided(*static_cast<typename R::state const*>(s)); };
    }
}

template <class A, int... Id> void add_reduction_types(kernel_table& t) {
    (add_reduction<A, static_cast<type_id>(Id)>(t), ...);
}

template <class... A> void add_aggregates(kernel_table& t, ops::op_list<A...>) {
    (add_reduction_types<A, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>(t), ...);
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
