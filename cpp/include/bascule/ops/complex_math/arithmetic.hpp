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

namespace detail {

// All bits are set where |part| > |other|, compared as integers because comparing NaN would raise invalid.
template <class T> BASCULE_HD auto where_larger(T part, T other) {
    auto const a = math::bits(math::abs(part)), b = math::bits(math::abs(other));
    return static_cast<decltype(math::bits(T{}))>(0 - static_cast<decltype(math::bits(T{}))>(a > b));
}
// By bits, too: a branch would be made vector code that computes both its sides.
template <class T, class U> BASCULE_HD T pick(U where, T x, T y) {
    return math::from_bits((math::bits(x) & where) | (math::bits(y) & ~where));
}

}  // namespace detail

// Smith 1962: dividing through by the larger part of b keeps |b|² from overflowing. Both cases share one division: its
// operands are chosen first, so that vector code divides no others and raises only their errors.
template <class T> BASCULE_HD complex<T> divide_by_nonzero(complex<T> a, complex<T> b) {
    using detail::pick, detail::product;
    auto const turned = detail::where_larger(b.im, b.re);
    T const large = pick(turned, b.im, b.re), small = pick(turned, b.re, b.im);
    T const ratio = small / large, scale = T(1) / (large + product(small, ratio));
    T const whole = pick(turned, a.im, a.re), other = pick(turned, a.re, a.im);
    T const re = whole + product(other, ratio), scaled = product(whole, ratio);
    T const im = pick(turned, scaled, other) - pick(turned, other, scaled);
    return {re * scale, im * scale};
}

// By zero each part is divided.
template <class T> BASCULE_HD complex<T> divide(complex<T> a, complex<T> b) {
    if (b.re == 0 && b.im == 0) return {a.re / math::abs(b.re), a.im / math::abs(b.re)};
    return divide_by_nonzero(a, b);
}

template <class T> BASCULE_HD complex<T> reciprocal(complex<T> z) {
    using detail::pick, detail::product;
    auto const turned = detail::where_larger(z.im, z.re);
    T const large = pick(turned, z.im, z.re), small = pick(turned, z.re, z.im);
    T const ratio = small / large, d = large + product(small, ratio);
    return {pick(turned, ratio, T(1)) / d, pick(turned, T(-1), -ratio) / d};
}

// |z|, infinite when one part is infinite, even if the other is NaN.
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
