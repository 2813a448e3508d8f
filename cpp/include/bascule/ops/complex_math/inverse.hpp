// Inverse circular and hyperbolic functions of complex numbers; special values of C's Annex G, whose signed zeros
// decide on which side of a branch cut a point is.
#pragma once
#include "bascule/ops/complex_math/exact.hpp"

namespace bascule::ops::cmath {

namespace detail {

// For z = x + iy in the first quadrant: arcsin z = arctan2(x, adjacent) + i height, arccos z = arctan2(adjacent, x) −
// i height. Hull, Fairgrieve and Tang 1997, "Implementing the complex arcsine and arccosine functions using exception
// handling"; both angles are taken from one right triangle, which also serves arccos in the second quadrant.
struct arc {
    double adjacent, height;
};

// |z| above 2^28: the next terms are 2^-57 of these.
BASCULE_HD arc large_arc(double x, double y) { return {y, ln2 + log_modulus(x, y)}; }

// y so small that its square is negligible.
BASCULE_HD arc arc_alongside_axis(double x, double y) {
    double const root = math::sqrt(math::abs(1 - x) * (1 + x));
    if (x < 1) return {root, y / root};
    if (x == 1) return {math::sqrt(y), math::sqrt(y)};
    return {y * (x / root), math::log1p((x - 1) + root)};
}

BASCULE_HD arc arc_of(double x, double y) {
    if (x >= 0x1p28 || y >= 0x1p28) return large_arc(x, y);
    if (y < 0x1p-500) return arc_alongside_axis(x, y);
    double const r = math::hypot(x + 1, y), s = math::hypot(x - 1, y), a = 0.5 * (r + s);
    double const beyond = r + (x + 1);                        // y²/beyond = r − (x + 1)
    double const before = x < 1 ? s + (1 - x) : s + (x - 1);  // y²/before = s − |x − 1|
    arc result;
    // a − x cancels where the angle nears π/2, a − 1 where the height nears 0; the quotients above replace them there.
    if (x <= 0.6417 * a) result.adjacent = math::sqrt((a - x) * (a + x));
    else if (x <= 1) result.adjacent = math::sqrt(0.5 * (a + x) * (y * y / beyond + before));
    else result.adjacent = y * math::sqrt(0.5 * (a + x) * (1 / beyond + 1 / before));
    if (a > 1.5) {
        result.height = math::log(a + math::sqrt((a - 1) * (a + 1)));
    } else {
        double const a_minus_one = 0.5 * (y * y / beyond + (x < 1 ? y * y / before : before));
        result.height = math::log1p(a_minus_one + math::sqrt(a_minus_one * (a + 1)));
    }
    return result;
}

BASCULE_HD complex<double> arcsin(complex<double> z) {
    double const x = math::abs(z.re);
    arc const w = arc_of(x, math::abs(z.im));
    double const angle = x == 0 ? 0.0 : math::arctan2(x, w.adjacent);
    return {math::copysign(angle, z.re), math::copysign(w.height, z.im)};
}

BASCULE_HD complex<double> arccos(complex<double> z) {
    arc const w = arc_of(math::abs(z.re), math::abs(z.im));
    double const angle = z.re == 0 ? half_pi : math::arctan2(w.adjacent, z.re);
    return {angle, math::copysign(w.height, math::copysign(1.0, z.im) > 0 ? -1.0 : 1.0)};
}

// x / |z|², without overflow; 0 at infinity. For |z| above 2^28, arctanh z = 1/z + iπ/2.
BASCULE_HD double over_square_modulus(double x, double y) {
    if (math::isinf(x) || math::isinf(y)) return 0;
    double const r = math::hypot(x * 0x1p-4, y * 0x1p-4);
    return x / r / r * 0x1p-8;
}

// Kahan 1987, "Branch cuts for complex elementary functions": ¼ log1p(4x / ((1 − x)² + y²)) and half the angle of
// (1 − x)(1 + x) − y² + 2iy, for x >= 0.
BASCULE_HD complex<double> arctanh(complex<double> z) {
    double const x = math::abs(z.re), y = math::abs(z.im);
    double real, imaginary;
    if (x >= 0x1p28 || y >= 0x1p28) {
        real = over_square_modulus(x, y);
        imaginary = math::isnan(z.im) ? z.im : half_pi - over_square_modulus(y, x);
    } else if (x == 1 && y < 0x1p-500) {
        real = y == 0 ? infinity : 0.5 * (ln2 - math::log(y));
        imaginary = y == 0 ? 0 : 0.5 * half_pi;
    } else {
        real = x == 0 ? 0 : 0.25 * math::log1p(4 * x / ((1 - x) * (1 - x) + y * y));
        imaginary = 0.5 * math::arctan2(2 * y, (1 - x) * (1 + x) - y * y);
    }
    return {math::copysign(real, z.re), math::copysign(imaginary, z.im)};
}

}  // namespace detail

// Cuts of arcsin, arccos and arctanh: the real axis beyond ±1; of arctan and arcsinh: the imaginary axis beyond ±i;
// of arccosh: the real axis below 1.
template <class T> BASCULE_HD complex<T> arcsin(complex<T> z) {
    return detail::narrow<T>(detail::arcsin(detail::widen(z)));
}
template <class T> BASCULE_HD complex<T> arccos(complex<T> z) {
    return detail::narrow<T>(detail::arccos(detail::widen(z)));
}
template <class T> BASCULE_HD complex<T> arctanh(complex<T> z) {
    return detail::narrow<T>(detail::arctanh(detail::widen(z)));
}

template <class T> BASCULE_HD complex<T> arctan(complex<T> z) {
    return detail::narrow<T>(detail::swap_parts(detail::arctanh(detail::swap_parts(detail::widen(z)))));
}
template <class T> BASCULE_HD complex<T> arcsinh(complex<T> z) {
    return detail::narrow<T>(detail::swap_parts(detail::arcsin(detail::swap_parts(detail::widen(z)))));
}
template <class T> BASCULE_HD complex<T> arccosh(complex<T> z) {
    complex<double> const w = detail::arccos(detail::widen(z));
    return detail::narrow<T>({math::abs(w.im), math::copysign(w.re, static_cast<double>(z.im))});
}

}  // namespace bascule::ops::cmath
