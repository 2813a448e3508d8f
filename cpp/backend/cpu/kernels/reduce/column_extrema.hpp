// The least or the greatest of each column, several rows at a time, so that a state is loaded and stored once for them.
// Rows without NaN take one instruction; columns with NaN are reduced again.
#pragma once
#include "backend/cpu/kernels/whole_vectors.hpp"
#include "bascule/ops/extrema.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class Better, class T> struct column_extrema : whole_vectors<T> {
    using typename whole_vectors<T>::vector, typename whole_vectors<T>::unaligned;
    using whole_vectors<T>::width;
    static constexpr int rows = 8;

    // s[j] becomes the better of itself and of column j of the rows, in order.
    static void update(T* s, T const* x, std::int64_t row_stride, std::int64_t n) {
        std::int64_t j = 0;
        for (; j + width <= n; j += width)
            if (!update_numbers(s + j, x + j, row_stride)) update_any(s + j, x + j, row_stride, width);
        update_any(s + j, x + j, row_stride, n - j);
    }

private:
    static T const* row(T const* x, std::int64_t row_stride, int r) {
        return reinterpret_cast<T const*>(reinterpret_cast<char const*>(x) + r * row_stride);
    }
    static void update_any(T* s, T const* x, std::int64_t row_stride, std::int64_t n) {
        for (std::int64_t j = 0; j < n; ++j) {
            T best = s[j];
            for (int r = 0; r < rows; ++r) best = Better{}(best, row(x, row_stride, r)[j]);
            s[j] = best;
        }
    }
    // False, with nothing changed, if there is a NaN.
    static bool update_numbers(T* s, T const* x, std::int64_t row_stride) {
        vector best = whole_vectors<T>::load(s, 0), v[rows];
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) v[r] = whole_vectors<T>::load(row(x, row_stride, r), 0);
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) best = better(best, v[r]);
        if (holds_nan(v) || some_nan(whole_vectors<T>::load(s, 0))) return false;
        *reinterpret_cast<unaligned*>(s) = best;
        return true;
    }
    static bool some_nan(vector v) { return whole_vectors<T>::some(v != v); }

#if defined(__AVX512F__)
    // Of equals, which are zeros, the second, as Better has it.
    static vector better(vector a, vector b) {
        constexpr bool least = ops::same_type<Better, ops::minimum>;
        if constexpr (sizeof(T) == 8) {
            auto const x = reinterpret_cast<__m512d>(a), y = reinterpret_cast<__m512d>(b);
            return reinterpret_cast<vector>(least ? _mm512_min_pd(x, y) : _mm512_max_pd(x, y));
        } else {
            auto const x = reinterpret_cast<__m512>(a), y = reinterpret_cast<__m512>(b);
            return reinterpret_cast<vector>(least ? _mm512_min_ps(x, y) : _mm512_max_ps(x, y));
        }
    }
    static bool holds_nan(vector const (&v)[rows]) {
        unsigned found = 0;
#pragma GCC unroll 4
        for (int r = 0; r < rows; r += 2) {
            if constexpr (sizeof(T) == 8)
                found |= _mm512_cmp_pd_mask(reinterpret_cast<__m512d>(v[r]), reinterpret_cast<__m512d>(v[r + 1]),
                                            _CMP_UNORD_Q);
            else
                found |= _mm512_cmp_ps_mask(reinterpret_cast<__m512>(v[r]), reinterpret_cast<__m512>(v[r + 1]),
                                            _CMP_UNORD_Q);
        }
        return found != 0;
    }
#else
    static vector better(vector a, vector b) {
        if constexpr (ops::same_type<Better, ops::minimum>) return a < b ? a : b;
        else return a > b ? a : b;
    }
    static bool holds_nan(vector const (&v)[rows]) {
        auto found = v[0] != v[0];
#pragma GCC unroll 8
        for (int r = 1; r < rows; ++r) found |= v[r] != v[r];
        return whole_vectors<T>::some(found);
    }
#endif
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
