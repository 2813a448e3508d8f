// Powers and roots: pow with C99's special values, cbrt, hypot, and scaling by powers of two.
// Coefficients: minimax (Remez) on the interval named at each.
#pragma once
#include "bascule/ops/math/exp_log.hpp"

namespace bascule::ops::math {

// k + log2(1 + f) as an unevaluated sum, error about 2^-67 of it, for f in [-0.293, 0.415]: y * log2(x) reaches 1075,
// and what is wrong with it below 2^-53 shows in the power.
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

BASCULE_HD double pow(double x, double y) { return pow_special(x, y, exp2_of_product(y, log2_twofold(abs(x)))); }
BASCULE_HD float pow(float x, float y) {
    // log2 to 2^-38 of itself: y * log2(x) stays below 150, and 2^-24 of the power is an ULP.
    log_argument const l = reduce_log_normal(abs(x));
    double const slope = horner(l.f, 0.99999999999834366, -0.49999999991895011, 0.33333333460888032,
                                -0.25000002281574202, 0.19999985271984153, -0.1666647674209103, 0.14286257184813195,
                                -0.12506922805444878, 0.11105372554627468, -0.098772487958515343, 0.09030016977297714,
                                -0.093318106365390549, 0.091850562867468871, -0.048339509274771764);
    double const log2_x = fma(l.f * slope, log2_e, l.k);
    double const product = clamp(y * log2_x, -200.0, 200.0), shifted = product + round_shift;
    double const r = (product - (shifted - round_shift)) * 0.69314718055994531;
    double const power = fma(r, exp_slope_short(r), 1.0) * power_of_two(shifted_integer(shifted));
    return pow_special(x, y, static_cast<float>(power));
}

// x = 8^third y with 1/2 <= y < 4, and a first y^(-1/3).
struct cbrt_argument {
    double y, guess;
    std::uint64_t third;
};

// For a normal positive x, with `bias` what its exponent is too large by.
BASCULE_HD cbrt_argument reduce_cbrt(std::uint64_t b, std::uint64_t bias) {
    double const k = to_double((b >> 52) - bias) - 1023.0;
    double const shifted = fma(k, 1.0 / 3, round_shift), left = k - 3.0 * (shifted - round_shift);  // -1, 0 or 1
    double const m = from_bits((b & 0xfffffffffffffu) | 0x3ff0000000000000u);
    double const scale = left > 0 ? 2.0 : 1.0, root = left > 0 ? 0x1.965fea53d6e3dp-1 : 1.0;
    // m^(-1/3) on [1, 2) to 2^-17.
    double const guess = horner(m, 1.7810575938662674, -1.5660291009665812, 1.2437868850494445, -0.59787396123136627,
                                0.1560718537702081, -0.017019019677069824);
    return {m * (left < 0 ? 0.5 : scale), guess * (left < 0 ? 0x1.428a2f98d728bp+0 : root), shifted_integer(shifted)};
}

BASCULE_HD double cbrt(double x) {
    double const a = abs(x);
    bool const tiny = a < smallest_normal;
    cbrt_argument const r = reduce_cbrt(bits(tiny ? a * 0x1p54 : a), tiny ? 54u : 0u);
    // One step of third order for y^(-1/3), then one of Newton for the root with the exact remainder y - c^3.
    double const h = fma(-r.y * r.guess, r.guess * r.guess, 1.0);
    double const z = fma(r.guess * h, fma(h, 2.0 / 9, 1.0 / 3), r.guess), c = r.y * z * z;
    twofold const square = two_product(c, c);
    double const remainder = residual(r.y, square.hi, c) - square.lo * c;
    double const result = fma(remainder, z * z * (1.0 / 3), c) * power_of_two(r.third);
    double const signed_result = copysign(result, x);
    return ((x == 0) | !(a < infinity)) ? x : signed_result;
}
BASCULE_HD float cbrt(float x) {
    cbrt_argument const r = reduce_cbrt(bits(static_cast<double>(abs(x))), 0);
    double const h = fma(-r.y * r.guess, r.guess * r.guess, 1.0), z = fma(r.guess * h, 1.0 / 3, r.guess);
    float const result = copysign(static_cast<float>(r.y * z * z * power_of_two(r.third)), x);
    return (x == 0 || !isfinite(x)) ? x : result;
}

BASCULE_HD double hypot(double x, double y) {
    double const a = abs(x), b = abs(y), large = a > b ? a : b, small = a > b ? b : a;
    bool const huge = large > 0x1p500, tiny = large < 0x1p-400;
    double const down = huge ? 0x1p-600 : 1.0, scale = tiny ? 0x1p600 : down;
    double const up = huge ? 0x1p600 : 1.0, back = tiny ? 0x1p-600 : up;
    twofold const p = two_product(large * scale, large * scale), q = two_product(small * scale, small * scale);
    twofold const sum = fast_two_sum(p.hi, q.hi);
    double const r = sqrt(sum.hi + (sum.lo + (p.lo + q.lo))) * back;
    return ((a == infinity) | (b == infinity)) ? infinity : ((x != x) | (y != y)) ? x + y : r;
}
BASCULE_HD float hypot(float x, float y) {
    double const a = x, b = y;
    float const r = static_cast<float>(sqrt(fma(a, a, b * b)));
    float const inf = static_cast<float>(infinity);
    return (isinf(x) || isinf(y)) ? inf : r;
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
