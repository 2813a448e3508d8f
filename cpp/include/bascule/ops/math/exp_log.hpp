// Exponentials and logarithms. Coefficients: minimax polynomials (Remez exchange at 240 bits, leading coefficients
// rounded first and the rest fitted again); each says its interval and error.
//
// The float functions evaluate in double with polynomials cut to float's needs and round once: half an ULP and a
// little, no second scheme of reductions, and about the speed of a careful float version of twice the lanes.
#pragma once
#include "bascule/ops/math/basic.hpp"

namespace bascule::ops::math {

inline constexpr double log2_e = 0x1.71547652b82fep+0, log2_e_lo = 0x1.777d0ffda0d24p-56;
inline constexpr double log10_e = 0x1.bcb7b1526e50ep-2, log10_e_lo = 0x1.95355baaafad3p-57;
// ln 2 and log10 2 with 42 bits in the high part: its product with an exponent is exact, fused or not.
inline constexpr double ln2_hi = 0x1.62e42fefa3800p-1, ln2_lo = 0x1.ef35793c76730p-45;
inline constexpr double log10_2_hi = 0x1.34413509f7800p-2, log10_2_lo = 0x1.fef311f12b358p-46;

// x = n ln2 + r + r_lo, |r| <= ln2/2, n in two's complement.
struct exp_argument {
    double r, r_lo;
    std::uint64_t n;
};

// For |x| < 1400.
BASCULE_HD exp_argument reduce_exp(double x) {
    double const shifted = fma(x, log2_e, round_shift), n = shifted - round_shift;
    double const near = fma(-n, ln2_hi, x), rest = n * ln2_lo, r = near - rest;
    return {r, (near - r) - rest, shifted_integer(shifted)};
}

// (e^r - 1 - r) / r^2 for |r| <= ln2/2, so well that e^r - 1 is good to 2^-60.
BASCULE_HD double exp_tail(double r) {
    return horner(r, 0.5, 0.16666666666666677, 0.041666666666666699, 0.0083333333333216152, 0.0013888888888866843,
                  0.00019841269886159557, 2.4801587360546012e-05, 2.755724418091178e-06, 2.7557242767113527e-07,
                  2.5109045232333393e-08, 2.092444126750255e-09);
}

// e^(r + r_lo) - 1 without its leading term r.
BASCULE_HD double expm1_rest(exp_argument a) { return fma(a.r * a.r, exp_tail(a.r), a.r_lo); }

BASCULE_HD double clamp(double x, double low, double high) {
    double const y = x > high ? high : x;
    return y < low ? low : y;
}

BASCULE_HD double exp(double x) {
    exp_argument const a = reduce_exp(clamp(x, -746.0, 710.0));
    return scale_near_one(1.0 + (a.r + expm1_rest(a)), a.n);
}

// (2^r - 1) / r for |r| <= 1/2, to 2^-56.
BASCULE_HD double exp2_slope(double r) {
    return horner(r, 0.69314718055994529, 0.24022650695910133, 0.055504108664821743, 0.0096181291075932759,
                  0.001333355814637901, 0.00015403530458157216, 1.5252733867565987e-05, 1.321543477531841e-06,
                  1.0178046451015074e-07, 7.0738677646815065e-09, 4.4573887813898484e-10);
}

BASCULE_HD double exp2(double x) {
    double const clamped = clamp(x, -1076.0, 1025.0), shifted = clamped + round_shift;
    double const r = clamped - (shifted - round_shift);
    return scale_near_one(fma(r, exp2_slope(r), 1.0), shifted_integer(shifted));
}

// e^(r + r_lo) - 1 as an unevaluated sum, to 2^-59 of it: r^2/2 is kept exactly.
BASCULE_HD twofold expm1_near(exp_argument a) {
    twofold const square = two_product(a.r, a.r), sum = fast_two_sum(a.r, 0.5 * square.hi);
    double const cubic = horner(a.r, 0.16666666666666677, 0.041666666666666699, 0.0083333333333216152,
                                0.0013888888888866843, 0.00019841269886159557, 2.4801587360546012e-05,
                                2.755724418091178e-06, 2.7557242767113527e-07, 2.5109045232333393e-08,
                                2.092444126750255e-09);  // exp_tail without its first term, over r
    return {sum.hi, sum.lo + fma(a.r * square.hi, cubic, fma(0.5, square.lo, a.r_lo))};
}

// e^x - 1 times `unit`, a small power of two, as an unevaluated sum; -40 <= x <= 710, or NaN.
BASCULE_HD twofold expm1_twofold(double x, double unit) {
    exp_argument const a = reduce_exp(x);
    twofold const near = expm1_near(a);
    // One power of two is held back, so that results up to the largest double do not overflow on the way.
    double const scale = power_of_two(a.n - 1) * (2.0 * unit), offset = scale - unit;
    twofold const sum = fast_two_sum(offset, scale * near.hi);
    return {sum.hi, (sum.lo + ((scale - offset) - unit)) + scale * near.lo};
}

BASCULE_HD double expm1(double x) {
    twofold const half = expm1_twofold(clamp(x, -40.0, 710.0), 0.5);
    double const y = 2.0 * (half.hi + half.lo);
    return abs(x) < 0x1p-54 ? x : y;
}

// Logarithms: x = 2^k m with sqrt(1/2) <= m < sqrt(2); f = m - 1 is exact.
struct log_argument {
    double f, k;
    std::uint64_t exponent;  // k as two's complement
};

BASCULE_HD log_argument reduce_log(double x) {
    bool const tiny = x < smallest_normal;
    double const scaled = tiny ? x * 0x1p54 : x;
    // Exponents are biased by 1024 while they are shifted, so that no arithmetic shift is needed.
    std::uint64_t const b = bits(scaled), biased = (b - 0x3fe6a09e667f3bcdu + (std::uint64_t{1024} << 52)) >> 52;
    std::uint64_t const e = biased - 1024 - (tiny ? 54u : 0u);
    double const m = from_bits(b - (biased << 52) + (std::uint64_t{1024} << 52));
    return {m - 1.0, to_double(e), e};
}

// With s = f / (2 + f): log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2)). This is R, to 2^-59 of log(1 + f).
BASCULE_HD double log_series(double z) {
    return z * horner(z, 0.6666666666666734, 0.39999999999416408, 0.28571428742114152, 0.22222198593556117,
                      0.18183563564132799, 0.15314064038954284, 0.14795864513683735);
}

// log(1 + f + f_lo) as an unevaluated sum, error about 2^-58 of it; f in [-0.293, 0.415], f_lo a rounding error of f.
BASCULE_HD twofold log1p_near(double f, double f_lo) {
    double const s = f / (2.0 + f);
    twofold const square = two_product(f, f);
    double const half = 0.5 * square.hi, hi = f - half;
    double const slope = horner(f, 1.0, -1.0, 1.0, -1.0);  // 1 / (1 + f), to a few bits
    double const rest = ((f - hi) - half) - 0.5 * square.lo + fma(f_lo, slope, s * (half + log_series(s * s)));
    return {hi, rest};
}

// k ln2 + log(1 + f) as an unevaluated sum.
BASCULE_HD twofold add_exponent(double k, twofold l) {
    twofold const sum = fast_two_sum(k * ln2_hi, l.hi);
    return {sum.hi, sum.lo + fma(k, ln2_lo, l.lo)};
}

// What a logarithm is at the ends of its domain.
BASCULE_HD double log_at_ends(double x, double y) {
    double const a = x == infinity ? x : y;
    double const b = x == 0 ? -infinity : a;
    double const c = x < 0 ? not_a_number : b;
    return x != x ? x : c;
}

BASCULE_HD double log(double x) {
    log_argument const a = reduce_log(x);
    double const f = a.f, s = f / (2.0 + f), half = 0.5 * f * f;
    double const rest = fma(a.k, ln2_lo, s * (half + log_series(s * s)));
    return log_at_ends(x, fma(a.k, ln2_hi, f - (half - rest)));
}

BASCULE_HD double log2(double x) {
    log_argument const a = reduce_log(x);
    twofold const l = log1p_near(a.f, 0.0), scaled = two_product(l.hi, log2_e);
    twofold const sum = fast_two_sum(a.k, scaled.hi);
    return log_at_ends(x, sum.hi + (sum.lo + (scaled.lo + fma(l.lo, log2_e, l.hi * log2_e_lo))));
}

BASCULE_HD double log10(double x) {
    log_argument const a = reduce_log(x);
    twofold const l = log1p_near(a.f, 0.0), scaled = two_product(l.hi, log10_e);
    twofold const sum = fast_two_sum(a.k * log10_2_hi, scaled.hi);
    double const rest = fma(a.k, log10_2_lo, fma(l.lo, log10_e, l.hi * log10_e_lo));
    return log_at_ends(x, sum.hi + (sum.lo + (scaled.lo + rest)));
}

// log(1 + x + x_lo) as an unevaluated sum; x > -1, x_lo a rounding error of x.
BASCULE_HD twofold log1p_twofold(double x, double x_lo) {
    twofold const u = two_sum(1.0, x);
    log_argument const a = reduce_log(u.hi);
    double const lost = u.lo + x_lo;
    bool const near = a.k == 0;  // 1 + x needs no scaling: keep x itself, the sum has lost its low bits
    double const f = near ? x : a.f;
    double const far_lo = x > 0x1p60 ? 0.0 : lost * power_of_two(0 - a.exponent);
    return add_exponent(a.k, log1p_near(f, near ? x_lo : far_lo));
}

BASCULE_HD double log1p(double x) {
    twofold const l = log1p_twofold(x, 0.0);
    double const y = log_at_ends(1.0 + x, l.hi + l.lo);
    return abs(x) < 0x1p-54 ? x : y;
}

// log(e^x + e^y), NumPy's formula: close to a zero of it the error is relative to x and y.
BASCULE_HD double logaddexp(double x, double y) {
    double const d = x - y, top = x > y ? x : y;
    double const r = top + log1p(exp(-abs(d)));
    double const equal = x == y ? x + 0.69314718055994531 : r;  // also infinities of one sign
    return d != d ? (x == y ? equal : d) : equal;
}
BASCULE_HD double logaddexp2(double x, double y) {
    double const d = x - y, top = x > y ? x : y;
    twofold const l = log1p_twofold(exp2(-abs(d)), 0.0);
    double const r = top + (l.hi + l.lo) * log2_e;
    double const equal = x == y ? x + 1.0 : r;
    return d != d ? (x == y ? equal : d) : equal;
}

// Float. In double a float never overflows, and its subnormals are normal: no two-step scaling, no low parts.

// (e^r - 1) / r for |r| <= ln2/2, to 2^-32.
BASCULE_HD double exp_slope_short(double r) {
    return horner(r, 0.99999999999100986, 0.5000000047155595, 0.1666666685377326, 0.041666352736864608,
                  0.0083332685570019251, 0.0013941121242625346, 0.00019915885878546129);
}
// e^x for |x| < 1000, relative error 2^-31.
BASCULE_HD double exp_short(double x) {
    double const shifted = fma(x, log2_e, round_shift), n = shifted - round_shift;
    double const r = fma(-n, ln2_hi, x) - n * ln2_lo;
    return fma(r, exp_slope_short(r), 1.0) * power_of_two(shifted_integer(shifted));
}
BASCULE_HD float exp(float x) { return static_cast<float>(exp_short(clamp(x, -150.0, 130.0))); }
BASCULE_HD float exp2(float x) {
    double const c = clamp(x, -200.0, 200.0), shifted = c + round_shift,
                 r = (c - (shifted - round_shift)) * 0.69314718055994531;
    return static_cast<float>(fma(r, exp_slope_short(r), 1.0) * power_of_two(shifted_integer(shifted)));
}
// e^x - 1 for -40 <= x <= 130.
BASCULE_HD double expm1_short(double x) {
    double const shifted = fma(x, log2_e, round_shift), n = shifted - round_shift;
    double const r = fma(-n, ln2_hi, x) - n * ln2_lo, scale = power_of_two(shifted_integer(shifted));
    return fma(scale, r * exp_slope_short(r), scale - 1.0);
}
BASCULE_HD float expm1(float x) {
    double const y = expm1_short(clamp(x, -40.0, 130.0));
    return x == 0 ? x : static_cast<float>(y);
}

// log(1 + f) / f for f in [-0.293, 0.415], to 2^-30.
BASCULE_HD double log1p_slope_short(double f) {
    return horner(f, 1.00000000063123, -0.49999999668150619, 0.33333301603499238, -0.25000026989085572,
                  0.20002576181166087, -0.16667916365729954, 0.14212529505283805, -0.12401008586356464,
                  0.11926089117084965, -0.11718587365871797, 0.067258532993917874);
}

// x = 2^k m as reduce_log has it, for a positive finite double that is not subnormal.
BASCULE_HD log_argument reduce_log_short(double x) {
    std::uint64_t const b = bits(x), biased = (b - 0x3fe6a09e667f3bcdu + (std::uint64_t{1024} << 52)) >> 52;
    double const m = from_bits(b - (biased << 52) + (std::uint64_t{1024} << 52));
    return {m - 1.0, to_double(biased - 1024), biased - 1024};
}

// The logarithm of such a double times `unit`, whose product with ln 2 is `k_unit`; to 2^-30.
BASCULE_HD double log_short(double x, double unit, double k_unit) {
    log_argument const a = reduce_log_short(x);
    return fma(a.k, k_unit, a.f * log1p_slope_short(a.f) * unit);
}
// log(1 + x) for x > -1, x a float or a double of which 2^-30 matters.
BASCULE_HD double log1p_short(double x) {
    log_argument const a = reduce_log_short(1.0 + x);
    double const f = a.k == 0 ? x : a.f;  // 1 + x has lost the low bits of a small x
    return fma(a.k, 0.69314718055994531, f * log1p_slope_short(f));
}
BASCULE_HD float log(float x) { return static_cast<float>(log_at_ends(x, log_short(x, 1.0, 0.69314718055994531))); }
BASCULE_HD float log2(float x) { return static_cast<float>(log_at_ends(x, log_short(x, log2_e, 1.0))); }
BASCULE_HD float log10(float x) {
    return static_cast<float>(log_at_ends(x, log_short(x, log10_e, 0.30102999566398120)));
}
BASCULE_HD float log1p(float x) {
    double const y = log_at_ends(1.0 + static_cast<double>(x), log1p_short(x));
    return x == 0 ? x : static_cast<float>(y);
}
BASCULE_HD float logaddexp(float x, float y) {
    double const d = static_cast<double>(x) - y, top = x > y ? x : y;
    double const r = top + log1p_short(exp_short(clamp(-abs(d), -700.0, 0.0)));
    double const equal = x == y ? x + 0.69314718055994531 : r;
    return static_cast<float>(d != d ? (x == y ? equal : d) : equal);
}
BASCULE_HD float logaddexp2(float x, float y) {
    double const d = static_cast<double>(x) - y, top = x > y ? x : y;
    double const power = exp_short(clamp(-abs(d), -1000.0, 0.0) * 0.69314718055994531);
    double const r = top + log1p_short(power) * log2_e;
    double const equal = x == y ? x + 1.0 : r;
    return static_cast<float>(d != d ? (x == y ? equal : d) : equal);
}

}  // namespace bascule::ops::math
