// The beta function and its logarithm. For positive arguments by Stirling's formula, both moved to 3 and beyond by
// recurrence; the large powers of the three gamma functions cancel before they are formed. For other arguments by
// reflection.
#pragma once
#include "bascule/ops/math/gamma.hpp"

namespace bascule::ops::math {

// log2(part / (part + rest)) for the quotients of both by their sum.
BASCULE_HD twofold log2_of_share(twofold part, twofold rest) {
    log_argument const m = reduce_log(part.hi);
    bool const most = m.k == 0;
    double const lost = part.hi > 0x1p-900 ? part.lo * power_of_two(0 - m.exponent) : 0.0;
    twofold const f = {most ? -rest.hi : m.f, most ? -rest.lo : lost};
    return log2_of_parts(m.k, f);
}

// (s + n) 2^-e, and 1 where it is not wanted.
BASCULE_HD twofold shifted_step(twofold s, double n, double scale, bool wanted) {
    twofold const sum = two_sum(s.hi, n);
    return select(wanted, {sum.hi * scale, (sum.lo + s.lo) * scale}, twofold_one());
}
// a (a + 1) (a + 2) for a < 3, else 1.
BASCULE_HD twofold three_steps(double a) {
    twofold const p = multiply(multiply(two_sum(a, 1.0), two_sum(a, 2.0)), {a, 0.0});
    return select(a < 3.0, p, twofold_one());
}

// beta(a, b) = factor * 2^exponent for positive a and b; both unevaluated sums.
struct beta_parts {
    twofold factor, exponent;
};
BASCULE_HD beta_parts beta_positive(double a, double b) {
    bool const a_small = a < 3.0, b_small = b < 3.0, any = a_small | b_small, every = a_small & b_small;
    twofold const x = two_sum(a, a_small ? 3.0 : 0.0), y = two_sum(b, b_small ? 3.0 : 0.0);
    twofold const head = two_sum(x.hi, y.hi), s = fast_two_sum(head.hi, head.lo + (x.lo + y.lo));
    twofold const x_share = divide(x, s), y_share = divide(y, s);
    twofold const u = multiply(x, log2_of_share(x_share, y_share)), v = multiply(y, log2_of_share(y_share, x_share));
    twofold const e = two_sum(u.hi, v.hi);
    // (1 + p) (1 + q) / (1 + r) - 1 for the remainders of Stirling's formula.
    double const p = stirling_rest(1.0 / x.hi), q = stirling_rest(1.0 / y.hi), r = stirling_rest(1.0 / s.hi);
    double const rest = (fma(p, q, p + q) - r) / (1.0 + r);
    // sqrt(2 pi s / (x y)), a quotient at a time, so that nothing overflows.
    bool const x_more = x.hi > y.hi;
    twofold const more = select(x_more, x, y), less = select(x_more, y, x);
    twofold const root = sqrt_twofold(divide(divide(s, more), less));
    // beta(a, b) = beta(a + 3, b) (a + b) (a + b + 1) (a + b + 2) / (a (a + 1) (a + 2)); powers of two of s are kept
    // apart.
    std::uint64_t const size = (bits(s.hi) >> 52) - 1023;
    double const scale = power_of_two(0 - size);
    twofold const total = two_sum(a, b);
    twofold steps = shifted_step(total, 0.0, scale, any);
    steps = multiply(steps, shifted_step(total, 1.0, scale, any));
    steps = multiply(steps, shifted_step(total, 2.0, scale, any));
    steps = multiply(steps, shifted_step(total, 3.0, scale, every));
    steps = multiply(steps, shifted_step(total, 4.0, scale, every));
    steps = multiply(steps, shifted_step(total, 5.0, scale, every));
    twofold const stirling = multiply(multiply(root, sqrt_two_pi()), fast_two_sum(1.0, rest));
    // The larger divisor first, so that a small one is not multiplied by the other's.
    twofold const a_steps = three_steps(a), b_steps = three_steps(b);
    bool const a_first = a_steps.hi > b_steps.hi;
    twofold const once = divide(multiply(steps, stirling), select(a_first, a_steps, b_steps));
    double const count = (a_small ? 3.0 : 0.0) + (b_small ? 3.0 : 0.0);
    twofold const exponent = two_sum(e.hi, count * to_double(size));
    return {divide(once, select(a_first, b_steps, a_steps)), {exponent.hi, exponent.lo + (e.lo + (u.lo + v.lo))}};
}

namespace fast {
BASCULE_HD double beta(double a, double b) {  // a, b > 0
    beta_parts const p = beta_positive(a, b);
    bool const inside = (p.exponent.hi > -2000.0) & (p.exponent.hi < 1100.0);
    double const lead = inside ? p.exponent.hi : clamp(p.exponent.hi, -2000.0, 1100.0), shifted = lead + round_shift;
    double const scale = exp2_near(fast_two_sum(lead - (shifted - round_shift), inside ? p.exponent.lo : 0.0));
    twofold const v = multiply(p.factor, {scale, 0.0});
    double const product = scale_near_one(v.lo == v.lo ? v.hi + v.lo : v.hi, shifted_integer(shifted));
    double const y = product == product ? product : infinity;  // steps below the normal numbers have left 0 * infinity
    bool const unbounded = (a == infinity) | (b == infinity), both = (a == infinity) & (b == infinity);
    return unbounded ? (both ? not_a_number : 0.0) : y;
}
BASCULE_HD double betaln(double a, double b) {  // a, b > 0
    twofold const ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    beta_parts const p = beta_positive(a, b);
    twofold const l = log_twofold(fast_two_sum(p.factor.hi, p.factor.lo), 0.0), e = multiply(p.exponent, ln2);
    twofold const sum = two_sum(e.hi, l.hi);
    double const y = sum.hi + (sum.lo + (e.lo + l.lo));
    bool const unbounded = (a == infinity) | (b == infinity), both = (a == infinity) & (b == infinity);
    double const ordered = y == y ? y : -infinity;  // only infinities less themselves get here
    double const finite = isinf(p.factor.hi) ? infinity : ordered;
    return unbounded ? (both ? not_a_number : -infinity) : finite;
}
}  // namespace fast

// sin(pi x), signed.
BASCULE_HD double sin_of_half_turns(double x) {
    half_turns const t = reduce_half_turns(x);
    double const size = t.sin.hi + t.sin.lo;
    return (t.r < 0) == t.odd ? size : -size;
}
BASCULE_HD bool is_integer(double x) { return rint(x) == x; }

// Both functions where an argument is not positive: factor * beta(p, q), or factor / beta(p, q), or `pole` times
// infinity.
struct beta_reflection {
    double p, q, factor;
    bool reciprocal;
    double pole = 0;
};
BASCULE_HD beta_reflection reflect_beta(double x, double y) {
    double const a = x < y ? x : y, b = x < y ? y : x, s = a + b;  // a <= 0
    if (is_integer(a)) {                                           // finite only for an integer b with 0 < b < 1 - a
        bool const paired = is_integer(b) & isfinite(a) & isfinite(b) & (1.0 - s > 0);
        double const sign = is_integer(0.5 * b) ? 1.0 : -1.0, pole = paired ? sign : 1.0;
        return {1.0 - s, b, sign, false, paired & (b > 0) ? 0.0 : pole};
    }
    double const turn = sin_of_half_turns(a);
    if (isinf(b)) return {1.0, 1.0, 1.0, false, turn > 0 ? 1.0 : -1.0};
    if (b > 0 && s > 0) return {s, 1.0 - a, 3.1415926535897931 / (turn * b), true};
    double const joint = is_integer(s) ? 0.0 : sin_of_half_turns(s);
    if (b > 0) return {b, 1.0 - s, joint / turn, false};
    if (is_integer(b)) return {1.0, 1.0, 1.0, false, 1.0};
    return {1.0 - a, 1.0 - b, 3.1415926535897931 * joint / (turn * sin_of_half_turns(b) * (1.0 - s)), true};
}

BASCULE_HD double beta(double a, double b) {
    if ((a > 0) & (b > 0)) return fast::beta(a, b);
    if ((a != a) | (b != b)) return a + b;
    beta_reflection const r = reflect_beta(a, b);
    if (r.pole != 0) return r.pole * infinity;
    double const inner = fast::beta(r.p, r.q);
    return r.factor == 0 ? 0.0 : r.reciprocal ? r.factor / inner : r.factor * inner;
}
BASCULE_HD double betaln(double a, double b) {
    if ((a > 0) & (b > 0)) return fast::betaln(a, b);
    if ((a != a) | (b != b)) return a + b;
    beta_reflection const r = reflect_beta(a, b);
    if (r.pole != 0) return infinity;
    double const inner = fast::betaln(r.p, r.q), l = log(abs(r.factor));
    return r.factor == 0 ? -infinity : r.reciprocal ? l - inner : l + inner;
}

// Float: in double, rounded once.
BASCULE_HD float beta(float a, float b) {
    return static_cast<float>(beta(static_cast<double>(a), static_cast<double>(b)));
}
BASCULE_HD float betaln(float a, float b) {
    return static_cast<float>(betaln(static_cast<double>(a), static_cast<double>(b)));
}
namespace fast {
BASCULE_HD float beta(float a, float b) {
    return static_cast<float>(beta(static_cast<double>(a), static_cast<double>(b)));
}
BASCULE_HD float betaln(float a, float b) {
    return static_cast<float>(betaln(static_cast<double>(a), static_cast<double>(b)));
}
}  // namespace fast

}  // namespace bascule::ops::math
