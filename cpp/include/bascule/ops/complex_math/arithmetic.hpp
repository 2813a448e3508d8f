// Products, quotients, modulus, angle and square root of complex numbers.
// Products and quotients are computed in T and give NumPy's results: an infinity times a zero part is NaN; C's Annex G
// would search for an infinite result instead.
#pragma once
#include "bascule/ops/complex_math/exact.hpp"

namespace bascule::ops::cmath {

namespace detail {

// x·y, rounded by itself. Where parts are added and subtracted in turn, GCC 12 makes one fused instruction of product
// and sum in spite of -ffp-contract=off; the barrier is no instruction, but it is not crossed.
template <class T> BASCULE_HD T product(T x, T y) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && !defined(__CUDACC_RTC__)
    return __builtin_assoc_barrier(x * y);
#else
    return x * y;
#endif
}

}  // namespace detail

template <class T> BASCULE_HD complex<T> multiply(complex<T> a, complex<T> b) {
    using detail::product;
    return {product(a.re, b.re) - product(a.im, b.im), product(a.re, b.im) + product(a.im, b.re)};
}

template <class T> BASCULE_HD complex<T> square(complex<T> z) { return multiply(z, z); }

// Smith 1962: dividing through by the larger part of b keeps |b|² from overflowing.
template <class T> BASCULE_HD complex<T> divide(complex<T> a, complex<T> b) {
    using detail::product;
    T const re = math::abs(b.re), im = math::abs(b.im);
    if (re >= im) {
        if (re == 0) return {a.re / re, a.im / re};
        T const ratio = b.im / b.re, scale = T(1) / (b.re + product(b.im, ratio));
        return {(a.re + product(a.im, ratio)) * scale, (a.im - product(a.re, ratio)) * scale};
    }
    T const ratio = b.re / b.im, scale = T(1) / (b.im + product(b.re, ratio));
    return {(product(a.re, ratio) + a.im) * scale, (product(a.im, ratio) - a.re) * scale};
}

template <class T> BASCULE_HD complex<T> reciprocal(complex<T> z) {
    using detail::product;
    if (math::abs(z.im) <= math::abs(z.re)) {
        T const ratio = z.im / z.re, d = z.re + product(z.im, ratio);
        return {T(1) / d, -ratio / d};
    }
    T const ratio = z.re / z.im, d = product(z.re, ratio) + z.im;
    return {ratio / d, T(-1) / d};
}

// |z|, infinite when a part is, even beside a NaN.
template <class T> BASCULE_HD T abs(complex<T> z) { return math::hypot(z.re, z.im); }

// In [−π, π]; the sign of a zero imaginary part picks the side of the cut along the negative axis.
template <class T> BASCULE_HD T angle(complex<T> z) { return math::arctan2(z.im, z.re); }

namespace detail {

// √((|x| + |z|) / 2) for a finite z, not zero, scaled where |x| + |z| would overflow or lose digits.
BASCULE_HD double larger_part_of_sqrt(double x, double y) {
    double const large = x < y ? y : x;
    double const scale = large > 0x1p+1000 ? 0x1p-100 : large < 0x1p-900 ? 0x1p+200 : 1;
    double const unscale = large > 0x1p+1000 ? 0x1p+50 : large < 0x1p-900 ? 0x1p-100 : 1;
    return unscale * math::sqrt(0.5 * (x * scale + math::hypot(x * scale, y * scale)));
}

// Kahan 1987, "Branch cuts for complex elementary functions"; special values of C's Annex G.
BASCULE_HD complex<double> sqrt(complex<double> z) {
    if (math::isinf(z.im)) return {infinity, z.im};
    if (z.re == infinity) return {infinity, math::isnan(z.im) ? z.im : math::copysign(0.0, z.im)};
    if (z.re == -infinity) return {math::isnan(z.im) ? z.im : 0.0, math::copysign(infinity, z.im)};
    if (z.re == 0 && z.im == 0) return {0.0, z.im};
    if (math::isnan(z.re) || math::isnan(z.im)) return {not_a_number, not_a_number};
    double const y = math::abs(z.im), t = larger_part_of_sqrt(math::abs(z.re), y);
    if (z.re >= 0) return {t, z.im / (2 * t)};
    return {y / (2 * t), math::copysign(t, z.im)};
}

}  // namespace detail

// The root with a non-negative real part.
template <class T> BASCULE_HD complex<T> sqrt(complex<T> z) {
    return detail::narrow<T>(detail::sqrt(detail::widen(z)));
}

}  // namespace bascule::ops::cmath
