// Exponentials, logarithms and powers of complex numbers; special values of C's Annex G.
#pragma once
#include "bascule/ops/complex_math/arithmetic.hpp"

namespace bascule::ops::cmath {

namespace detail {

inline constexpr double exp_limit = 709;  // e^709 is finite, e^710 is not
inline constexpr double exp_of_limit = 0x1.d422d2be5dc9bp+1022;

// c·scale·e^x for x above the limit: e^x overflows where its product with a small c need not.
BASCULE_HD double times_large_exp(double c, double x, double scale) {
    x = x < 1500 ? x : 1500;  // beyond, no c other than zero is small enough
    double product = c * (scale * exp_of_limit);
    x -= exp_limit;  // exact, as is the next
    if (x > exp_limit) {
        product *= exp_of_limit;
        x -= exp_limit;
    }
    return product * math::exp(x);
}

// e^x (cosine + i sine), for a finite x.
BASCULE_HD complex<double> polar_exp(double x, double cosine, double sine) {
    if (x > exp_limit) return {times_large_exp(cosine, x, 1), times_large_exp(sine, x, 1)};
    double const r = math::exp(x);
    return {r * cosine, r * sine};
}

// The results of exp where x or y is infinite or NaN. The part that multiplies e^x is cos y + i sin y.
BASCULE_HD complex<double> exp_at_infinity(complex<double> z, double cosine, double sine) {
    if (z.re == -infinity) {
        if (!math::isfinite(z.im)) return {0.0, math::copysign(0.0, z.im)};
        return {math::copysign(0.0, cosine), math::copysign(0.0, sine)};
    }
    if (z.re == infinity) {
        if (!math::isfinite(z.im)) return {infinity, not_a_number};
        return {math::copysign(infinity, cosine), math::copysign(infinity, sine)};
    }
    return {not_a_number, not_a_number};
}
BASCULE_HD bool all_finite(complex<double> z) { return math::isfinite(z.re) && math::isfinite(z.im); }

BASCULE_HD complex<double> exp(complex<double> z) {
    if (z.im == 0) return {math::exp(z.re), z.im};
    auto const [s, c] = math::sincos(z.im);
    return all_finite(z) ? polar_exp(z.re, c, s) : exp_at_infinity(z, c, s);
}

// cos(y ln 2) + i sin(y ln 2)
BASCULE_HD complex<double> exp2_phase(double y) {
    math::twofold const phase = math::two_product(y, ln2);
    double const rest = math::abs(y) < 0x1p900 ? phase.lo + y * ln2_low : 0;  // beyond, no digit of it is right
    auto const [s, c] = math::sincos(phase.hi);
    if (math::abs(y) < 0x1p20) return {c - product(rest, s), s + product(rest, c)};
    auto const [sin_rest, cos_rest] = math::sincos(rest);
    return multiply(complex<double>{c, s}, complex<double>{cos_rest, sin_rest});
}

// 2^z = e^(z ln 2), with the product in twice the precision: its rounding, times |z|, would be the result's error.
BASCULE_HD complex<double> exp2(complex<double> z) {
    double const x = z.re < -3000 ? -3000 : z.re > 3000 ? 3000 : z.re;
    math::twofold const exponent = math::two_product(x, ln2);
    double const growth = 1 + (exponent.lo + x * ln2_low);
    if (z.im == 0) return {math::exp(exponent.hi) * growth, z.im};
    complex<double> const phase = exp2_phase(z.im);
    if (!all_finite(z)) return exp_at_infinity(z, phase.re, phase.im);
    return polar_exp(exponent.hi, phase.re * growth, phase.im * growth);
}

// e^z − 1 = (e^x − 1) cos y − 2 sin²(y/2) + i e^x sin y: no term cancels against 1.
BASCULE_HD complex<double> expm1(complex<double> z) {
    if (z.im == 0) return {math::expm1(z.re), z.im};
    auto const [s, c] = math::sincos(z.im);
    if (!all_finite(z)) {
        complex<double> const w = exp_at_infinity(z, c, s);
        return {w.re - 1, w.im};
    }
    if (z.re > 40) return polar_exp(z.re, c, s);
    double const half = math::sin(0.5 * z.im);
    return {math::expm1(z.re) * c - 2 * (half * half), math::exp(z.re) * s};
}

BASCULE_HD complex<double> log(complex<double> z) { return {log_modulus(z.re, z.im), math::arctan2(z.im, z.re)}; }

BASCULE_HD complex<double> log1p(complex<double> z) {
    double const x = 1 + z.re, phase = math::arctan2(z.im, x);
    if (z.im == 0 && x > 0) return {math::log1p(z.re), phase};
    double const square = x * x + z.im * z.im;
    if (square >= 0.25 && square <= 4) return {0.5 * math::log1p(shifted_squares_minus_one(z.re, z.im)), phase};
    return {log_modulus(x, z.im), phase};
}

// A part of a factor, reduced to a sign and 0 or 1 if the factor is infinite; a NaN part counts as zero.
BASCULE_HD double boxed(double x, bool factor_is_infinite) {
    if (math::isnan(x)) return math::copysign(0.0, x);
    return factor_is_infinite ? math::copysign(math::isinf(x) ? 1.0 : 0.0, x) : x;
}

// A product in which an infinite factor gives an infinite product, as C's Annex G requires.
BASCULE_HD complex<double> multiply_infinities(complex<double> a, complex<double> b) {
    complex<double> const product = multiply(a, b);
    if (!math::isnan(product.re) || !math::isnan(product.im)) return product;
    bool const a_infinite = math::isinf(a.re) || math::isinf(a.im), b_infinite = math::isinf(b.re) || math::isinf(b.im);
    if (!a_infinite && !b_infinite) return product;
    complex<double> const u{boxed(a.re, a_infinite), boxed(a.im, a_infinite)};
    complex<double> const v{boxed(b.re, b_infinite), boxed(b.im, b_infinite)};
    complex<double> const w = multiply(u, v);
    return {infinity * w.re, infinity * w.im};
}

// a^n for 0 < n < 100 by squaring, in the order NumPy multiplies.
template <class T> BASCULE_HD complex<T> integer_power(complex<T> a, int n) {
    if (n == 1) return a;
    if (n == 2) return multiply(a, a);
    if (n == 3) return multiply(a, multiply(a, a));
    complex<T> result{1, 0}, square = a;
    for (int bit = 1;;) {
        if (n & bit) result = multiply(result, square);
        bit *= 2;
        if (n < bit) return result;
        square = multiply(square, square);
    }
}

}  // namespace detail

template <class T> BASCULE_HD complex<T> exp(complex<T> z) { return detail::narrow<T>(detail::exp(detail::widen(z))); }
template <class T> BASCULE_HD complex<T> exp2(complex<T> z) {
    return detail::narrow<T>(detail::exp2(detail::widen(z)));
}
template <class T> BASCULE_HD complex<T> expm1(complex<T> z) {
    return detail::narrow<T>(detail::expm1(detail::widen(z)));
}
template <class T> BASCULE_HD complex<T> log(complex<T> z) { return detail::narrow<T>(detail::log(detail::widen(z))); }
template <class T> BASCULE_HD complex<T> log1p(complex<T> z) {
    return detail::narrow<T>(detail::log1p(detail::widen(z)));
}

template <class T> BASCULE_HD complex<T> log2(complex<T> z) {
    constexpr double log2_e = 0x1.71547652b82fep+0;
    complex<double> const w = detail::log(detail::widen(z));
    return detail::narrow<T>({w.re * log2_e, w.im * log2_e});
}

template <class T> BASCULE_HD complex<T> log10(complex<T> z) {
    constexpr double log10_e = 0x1.bcb7b1526e50ep-2;
    complex<double> const w = detail::log(detail::widen(z));
    return detail::narrow<T>({w.re * log10_e, w.im * log10_e});
}

// a^b as NumPy's power: 1 for b = 0; for a = 0, 0 when Re b > 0, else NaN; repeated multiplication for real integer b
// in (−100, 100), so that Gaussian integers stay exact; else e^(b log a), whose error grows with |b log a|.
template <class T> BASCULE_HD complex<T> pow(complex<T> a, complex<T> b) {
    if (b.re == 0 && b.im == 0) return {1, 0};
    if (a.re == 0 && a.im == 0) {
        if (b.re > 0) return {0, 0};
        return detail::narrow<T>({detail::not_a_number, detail::not_a_number});
    }
    if (b.im == 0 && b.re > -100 && b.re < 100) {
        int const n = static_cast<int>(b.re);
        if (static_cast<T>(n) == b.re) {
            if (n > 0) return detail::integer_power(a, n);
            return divide(complex<T>{1, 0}, detail::integer_power(a, -n));
        }
    }
    return detail::narrow<T>(detail::exp(detail::multiply_infinities(detail::widen(b), detail::log(detail::widen(a)))));
}

}  // namespace bascule::ops::cmath
