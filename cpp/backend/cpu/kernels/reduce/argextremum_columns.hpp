// The positions of the extrema of columns: several vectors of columns at a time, without a branch. The first NaN is the
// extremum.
#pragma once
#include <limits>

#include "backend/cpu/dispatch/kernels.hpp"
#include "backend/cpu/kernels/whole_vectors.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// State: a value, and the number of its row, below 0 where there is none yet: then there is none in any column.
template <class T, bool Largest, class State> struct argextremum_columns {
    using place = std::remove_reference_t<decltype(typename whole_vectors<T>::mask{}[0])>;  // as wide as T
    static constexpr std::int64_t most_columns = 256, fewest_columns = 8;
    static constexpr std::int64_t most_rows = std::numeric_limits<place>::max();

    static T const* row(columns_args const& a, std::int64_t r) noexcept {
        return reinterpret_cast<T const*>(static_cast<char const*>(a.data) + r * a.row_stride);
    }

    static void find(columns_args const& a) {
        auto* const s = static_cast<State*>(a.states);
        if (s[0].index < 0)
            for (std::int64_t j = 0; j < a.columns; ++j) s[j] = {row(a, 0)[j], a.position};
        if (a.columns < fewest_columns) return find_one_by_one(s, a);
        for (std::int64_t j = 0; j < a.columns; j += most_columns) {
            std::int64_t const n = a.columns - j < most_columns ? a.columns - j : most_columns;
            for (std::int64_t r = 0; r < a.rows; r += most_rows)
                find_in_tile(s + j, a, j, n, r, a.rows - r < most_rows ? a.rows - r : most_rows);
        }
    }

private:
    static bool is_better(T x, T best) { return !(Largest ? x <= best : x >= best) & (best == best); }

    static void find_one_by_one(State* s, columns_args const& a) {
        for (std::int64_t j = 0; j < a.columns; ++j) {
            State best = s[j];
            char const* x = static_cast<char const*>(a.data) + j * std::int64_t{sizeof(T)};
            for (std::int64_t r = 0; r < a.rows; ++r, x += a.row_stride)
                if (T const v = *reinterpret_cast<T const*>(x); is_better(v, best.value)) best = {v, a.position + r};
            s[j] = best;
        }
    }

    static void find_in_tile(State* s, columns_args const& a, std::int64_t column, std::int64_t n, std::int64_t first,
                             std::int64_t rows) {
        T best[most_columns];
        place at[most_columns];
        for (std::int64_t j = 0; j < n; ++j) best[j] = s[j].value, at[j] = -1;
        for (std::int64_t r = 0; r < rows; ++r) {
            T const* const x = row(a, first + r) + column;
#pragma GCC ivdep
            for (std::int64_t j = 0; j < n; ++j) {
                T const v = x[j];
                bool const better = is_better(v, best[j]);
                best[j] = better ? v : best[j];
                at[j] = better ? static_cast<place>(r) : at[j];
            }
        }
        for (std::int64_t j = 0; j < n; ++j)
            if (at[j] >= 0) s[j] = {best[j], a.position + first + at[j]};
    }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
