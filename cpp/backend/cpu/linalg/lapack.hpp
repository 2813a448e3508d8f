// LAPACK's drivers, whose real and complex forms take different arguments, under one signature. Each returns LAPACK's
// info; with a length of work of -1 it returns the best length.
#pragma once
#include "backend/cpu/linalg/blas.hpp"

namespace bascule::cpu::lapack {

using blas::count;
using blas::flag;
using blas::integer;
using blas::is_complex_type;
using blas::real;
using blas::text_length;

// Work space of a driver: of its own type, of reals (complex types only), of integers.
template <class T> struct work_space {
    T* own;
    real<T>* reals;
    integer* integers;
    integer own_length, real_length, integer_length;
};

template <class F> F* function(void* p) noexcept { return reinterpret_cast<F*>(p); }

// Eigenvalues w, and with job 'V' vectors in a, of a Hermitian matrix.
template <class T>
integer syevd(blas::routines<T> const& l, char job, char triangle, integer n, T* a, real<T>* w,
              work_space<T> const& s) noexcept {
    using R = real<T>;
    integer info = 0;
    if constexpr (is_complex_type<T>)
        function<void(flag, flag, count, T*, count, R*, T*, count, R*, count, integer*, count, integer*, text_length,
                      text_length)>(l.syevd)(&job, &triangle, &n, a, &n, w, s.own, &s.own_length, s.reals,
                                             &s.real_length, s.integers, &s.integer_length, &info, 1, 1);
    else
        function<void(flag, flag, count, T*, count, R*, T*, count, integer*, count, integer*, text_length,
                      text_length)>(l.syevd)(&job, &triangle, &n, a, &n, w, s.own, &s.own_length, s.integers,
                                             &s.integer_length, &info, 1, 1);
    return info;
}

// Eigenvalues and right vectors: of a real matrix w are n real parts and n imaginary ones, and vectors of pairs share
// two columns.
template <class T>
integer geev(blas::routines<T> const& l, char job, integer n, T* a, T* w, T* vectors, work_space<T> const& s) noexcept {
    using R = real<T>;
    integer info = 0;
    integer const lead = n > 0 ? n : 1;
    if constexpr (is_complex_type<T>)
        function<void(flag, flag, count, T*, count, T*, T*, count, T*, count, T*, count, R*, integer*, text_length,
                      text_length)>(l.geev)("N", &job, &n, a, &lead, w, nullptr, &lead, vectors, &lead, s.own,
                                            &s.own_length, s.reals, &info, 1, 1);
    else
        function<void(flag, flag, count, T*, count, T*, T*, T*, count, T*, count, T*, count, integer*, text_length,
                      text_length)>(l.geev)("N", &job, &n, a, &lead, w, w + n, nullptr, &lead, vectors, &lead, s.own,
                                            &s.own_length, &info, 1, 1);
    return info;
}

// Singular values, with job 'A' and 'S' the vectors.
template <class T>
integer gesdd(blas::routines<T> const& l, char job, integer m, integer n, T* a, real<T>* values, T* u, integer ldu,
              T* vt, integer ldvt, work_space<T> const& s) noexcept {
    using R = real<T>;
    integer info = 0;
    if constexpr (is_complex_type<T>)
        function<void(flag, count, count, T*, count, R*, T*, count, T*, count, T*, count, R*, integer*, integer*,
                      text_length)>(l.gesdd)(&job, &m, &n, a, &m, values, u, &ldu, vt, &ldvt, s.own, &s.own_length,
                                             s.reals, s.integers, &info, 1);
    else
        function<void(flag, count, count, T*, count, R*, T*, count, T*, count, T*, count, integer*, integer*,
                      text_length)>(l.gesdd)(&job, &m, &n, a, &m, values, u, &ldu, vt, &ldvt, s.own, &s.own_length,
                                             s.integers, &info, 1);
    return info;
}

// Least squares by singular values; b is max(m, n) rows long and holds the answer in the first n.
template <class T>
integer gelsd(blas::routines<T> const& l, integer m, integer n, integer columns, T* a, T* b, integer ldb,
              real<T>* values, real<T> tolerance, integer* rank, work_space<T> const& s) noexcept {
    using R = real<T>;
    integer info = 0;
    integer const lda = m > 0 ? m : 1;
    if constexpr (is_complex_type<T>)
        function<void(count, count, count, T*, count, T*, count, R*, R const*, integer*, T*, count, R*, integer*,
                      integer*)>(l.gelsd)(&m, &n, &columns, a, &lda, b, &ldb, values, &tolerance, rank, s.own,
                                          &s.own_length, s.reals, s.integers, &info);
    else
        function<void(count, count, count, T*, count, T*, count, R*, R const*, integer*, T*, count, integer*,
                      integer*)>(l.gelsd)(&m, &n, &columns, a, &lda, b, &ldb, values, &tolerance, rank, s.own,
                                          &s.own_length, s.integers, &info);
    return info;
}

}  // namespace bascule::cpu::lapack
