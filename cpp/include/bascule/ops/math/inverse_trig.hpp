// Inverse trigonometric functions. Where an argument is transformed, its rounding error is carried along: the plain
// formulas miss by up to two ULP next to the seams. Coefficients: minimax (Remez) on the interval named at each.
#pragma once
#include "bascule/ops/math/trig.hpp"

namespace bascule::ops::math {

// arctan(t.hi + t.lo) is t.hi plus this, for |t| <= tan(pi/8), to 2^-59.
BASCULE_HD double arctan_rest(twofold t) {
    double const z = t.hi * t.hi;
    double const p = horner(z, -0.33333333333333198, 0.19999999999953769, -0.14285714280212464, 0.11111110784166438,
                            -0.090908977758163728, 0.076920604992282648, -0.066631068619368281, 0.058479067268541386,
                            -0.050393696037011063, 0.0380658707246921, -0.017908282465543216);
    return fma(z * t.hi, p, fma(-z, t.lo, t.lo));
}

inline constexpr double tan_pi_8 = 0.41421356237309503, tan_3pi_8 = 2.4142135623730949;
// pi/4 with 50 bits in the high part: its multiples up to 4 are exact.
inline constexpr double quarter_pi_hi = 0x1.921fb54442d18p-1, quarter_pi_lo = 0x1.1a62633145c07p-55;

BASCULE_HD double arctan(double x) {
    double const a = abs(x), b = a > 0x1p200 ? 0x1p200 : a;
    // arctan(a) = pi/4 + arctan((a-1) / (a+1)) = pi/2 + arctan(-1/a): |t| <= tan(pi/8) everywhere.
    bool const middle = b > tan_pi_8, far = b > tan_3pi_8;
    twofold const minus = fast_two_sum(-1.0, b), plus = fast_two_sum(1.0, b);
    double const near_num = middle ? minus.hi : b, near_den = middle ? plus.hi : 1.0;
    double const near_num_lo = middle ? minus.lo : 0.0, near_den_lo = middle ? plus.lo : 0.0;
    twofold const t =
        divide({far ? -1.0 : near_num, far ? 0.0 : near_num_lo}, {far ? b : near_den, far ? 0.0 : near_den_lo});
    double const near_base = middle ? 1.0 : 0.0, base = far ? 2.0 : near_base;
    twofold const sum = fast_two_sum(base * quarter_pi_hi, t.hi);
    return copysign(sum.hi + (sum.lo + fma(base, quarter_pi_lo, arctan_rest(t))), x);
}

BASCULE_HD double arctan2(double y, double x) {
    double const ax = abs(x), ay = abs(y);
    bool const swap = ay > ax, negative = signbit(x);
    double const large = swap ? ay : ax, small = swap ? ax : ay;
    // Infinities and zeros become 1 and 0 of the same direction. The rest is scaled so that nothing overflows, and that
    // remainders underflow only where the angle does.
    double const up = large < 0x1p400 ? 0x1p500 : 1.0, scale = large > 0x1p900 ? 0x1p-100 : up;
    bool const endless = large == infinity;
    double const inf_small = small == infinity ? 1.0 : 0.0;
    double const n = endless ? inf_small : small * scale;
    double const some = endless ? 1.0 : large * scale, d = large == 0 ? 1.0 : some;
    bool const middle = n > tan_pi_8 * d;
    twofold const minus = fast_two_sum(-d, n), plus = fast_two_sum(d, n);
    twofold const t =
        divide({middle ? minus.hi : n, middle ? minus.lo : 0.0}, {middle ? plus.hi : d, middle ? plus.lo : 0.0});
    // The angle is `base` quarters of pi plus or minus arctan(t).
    double const first = middle ? 1.0 : 0.0, half = swap ? 2.0 - first : first, base = negative ? 4.0 - half : half;
    double const sign = swap != negative ? -1.0 : 1.0;
    twofold const lead = two_product(base, quarter_pi_hi), sum = fast_two_sum(lead.hi, sign * t.hi);
    double const rest = fma(sign, arctan_rest(t), fma(base, quarter_pi_lo, lead.lo));
    double const angle = copysign(sum.hi + (sum.lo + rest), y);
    return ((x != x) | (y != y)) ? x + y : angle;
}

// The common part of arcsin and arccos: arcsin(v + v_lo) = v + rest, with v = a up to 1/2 and v = sqrt((1 - a) / 2)
// above.
struct arcsin_parts {
    double v, rest;
};
BASCULE_HD arcsin_parts arcsin_near(double a) {
    bool const far = a > 0.5;
    double const z = far ? 0.5 * (1.0 - a) : a * a, root = sqrt(z);
    double const root_lo = residual(z, root, root) * rough_half_inverse(root);
    double const v = far ? root : a, v_lo = far ? root_lo : 0.0;
    // (arcsin(s) - s) / s^3 in z = s^2 on [0, 1/4], to 2^-56 of arcsin.
    double const p = horner(z, 0.16666666666665375, 0.075000000003449488, 0.044642856821853448, 0.030381959400506857,
                            0.022371751817826201, 0.017359797448988291, 0.013884332527213905, 0.012175061160844059,
                            0.0065029997802338408, 0.019595784476607741, -0.016328987505481982, 0.03198328261738731);
    return {v, fma(v * z, p, fma(0.5 * z, v_lo, v_lo))};
}

BASCULE_HD double arcsin(double x) {
    double const a = abs(x);
    arcsin_parts const p = arcsin_near(a);
    twofold const sum = fast_two_sum(0.5 * pi_hi, -2.0 * p.v);
    double const far = sum.hi + (sum.lo + fma(-2.0, p.rest, 0.5 * pi_lo));
    return copysign(a > 0.5 ? far : p.v + p.rest, x);
}

BASCULE_HD double arccos(double x) {
    double const a = abs(x);
    arcsin_parts const p = arcsin_near(a);
    bool const far = a > 0.5;
    double const far_base = x < 0 ? 2.0 : 0.0, base = far ? far_base : 1.0;  // in units of pi/2
    double const factor = far ? 2.0 : -1.0, signed_factor = flip_sign(factor, x);
    twofold const sum = fast_two_sum(base * (0.5 * pi_hi), signed_factor * p.v);
    return sum.hi + (sum.lo + fma(signed_factor, p.rest, base * (0.5 * pi_lo)));
}

// Float: arctan and arctan2 in double, with short polynomials and nothing carried along: in float the rest of a
// quotient near 1 costs them the ULP. The others in float, with the rests of roots.

// arctan(t) for |t| <= tan(pi/8), to 2^-35.
BASCULE_HD double arctan_short(double t) {
    double const z = t * t;
    return fma(z * t,
               horner(z, -0.333333325101063, 0.1999990475917654, -0.14282029101970495, 0.11044924044314654,
                      -0.084774114574527035, 0.047461224157790485),
               t);
}
inline constexpr double quarter_pi = 0x1.921fb54442d18p-1;

BASCULE_HD float arctan(float x) {
    double const a = abs(x), b = a > 0x1p200 ? 0x1p200 : a;
    bool const middle = b > tan_pi_8, far = b > tan_3pi_8;
    double const near_num = middle ? b - 1.0 : b, near_den = middle ? b + 1.0 : 1.0;
    double const near_base = middle ? quarter_pi : 0.0, base = far ? 2.0 * quarter_pi : near_base;
    return copysign(static_cast<float>(base + arctan_short((far ? -1.0 : near_num) / (far ? b : near_den))), x);
}
BASCULE_HD float arctan2(float y, float x) {
    double const ax = abs(x), ay = abs(y);
    bool const swap = ay > ax, negative = signbit(x);
    double const large = swap ? ay : ax, small = swap ? ax : ay;
    bool const endless = large == infinity;
    double const inf_small = small == infinity ? 1.0 : 0.0, n = endless ? inf_small : small;
    double const some = endless ? 1.0 : large, d = large == 0 ? 1.0 : some;
    bool const middle = n > tan_pi_8 * d;
    double const t = arctan_short((middle ? n - d : n) / (middle ? n + d : d));
    double const first = middle ? 1.0 : 0.0, half = swap ? 2.0 - first : first, base = negative ? 4.0 - half : half;
    double const angle = fma(base, quarter_pi, swap != negative ? -t : t);
    float const r = copysign(static_cast<float>(angle), y);
    return (isnan(x) || isnan(y)) ? x + y : r;
}

inline constexpr float half_pi_float = 0x1.921fb6p+0f, pi_float = 0x1.921fb6p+1f;
inline constexpr float half_pi_lo_float = -0x1.777a5cp-25f, pi_rest_float = half_pi_lo_float / half_pi_float;

// base + sign (v + rest), for |v| <= |base| or a base of 0; a base is a multiple of pi/2.
BASCULE_HD float add_to_angle(float base, float sign, float v, float rest) {
    float const sum = fma(sign, v, base), below = fma(sign, v, base - sum);
    return sum + (below + fma(sign, rest, base * pi_rest_float));
}

// arcsin(v + v_lo) = v + rest with v = a up to 1/2 and v = sqrt((1 - a) / 2) above.
struct arcsin_parts_float {
    float v, rest;
};
BASCULE_HD arcsin_parts_float arcsin_near(float a) {
    bool const far = a > 0.5f;
    float const z = far ? fma(-0.5f, a, 0.5f) : a * a, root = sqrt(z);
    float const root_lo = fma(-root, root, z) * (0.5f * rough_inverse(root));
    float const v = far ? root : a, v_lo = far ? root_lo : 0.0f;
    // (arcsin(s) - s) / s^3 in z = s^2 on [0, 1/4], to 2^-27 of arcsin.
    float const p = pairs(z, z * z, 0.166667521f, 0.0749530941f, 0.045469135f, 0.0241849124f, 0.0421580113f);
    return {v, fma(v * z, p, v_lo)};
}
BASCULE_HD float arcsin(float x) {
    float const a = abs(x);
    arcsin_parts_float const p = arcsin_near(a);
    float const far = add_to_angle(half_pi_float, -2.0f, p.v, p.rest);
    return copysign(a > 0.5f ? far : p.v + p.rest, x);
}
BASCULE_HD float arccos(float x) {
    float const a = abs(x);
    arcsin_parts_float const p = arcsin_near(a);
    bool const far = a > 0.5f;
    float const far_base = x < 0 ? pi_float : 0.0f, base = far ? far_base : half_pi_float, factor = far ? 2.0f : -1.0f;
    return add_to_angle(base, flip_sign(factor, x), p.v, p.rest);
}

}  // namespace bascule::ops::math
