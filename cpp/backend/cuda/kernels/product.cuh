// Products of matrices of any type, a stack of them at a time: a block computes a tile of 64 by 64, a thread 4 by 4 of
// it, from strips of both operands in shared memory. Sums go one after the other along the common dimension; floats by
// fused multiply-add. Words, for a stack of R dimensions: 0 number of matrices; 1 extents (R); a, b and the result,
// each a base and R strides; then each one's step from row to row and from column to column; m, k, n; the address of a
// word for floating-point errors, 0 if they are not checked.
#pragma once
#include "backend/cuda/kernels/indexed.cuh"
#include "bascule/ops/float16_conversion.hpp"
#include "bascule/ops/math/basic.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::cuda {

inline constexpr int product_tile = 64, product_depth = 16, product_side = 16,
                     product_part = product_tile / product_side;

__device__ inline float multiply_add(float a, float b, float sum) {
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, sum);
#else
    return __builtin_fmaf(a, b, sum);
#endif
}
__device__ inline double multiply_add(double a, double b, double sum) { return ops::math::fma(a, b, sum); }

// The type of the sum: integers wrap, which only unsigned ones may; float16 in float32; of bool whether any is true.
template <class T> struct summand {
    using type = T;
    __device__ static T widen(T v) { return v; }
    __device__ static T narrow(T s) { return s; }
    __device__ static T add(T a, T b, T sum) { return multiply_add(a, b, sum); }
};
template <class T, class U> struct integer_summand {
    using type = U;
    __device__ static U widen(T v) { return static_cast<U>(v); }
    __device__ static T narrow(U s) { return static_cast<T>(s); }
    __device__ static U add(U a, U b, U sum) { return sum + a * b; }
};
template <> struct summand<std::int8_t> : integer_summand<std::int8_t, std::uint32_t> {};
template <> struct summand<std::uint8_t> : integer_summand<std::uint8_t, std::uint32_t> {};
template <> struct summand<std::int16_t> : integer_summand<std::int16_t, std::uint32_t> {};
template <> struct summand<std::uint16_t> : integer_summand<std::uint16_t, std::uint32_t> {};
template <> struct summand<std::int32_t> : integer_summand<std::int32_t, std::uint32_t> {};
template <> struct summand<std::uint32_t> : integer_summand<std::uint32_t, std::uint32_t> {};
template <> struct summand<std::int64_t> : integer_summand<std::int64_t, std::uint64_t> {};
template <> struct summand<std::uint64_t> : integer_summand<std::uint64_t, std::uint64_t> {};
template <> struct summand<bool> {
    using type = std::uint32_t;
    __device__ static std::uint32_t widen(bool v) { return v ? 1 : 0; }
    __device__ static bool narrow(std::uint32_t s) { return s != 0; }
    __device__ static std::uint32_t add(std::uint32_t a, std::uint32_t b, std::uint32_t sum) { return sum | (a & b); }
};
template <> struct summand<float16> {
    using type = float;
    __device__ static float widen(float16 v) { return ops::to_float32(v); }
    __device__ static float16 narrow(float s) { return ops::to_float16(s); }
    __device__ static float add(float a, float b, float sum) { return multiply_add(a, b, sum); }
};
template <class T> struct summand<complex<T>> {
    using type = complex<T>;
    __device__ static type widen(type v) { return v; }
    __device__ static type narrow(type s) { return s; }
    __device__ static type add(type a, type b, type sum) {
        return {multiply_add(-a.im, b.im, multiply_add(a.re, b.re, sum.re)),
                multiply_add(a.im, b.re, multiply_add(a.re, b.im, sum.im))};
    }
};

inline constexpr unsigned unknown_value = 1, endless_value = 2;
template <class T> __device__ inline unsigned kind_of(T v) {
    return v - v == T{} ? 0 : v == v ? endless_value : unknown_value;
}
__device__ inline unsigned kind_of(float16 v) { return kind_of(ops::to_float32(v)); }
template <class T> __device__ inline unsigned kind_of(complex<T> v) { return kind_of(v.re) | kind_of(v.im); }
template <class T> inline constexpr bool has_fp_errors = false;
template <> inline constexpr bool has_fp_errors<float16> = true;
template <> inline constexpr bool has_fp_errors<float> = true;
template <> inline constexpr bool has_fp_errors<double> = true;
template <class T> inline constexpr bool has_fp_errors<complex<T>> = true;

template <int R, class P> struct product_words {
    static constexpr int a = operand_words<R>(0), b = operand_words<R>(1), out = operand_words<R>(2),
                         steps = operand_words<R>(3);
    P const& p;
    __device__ std::int64_t extent(int i) const { return static_cast<std::int64_t>(p[steps + 6 + i]); }  // m, k, n
    // Bytes of operand 0 (a), 1 (b) or 2 (the result) from its matrix to an element.
    __device__ std::int64_t offset(int operand, std::int64_t row, std::int64_t column) const {
        return row * static_cast<std::int64_t>(p[steps + 2 * operand]) +
               column * static_cast<std::int64_t>(p[steps + 2 * operand + 1]);
    }
    // Whether neighbours in a row are closer than those in a column.
    __device__ bool rows_are_dense(int operand) const {
        auto const size = [](std::int64_t s) { return s < 0 ? -s : s; };
        return size(offset(operand, 0, 1)) <= size(offset(operand, 1, 0));
    }
};

