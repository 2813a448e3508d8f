// Error-free sums and products, and what |z|² − 1 and log|z| need of them.
// Sources: Dekker 1971 (product), Knuth TAOCP 2, 4.2.2 (sum), Ogita, Rump and Oishi 2005 (sum of k passes).
// The product splits its operands instead of using a fused multiply-add, so that builds with and without one agree.
#pragma once
#include "bascule/core/dtype.hpp"
#include "bascule/ops/math.hpp"

namespace bascule::ops::cmath::detail {

inline constexpr double infinity = __builtin_huge_val();
inline constexpr double not_a_number = __builtin_nan("");
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

template <class T> BASCULE_HD T magnitude(T x) { return math::copysign(x, T(1)); }
BASCULE_HD bool finite(double x) { return magnitude(x) < infinity; }
BASCULE_HD bool infinite(double x) { return magnitude(x) == infinity; }

// i·conj(z): it turns each hyperbolic function into its circular twin, sin z = swap(sinh(swap z)), in all quadrants and
// with the right signs of zero, because these functions are odd and commute with conj.
BASCULE_HD complex<double> swap_parts(complex<double> z) { return {z.im, z.re}; }

// value + error, exactly
struct exact_pair { double value, error; };

BASCULE_HD exact_pair two_sum(double a, double b) {
    double const s = a + b;
    double const bb = s - a;
    return {s, (a - (s - bb)) + (b - bb)};
}

BASCULE_HD exact_pair split(double a) {
    double const c = 134217729.0 * a;  // 2^27 + 1
    double const high = c - (c - a);
    return {high, a - high};
}

// Exact while no part overflows or underflows.
BASCULE_HD exact_pair two_product(double a, double b) {
    double const p = a * b;
    exact_pair const x = split(a), y = split(b);
    double const e = ((x.value * y.value - p) + x.value * y.error + x.error * y.value) + x.error * y.error;
    return {p, e};
}

// The sum as if in four times the precision, then rounded.
template <int N> BASCULE_HD double sum_accurately(double (&t)[N]) {
    for (int pass = 0; pass < 3; ++pass) {
        for (int i = 1; i < N; ++i) {
            exact_pair const s = two_sum(t[i], t[i - 1]);
            t[i] = s.value;
            t[i - 1] = s.error;
        }
    }
    double sum = t[0];
    for (int i = 1; i < N; ++i) sum += t[i];
    return sum;
}

// x² + y² − 1, free of cancellation; for moderate x and y.
BASCULE_HD double squares_minus_one(double x, double y) {
    exact_pair const xx = two_product(x, x), yy = two_product(y, y);
    double terms[5] = {yy.error, xx.error, yy.value, xx.value, -1.0};
    return sum_accurately(terms);
}

// (1 + x)² + y² − 1 = 2x + x² + y², likewise.
BASCULE_HD double shifted_squares_minus_one(double x, double y) {
    exact_pair const xx = two_product(x, x), yy = two_product(y, y);
    double terms[5] = {yy.error, xx.error, yy.value, xx.value, 2 * x};
    return sum_accurately(terms);
}

// log |x + iy|. Near |z| = 1 the rounding of |z| would be all that is left of the result, so there it is taken from
// |z|² − 1; very large and small z are scaled, where |z| would overflow or lose digits.
BASCULE_HD double log_modulus(double x, double y) {
    double const a = magnitude(x), b = magnitude(y);
    double const large = a < b ? b : a, small = a < b ? a : b;
    if (infinite(a) || infinite(b)) return infinity;
    if (small == 0) return math::log(large);
    if (large > 0x1p1000) return math::log(math::hypot(a * 0x1p-100, b * 0x1p-100)) + 100 * ln2;
    if (large < 0x1p-900) return math::log(math::hypot(a * 0x1p+200, b * 0x1p+200)) - 200 * ln2;
    double const modulus = math::hypot(a, b);
    if (modulus < 0.5 || modulus > 2) return math::log(modulus);
    return 0.5 * math::log1p(squares_minus_one(large, small));
}

}  // namespace bascule::ops::cmath::detail
