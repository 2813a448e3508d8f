// Hyperbolic functions and their inverses, on unevaluated sums, so that each is good to an ULP. Coefficients: minimax
// (Remez) on the interval named.
#pragma once
#include "bascule/ops/math/exp_log.hpp"

namespace bascule::ops::math {

// (e^a + sign e^-a) / 2 for a >= 0: both exponentials from one reduction, scaled by 2^(1 - n) until the end.
BASCULE_HD double half_exp_sum(double a, double sign) {
    double const c = a > 712.0 ? 712.0 : a;
    exp_argument const e = reduce_exp(c);
    twofold const p = fast_two_sum(1.0, e.r + expm1_rest(e));
    double const mirrored = c > 40.0 ? 0.0 : power_of_two(0 - 2 * e.n) / p.hi;  // below 2^-57 of the sum from there on
    return scale_near_one(p.hi + fma(sign, mirrored, p.lo), e.n - 1);
}

BASCULE_HD double sinh(double x) {
    double const a = abs(x), z = a * a;
    // sinh on [0, 1], to 2^-61.
    double const p = horner(z, 0.16666666666666669, 0.0083333333333329151, 0.0001984126984158925,
                            2.7557319108484044e-06, 2.5052130675042232e-08, 1.6056687265796365e-10,
                            7.7756801743236293e-13);
    double const far = half_exp_sum(a, -1.0);
    return copysign(a < 1.0 ? fma(a * z, p, a) : far, x);
}

BASCULE_HD double cosh(double x) { return half_exp_sum(abs(x), 1.0); }

namespace fast {
BASCULE_HD bool tanh_in_range(double x) { return abs(x) < 1.0; }
BASCULE_HD double tanh(double x) {
    double const z = x * x;
    // To 2^-56 on [0, 1].
    double const p = pairs(z, z * z, -0.33333333333332943, 0.13333333333292693, -0.053968253953366345,
                           0.021869488258798177, -0.0088632324413588284, 0.0035921055391078321, -0.0014557210295802468,
                           0.0005896177623032783, -0.00023804181491274122, 9.4764908611257443e-05,
                           -3.6082928219439541e-05, 1.2338425070426246e-05, -3.4181730463074492e-06,
                           6.5403184105354836e-07, -6.2629080740505673e-08);
    return copysign(fma(x * z, p, x), x);  // a zero keeps its sign
}
}  // namespace fast

// Above 1 as 1 - 2 / (e^(2a) + 1), which is 1 from 20 on.
BASCULE_HD double tanh(double x) {
    double const a = abs(x), c = a > 20.0 ? 20.0 : a;
    double const far = 1.0 - 2.0 / (1.0 + compose(exp_scaled(c + c)));
    return a >= 1.0 ? copysign(far, x) : fast::tanh(x);
}

// The square root of v.hi + v.lo as an unevaluated sum, for v.hi zero or in [2^-100, 2^130].
BASCULE_HD twofold sqrt_twofold(twofold v) {
    double const root = sqrt(v.hi);
    return {root, (residual(v.hi, root, root) + v.lo) * rough_half_inverse(root)};
}

// log(2x), where both inverses below have no digit left to add to it.
inline constexpr double only_logarithm = 0x1p60;

// log(1 + f) for a moderate argument, log(2a) for a large one.
BASCULE_HD double log1p_or_double(twofold f, double a) {
    bool const large = a > only_logarithm;
    twofold const l = log1p_twofold(large ? a : f.hi, large ? 0.0 : f.lo);
    return l.hi + (l.lo + (large ? 0.69314718055994531 : 0.0));
}

BASCULE_HD double arcsinh(double x) {
    double const a = abs(x), c = a > only_logarithm ? only_logarithm : a;
    // log(a + w) with w = sqrt(a^2 + 1), as log1p(a + (w - 1)).
    twofold const square = two_product(c, c), v = two_sum(1.0, square.hi);
    twofold const w = sqrt_twofold({v.hi, v.lo + square.lo}), shifted = two_sum(w.hi, -1.0), f = two_sum(c, shifted.hi);
    double const y = log1p_or_double(fast_two_sum(f.hi, f.lo + (shifted.lo + w.lo)), a);
    double const small = a < 0x1p-28 ? a : y;
    return copysign(a == infinity ? a : small, x);
}

BASCULE_HD double arccosh(double x) {
    double const c = x > only_logarithm ? only_logarithm : x;
    // log(x + w) with w = sqrt(x^2 - 1), as log1p((x - 1) + w).
    twofold const square = two_product(c, c), v = fast_two_sum(square.hi, -1.0);
    twofold const w = sqrt_twofold(fast_two_sum(v.hi, v.lo + square.lo));
    twofold const shifted = fast_two_sum(c, -1.0), f = two_sum(w.hi, shifted.hi);
    double const y = log1p_or_double(fast_two_sum(f.hi, f.lo + (shifted.lo + w.lo)), x);
    return x == infinity ? x : x < 1.0 ? not_a_number : y;
}

// log1p(2a / (1 - a)) / 2.
BASCULE_HD double arctanh(double x) {
    double const a = abs(x);
    twofold const q = divide({2.0 * a, 0.0}, fast_two_sum(1.0, -a)), f = fast_two_sum(q.hi, q.lo);
    twofold const l = log1p_twofold(f.hi, f.lo);
    double const y = 0.5 * (l.hi + l.lo), end = a == 1.0 ? infinity : y;
    double const small = a < 0x1p-28 ? a : end;
    return copysign(a > 1.0 ? not_a_number : small, x);
}

// Float: a quarter of e^a as an unevaluated sum, and a quarter of e^-a; 0 <= a.
struct quarters_of_exp {
    float hi, lo, mirrored;
};
BASCULE_HD quarters_of_exp quarters_of(float a) {
    float const c = a > 89.5f ? 89.5f : a;
    float const shifted = fma(c, static_cast<float>(log2_e), round_shift_float), n = shifted - round_shift_float;
    float const near = fma(-n, ln2_hi_float, c), r = fma(-n, ln2_lo_float, near), z = r * r;
    // (e^r - 1 - r) / r^2 for |r| <= ln2/2, so well that e^r is good to 2^-26.5.
    float const tail = pairs(r, z, 0.49999994f, 0.166666046f, 0.0416675434f, 0.00836020615f, 0.00138658739f);
    float const one = 1.0f + r, rest = (r - (one - 1.0f)) + fma(z, tail, fma(-n, ln2_lo_float, near - r));
    float const power = one + rest, scale = from_bits((shifted_integer(shifted) + 125u) << 23);
    float const hi = scale * power;
    return {hi, scale * (rest - (power - one)), 0.0625f / hi};
}
BASCULE_HD float sinh(float x) {
    float const a = abs(x), z = a * a;
    quarters_of_exp const e = quarters_of(a);
    float const sum = e.hi - e.mirrored, far = 2.0f * (sum + (((e.hi - sum) - e.mirrored) + e.lo));
    // sinh on [0, 1], to 2^-31.
    float const near = fma(z * a, pairs(z, z * z, 0.166666672f, 0.00833331048f, 0.000198428956f, 2.78221364e-06f), a);
    return copysign(a < 1.0f ? near : far, x);
}
BASCULE_HD float cosh(float x) {
    quarters_of_exp const e = quarters_of(abs(x));
    float const sum = e.hi + e.mirrored;
    return 2.0f * (sum + (((e.hi - sum) + e.mirrored) + e.lo));
}
namespace fast {
BASCULE_HD bool tanh_in_range(float x) { return abs(x) < 1.0f; }
BASCULE_HD float tanh(float x) {
    float const z = x * x;
    // To 2^-27 on [0, 1].
    float const p = pairs(z, z * z, -0.333332956f, 0.133323461f, -0.0538798422f, 0.0214866474f, -0.00794593524f,
                          0.00230113789f, -0.000358360208f);
    return copysign(fma(x * z, p, x), x);  // a zero keeps its sign
}
}  // namespace fast
BASCULE_HD float tanh(float x) {
    float const a = abs(x), c = a > 10.0f ? 10.0f : a;
    float const far = 1.0f - 2.0f / (1.0f + compose(exp_scaled(c + c)));
    return a >= 1.0f ? copysign(far, x) : fast::tanh(x);
}
BASCULE_HD float arcsinh(float x) {
    double const a = abs(x), y = log1p_short(a + (sqrt(fma(a, a, 1.0)) - 1.0));
    // Below, the square root minus one has no digits left and x^3/6 does not count.
    float const r = a < 0x1p-15 ? abs(x) : static_cast<float>(y);
    return isfinite(x) ? copysign(r, x) : x;
}
BASCULE_HD float arccosh(float x) {
    double const a = x, y = log1p_short((a - 1.0) + sqrt((a - 1.0) * (a + 1.0)));
    float const r = x < 1.0f ? static_cast<float>(not_a_number) : static_cast<float>(y);
    return isfinite(x) ? r : x + static_cast<float>(infinity);
}
BASCULE_HD float arctanh(float x) {
    float const a = abs(x), d = 1.0f - a, d_lo = (1.0f - d) - a, q = 2.0f * a / d;
    float const q_lo = fma(-q, d_lo, fma(-q, d, 2.0f * a)) * rough_inverse(d);
    float const y = 0.5f * log1p_of_sum(q, q_lo), end = a == 1.0f ? static_cast<float>(infinity) : y;
    return copysign(a > 1.0f ? static_cast<float>(not_a_number) : end, x);
}

}  // namespace bascule::ops::math
