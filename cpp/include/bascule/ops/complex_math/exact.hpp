// |z|² − 1 and log|z| without cancellation, by exact sums and products.
#pragma once
#include "bascule/core/dtype.hpp"
#include "bascule/ops/math.hpp"

namespace bascule::ops::cmath::detail {

using math::infinity;
using math::not_a_number;
inline constexpr double ln2 = 0x1.62e42fefa39efp-1;
inline constexpr double ln2_low = 0x1.abc9e3b39803fp-56;  // ln 2 − the double above
inline constexpr double half_pi = 0x1.921fb54442d18p+0;

// float computes through double and is rounded once, at the end.
template <class T> BASCULE_HD complex<double> widen(complex<T> z) {
    return {static_cast<double>(z.re), static_cast<double>(z.im)};
}
template <class T> BASCULE_HD complex<T> narrow(complex<double> z) {
    return {static_cast<T>(z.re), static_cast<T>(z.im)};
}

// i·conj(z): it turns each hyperbolic function into its circular twin, sin z = swap(sinh(swap z)), in all quadrants and
// with the right signs of zero, because these functions are odd and commute with conj.
BASCULE_HD complex<double> swap_parts(complex<double> z) { return {z.im, z.re}; }

// The sum as if in four times the precision, then rounded: Ogita, Rump and Oishi 2005.
template <int N> BASCULE_HD double sum_accurately(double (&t)[N]) {
    for (int pass = 0; pass < 3; ++pass) {
        for (int i = 1; i < N; ++i) {
            math::twofold const s = math::two_sum(t[i], t[i - 1]);
            t[i] = s.hi;
            t[i - 1] = s.lo;
        }
    }
    double sum = t[0];
    for (int i = 1; i < N; ++i) sum += t[i];
    return sum;
}

// x² + y² − 1, free of cancellation; for moderate x and y.
BASCULE_HD double squares_minus_one(double x, double y) {
    math::twofold const xx = math::two_product(x, x), yy = math::two_product(y, y);
    double terms[5] = {yy.lo, xx.lo, yy.hi, xx.hi, -1.0};
    return sum_accurately(terms);
}

// (1 + x)² + y² − 1 = 2x + x² + y², likewise.
BASCULE_HD double shifted_squares_minus_one(double x, double y) {
    math::twofold const xx = math::two_product(x, x), yy = math::two_product(y, y);
    double terms[5] = {yy.lo, xx.lo, yy.hi, xx.hi, 2 * x};
    return sum_accurately(terms);
}

// log |x + iy|. Near |z| = 1 the rounding of |z|² would be all that is left of the result, so there it is taken from
// |z|² − 1; very large and small z are scaled, where |z|² would overflow or lose digits.
BASCULE_HD double log_modulus(double x, double y) {
    double const a = math::abs(x), b = math::abs(y);
    double const large = a < b ? b : a, small = a < b ? a : b;
    if (small == 0) return math::log(large);
    double const square = a * a + b * b;
    if (square >= 0.25 && square <= 4) return 0.5 * math::log1p(squares_minus_one(large, small));
    if (square > 0x1p-900 && square < 0x1p+1000) return 0.5 * math::log(square);
    if (math::isinf(a) || math::isinf(b)) return infinity;
    if (math::isnan(square)) return square;
    double const scale = large > 1 ? 0x1p-600 : 0x1p+600, shift = large > 1 ? 600 * ln2 : -600 * ln2;
    return math::log(math::hypot(a * scale, b * scale)) + shift;
}

}  // namespace bascule::ops::cmath::detail
