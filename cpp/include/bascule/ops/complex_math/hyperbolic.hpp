// Hyperbolic and circular functions of complex numbers; special values of C's Annex G.
// sin z = −i sinh(iz), cos z = cosh(iz), tan z = −i tanh(iz), which is how Annex G defines them too.
// Where Annex G leaves the sign of a part open, it is the one NumPy gives.
#pragma once
#include "bascule/ops/complex_math/exponential.hpp"

namespace bascule::ops::cmath {

namespace detail {

BASCULE_HD complex<double> sinh(complex<double> z) {
    if (z.im == 0) return {math::sinh(z.re), z.im};
    if (!math::isfinite(z.im)) {
        if (math::isinf(z.re)) return {infinity, not_a_number};
        return {z.re == 0 ? z.re : not_a_number, not_a_number};
    }
    auto const [s, c] = math::sincos(z.im);
    if (math::isinf(z.re)) return {math::copysign(infinity, z.re) * c, infinity * s};
    double const x = math::abs(z.re);
    if (x > exp_limit) return {times_large_exp(math::copysign(c, c * z.re), x, 0.5), times_large_exp(s, x, 0.5)};
    return {math::sinh(z.re) * c, math::cosh(z.re) * s};
}

BASCULE_HD complex<double> cosh(complex<double> z) {
    if (math::isnan(z.re)) return {z.re, z.im == 0 ? z.im : z.re};
    if (z.im == 0) return {math::cosh(z.re), z.im * math::copysign(1.0, z.re)};
    if (!math::isfinite(z.im)) {
        if (math::isinf(z.re)) return {infinity, not_a_number};
        return {not_a_number, z.re == 0 ? 0.0 : not_a_number};
    }
    auto const [s, c] = math::sincos(z.im);
    if (math::isinf(z.re)) return {infinity * c, math::copysign(infinity, z.re) * s};
    double const x = math::abs(z.re);
    if (x > exp_limit) return {times_large_exp(c, x, 0.5), times_large_exp(math::copysign(s, s * z.re), x, 0.5)};
    return {math::cosh(z.re) * c, math::sinh(z.re) * s};
}

// sinh x cosh x + i sin y cos y over sinh² x + cos² y, a sum without cancellation.
BASCULE_HD complex<double> tanh(complex<double> z) {
    if (z.im == 0) return {math::tanh(z.re), z.im};
    if (!math::isfinite(z.im)) {
        if (math::isinf(z.re)) return {math::copysign(1.0, z.re), math::copysign(0.0, z.im)};
        return {z.re == 0 ? z.re : not_a_number, not_a_number};
    }
    auto const [s, c] = math::sincos(z.im);
    double const x = math::abs(z.re);
    if (x > 22) {  // tanh x rounds to 1
        double const decay = math::exp(-x);
        return {math::copysign(1.0, z.re), 4 * (s * c) * decay * decay};
    }
    double const sh = math::sinh(z.re), scale = sh * sh + c * c;
    return {sh * math::cosh(z.re) / scale, s * c / scale};
}

}  // namespace detail

template <class T> BASCULE_HD complex<T> sinh(complex<T> z) {
    return detail::narrow<T>(detail::sinh(detail::widen(z)));
}
template <class T> BASCULE_HD complex<T> cosh(complex<T> z) {
    return detail::narrow<T>(detail::cosh(detail::widen(z)));
}
template <class T> BASCULE_HD complex<T> tanh(complex<T> z) {
    return detail::narrow<T>(detail::tanh(detail::widen(z)));
}

template <class T> BASCULE_HD complex<T> sin(complex<T> z) {
    return detail::narrow<T>(detail::swap_parts(detail::sinh(detail::swap_parts(detail::widen(z)))));
}
template <class T> BASCULE_HD complex<T> cos(complex<T> z) {
    complex<double> const w = detail::widen(z);
    return detail::narrow<T>(detail::cosh(complex<double>{-w.im, w.re}));
}
template <class T> BASCULE_HD complex<T> tan(complex<T> z) {
    return detail::narrow<T>(detail::swap_parts(detail::tanh(detail::swap_parts(detail::widen(z)))));
}

}  // namespace bascule::ops::cmath
