// OpenBLAS, opened at the first use: its functions in Fortran's form, and how many threads they run on.
#pragma once
#include <cstddef>
#include <cstdint>

#include "bascule/core/dtype.hpp"

namespace bascule::cpu::blas {

using integer = std::int32_t;     // the library's: OpenBLAS's "32" build
using text_length = std::size_t;  // the length that Fortran passes behind the arguments for each string
using flag = char const*;
using count = integer const*;

template <class T> struct real_of { using type = T; };
template <class T> struct real_of<complex<T>> { using type = T; };
template <class T> using real = typename real_of<T>::type;
template <class T> inline constexpr bool is_complex_type = false;
template <class T> inline constexpr bool is_complex_type<complex<T>> = true;

// The routines of one element type. LAPACK's complex routines take one more array of reals than its real ones.
template <class T> struct routines {
    using R = real<T>;
    void (*gemm)(flag, flag, count m, count n, count k, T const* alpha, T const* a, count lda, T const* b, count ldb,
                 T const* beta, T* c, count ldc, text_length, text_length);
    void (*gemv)(flag, count m, count n, T const* alpha, T const* a, count lda, T const* x, count incx, T const* beta,
                 T* y, count incy, text_length);
    void (*syrk)(flag, flag, count n, count k, T const* alpha, T const* a, count lda, T const* beta, T* c, count ldc,
                 text_length, text_length);
    T (*dot)(integer n, T const* x, integer incx, T const* y, integer incy);                 // real types
    void (*dotu)(integer n, T const* x, integer incx, T const* y, integer incy, T* result);  // complex types
    void (*dotc)(integer n, T const* x, integer incx, T const* y, integer incy, T* result);
    void (*getrf)(count m, count n, T* a, count lda, integer* pivots, integer* info);
    void (*gesv)(count n, count nrhs, T* a, count lda, integer* pivots, T* b, count ldb, integer* info);
    void (*potrf)(flag, count n, T* a, count lda, integer* info, text_length);
    void (*geqrf)(count m, count n, T* a, count lda, T* tau, T* work, count lwork, integer* info);
    void (*orgqr)(count m, count n, count k, T* a, count lda, T const* tau, T* work, count lwork, integer* info);
    void* syevd;  // called by hand for either kind of type, as are those below
    void* geev;
    void* gesdd;
    void* gelsd;
};

struct library {
    routines<float> s;
    routines<double> d;
    routines<complex<float>> c;
    routines<complex<double>> z;
    void (*set_threads)(int);

    template <class T> routines<T> const& of() const noexcept;
};
template <> inline routines<float> const& library::of<float>() const noexcept { return s; }
template <> inline routines<double> const& library::of<double>() const noexcept { return d; }
template <> inline routines<complex<float>> const& library::of<complex<float>>() const noexcept { return c; }
template <> inline routines<complex<double>> const& library::of<complex<double>>() const noexcept { return z; }

// Null: the library is not installed, and last_error names the package to install. A later call tries again.
library const* open() noexcept;

// For as long as it lives OpenBLAS runs each call on the caller's thread alone, or on threads of its own, all calls of
// the process alike: a session of the other kind waits. Made outside kernels of the pool only.
enum class threading : std::uint8_t { single, own };
class session {
public:
    session(library const&, threading) noexcept;
    ~session();
    session(session const&) = delete;
    session& operator=(session const&) = delete;

private:
    threading kind_;
};

}  // namespace bascule::cpu::blas
