// Gamma and digamma functions. From 3 on by Stirling's formula, below by recurrence, left of zero by reflection, each
// on unevaluated sums. Coefficients: minimax (Remez) on the interval named at each.
#pragma once
#include "bascule/ops/math/hyperbolic.hpp"
#include "bascule/ops/math/normal.hpp"
#include "bascule/ops/math/power.hpp"
#include "bascule/ops/math/trig.hpp"

namespace bascule::ops::math {

BASCULE_HD twofold multiply(twofold a, twofold b) {
    twofold const p = two_product(a.hi, b.hi);
    return {p.hi, p.lo + fma(a.hi, b.lo, a.lo * b.hi)};
}
BASCULE_HD twofold select(bool choice, twofold yes, twofold no) {
    return {choice ? yes.hi : no.hi, choice ? yes.lo : no.lo};
}
BASCULE_HD twofold twofold_one() { return {1.0, 0.0}; }

// gamma(y) / (sqrt(2 pi) y^(y - 1/2) e^-y) - 1 with t = 1 / y in [0, 1/3], to 2^-62.
BASCULE_HD double stirling_rest(double t) {
    return t * horner(t, 0.083333333333333384, 0.0034722222222151686, -0.0026813271604293415, -0.00022947206661832207,
                      0.00078403750272765444, 6.9780257419582462e-05, -0.00059313377796632583, -3.9694983412888194e-05,
                      0.00073519940109861154, 0.00071305376996748967, -0.0046779856264414577, 0.0077822330300945887,
                      -0.0063953635033229391, 0.0022376432716264103);
}
BASCULE_HD twofold sqrt_two_pi() { return {0x1.40d931ff62706p+1, -0x1.a6a0d6f814637p-53}; }

// x = n + r with |r| <= 1/2, and sine and cosine of pi |r|.
struct half_turns {
    bool odd;  // n is
    double r;
    twofold sin, cos;
};
BASCULE_HD half_turns reduce_half_turns(double x) {
    double const n = rint(x), r = x - n, a = abs(r), half = 0.5 * n;
    bool const steep = a > 0.25;
    double const m = steep ? 0.5 - a : a;
    twofold const angle = two_product(pi_hi, m);
    double const lo = fma(pi_lo, m, angle.lo);
    twofold const cosine = cos_parts(angle.hi, lo);
    twofold const s = fast_two_sum(angle.hi, sin_rest(angle.hi, lo)), c = fast_two_sum(cosine.hi, cosine.lo);
    return {rint(half) != half, r, select(steep, c, s), select(steep, s, c)};
}

BASCULE_HD double gamma(double x) {
    double const a = abs(x), c = a > 200.0 ? 200.0 : a;  // beyond, only overflow or underflow is left
    bool const small = a < 3.0, negative = x < 0;
    twofold const y = two_sum(c, small ? 3.0 : 0.0), l = log2_twofold(y.hi);
    double const t = 1.0 / y.hi;
    // log2 of y^(y - 1/2) e^-y, y.lo by the derivative.
    twofold const power = multiply({y.hi - 0.5, 0.0}, l), decay = multiply({y.hi, 0.0}, {log2_e, log2_e_lo});
    twofold const sum = two_sum(power.hi, -decay.hi);
    double const sum_lo = sum.lo + (power.lo - decay.lo) + y.lo * fma(-0.72134752, t, l.hi);
    twofold const e = fast_two_sum(negative ? -sum.hi : sum.hi, negative ? -sum_lo : sum_lo);
    double const shifted = e.hi + round_shift;
    double const scale = exp2_near(fast_two_sum(e.hi - (shifted - round_shift), e.lo));
    twofold const stirling = multiply(fast_two_sum(1.0, stirling_rest(t)), sqrt_two_pi());
    // gamma(a) = gamma(a + 3) / (a (a + 1) (a + 2)), gamma(-a) = -pi / (a sin(pi a) gamma(a)); the factor a cancels.
    twofold const steps = select(small, multiply(two_sum(a, 1.0), two_sum(a, 2.0)), twofold_one());
    half_turns const turn = reduce_half_turns(a);
    twofold const below = multiply(multiply(turn.sin, stirling), {small ? 1.0 : a, 0.0});
    twofold const above = multiply({pi_hi, pi_lo}, steps), positive = multiply(steps, {small ? a : 1.0, 0.0});
    twofold const v = multiply(select(negative, above, stirling), {scale, 0.0});
    twofold const q = divide(v, select(negative, below, positive));
    double const size = scale_near_one(q.lo == q.lo ? q.hi + q.lo : q.hi, shifted_integer(shifted));
    double const reflected = turn.r == 0 ? not_a_number : ((turn.r < 0) == turn.odd ? -size : size);
    double const value = negative ? reflected : size;
    return x == 0 ? copysign(infinity, x) : value;
}

// log(gamma(2 + u)) / u for |u| <= 1/2, to 2^-55.5.
BASCULE_HD double gammaln_slope(double u) {
    return horner(u, 0.42278433509846713, 0.32246703342411343, -0.067352301053194952, 0.020580808427744395,
                  -0.0073855510290011398, 0.002890510333026724, -0.0011927538986590998, 0.00050966946590609498,
                  -0.00022315501782919063, 9.9458325565653005e-05, -4.4923353650731756e-05, 2.0500721249089804e-05,
                  -9.4581895000774984e-06, 4.4054104837227404e-06, -1.9693164240448265e-06, 8.7334638836876437e-07,
                  -5.8642438083336844e-07, 3.2211300573470623e-07);
}
// y (log(gamma(y)) - (y - 1/2) log(y) + y - log(2 pi) / 2) with z = 1 / y^2 in [0, 0.16], to 2^-56.
BASCULE_HD double stirling_log_rest(double z) {
    return horner(z, 0.083333333333333329, -0.0027777777777564495, 0.00079365078469744224, -0.00059523669312423516,
                  0.00084163737470266961, -0.0019119887484227551, 0.0062313817301444911, -0.025462391337368207,
                  0.10933395359509773, -0.41303339916326259, 1.17578546128397, -2.1359438353870579, 1.8148809668775985);
}

// log(gamma(a)) for a >= 0 as an unevaluated sum. Up to 2.5 from the line around 2, to which recurrence leads by a
// logarithm, so that the zeros at 1 and 2 are exact.
BASCULE_HD twofold gammaln_positive(double a) {
    bool const near = a < 2.5, tiny = a < 0.5, low = a < 1.5;
    twofold const square = two_product(a, a), around_zero = two_sum(a, square.hi);
    twofold const l = log_twofold(select(tiny, {around_zero.hi, around_zero.lo + square.lo}, {a, 0.0}), 0.0);
    double const u = tiny ? a : a - (low ? 1.0 : 2.0), line = u * gammaln_slope(u);
    twofold const around_two = two_sum(low ? -l.hi : 0.0, line);
    // (a - 1/2) (log(a) - 1) + (log(2 pi) - 1) / 2 + rest
    double const t = 1.0 / (near ? 2.5 : a);
    twofold const less = two_sum(l.hi, -1.0), product = multiply({a - 0.5, 0.0}, {less.hi, less.lo + l.lo});
    twofold const sum = two_sum(product.hi, 0x1.acfe390c97d69p-2);
    double const rest = fma(t, stirling_log_rest(t * t), 0x1.3494bc9001442p-56);
    twofold const far = {sum.hi, sum.lo + (product.lo + rest)};
    return select(near, {around_two.hi, around_two.lo - (low ? l.lo : 0.0)}, far);
}
namespace fast {
BASCULE_HD double gammaln(double x) {  // x > 0
    twofold const v = gammaln_positive(x);
    return v.lo == v.lo ? v.hi + v.lo : x;  // overflow has left no low part
}
}  // namespace fast
BASCULE_HD double gammaln(double x) {
    double const a = abs(x);
    twofold const v = gammaln_positive(a);
    double const right = v.lo == v.lo ? v.hi + v.lo : a;
    // log |gamma(-a)| = -log(gamma(a)) - log(a sin(pi a) / pi); below 1/2 the logarithm of a in both cancels.
    half_turns const turn = reduce_half_turns(a);
    bool const tiny = a < 0.5;
    twofold const line = {a * gammaln_slope(tiny ? a : 0.0), 0.0}, rest = select(tiny, line, v);
    twofold const above = multiply(turn.sin, {tiny ? 1.0 : a, 0.0});
    twofold const below = multiply({pi_hi, pi_lo}, select(tiny, two_sum(1.0, a), twofold_one()));
    twofold const ratio = divide(above, below);
    twofold const l = log_twofold(fast_two_sum(ratio.hi, ratio.lo), 0.0), sum = two_sum(-l.hi, -rest.hi);
    double const left = sum.hi + (sum.lo - (l.lo + rest.lo)), pole = turn.r == 0 ? infinity : left;
    double const value = x < 0 ? pole : right, end = x == 0 ? infinity : value;
    return a == infinity ? x : end;
}

// digamma(x) / (x - root) at root + d for x in [1, 2], to 2^-54.
BASCULE_HD double digamma_slope(double d) {
    return horner(d, 0.9676722454476212, -0.44276316898359069, 0.25849976095561944, -0.16394270544282069,
                  0.10782405069615873, -0.072199561221186245, 0.048804287865992446, -0.033161127827073054,
                  0.022597657575481583, -0.015424738119100573, 0.010538620734817226, -0.007204864585426525,
                  0.0049287229998642938, -0.003367502020783193, 0.0022910843940952843, -0.0015856863053500538,
                  0.0011429269506713011, -0.00072588263721274932, 0.00032937389625269136, -0.00031909996513488275,
                  0.00048731889665793766, -0.00026815705840903481);
}
// y^2 (log(y) - 1 / 2y - digamma(y)) with z = 1 / y^2 in [0, 1/9], to 2^-51.
BASCULE_HD double digamma_rest(double z) {
    return horner(z, 0.083333333333332996, -0.0083333333325407086, 0.0039682536614505208, -0.0041666200212884304,
                  0.0075720676884629724, -0.020918205007893008, 0.0779580568195785, -0.3286229445032941,
                  1.2470211682021706, -3.32809780997529, 4.3476519583532127);
}
BASCULE_HD twofold reciprocal(double x) {
    double const q = 1.0 / x;
    return {q, abs(q) < 0x1p900 ? residual(1.0, q, x) * q : 0.0};
}
// digamma(a) for a > 0, without its term -1 / a where a < 1.
BASCULE_HD twofold digamma_positive(double a) {
    bool const low = a < 1.0, middle = a < 2.0;
    double const up = middle ? 0x1.762d86356be3fp+0 : 0x1.3b16c31ab5f20p+1;
    double const up_lo = middle ? 0x1.b86a722197829p-54 : -0x1.23cac6ef343ebp-53;
    double const d = (a - (low ? 0x1.d8b618d5af8fcp-2 : up)) - (low ? 0x1.b86a722197829p-54 : up_lo);
    double const line = d * digamma_slope(d);
    twofold const step = select(middle, {0.0, 0.0}, reciprocal(a - 1.0)), near = two_sum(step.hi, line);
    double const t = 1.0 / (a < 3.0 ? 3.0 : a);
    twofold const l = log_twofold({a, 0.0}, 0.0), far = two_sum(l.hi, -0.5 * t);
    double const far_lo = fma(-t * t, digamma_rest(t * t), far.lo + l.lo);
    return select(a < 3.0, {near.hi, near.lo + step.lo}, {far.hi, far_lo});
}
namespace fast {
BASCULE_HD double digamma(double x) {  // x > 0
    twofold const v = digamma_positive(x), pole = select(x < 1.0, reciprocal(x), {0.0, 0.0});
    twofold const sum = two_sum(v.hi, -pole.hi);
    double const y = isfinite(sum.hi) ? sum.hi + (sum.lo + (v.lo - pole.lo)) : sum.hi;
    return x == infinity ? x : y;
}
}  // namespace fast
BASCULE_HD double digamma(double x) {
    double const right = fast::digamma(x), a = abs(x);
    // digamma(-a) = digamma(a) + 1 / a + pi cot(pi a)
    half_turns const turn = reduce_half_turns(a);
    twofold const v = digamma_positive(a), step = select(a < 1.0, {0.0, 0.0}, reciprocal(a));
    twofold const cot = multiply({pi_hi, pi_lo}, divide(turn.cos, turn.sin));
    double const cot_hi = turn.r < 0 ? -cot.hi : cot.hi, cot_lo = turn.r < 0 ? -cot.lo : cot.lo;
    twofold const first = two_sum(v.hi, step.hi), sum = two_sum(first.hi, cot_hi);
    double const left = sum.hi + (sum.lo + (first.lo + ((v.lo + step.lo) + cot_lo)));
    // Around the first zero there everything cancels to its distance times a sum of positive terms; to 2^-55.
    double const d = (x + 0x1.02172b05ee260p-1) + 0x1.2cd704405bff6p-57, zero = -0x1.02172b05ee260p-1;
    double const slope = horner(d, 0.93819796908341124, -0.41728953034468608, 0.23722825947382226, -0.14666629432308068,
                                0.094105571935954757, -0.061506006145429067, 0.040595365277421885,
                                -0.026938446350070051, 0.017852391198560618, -0.012026201186618112,
                                0.016086390575846723);
    double const around_zero = d * (slope + 1.0 / (x * zero) + 1.0 / ((x + 1.0) * (zero + 1.0)));
    double const reflected = abs(d) < 0.0625 ? around_zero : (isfinite(cot.hi) ? left : cot_hi);
    double const value = x < 0 ? (turn.r == 0 ? not_a_number : reflected) : right;
    return x == 0 ? copysign(infinity, -x) : value;
}

// Float: in double, rounded once.
BASCULE_HD float gamma(float x) { return static_cast<float>(gamma(static_cast<double>(x))); }
BASCULE_HD float gammaln(float x) { return static_cast<float>(gammaln(static_cast<double>(x))); }
BASCULE_HD float digamma(float x) { return static_cast<float>(digamma(static_cast<double>(x))); }
namespace fast {
BASCULE_HD float gammaln(float x) { return static_cast<float>(gammaln(static_cast<double>(x))); }
BASCULE_HD float digamma(float x) { return static_cast<float>(digamma(static_cast<double>(x))); }
}  // namespace fast

}  // namespace bascule::ops::math
