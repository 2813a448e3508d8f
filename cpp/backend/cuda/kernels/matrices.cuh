// Stacks of matrices between the strides that arrays have and the dense columns that NVIDIA's libraries need, and
// values read out of their results. `info` is the address of a word of 32 bits a matrix, not 0 where there is no
// solution.
#pragma once
#include "backend/cuda/kernels/indexed.cuh"
#include "bascule/ops/math/exp_log.hpp"
#include "bascule/ops/math/power.hpp"

namespace bascule::cuda {

template <class To, class From> __device__ inline To in_type(From v) { return static_cast<To>(v); }
template <class To, class F> __device__ inline To in_type(complex<F> v) {
    using R = decltype(To{}.re);
    return To{static_cast<R>(v.re), static_cast<R>(v.im)};
}
template <class T> __device__ inline T conjugate(T v) { return v; }
template <class T> __device__ inline complex<T> conjugate(complex<T> v) { return {v.re, -v.im}; }

__device__ inline float16 unknown_real(float16) { return {0x7e00}; }
__device__ inline float unknown_real(float) { return __builtin_bit_cast(float, 0x7fc00000u); }
__device__ inline double unknown_real(double) { return __builtin_bit_cast(double, 0x7ff8000000000000ull); }
__device__ inline std::int64_t unknown_real(std::int64_t) { return -1; }  // a rank

template <class T> struct matrix_element {
    using real = T;
    __device__ static T of(real v) { return v; }
    __device__ static T unknown() { return unknown_real(T{}); }
    __device__ static real square(T v) { return v * v; }
    __device__ static T scaled(T v, real by) { return v * by; }
    __device__ static T product(T a, T b) { return a * b; }
    __device__ static bool is_unknown(T v) { return v != v; }
    __device__ static real magnitude(T v) { return v < 0 ? -v : v; }
    __device__ static T direction(T v, real) { return v < 0 ? T(-1) : T(1); }
};
template <class T> struct matrix_element<complex<T>> {
    using real = T;
    using C = complex<T>;
    __device__ static C of(real v) { return {v, 0}; }
    __device__ static C unknown() { return {unknown_real(T{}), unknown_real(T{})}; }
    __device__ static real square(C v) { return v.re * v.re + v.im * v.im; }
    __device__ static C scaled(C v, real by) { return {v.re * by, v.im * by}; }
    __device__ static C product(C a, C b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
    __device__ static bool is_unknown(C v) { return v.re != v.re || v.im != v.im; }
    __device__ static real magnitude(C v) { return ops::math::hypot(v.re, v.im); }
    __device__ static C direction(C v, real size) { return {v.re / size, v.im / size}; }
};
template <class T> using real_part = typename matrix_element<T>::real;

__device__ inline bool has_failed(std::uint64_t info, std::uint64_t matrix) {
    return info != 0 && *at<std::int32_t>(info, 4 * static_cast<std::int64_t>(matrix)) != 0;
}

// The last two of R dimensions are rows and columns. Words: operand 0 is the output, operand 1 the input; then info, or
// 0; the part of it to copy, the rest is 0; whether it is conjugated.
inline constexpr std::uint64_t whole_matrix = 0, upper_part = 1;
template <int R, class To, class From, class P> __device__ inline void copy_matrices(P const& p) {
    constexpr int to = operand_words<R>(0), from = operand_words<R>(1), info = operand_words<R>(2);
    std::uint64_t const part = p[info + 1];
    bool const conjugated = p[info + 2] != 0;
    std::uint64_t const size = p[R - 1] * p[R];
    each_item(p[0], [&](std::uint64_t item) {
        coordinates<R> const here(p, item);
        std::int64_t const row = here.i[R - 2], column = here.i[R - 1];
        To value{};
        if (has_failed(p[info], item / size)) {
            value = matrix_element<To>::unknown();
        } else if (part == whole_matrix || (part == upper_part ? row <= column : row >= column)) {
            From const v = *at<From>(p[from], here.offset(p, from));
            value = in_type<To>(conjugated ? conjugate(v) : v);
        }
        *at<To>(p[to], here.offset(p, to)) = value;
    });
}

// Ones on the diagonals of an operand, zeros off them. The last two dimensions are rows and columns.
template <int R, class T, class P> __device__ inline void set_identity(P const& p) {
    constexpr int to = operand_words<R>(0);
    each_item(p[0], [&](std::uint64_t item) {
        coordinates<R> const here(p, item);
        *at<T>(p[to], here.offset(p, to)) = matrix_element<T>::of(here.i[R - 2] == here.i[R - 1] ? 1 : 0);
    });
}

// The kernels below have one item a matrix unless stated otherwise. Words: 0 items, 1 items, then those named.

// info = 1 where a value is NaN: values, how many, from one to the next, from matrix to matrix (elements), info.
template <class T, class P> __device__ inline void find_unknown(P const& p) {
    each_item(p[0], [&](std::uint64_t item) {
        T const* const values = at<T>(p[2], 0) + item * p[5];
        bool unknown = false;
        for (std::uint64_t k = 0; k < p[3]; ++k) unknown = unknown || matrix_element<T>::is_unknown(values[k * p[4]]);
        if (unknown) *at<std::int32_t>(p[6], 4 * static_cast<std::int64_t>(item)) = 1;
    });
}

// Addresses of contiguous matrices: the first, bytes of each, results.
template <class P> __device__ inline void matrix_addresses(P const& p) {
    each_item(p[0], [&](std::uint64_t item) { at<std::uint64_t>(p[4], 0)[item] = p[2] + item * p[3]; });
}

// Sign and logarithm, or with Whole the determinant: LU factors (n, n), n, pivots (from 1), info, results.
template <class T, class Pivot, bool Whole, class P> __device__ inline void determinants(P const& p) {
    using E = matrix_element<T>;
    using R = real_part<T>;
    std::uint64_t const n = p[3];
    each_item(p[0], [&](std::uint64_t item) {
        T const* const a = at<T>(p[2], 0) + item * n * n;
        Pivot const* const pivots = at<Pivot>(p[4], 0) + item * n;
        bool const singular = has_failed(p[5], item);
        T sign = E::of(singular ? 0 : 1);
        R log = singular ? static_cast<R>(__builtin_bit_cast(double, 0xfff0000000000000ull)) : R(0);
        for (std::uint64_t k = 0; k < n && !singular; ++k) {
            T const v = a[k * (n + 1)];
            R const size = E::magnitude(v);
            sign = E::product(sign, E::direction(v, size));
            log += ops::math::log(size);
            if (pivots[k] != static_cast<std::int64_t>(k + 1)) sign = E::scaled(sign, R(-1));
        }
        if (Whole) {
            at<T>(p[6], 0)[item] = E::scaled(sign, ops::math::exp(log));
        } else {
            at<T>(p[6], 0)[item] = sign;
            at<R>(p[7], 0)[item] = log;
        }
    });
}

// Vectors (n, n) of a pair of conjugate eigenvalues are in two columns, real and imaginary parts. One item an element.
// Words: values, vectors, results, n.
template <class T, class P> __device__ inline void join_pairs(P const& p) {
    std::uint64_t const n = p[5];
    each_item(p[0], [&](std::uint64_t item) {
        std::uint64_t const column = item / n;
        T const im = at<complex<T>>(p[2], 0)[column].im;
        T const* const v = at<T>(p[3], 0) + item;
        at<complex<T>>(p[4], 0)[item] = im == 0  ? complex<T>{v[0], 0}
                                        : im > 0 ? complex<T>{v[0], v[n]}
                                                 : complex<T>{*(v - n), -v[0]};
    });
}

// Coordinates (r, columns) along singular vectors become those of the answer: each divided by its value, 0 where that
// is small. Words: coordinates, values, r, columns, bits of the tolerance, info, ranks.
template <class T, class P> __device__ inline void divide_by_values(P const& p) {
    using R = real_part<T>;
    std::uint64_t const r = p[4], columns = p[5];
    R const tolerance = static_cast<R>(__builtin_bit_cast(double, p[6]));
    each_item(p[0], [&](std::uint64_t item) {
        T* const c = at<T>(p[2], 0) + item * r * columns;
        R const* const values = at<R>(p[3], 0) + item * r;
        std::int64_t rank = 0;
        for (std::uint64_t k = 0; k < r; ++k) {
            bool const counts = values[k] > tolerance * values[0];
            rank += counts ? 1 : 0;
            for (std::uint64_t j = 0; j < columns; ++j)
                c[j * r + k] = counts ? matrix_element<T>::scaled(c[j * r + k], R(1) / values[k]) : T{};
        }
        at<std::int64_t>(p[8], 0)[item] = has_failed(p[7], item) ? -1 : rank;
    });
}

// Sums of squares of residuals (m, columns), NaN unless the rank is `full`. One item a column. Words: residuals, m,
// columns, ranks, full, results.
template <class T, class P> __device__ inline void sum_squares(P const& p) {
    using R = real_part<T>;
    each_item(p[0], [&](std::uint64_t item) {
        T const* const rest = at<T>(p[2], 0) + item * p[3];
        R sum = 0;
        for (std::uint64_t k = 0; k < p[3]; ++k) sum += matrix_element<T>::square(rest[k]);
        bool const known = at<std::int64_t>(p[5], 0)[item / p[4]] == static_cast<std::int64_t>(p[6]);
        at<R>(p[7], 0)[item] = known ? sum : matrix_element<R>::unknown();
    });
}

}  // namespace bascule::cuda
