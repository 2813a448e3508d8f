// Reductions of columns of booleans: bytes, so that whole rows of them are one loop of vectors.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class T> struct any_all_columns {
    // Booleans are read as the bytes they are, 0 or 1.
    using stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
    static unsigned char boolean(stored x) noexcept {
        if constexpr (std::is_same_v<T, bool>) return x;
        else return x != 0;
    }
    static constexpr std::int64_t cross_row_cse = 8;

    static stored const* row(columns_args const& a, std::int64_t r) noexcept {
        return reinterpret_cast<stored const*>(static_cast<char const*>(a.data) + r * a.row_stride);
    }

    static void any(columns_args const& a) { reduce<true>(a); }
    static void all(columns_args const& a) { reduce<false>(a); }

    template <bool Any> static void reduce(columns_args const& a) {
        auto* const s = static_cast<unsigned char*>(a.states);
        std::int64_t r = 0;
        for (; r + cross_row_cse <= a.rows; r += cross_row_cse) reduce_rows<Any, cross_row_cse>(s, a, r);
        for (; r < a.rows; ++r) reduce_rows<Any, 1>(s, a, r);
    }
    template <bool Any, std::int64_t Rows>
    static void reduce_rows(unsigned char* s, columns_args const& a, std::int64_t first) {
        stored const* x[Rows];
        for (std::int64_t r = 0; r < Rows; ++r) x[r] = row(a, first + r);
        std::int64_t const n = a.columns;  // which a byte that is stored might be part of
#pragma GCC ivdep
        for (std::int64_t j = 0; j < n; ++j) {
            unsigned char one = s[j];
#pragma GCC unroll 8
            for (std::int64_t r = 0; r < Rows; ++r) {
                if constexpr (Any) one |= boolean(x[r][j]);
                else one &= boolean(x[r][j]);
            }
            s[j] = one;
        }
    }

    // How many of a column's elements are not 0: counted in bytes for as many rows as those can hold.
    template <class State> static void count(columns_args const& a) {
        constexpr std::int64_t most_rows = 255, most_columns = 512;
        auto* const s = static_cast<State*>(a.states);
        unsigned char counts[most_columns];
        for (std::int64_t column = 0; column < a.columns; column += most_columns) {
            std::int64_t const n = a.columns - column < most_columns ? a.columns - column : most_columns;
            for (std::int64_t first = 0; first < a.rows; first += most_rows) {
                std::int64_t const end = a.rows - first < most_rows ? a.rows : first + most_rows;
                for (std::int64_t j = 0; j < n; ++j) counts[j] = 0;
                for (std::int64_t r = first; r < end; ++r) {
                    stored const* const x = row(a, r) + column;
#pragma GCC ivdep
                    for (std::int64_t j = 0; j < n; ++j) counts[j] += boolean(x[j]);
                }
                for (std::int64_t j = 0; j < n; ++j) s[column + j] += counts[j];
            }
        }
    }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
