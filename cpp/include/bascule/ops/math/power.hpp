// Powers and roots: pow with C99's special values, cbrt, hypot, and scaling by powers of two.
// Coefficients: minimax (Remez) on the interval named at each.
#pragma once
#include "bascule/ops/math/exp_log.hpp"

namespace bascule::ops::math {

// k + log2(1 + f) as an unevaluated sum, error about 2^-67 of it, for f in [-0.293, 0.415]: y * log2(x) reaches 1075,
// and an error of it below 2^-53 is visible in the power.
BASCULE_HD twofold log2_of_parts(double k, twofold f) {
    // With s = f / (2 + f): log2(1 + f) = s (2/ln2 + z (2/(3 ln2) + z q(z))), z = s^2; all but q in twofold arithmetic.
    twofold const below = fast_two_sum(2.0, f.hi), s = divide(f, {below.hi, below.lo + f.lo});
    twofold const square = two_product(s.hi, s.hi);
    double const z = square.hi, z_lo = fma(2.0 * s.hi, s.lo, square.lo);
    // q to 2^-73 of the logarithm, on z in [0, 0.0295].
    double const q = z * horner(z, 0.57707801635558509, 0.41219858311134583, 0.32059889791273766, 0.2623081986654805,
                                0.22195226973797261, 0.19240134960224908, 0.16845089653894316, 0.17282291383107692);
    constexpr double third = 0x1.ec709dc3a03fdp-1, third_lo = 0x1.d27f05548af0cp-55;  // 2 / (3 ln2)
    twofold const inner = fast_two_sum(third, q);
    twofold const product = two_product(z, inner.hi);
    double const product_lo = product.lo + fma(z, inner.lo + third_lo, z_lo * inner.hi);
    twofold const sum = fast_two_sum(2 * log2_e, product.hi);
    double const sum_lo = sum.lo + (product_lo + 2 * log2_e_lo);
    twofold const l = two_product(s.hi, sum.hi);
    double const l_lo = l.lo + fma(s.hi, sum_lo, s.lo * sum.hi);
    twofold const total = fast_two_sum(k, l.hi);
    return fast_two_sum(total.hi, total.lo + l_lo);
}
// log2(x) of a positive finite x.
BASCULE_HD twofold log2_twofold(double x) {
    log_argument const a = reduce_log(x);
    return log2_of_parts(a.k, {a.f, 0.0});
}

// 2^(r.hi + r.lo) for |r| <= 1/2, r.lo a rounding error of r.hi; all but the last rounding is below 1/16 ULP.
BASCULE_HD double exp2_near(twofold r) {
    constexpr double ln2 = 0x1.62e42fefa39efp-1, ln2_rest = 0x1.abc9e3b39803fp-56;
    // (2^r - 1 - r ln2) / r^2, to 2^-56: as in exp2_scaled.
    double const curve = horner(r.hi, 0.24022650695910133, 0.055504108664821743, 0.0096181291075932759,
                                0.001333355814637901, 0.00015403530458157216, 1.5252733867565987e-05,
                                1.321543477531841e-06, 1.0178046451015074e-07, 7.0738677646815065e-09,
                                4.4573887813898484e-10);
    twofold const linear = two_product(r.hi, ln2), sum = fast_two_sum(1.0, linear.hi);
    double const small = linear.lo + fma(r.hi, ln2_rest, r.lo * ln2);
    return sum.hi + (sum.lo + fma(r.hi * r.hi, curve, small));
}

// 2^(y * (l.hi + l.lo)).
BASCULE_HD double exp2_of_product(double y, twofold l) {
    double const estimate = y * l.hi;
    // Far outside the range only overflow, underflow or 1 is left: the exact product need not survive there.
    double const size = abs(estimate), y_size = abs(y);
    bool const inside = (size < 1100.0) & (y_size < 0x1p900);
    double const factor = inside ? y : 0.0;
    twofold const p = two_product(factor, l.hi);
    double const lead = inside ? p.hi : clamp(estimate, -1100.0, 1100.0), rest = fma(factor, l.lo, p.lo);
    double const shifted = lead + round_shift;
    twofold const r = fast_two_sum(lead - (shifted - round_shift), rest);
    return scale_near_one(exp2_near(r), shifted_integer(shifted));
}

// C99's special values around |x|^y, which `y_power` already is for finite x != 0.
template <class T> BASCULE_HD T pow_special(T x, T y, T y_power) {
    T const a = abs(x), inf = static_cast<T>(infinity), nan = static_cast<T>(not_a_number), zero = 0, one = 1;
    T const half = y * static_cast<T>(0.5);
    bool const integral = trunc(y) == y, odd = integral & (trunc(half) != half);
    bool const grows = (a > one) == (y > zero);  // for y != 0, |x| != 1: |x|^y for |x| or |y| infinite is infinite
    T const limit = grows ? inf : zero;
    bool const extreme = (a == zero) | (a == inf) | (abs(y) == inf);
    T r = extreme ? limit : y_power;
    r = ((a == one) & (abs(y) == inf)) ? one : r;
    r = ((x < zero) & !integral & (a < inf)) ? nan : r;
    r = (odd & signbit(x)) ? -r : r;
    r = ((x != x) | (y != y)) ? x + y : r;
    return ((x == one) | (y == zero)) ? one : r;
}

// x^y, or the product where y is 2: rounded once, and the same for an exponent that is known before and one that is
// not. A base with another exponent is not multiplied, as its product may overflow.
template <class T> BASCULE_HD T or_square(T x, T y, T power) {
    bool const squared = y == static_cast<T>(2);
    T const base = squared ? x : static_cast<T>(1), product = base * base;
    return squared ? product : power;
}

BASCULE_HD double pow(double x, double y) {
    return or_square(x, y, pow_special(x, y, exp2_of_product(y, log2_twofold(abs(x)))));
}

// Float, in double. log2(2^k (1 + f)) to 2^-33 of itself: y * log2(x) stays below 150, and 2^-24 of the power is an
// ULP.
BASCULE_HD double log2_of_float(log_argument_float a) {
    double const f = a.f;
    double const slope = horner(f, 1.442695040939374, -0.7213475252125629, 0.4808983207242454, -0.36067280057442588,
                                0.28854064396357284, -0.24050417394237695, 0.20609624607428263, -0.17904694245186519,
                                0.15900159233529305, -0.15698241682648156, 0.15485726042764459, -0.086345464396392308);
    return fma(f, slope, static_cast<double>(a.k));
}
// 2^x for |x| < 1000, to 2^-28.
BASCULE_HD scaled<double> exp2_short(double x) {
    double const shifted = x + round_shift, r = x - (shifted - round_shift);
    double const slope = horner(r, 0.6931472149677857, 0.24022652780352956, 0.055503105460531439, 0.0096176931439203274,
                                0.0013406647010930156, 0.00015594669764715946);
    return {fma(r, slope, 1.0), shifted};
}
namespace fast {
// Where the power is a normal number and nothing is special.
BASCULE_HD bool pow_in_range(float x, float y) { return (x >= 0x1p-12f) & (x <= 0x1p12f) & (abs(y) <= 10.0f); }
BASCULE_HD float pow(float x, float y) {
    return or_square(x, y, static_cast<float>(compose(exp2_short(y * log2_of_float(reduce_log_float(x))))));
}
}  // namespace fast
BASCULE_HD float pow(float x, float y) {
    double const product = y * log2_of_float(reduce_any_log_float(abs(x)));
    return or_square(x, y, pow_special(x, y, static_cast<float>(compose(exp2_short(clamp(product, -200.0, 200.0))))));
}

// y^(-1/3) to 2^-16 of itself from a guess good to 2^-5: h is the remainder to 1.
template <class T> BASCULE_HD T nearer_inverse_cbrt(T y, T guess) {
    T const h = fma(-y * guess, guess * guess, T(1));
    return fma(guess * h, fma(h, fma(h, T(14.0 / 81), T(2.0 / 9)), T(1.0 / 3)), guess);
}
// The root from z, nearly y^(-1/3): one step of Newton with the exact remainder y - c^3, of which a quarter cannot
// overflow.
BASCULE_HD double cbrt_by_inverse(double y, double z) {
    double const c = y * z * z;
    twofold const square = two_product(c, c);
    double const remainder = residual(0.25 * y, 0.25 * square.hi, c) - 0.25 * square.lo * c;
    return fma(remainder, z * z * (4.0 / 3), c);
}
BASCULE_HD float cbrt_by_inverse(float y, float z) {
    float const c = y * z * z, square = c * c, square_lo = fma(c, c, -square);
    float const remainder = fma(-0.25f * square, c, 0.25f * y) - 0.25f * square_lo * c;
    return fma(remainder, z * z * (4.0f / 3), c);
}

BASCULE_HD double cbrt(double x) {
    double const a = abs(x);
    bool const tiny = a < 0x1p-900;
    double const y = tiny ? a * 0x1p180 : a, up = tiny ? 0x1p-60 : 1.0;
    // The exponent's third, and more or less the mantissa's.
    double const shifted = fma(to_double(bits(y) >> 13), -1.0 / 3, 1363.9399 * 0x1p39 + round_shift);
    double const near = nearer_inverse_cbrt(y, from_bits(bits(shifted) << 13));
    double const h = fma(-y * near, near * near, 1.0), z = fma(near * h, fma(h, 2.0 / 9, 1.0 / 3), near);
    double const signed_result = copysign(cbrt_by_inverse(y, z) * up, x);
    return ((x == 0) | !(a < infinity)) ? x : signed_result;
}
BASCULE_HD float cbrt(float x) {
    float const a = abs(x);
    bool const tiny = a < 0x1p-90f;
    float const y = tiny ? a * 0x1p48f : a, up = tiny ? 0x1p-16f : 1.0f;
    auto const third = static_cast<std::int32_t>(static_cast<float>(static_cast<std::int32_t>(bits(y))) * (1.0f / 3));
    float const z = nearer_inverse_cbrt(y, from_bits(0x54a2fa8cu - static_cast<std::uint32_t>(third)));
    float const signed_result = copysign(cbrt_by_inverse(y, z) * up, x);
    return ((x == 0) | !(a < static_cast<float>(infinity))) ? x : signed_result;
}

namespace fast {
// Where squares neither overflow nor fall below the normal numbers, but for such as do not count.
BASCULE_HD bool hypot_in_range(double x, double y) {
    double const a = abs(x), b = abs(y);
    return ((a <= 0x1p500) & (b <= 0x1p500)) & ((a >= 0x1p-400) | (b >= 0x1p-400));
}
BASCULE_HD double hypot(double x, double y) {
    double const a = abs(x), b = abs(y), large = a > b ? a : b, small = a > b ? b : a;
    twofold const p = two_product(large, large), q = two_product(small, small), sum = fast_two_sum(p.hi, q.hi);
    return sqrt(sum.hi + (sum.lo + (p.lo + q.lo)));
}
BASCULE_HD bool hypot_in_range(float x, float y) { return isfinite(x) & isfinite(y); }
BASCULE_HD float hypot(float x, float y) {
    double const a = x, b = y;
    return static_cast<float>(sqrt(fma(a, a, b * b)));
}
}  // namespace fast

BASCULE_HD double hypot(double x, double y) {
    double const a = abs(x), b = abs(y), large = a > b ? a : b;
    bool const huge = large > 0x1p500, tiny = large < 0x1p-400;
    double const down = huge ? 0x1p-600 : 1.0, scale = tiny ? 0x1p600 : down;
    double const up = huge ? 0x1p600 : 1.0, back = tiny ? 0x1p-600 : up, r = fast::hypot(a * scale, b * scale) * back;
    return ((a == infinity) | (b == infinity)) ? infinity : ((x != x) | (y != y)) ? x + y : r;
}
BASCULE_HD float hypot(float x, float y) {
    float const inf = static_cast<float>(infinity);
    return (isinf(x) || isinf(y)) ? inf : fast::hypot(x, y);
}

// x * 2^n, rounded once, for every n: three steps whose first two are exact unless the result is 0 or infinite.
BASCULE_HD double ldexp(double x, std::int32_t n) {
    std::int32_t rest = n;
    double y = x;
    for (int step = 0; step < 3; ++step) {
        std::int32_t const up = rest > 1023 ? 1023 : rest, part = up < -969 ? -969 : up;
        y *= power_of_two(static_cast<std::uint64_t>(static_cast<std::int64_t>(part)));
        rest -= part;
    }
    return y;
}
BASCULE_HD float ldexp(float x, std::int32_t n) {
    std::int32_t const up = n > 400 ? 400 : n, part = up < -400 ? -400 : up;
    return static_cast<float>(static_cast<double>(x) *
                              power_of_two(static_cast<std::uint64_t>(static_cast<std::int64_t>(part))));
}

}  // namespace bascule::ops::math
