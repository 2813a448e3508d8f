// The normal distribution and the inverses of the error functions.
// Coefficients: minimax (Remez, and for the quotients weighted least squares) on the interval named at each.
#pragma once
#include "bascule/ops/math/erf.hpp"

namespace bascule::ops::math {

// log(a.hi + a.lo) times 2^shift as an unevaluated sum, error about 2^-57 of it; a.hi positive and finite.
BASCULE_HD twofold log_twofold(twofold a, double shift) {
    log_argument const m = reduce_log(a.hi);
    bool const moderate = (a.hi > 0x1p-900) & (a.hi < 0x1p900);
    double const lost = moderate ? a.lo * power_of_two(0 - m.exponent) : 0.0;
    twofold const l = add_exponent(m.k + shift, log1p_near(m.f, lost));
    return fast_two_sum(l.hi, l.lo);
}

// The x >= 0 with erfc(x) = 2p, p = share 2^shift, for 0 < p < 0.2: r = sqrt(-log p), and x / r is a constant and a
// quotient of polynomials of degree 8 in r - 1.6 on [1.177, 4] and in r - 4 on [4, 27.4], to 2^-55.
BASCULE_HD double erfc_inverse_tail(double share, double shift) {
    twofold const l = log_twofold({share, 0.0}, shift);
    double const r = sqrt(-l.hi), r_lo = (residual(-l.hi, r, r) - l.lo) * rough_half_inverse(r);
    bool const far = r > 4.0;
    double const s = r - (far ? 4.0 : 1.6);
    double const above = horner(
        s, far ? -0.053516728610288271 : -0.18342372899769502, far ? -0.017762918203624183 : -0.12863966461907445,
        far ? 0.0023369308418413046 : 0.13816680651043409, far ? 0.0015951450735331575 : 0.19677061161830639,
        far ? 0.00023857093179217861 : 0.096837860419680843, far ? 1.5694136009841311e-05 : 0.024735879386517143,
        far ? 4.8037038878213374e-07 : 0.0034263644593264175, far ? 6.1600367716102742e-09 : 0.00023272236579443295,
        far ? 2.3612069723470334e-11 : 5.5836146941286215e-06);
    double const below = horner(
        s, 1.0, far ? 0.988259934305595 : 2.672459131427932, far ? 0.39145308971135551 : 2.986033909331149,
        far ? 0.079429193238632054 : 1.8181647754724342, far ? 0.008775372687494138 : 0.65900641781585545,
        far ? 0.00052087730909514314 : 0.14516055493813107, far ? 1.5464704821513107e-05 : 0.018728417636391041,
        far ? 1.9714575500369346e-07 : 0.0012424122059581334, far ? 7.5556728070937881e-10 : 2.9770889408676067e-05);
    double const base = far ? 0.96875 : 0.8125, slope = far ? 1.02 : 1.15;  // dx/dr, for a rounding error of r
    return fma(r, base, fma(r, above / below, r_lo * slope));
}
// erfinv(y) for |y| <= 0.6, to 2^-58.
BASCULE_HD double erf_inverse_near(double y) {
    double const z = y * y;
    double const curve = horner(z, 0.23201366653465283, 0.12755617530612795, 0.08655212918229882, 0.0649596211059838,
                                0.051731168316515877, 0.042839229128031904, 0.036427756469471079, 0.032103889881972401,
                                0.024689980685902103, 0.044279375092399147, -0.060654056659963825, 0.2841909647280253,
                                -0.57802550880361903, 0.94106470919142915, -0.87244210124134935, 0.4339084163302071);
    return fma(y, 0x1.c5bf891b4ef6bp-1, y * fma(z, curve, -0x1.618f13eb7ca89p-55));  // sqrt(pi) / 2
}

BASCULE_HD double erfinv(double x) {
    double const a = abs(x), far = erfc_inverse_tail(1.0 - a, -1.0), tail = a == 1.0 ? infinity : far;
    double const y = copysign(a > 0.6 ? tail : erf_inverse_near(a), x);
    return a <= 1.0 ? y : not_a_number;
}
// The x with erfc(x) = 2p, from p and 1 - p times 2^-shift and from y = 1 - 2p: where one of them decides, it is exact
// to half an ULP.
BASCULE_HD double erfc_inverse(double share, double complement, double shift, double y) {
    double const least = share < complement ? share : complement;
    double const far = erfc_inverse_tail(least, shift), tail = least == 0 ? infinity : far;
    double const value = abs(y) > 0.6 ? copysign(tail, y) : erf_inverse_near(y);
    return least >= 0 ? value : not_a_number;
}
BASCULE_HD double erfcinv(double q) { return erfc_inverse(q, 2.0 - q, -1.0, 1.0 - q); }
// -sqrt(2) erfcinv(2p).
BASCULE_HD double ndtri(double p) {
    double const x = erfc_inverse(p, 1.0 - p, 0.0, 1.0 - 2.0 * p);
    double const scaled = fma(x, 0x1.6a09e667f3bcdp+0, x * -0x1.bdd3413b26456p-54);
    return isinf(x) ? -x : -scaled;
}

// erfc(a / sqrt(2)) / 2 for 0 <= a <= 39.
BASCULE_HD erfc_factors factorise_tail(double a) {
    twofold const square = two_product(a, a);
    erfc_factors f = factorise_erfc(a * 0x1.6a09e667f3bcdp-1, {0.5 * square.hi, 0.5 * square.lo});
    f.n -= 1;
    return f;
}
// ndtr(x) for |x| < 0.7.
BASCULE_HD double ndtr_near(double x) { return fma(0.5, copysign(erf_near(abs(x) * 0x1.6a09e667f3bcdp-1), x), 0.5); }
BASCULE_HD double ndtr(double x) {
    double const a = abs(x), tail = erfc_product(factorise_tail(a > 39.0 ? 39.0 : a));
    double const far = x > 0 ? 1.0 - tail : tail;
    return a < 0.7 ? ndtr_near(x) : far;
}

// e^(a^2) erfc(a) (1 + 2a) for a >= 0 as an unevaluated sum: the shape of erfc_far on all of [-1, 1], to 2^-54.
BASCULE_HD twofold erfcx_shape(double t) {
    double const bend =
        t * horner(t, -0.13962111684056205, 0.015379652102606582, 0.068097054254649389, -0.10103906603567629,
                   0.093732834999596754, -0.066330365823888016, 0.037167515520641813, -0.01619773394663878,
                   0.0050319701063669415, -0.0007577739064374945, -0.00019925730154422518, 0.00015062381937196956,
                   -2.4397347823632611e-05, -1.1226821054417633e-05, 5.7059316277265937e-06, 3.0074040488136485e-07,
                   -8.2035289204028872e-07, 6.8299135292512752e-08, 1.0582567577693345e-07, -1.4478450509128175e-08,
                   -1.2144367763205419e-08, 8.5271522629812716e-10, 8.9638761548053772e-10, 1.2011533823702437e-10);
    twofold const g = fast_two_sum(1.2329951186255526, bend);
    return {g.hi, g.lo + -0x1.aa9c415679e6fp-55};
}

// log(ndtr(x)): for negative x from erfc without its e^(-x^2/2), which comes back as -x^2/2.
BASCULE_HD double log_ndtr(double x) {
    double const size = abs(x), far = size < 0x1p200 ? size : 0x1p200, a = far * 0x1.6a09e667f3bcdp-1;
    twofold const v = fast_two_sum(a > 0.5 ? 2.0 * a : 1.0, a > 0.5 ? 1.0 : 2.0 * a);
    double const u = a + 4.0, inverse = 1.0 / (u * v.hi);
    twofold const shape = erfcx_shape((a - 4.0) * (inverse * v.hi));
    double const over_v = inverse * u, q = shape.hi * over_v;
    double const q_lo = ((residual(shape.hi, q, v.hi) + shape.lo) - q * v.lo) * over_v;
    double const tail = erfc_product(factorise_tail(size > 39.0 ? 39.0 : size)), rest = 1.0 - tail;
    // The logarithm of ndtr itself around 0, of 1 - tail above, of shape / (2 + 4a) below.
    bool const middle = size<0.7, upper = x> 0;
    double const outside = upper ? rest : q;
    log_argument const m = reduce_log(middle ? ndtr_near(x) : outside);
    bool const close = !middle & upper & (m.k == 0);
    double const lost = (upper ? (1.0 - rest) - tail : q_lo) * power_of_two(0 - m.exponent);
    twofold const parts = log1p_near(close ? -tail : m.f, (middle | close) ? 0.0 : lost);
    twofold const sum_of_parts = add_exponent((middle | upper) ? m.k : m.k - 1.0, parts);
    twofold const l = fast_two_sum(sum_of_parts.hi, sum_of_parts.lo);
    twofold const square = two_product(x, x), sum = two_sum(-0.5 * square.hi, l.hi);
    double const lower = sum.hi + (sum.lo + fma(-0.5, square.lo, l.lo));
    double const inside = size < 0x1p500 ? lower : -0.5 * x * x, y = (middle | upper) ? l.hi + l.lo : inside;
    return x != x ? x : y;
}

// Float: in double, rounded once.
BASCULE_HD float erfinv(float x) { return static_cast<float>(erfinv(static_cast<double>(x))); }
BASCULE_HD float erfcinv(float q) { return static_cast<float>(erfcinv(static_cast<double>(q))); }
BASCULE_HD float ndtri(float p) { return static_cast<float>(ndtri(static_cast<double>(p))); }
BASCULE_HD float ndtr(float x) { return static_cast<float>(ndtr(static_cast<double>(x))); }
BASCULE_HD float log_ndtr(float x) { return static_cast<float>(log_ndtr(static_cast<double>(x))); }

}  // namespace bascule::ops::math
