// Logistic functions, entropies, and exponentials other than exp: composed of exp, log and log1p on unevaluated sums.
#pragma once
#include "bascule/ops/math/power.hpp"

namespace bascule::ops::math {

// 1 / (1 + e^-x).
BASCULE_HD double expit(double x) {
    double const e = exp(-abs(x));
    return (x < 0 ? e : 1.0) / (1.0 + e);
}
BASCULE_HD float expit(float x) {
    double const e = exp_short(clamp(-abs(x), -150.0, 0.0));
    return static_cast<float>((x < 0 ? e : 1.0) / (1.0 + e));
}

// log(p / (1 - p)); in the middle as log1p((2p - 1) / (1 - p)), whose numerator is exact.
BASCULE_HD double logit(double p) {
    twofold const rest = fast_two_sum(1.0, -p), odds = divide({p, 0.0}, rest), f = divide({2.0 * p - 1.0, 0.0}, rest);
    log_argument const a = reduce_log(odds.hi);
    bool const middle = a.k == 0;
    double const lost = odds.hi < 0x1p-60 ? 0.0 : odds.lo * power_of_two(0 - a.exponent);
    twofold const l = add_exponent(a.k, log1p_near(middle ? f.hi : a.f, middle ? f.lo : lost));
    double const inside = p == 0 ? -infinity : l.hi + l.lo, y = p == 1.0 ? infinity : inside;
    double const outside = p != p ? p : not_a_number;
    return (p >= 0) & (p <= 1.0) ? y : outside;
}
BASCULE_HD float logit(float p) {
    double const q = p, rest = 1.0 - q, odds = q / rest;  // a float's complement is exact, or 1 - q is 1
    log_argument const a = reduce_log_normal(odds);
    double const f = a.k == 0 ? (2.0 * q - 1.0) / rest : a.f;
    double const l = fma(a.k, 0.69314718055994531, f * log1p_slope_short(f));
    double const inside = p == 0 ? -infinity : l, y = p == 1 ? infinity : inside;
    double const outside = p != p ? p : not_a_number;
    return static_cast<float>((p >= 0) & (p <= 1) ? y : outside);
}

// log(expit(x)).
BASCULE_HD double log_expit(double x) {
    double const y = log1p(exp(-abs(x)));
    return x < 0 ? x - y : -y;
}
BASCULE_HD float log_expit(float x) {
    double const y = log1p_short(exp_short(clamp(-abs(x), -150.0, 0.0)));
    double const finite = x < 0 ? x - y : -y;
    return x != x ? x : static_cast<float>(finite);
}

// The logarithm for a product with it: a float's in double, so that only the product is rounded.
BASCULE_HD double log_of_factor(double x) { return log(x); }
BASCULE_HD double log_of_factor(float x) {
    double const y = log_short(x, 1.0, 0.69314718055994531);
    return log_at_ends(static_cast<double>(x), y);
}
// x times a logarithm that is given, 0 for x = 0 unless its argument y is NaN.
template <class T> BASCULE_HD T times_log(T x, T y, T log_y) { return ((x == 0) & (y == y)) ? T(0) : x * log_y; }

// log(x / y) of positive finite numbers as an unevaluated sum, error about 2^-57 of it, and x / y = 2^k (1 + f).
struct log_of_ratio {
    twofold log;
    double f, k;
};
BASCULE_HD log_of_ratio log_ratio(double x, double y) {
    log_argument const a = reduce_log(x), b = reduce_log(y);
    // Both mantissas are within a factor of two, and after this within the square root of two: differences are exact.
    double const m = 1.0 + a.f, n = 1.0 + b.f;
    bool const down = m > 1.4142135 * n, up = 1.4142135 * m < n;
    double const scale = up ? 2.0 : 1.0, step = up ? -1.0 : 0.0, c = m * (down ? 0.5 : scale);
    twofold const f = divide({c - n, 0.0}, {n, 0.0});
    double const k = (a.k - b.k) + (down ? 1.0 : step);
    twofold const l = add_exponent(k, log1p_near(f.hi, f.lo));
    return {fast_two_sum(l.hi, l.lo), f.hi, k};
}

// Both relative entropies outside x > 0, y > 0, where `inside` is the result; `at_zero` is the result for x = 0.
BASCULE_HD double entropy_at_ends(double x, double y, double inside, double at_zero) {
    double const a = (x == 0) & (y >= 0) ? at_zero : infinity;
    double const b = (x > 0) & (y > 0) ? inside : a;
    return ((x != x) | (y != y)) ? x + y : b;
}

// x log(x / y).
BASCULE_HD double rel_entr(double x, double y) {
    log_of_ratio const r = log_ratio(x, y);
    double const product = x * (r.log.hi + r.log.lo);
    double const unbounded = x == infinity ? not_a_number : -infinity;
    return entropy_at_ends(x, y, y == infinity ? unbounded : product, 0.0);
}
BASCULE_HD float rel_entr(float x, float y) {
    double const a = x, b = y, ratio = a / b;
    log_argument const l = reduce_log_normal(ratio);
    double const f = l.k == 0 ? (a - b) / b : l.f;
    double const product = a * fma(l.k, 0.69314718055994531, f * log1p_slope_short(f));
    double const unbounded = a == infinity ? not_a_number : -infinity;
    return static_cast<float>(entropy_at_ends(a, b, b == infinity ? unbounded : product, 0.0));
}

// x log(x / y) - x + y. Where x and y are close all of it cancels to (x - y) f (1/2 - f/6 + ...), x / y = 1 + f.
BASCULE_HD double kl_div(double x, double y) {
    log_of_ratio const r = log_ratio(x, y);
    // ((1 + f) log(1 + f) - f) / f^2 on [-1/8, 1/8], to 2^-56. Coefficients: minimax (Remez).
    double const curve = horner(r.f, 0.5, -0.16666666666666644, 0.083333333333333245, -0.050000000000430922,
                                0.033333333333531459, -0.023809523591411766, 0.017857142738732918,
                                -0.013888936168813877, 0.011111140692432742, -0.0090859346219629399,
                                0.0075722338764644525, -0.0066604780733221462, 0.0056924762032444527);
    double const near = (x - y) * r.f * curve;
    twofold const product = two_product(x, r.log.hi), gap = two_sum(y, -x), sum = two_sum(product.hi, gap.hi);
    double const far = sum.hi + (sum.lo + (gap.lo + fma(x, r.log.lo, product.lo)));
    double const plain = x * r.log.hi + (y - x);  // where the exact product has overflowed
    double const value = far != far ? plain : far;
    double const inside = ((r.k == 0) & (abs(r.f) < 0.125)) ? near : value;
    return entropy_at_ends(x, y, ((x == infinity) | (y == infinity)) ? not_a_number : inside, y);
}
BASCULE_HD float kl_div(float x, float y) {
    return static_cast<float>(kl_div(static_cast<double>(x), static_cast<double>(y)));
}

// -x log(x).
template <class T> BASCULE_HD T entr(T x, T log_x) {
    T const inside = x == 0 ? T(0) : -x * log_x;
    return x < 0 ? -static_cast<T>(infinity) : inside;
}

BASCULE_HD double exp10(double x) { return exp2_of_product(x, {0x1.a934f0979a371p+1, 0x1.7f2495fb7fa6dp-53}); }
BASCULE_HD float exp10(float x) { return static_cast<float>(exp_short(clamp(x * 2.302585092994046, -150.0, 130.0))); }

// (e^x - 1) / x. The power of two comes last: the quotient is finite where e^x no longer is.
BASCULE_HD double exprel(double x) {
    exp_argument const a = reduce_exp(clamp(x, -40.0, 720.0));
    twofold const near = expm1_near(a);
    double const shrunk = a.n + 64 > 128 ? 0.0 : power_of_two(0 - a.n);  // 2^-n, where the 1 taken away counts
    twofold const offset = fast_two_sum(1.0, -shrunk), sum = two_sum(offset.hi, near.hi);
    double const y = scale_near_one((sum.hi + (sum.lo + (offset.lo + near.lo))) / x, a.n);
    double const small = abs(x) < 0x1p-54 ? 1.0 : y;
    return x > 720.0 ? infinity : small;
}
BASCULE_HD float exprel(float x) {
    double const y = expm1_short(clamp(x, -40.0, 130.0)) / x;
    float const finite = x == 0 ? 1.0f : static_cast<float>(y);
    return x == static_cast<float>(infinity) ? x : finite;
}

}  // namespace bascule::ops::math