// NaN that no operand brought along is invalid, infinity that none did has overflown.
template <int R, class T, class P>
__device__ inline void note_product_errors(product_words<R, P> const& w, std::uint64_t a, std::uint64_t b,
                                           std::int64_t row, std::int64_t column, T result) {
    std::uint64_t const flags = w.p[w.steps + 9];
    unsigned const kind = kind_of(result);
    if (flags == 0 || kind == 0) return;
    unsigned given = 0, found = 0;
    for (std::int64_t i = 0; i < w.extent(1); ++i)
        given |= kind_of(*at<T>(a, w.offset(0, row, i))) | kind_of(*at<T>(b, w.offset(1, i, column)));
    if ((kind & unknown_value) && !(given & unknown_value)) found |= ops::fp::invalid;
    if (given == 0) found |= ops::fp::over;
    if (found) atomicOr(at<unsigned>(flags, 0), found);
}

template <int R, class T, bool Conjugate, class P> __device__ inline void matrix_product(P const& p) {
    using sums = summand<T>;
    using S = typename sums::type;
    __shared__ S strip_a[product_depth][product_tile + 1];
    __shared__ S strip_b[product_depth][product_tile + 1];
    product_words<R, P> const w{p};
    std::int64_t const m = w.extent(0), k = w.extent(1), n = w.extent(2);
    std::int64_t const down = (m + product_tile - 1) / product_tile, across = (n + product_tile - 1) / product_tile;
    int const thread = static_cast<int>(threadIdx.x), mine_down = thread / product_side,
              mine_across = thread % product_side;
    bool const a_by_rows = w.rows_are_dense(0), b_by_rows = w.rows_are_dense(1);
    for (std::int64_t tile = blockIdx.x; tile < static_cast<std::int64_t>(p[0]) * down * across; tile += gridDim.x) {
        coordinates<R> const here(p, static_cast<std::uint64_t>(tile / (down * across)));
        std::uint64_t const a = p[w.a] + here.offset(p, w.a), b = p[w.b] + here.offset(p, w.b),
                            out = p[w.out] + here.offset(p, w.out);
        std::int64_t const first_row = tile / across % down * product_tile, first_column = tile % across * product_tile;
        S sum[product_part][product_part] = {};
        for (std::int64_t first = 0; first < k; first += product_depth) {
            for (int e = thread; e < product_depth * product_tile; e += product_side * product_side) {
                int const da = a_by_rows ? e % product_depth : e / product_tile,
                          i = a_by_rows ? e / product_depth : e % product_tile;
                int const db = b_by_rows ? e / product_tile : e % product_depth,
                          j = b_by_rows ? e % product_tile : e / product_depth;
                bool const in_a = first_row + i < m && first + da < k, in_b = first_column + j < n && first + db < k;
                S va = in_a ? sums::widen(*at<T>(a, w.offset(0, first_row + i, first + da))) : S{};
                if constexpr (Conjugate) va.im = -va.im;
                strip_a[da][i] = va;
                strip_b[db][j] = in_b ? sums::widen(*at<T>(b, w.offset(1, first + db, first_column + j))) : S{};
            }
            __syncthreads();
            std::int64_t const steps = k - first < product_depth ? k - first : product_depth;
            for (int d = 0; d < steps; ++d)
                for (int r = 0; r < product_part; ++r)
                    for (int c = 0; c < product_part; ++c)
                        sum[r][c] = sums::add(strip_a[d][mine_down + r * product_side],
                                              strip_b[d][mine_across + c * product_side], sum[r][c]);
            __syncthreads();
        }
        for (int r = 0; r < product_part; ++r)
            for (int c = 0; c < product_part; ++c) {
                std::int64_t const row = first_row + mine_down + r * product_side,
                                   column = first_column + mine_across + c * product_side;
                if (row >= m || column >= n) continue;
                T const result = sums::narrow(sum[r][c]);
                *at<T>(out, w.offset(2, row, column)) = result;
                if constexpr (has_fp_errors<T>) note_product_errors<R, T>(w, a, b, row, column, result);
            }
    }
}

// The same of a product that a library made.
template <int R, class T, class P> __device__ inline void product_errors(P const& p) {
    product_words<R, P> const w{p};
    std::int64_t const m = w.extent(0), n = w.extent(2), size = m * n;
    each_item(p[0] * static_cast<std::uint64_t>(size), [&](std::uint64_t item) {
        auto const i = static_cast<std::int64_t>(item) % size;
        coordinates<R> const here(p, item / static_cast<std::uint64_t>(size));
        T const result = *at<T>(p[w.out] + here.offset(p, w.out), w.offset(2, i / n, i % n));
        note_product_errors<R, T>(w, p[w.a] + here.offset(p, w.a), p[w.b] + here.offset(p, w.b), i / n, i % n, result);
    });
}

}  // namespace bascule::cuda
