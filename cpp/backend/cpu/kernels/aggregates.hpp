// Reduction kernels of a family of aggregations, by a fold over its list.
#pragma once
#include "backend/cpu/kernels.hpp"
#include "backend/cpu/kernels/contiguous_fold.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class A, class T> struct reduction {
    using algebra = typename A::template of<T>;
    using state = typename algebra::state;
    using result = typename algebra::result;

    static void fold(void* s, void const* data, std::int64_t n, std::int64_t position) {
        *static_cast<state*>(s) = contiguous_fold<A>(static_cast<T const*>(data), n, position);
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
    // Where the extrema of short rows stand: rows side by side, without a branch. The first NaN is the extremum.
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
    static void fold_rows(void* s, void const* data, std::int64_t rows, std::int64_t n, std::int64_t position) {
        if constexpr (ops::same_type<A, ops::aggregate::sum> && ops::is_float_type<T> && ops::same_type<state, T>)
            if (n > 0 && add_rows_of<1>(static_cast<state*>(s), static_cast<T const*>(data), rows, n)) return;
        constexpr bool extremum = ops::same_type<A, ops::aggregate::minimum> ||
                                  ops::same_type<A, ops::aggregate::maximum>;
        constexpr std::int64_t shortest = extremum ? 16 : 64;  // below, what is done around a run costs more than it
        std::int64_t r = 0;
        constexpr bool largest = ops::same_type<A, ops::aggregate::argmax>;
        if constexpr (is_lane<T> && sizeof(T) >= 4 && (largest || ops::same_type<A, ops::aggregate::argmin>))
            if (n > 0 && n < shortest)
                for (; r + side_by_side <= rows; r += side_by_side)
                    find_in_rows<largest>(static_cast<state*>(s) + r, static_cast<T const*>(data) + r * n, n, position);
        for (; r < rows; ++r) {
            T const* const x = static_cast<T const*>(data) + r * n;
            static_cast<state*>(s)[r] = n >= shortest ? contiguous_fold<A>(x, n, position)
                                                      : algebra::fold(x, n, position);
        }
    }
    static void merge(void* s, void const* later) {
        auto& earlier = *static_cast<state*>(s);
        earlier = algebra::merge(earlier, *static_cast<state const*>(later));
    }
    static void columns(columns_args const& a) {
        auto* const s = static_cast<state*>(a.states);
        if constexpr (requires(state x) { x.mean + x.squares + x.rest; }) return columns_of_moments(s, a);
        for (std::int64_t r = 0; r < a.rows; ++r) {
            T const* const x = row(a, r);
            std::int64_t const position = a.position + r;
#pragma GCC ivdep
            for (std::int64_t j = 0; j < a.columns; ++j) algebra::update(s[j], x[j], position);
        }
    }
    static T const* row(columns_args const& a, std::int64_t r) {
        return reinterpret_cast<T const*>(static_cast<char const*>(a.data) + r * a.row_stride);
    }

    // A state of several numbers does not vectorise as it lies: its parts are taken apart for some rows and columns.
    static void columns_of_moments(state* s, columns_args const& a) {
        constexpr std::int64_t tile_rows = 32, tile_columns = 128;
        for (std::int64_t r = 0; r < a.rows; r += tile_rows)
            for (std::int64_t j = 0; j < a.columns; j += tile_columns) {
                std::int64_t const rows = a.rows - r < tile_rows ? a.rows - r : tile_rows;
                tile_of_moments(s + j, a, r, rows, j, a.columns - j < tile_columns ? a.columns - j : tile_columns);
            }
    }
    template <int Columns = 128>
    static void tile_of_moments(state* s, columns_args const& a, std::int64_t first, std::int64_t rows,
                                std::int64_t column, std::int64_t n) {
        using real = decltype(state{}.squares);
        real mean[Columns], squares[Columns], rest[Columns];
        for (std::int64_t j = 0; j < n; ++j) {
            mean[j] = s[j].mean;
            squares[j] = s[j].squares;
            rest[j] = s[j].rest;
        }
        std::int64_t count = s[0].count;  // the same in all columns
        for (std::int64_t r = first; r < first + rows; ++r, ++count) {
            T const* const x = row(a, r) + column;
#pragma GCC ivdep
            for (std::int64_t j = 0; j < n; ++j) {
                state one{count, mean[j], squares[j], rest[j]};
                algebra::update(one, x[j], 0);
                mean[j] = one.mean;
                squares[j] = one.squares;
                rest[j] = one.rest;
            }
        }
        for (std::int64_t j = 0; j < n; ++j) s[j] = {count, mean[j], squares[j], rest[j]};
    }

    static void init(void* s, std::int64_t n) {
        for (std::int64_t j = 0; j < n; ++j) static_cast<state*>(s)[j] = algebra::identity();
    }
    static void finish(finish_args const& a) {
        auto const* const s = static_cast<state const*>(a.states);
        auto* const out = static_cast<char*>(a.out);
        if (a.out_stride == sizeof(result)) {
            for (std::int64_t j = 0; j < a.states_count; ++j)
                reinterpret_cast<result*>(out)[j] = algebra::finish(s[j], a.folded, a.ddof);
        } else {
            for (std::int64_t j = 0; j < a.states_count; ++j)
                *reinterpret_cast<result*>(out + j * a.out_stride) = algebra::finish(s[j], a.folded, a.ddof);
        }
    }
};

template <class A, type_id Id> void add_reduction(kernel_table& t) {
    if constexpr (contains(A::meta.types, Id) && Id != type_id::float16) {
        using R = reduction<A, element<Id>>;
        using algebra = typename R::algebra;
        reduction_kernels& k = t.reduction[ops::aggregate_number<A>][static_cast<int>(Id)];
        k.fold = R::fold;
        k.fold_rows = R::fold_rows;
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
