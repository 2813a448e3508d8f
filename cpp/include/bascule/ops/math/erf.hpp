// Error functions. Below 1 an odd polynomial; above, erf(a) = 1 - e^Q(a) with a polynomial Q, and erfc(a) = e^(-a^2)
// g(a) / (1 + 2a), where g is smooth on the whole half-line as a function of t = (a - 4) / (a + 4), so one polynomial
// and one division serve it. Coefficients: minimax (Remez) on the interval named at each.
#pragma once
#include "bascule/ops/math/exp_log.hpp"

namespace bascule::ops::math {

// erf(a) for |a| <= 1, to 2^-55.
BASCULE_HD double erf_near(double a) {
    double const z = a * a;
    double const p = pairs(z, z * z, 0.12837916709551256, -0.37612638903183343, 0.1128379167093677,
                           -0.026866170641900392, 0.005223977596018948, -0.00085483254399654457, 0.00012055278845275183,
                           -1.4924428269990582e-05, 1.6443621587085952e-06, -1.6179431054208935e-07,
                           1.3594819096482266e-08, -7.5630398133252077e-10);
    return fma(a, p, a);
}

// g as above, on t in [-1, 3/4], to 2^-56, as an unevaluated sum.
BASCULE_HD twofold erfc_shape(double t) {
    double const bend =
        t * horner(t, -0.13962111684056289, 0.015379652102619764, 0.068097054254736597, -0.10103906603630115,
                   0.093732834996823944, -0.066330365812563852, 0.037167515561851321, -0.016197734048424096,
                   0.005031969763576334, -0.00075777340486626898, -0.00019925556129042933, 0.00015062247159038287,
                   -2.4402941437781347e-05, -1.1225283074140754e-05, 5.7172951172313343e-06, 3.0195642103203132e-07,
                   -8.3424023007427338e-07, 6.2389124538766189e-08, 1.1456116373126903e-07, -7.7789392701994141e-09,
                   -1.3386206651231457e-08, -1.7175980962721428e-09);
    twofold const g = fast_two_sum(1.2329951186255526, bend);
    return {g.hi, g.lo + -0x1.aa9c415679e6fp-55};  // g(0) = 9 e^16 erfc(4) to more than a double
}

// erfc(a) for 0 <= a <= 28 as (shape.hi + shape.lo) (power.hi + power.lo) 2^n, from a and its exact square.
struct erfc_factors {
    twofold shape, power;
    std::uint64_t n;
};
BASCULE_HD erfc_factors factorise_erfc(double a, twofold square) {
    // One division gives both 1 / (a + 4) and 1 / (1 + 2a); the quotient g / (1 + 2a) is then put right to twofold.
    twofold const v = fast_two_sum(a > 0.5 ? 2.0 * a : 1.0, a > 0.5 ? 1.0 : 2.0 * a);
    double const u = a + 4.0, inverse = 1.0 / (u * v.hi), over_v = inverse * u;
    twofold const g = erfc_shape((a - 4.0) * (inverse * v.hi));
    double const q = g.hi * over_v, q_lo = ((residual(g.hi, q, v.hi) + g.lo) - q * v.lo) * over_v;
    // The rounding error of a^2 is worth up to 2^-44 of the result.
    exp_argument e = reduce_exp(-square.hi);
    twofold const r = fast_two_sum(e.r, -square.lo);
    e = {r.hi, e.r_lo + r.lo, e.n};
    return {{q, q_lo}, fast_two_sum(1.0, e.r + expm1_rest(e)), e.n};
}
BASCULE_HD double erfc_product(erfc_factors const& f) {
    double const cross = fma(f.power.lo, f.shape.hi, f.power.hi * f.shape.lo);
    return scale_near_one(fma(f.power.hi, f.shape.hi, cross), f.n);
}
BASCULE_HD double erfc_far(double a) { return erfc_product(factorise_erfc(a, two_product(a, a))); }

// erf(a) for 1 <= a <= 6; 1 from 5.93 on. The polynomial is the logarithm of erfc(a), so well that erf is good to
// 2^-56.
BASCULE_HD double erf_far(double a) {
    double const log_erfc = pairs(a, a * a, -5.0278324813096652e-07, -1.1283740900583985, -0.63664362574245048,
                                  -0.10270344527895529, 0.018990188473298038, 0.00041061640190226997,
                                  -0.0019159332710557018, 0.00077063674963555285, -0.00013504740395743321,
                                  -2.0267555261004931e-05, 2.282261858185753e-05, -8.6671256027274394e-06,
                                  2.135649918890171e-06, -3.7329442898185375e-07, 4.642128742077994e-08,
                                  -3.9340688478171666e-09, 2.044830096911124e-10, -4.9282108108015673e-12);
    return 1.0 - compose(exp_scaled(log_erfc));
}

namespace fast {
BASCULE_HD bool erf_in_range(double x) { return abs(x) < 1.0; }
BASCULE_HD double erf(double x) { return erf_near(x); }
}  // namespace fast

BASCULE_HD double erf(double x) {
    double const a = abs(x), far = erf_far(a > 5.95 ? 5.95 : a);
    return a >= 1.0 ? copysign(far, x) : erf_near(x);
}
BASCULE_HD double erfc(double x) {
    double const a = abs(x), y = erfc_far(a > 28.0 ? 28.0 : a);
    double const near = 1.0 - copysign(erf_near(a), x), far = x < 0 ? 2.0 - y : y;
    return a < 0.5 ? near : far;
}

// Float, with the same two parts.
namespace fast {
BASCULE_HD bool erf_in_range(float x) { return abs(x) < 1.0f; }
BASCULE_HD float erf(float x) {
    float const z = x * x;
    // To 2^-29 on [0, 1].
    float const p = pairs(z, z * z, 0.128379166f, -0.37612626f, 0.112835787f, -0.0268533472f, 0.0051871622f,
                          -0.000799785194f, 7.80689152e-05f);
    return fma(x, p, x);
}
}  // namespace fast
BASCULE_HD float erf(float x) {
    float const a = abs(x), c = a > 3.93f ? 3.93f : a;
    // The logarithm of erfc on [1, 3.93], so well that erf is good to 2^-29.
    float const log_erfc = pairs(c, c * c, -0.000341541803f, -1.12708914f, -0.638144851f, -0.103106804f, 0.0218381248f,
                                 -0.00294768368f, 0.00018638272f);
    float const far = 1.0f - compose(exp_scaled(log_erfc));
    return a >= 1.0f ? copysign(far, x) : fast::erf(x);
}
// In double: 2^-30 is enough.
BASCULE_HD float erfc(float x) {
    double const a = abs(x), c = a > 10.5 ? 10.5 : a, u = c + 4.0, v = fma(2.0, c, 1.0), inverse = 1.0 / (u * v);
    // The shape of erfc_far on t in [-1, 0.45], to 2^-30.
    double const g = horner((c - 4.0) * (inverse * v), 1.2329951189165054, -0.13962113236146356, 0.015379600492216886,
                            0.068097878772691287, -0.10103705916385601, 0.093721648202292354, -0.066360602633387569,
                            0.037212433072356728, -0.01601477786801777, 0.0050783807958706944, -0.0011060643153645228,
                            -0.00063299232567273604);
    double const y = exp_short(-c * c) * g * (inverse * u);
    return static_cast<float>(x < 0 ? 2.0 - y : y);
}

}  // namespace bascule::ops::math
