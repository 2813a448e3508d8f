// Exponentials and logarithms. Coefficients: minimax polynomials (Remez exchange at 240 bits, leading coefficients
// rounded first and the rest fitted again); each says its interval and error.
//
// Of floats, NumPy's ops are computed in float, to an ULP with a fused multiply-add, except tan, arctan, arctan2,
// arcsinh, arccosh, powers and logaddexp; these and the rest in double, with polynomials cut to float's needs, and
// rounded once: slightly more than half an ULP.
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

// (e^r - 1 - r) / r^2 for |r| <= ln2/2 and z = r^2, so well that e^r - 1 is good to 2^-60.
BASCULE_HD double exp_tail(double r, double z) {
    return pairs(r, z, 0.5, 0.16666666666666677, 0.041666666666666699, 0.0083333333333216152, 0.0013888888888866843,
                 0.00019841269886159557, 2.4801587360546012e-05, 2.755724418091178e-06, 2.7557242767113527e-07,
                 2.5109045232333393e-08, 2.092444126750255e-09);
}

// e^(r + r_lo) - 1 without its leading term r.
BASCULE_HD double expm1_rest(exp_argument a) {
    double const z = a.r * a.r;
    return fma(z, exp_tail(a.r, z), a.r_lo);
}

BASCULE_HD double clamp(double x, double low, double high) {
    double const y = x > high ? high : x;
    return y < low ? low : y;
}

// significand * 2^n, n in the low bits of `shifted`.
template <class T> struct scaled { T significand, shifted; };
// Where that is a normal number.
BASCULE_HD double compose(scaled<double> a) { return from_bits(bits(a.significand) + (bits(a.shifted) << 52)); }
BASCULE_HD float compose(scaled<float> a) { return from_bits(bits(a.significand) + (bits(a.shifted) << 23)); }

// e^x for |x| < 1400.
BASCULE_HD scaled<double> exp_scaled(double x) {
    double const shifted = fma(x, log2_e, round_shift), n = shifted - round_shift;
    double const r = fma(-n, ln2_lo, fma(-n, ln2_hi, x)), z = r * r;
    return {1.0 + fma(z, exp_tail(r, z), r), shifted};
}

BASCULE_HD double exp(double x) {
    scaled<double> const a = exp_scaled(clamp(x, -746.0, 710.0));
    return scale_near_one(a.significand, shifted_integer(a.shifted));
}

// `fast::` bodies hold where in_range says so: results are normal numbers, and so are the arguments of logarithms.
namespace fast {
BASCULE_HD bool exp_in_range(double x) { return abs(x) <= 708.0; }
BASCULE_HD double exp(double x) { return compose(exp_scaled(x)); }
}  // namespace fast

// 2^x for |x| < 1400. The polynomial is (2^r - 1 - r ln2) / r^2 for |r| <= 1/2, so well that 2^r is good to 2^-56.
BASCULE_HD scaled<double> exp2_scaled(double x) {
    double const shifted = x + round_shift, r = x - (shifted - round_shift), z = r * r;
    double const tail = pairs(r, z, 0.24022650695910133, 0.055504108664821743, 0.0096181291075932759,
                              0.001333355814637901, 0.00015403530458157216, 1.5252733867565987e-05,
                              1.321543477531841e-06, 1.0178046451015074e-07, 7.0738677646815065e-09,
                              4.4573887813898484e-10);
    return {1.0 + fma(r, 0x1.62e42fefa39efp-1, fma(z, tail, r * 0x1.abc9e3b39803fp-56)), shifted};
}

BASCULE_HD double exp2(double x) {
    scaled<double> const a = exp2_scaled(clamp(x, -1076.0, 1025.0));
    return scale_near_one(a.significand, shifted_integer(a.shifted));
}
namespace fast {
BASCULE_HD bool exp2_in_range(double x) { return abs(x) <= 1021.0; }
BASCULE_HD double exp2(double x) { return compose(exp2_scaled(x)); }
}  // namespace fast

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
    // One power of two is applied last, so that results up to the largest double do not overflow before.
    double const scale = power_of_two(a.n - 1) * (2.0 * unit), offset = scale - unit;
    twofold const sum = fast_two_sum(offset, scale * near.hi);
    return {sum.hi, (sum.lo + ((scale - offset) - unit)) + scale * near.lo};
}

namespace fast {
BASCULE_HD bool expm1_in_range(double x) { return (x >= -40.0) & (x <= 708.0); }
BASCULE_HD double expm1(double x) {
    twofold const half = expm1_twofold(x, 0.5);
    double const y = 2.0 * (half.hi + half.lo);
    return abs(x) < 0x1p-54 ? x : y;
}
}  // namespace fast
BASCULE_HD double expm1(double x) { return fast::expm1(clamp(x, -40.0, 710.0)); }

// Logarithms: x = 2^k m with sqrt(1/2) <= m < sqrt(2); f = m - 1 is exact.
struct log_argument {
    double f, k;
    std::uint64_t exponent;  // k as two's complement
};

// For a positive finite double that is not subnormal.
BASCULE_HD log_argument reduce_log_normal(double x) {
    // Exponents are biased by 1024 while they are shifted, so that no arithmetic shift is needed.
    constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcdu, bias = 1024;
    std::uint64_t const b = bits(x) - root_half + (bias << 52), e = (b >> 52) - bias;
    return {from_bits((b & 0xfffffffffffffu) + root_half) - 1.0, to_double(e), e};
}
BASCULE_HD log_argument reduce_log(double x) {
    bool const tiny = x < smallest_normal;
    log_argument const a = reduce_log_normal(tiny ? x * 0x1p54 : x);
    return {a.f, tiny ? a.k - 54.0 : a.k, tiny ? a.exponent - 54 : a.exponent};
}

// With s = f / (2 + f), z = s^2: log(1 + f) = f - f^2/2 + s (f^2/2 + z R(z)). This is R, to 2^-59 of log(1 + f).
BASCULE_HD double log_series(double z, double square) {
    return pairs(z, square, 0.6666666666666734, 0.39999999999416408, 0.28571428742114152, 0.22222198593556117,
                 0.18183563564132799, 0.15314064038954284, 0.14795864513683735);
}

// log(1 + f + f_lo) as an unevaluated sum, error about 2^-58 of it; f in [-0.293, 0.415], f_lo a rounding error of f.
BASCULE_HD twofold log1p_near(double f, double f_lo) {
    double const s = f / (2.0 + f), z = s * s;
    twofold const square = two_product(f, f);
    double const half = 0.5 * square.hi, hi = f - half;
    double const slope = horner(f, 1.0, -1.0, 1.0, -1.0);  // 1 / (1 + f), to a few bits
    double const rest = ((f - hi) - half) - 0.5 * square.lo + fma(f_lo, slope, s * fma(z, log_series(z, z * z), half));
    return {hi, rest};
}

// k ln2 + log(1 + f) as an unevaluated sum.
BASCULE_HD twofold add_exponent(double k, twofold l) {
    twofold const sum = fast_two_sum(k * ln2_hi, l.hi);
    return {sum.hi, sum.lo + fma(k, ln2_lo, l.lo)};
}

// The value of a logarithm at the ends of its domain.
template <class T> BASCULE_HD T log_at_ends(T x, T y) {
    constexpr T top = static_cast<T>(infinity);
    T const a = x == top ? x : y;
    T const b = x == 0 ? -top : a;
    T const c = x < 0 ? static_cast<T>(not_a_number) : b;
    return x != x ? x : c;
}

BASCULE_HD double log_of_parts(log_argument a) {
    double const f = a.f, s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    double const rest = fma(s, fma(z, log_series(z, z * z), half), a.k * ln2_lo);
    return fma(a.k, ln2_hi, f - (half - rest));
}
BASCULE_HD double log(double x) { return log_at_ends(x, log_of_parts(reduce_log(x))); }

namespace fast {
BASCULE_HD bool log_in_range(double x) { return bits(x) - 0x0010000000000000u < 0x7fe0000000000000u; }
BASCULE_HD double log(double x) { return log_of_parts(reduce_log_normal(x)); }
}  // namespace fast

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

// Float: the usual range is computed in float.

// ln 2 with 15 bits in the high part: its product with an exponent is exact.
inline constexpr float ln2_hi_float = 0x1.62e4p-1f, ln2_lo_float = 0x1.7f7d1cp-20f;

// e^x for |x| < 160, x = n ln2 + r with log(3/4) <= r <= log(3/2): where a result's unit is small, so is r and its
// rounding error. The polynomial approximates (e^r - 1 - r) / r^2 so well that e^r has a relative error of 2^-28.2.
BASCULE_HD scaled<float> exp_scaled(float x) {
    float const shifted = fma(x, static_cast<float>(log2_e), -0.0849625007f) + round_shift_float;
    float const n = shifted - round_shift_float;
    float const r = fma(-n, ln2_lo_float, fma(-n, ln2_hi_float, x)), z = r * r;
    float const tail = pairs(r, z, 0.500000179f, 0.166665554f, 0.0416588001f, 0.00836253166f, 0.00145853939f);
    return {1.0f + fma(z, tail, r), shifted};
}
// 2^x for |x| < 160. The polynomial is (2^r - 1 - r ln2) / r^2 for |r| <= 1/2, so well that 2^r is good to 2^-28.2.
BASCULE_HD scaled<float> exp2_scaled(float x) {
    float const shifted = x + round_shift_float, r = x - (shifted - round_shift_float), z = r * r;
    float const tail = pairs(r, z, 0.240226477f, 0.0555036142f, 0.00961848255f, 0.00133905711f, 0.000153374582f);
    return {1.0f + fma(r, 0x1.62e43p-1f, fma(z, tail, r * -0x1.05c61p-29f)), shifted};
}

BASCULE_HD float clamp_float(float x, float low, float high) {
    float const y = x > high ? high : x;
    return y < low ? low : y;
}
BASCULE_HD float exp(float x) {
    scaled<float> const a = exp_scaled(clamp_float(x, -105.0f, 89.0f));
    return scale_near_one(a.significand, shifted_integer(a.shifted));
}
BASCULE_HD float exp2(float x) {
    scaled<float> const a = exp2_scaled(clamp_float(x, -151.0f, 129.0f));
    return scale_near_one(a.significand, shifted_integer(a.shifted));
}

struct log_argument_float {
    float f, k;
    std::uint32_t exponent;  // k as two's complement
};
// x = 2^k m as reduce_log has it, for a positive finite float that is not subnormal.
BASCULE_HD log_argument_float reduce_log_float(float x) {
    constexpr std::uint32_t root_half = 0x3f3504f3u;
    std::uint32_t const b = bits(x) - root_half;
    std::int32_t const k = static_cast<std::int32_t>(b) >> 23;
    return {from_bits((b & 0x7fffffu) + root_half) - 1.0f, static_cast<float>(k), static_cast<std::uint32_t>(k)};
}
// (log(1 + f) - f) / f^2 for f in [-0.293, 0.415] and z = f^2, so well that log(1 + f) is good to 2^-27.3.
BASCULE_HD float log_tail_float(float f, float z) {
    return pairs(f, z, -0.5f, 0.333333313f, -0.250008225f, 0.200012609f, -0.166233256f, 0.142009467f, -0.131595358f,
                 0.127672315f, -0.076439023f);
}
BASCULE_HD float log_of_float_parts(log_argument_float a) {
    float const f = a.f, z = f * f;
    return fma(a.k, ln2_hi_float, f + fma(z, log_tail_float(f, z), a.k * ln2_lo_float));
}
// The same times 1 / ln(base), which is `inverse` + `inverse_lo`; base_hi + base_lo is its product with ln2, whose high
// part is so short that its product with an exponent is exact.
BASCULE_HD float log_to_base_of_float_parts(log_argument_float a, float inverse, float inverse_lo, float base_hi,
                                            float base_lo) {
    float const f = a.f, z = f * f, lead = f * inverse, lost = fma(f, inverse, -lead);
    float const whole = a.k * base_hi, sum = whole + lead, below = lead - (sum - whole);
    // As log_tail_float, to 2^-30.
    float const tail = pairs(f, z, -0.5f, 0.333333135f, -0.250000119f, 0.20002073f, -0.166678444f, 0.142202228f,
                             -0.124084711f, 0.118866056f, -0.116588667f, 0.0672969297f);
    float const rest = fma(f, inverse_lo, fma(z * inverse, tail, lost));
    return sum + (below + fma(a.k, base_lo, rest));
}
BASCULE_HD float log2_of_float_parts(log_argument_float a) {
    return log_to_base_of_float_parts(a, 0x1.715476p+0f, 0x1.4ae0cp-26f, 1.0f, 0.0f);
}
BASCULE_HD float log10_of_float_parts(log_argument_float a) {
    return log_to_base_of_float_parts(a, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f, 0x1.344p-2f, 0x1.3509f8p-18f);
}
// The same for any positive float, but for `exponent`.
BASCULE_HD log_argument_float reduce_any_log_float(float x) {
    bool const tiny = x < 0x1p-126f;
    log_argument_float const a = reduce_log_float(tiny ? x * 0x1p25f : x);
    return {a.f, tiny ? a.k - 25.0f : a.k, 0};
}
// log(1 + x + x_lo) for 1 + x = 2^k (1 + f) with the rounding error of the sum, which changes the logarithm by about
// lost / (2^k (1 + f)).
BASCULE_HD float log1p_of_sum(float x, float x_lo) {
    float const u = 1.0f + x, part = u - 1.0f, lost = (1.0f - (u - part)) + ((x - part) + x_lo);
    log_argument_float const a = reduce_log_float(u);
    bool const near = a.k == 0;  // x itself has all its bits
    float const f = near ? x : a.f, z = f * f;
    float const moved = near ? x_lo : 0.5f * lost * from_bits((128u - a.exponent) << 23);
    float const slope = fma(f, f - 1.0f, 1.0f);  // 1 / (1 + f), to a few bits
    float const rest = fma(z, log_tail_float(f, z), fma(a.k, ln2_lo_float, moved * slope));
    float const whole = a.k * ln2_hi_float, sum = whole + f;
    return sum + ((f - (sum - whole)) + rest);
}
BASCULE_HD float log(float x) { return log_at_ends(x, log_of_float_parts(reduce_any_log_float(x))); }
double log2(double) = delete;  // of_ops::log2; without this a double would become a float
double log10(double) = delete;
BASCULE_HD float log2(float x) { return log_at_ends(x, log2_of_float_parts(reduce_any_log_float(x))); }
BASCULE_HD float log10(float x) { return log_at_ends(x, log10_of_float_parts(reduce_any_log_float(x))); }

namespace fast {
BASCULE_HD bool exp_in_range(float x) { return abs(x) <= 87.0f; }
BASCULE_HD bool exp2_in_range(float x) { return abs(x) <= 125.0f; }
BASCULE_HD bool expm1_in_range(float x) { return abs(x) <= 87.0f; }
BASCULE_HD bool log_in_range(float x) { return bits(x) - 0x00800000u < 0x7f000000u; }
BASCULE_HD bool log1p_in_range(float x) { return log_in_range(1.0f + x); }
BASCULE_HD float exp(float x) { return compose(exp_scaled(x)); }
BASCULE_HD float exp2(float x) { return compose(exp2_scaled(x)); }
BASCULE_HD float log(float x) { return log_of_float_parts(reduce_log_float(x)); }
BASCULE_HD float log2(float x) { return log2_of_float_parts(reduce_log_float(x)); }
BASCULE_HD float log10(float x) { return log10_of_float_parts(reduce_log_float(x)); }

BASCULE_HD float log1p(float x) {
    float const y = log1p_of_sum(x, 0.0f);
    return abs(x) < 0x1p-25f ? x : y;  // a zero keeps its sign
}
// 2^n (e^r - 1) + (2^n - 1): the rounding error of its leading terms is added to the rest.
BASCULE_HD float expm1(float x) {
    float const shifted = fma(x, static_cast<float>(log2_e), -0.0849625007f) + round_shift_float;
    float const n = shifted - round_shift_float;
    float const near = fma(-n, ln2_hi_float, x), r = fma(-n, ln2_lo_float, near), z = r * r;
    float const r_lo = fma(-n, ln2_lo_float, near - r);
    // (e^r - 1 - r) / r^2, so well that e^r - 1 is good to 2^-28; the first is no tie where it decides.
    float const tail =
        pairs(r, z, 0.50000006f, 0.166666672f, 0.0416641273f, 0.00833460502f, 0.00141263881f, 0.000176097703f);
    // Half of 2^n: twice the sum may reach further.
    float const scale = from_bits((shifted_integer(shifted) + 126u) << 23), offset = scale - 0.5f, lead = scale * r;
    float const sum = offset + lead, below = (offset - sum) + lead, left = (scale - offset) - 0.5f;
    float const y = 2.0f * (sum + (below + fma(scale, fma(z, tail, r_lo), left)));
    return abs(x) < 0x1p-25f ? x : y;
}
}  // namespace fast

BASCULE_HD float log1p(float x) { return log_at_ends(1.0f + x, fast::log1p(x)); }
BASCULE_HD float expm1(float x) { return x != x ? x : fast::expm1(clamp_float(x, -20.0f, 89.0f)); }

// The rest in double, where a float never overflows and its subnormals are normal: no two-step scaling, no low parts.

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
// e^x - 1 for -40 <= x <= 130.
BASCULE_HD double expm1_short(double x) {
    double const shifted = fma(x, log2_e, round_shift), n = shifted - round_shift;
    double const r = fma(-n, ln2_hi, x) - n * ln2_lo, scale = power_of_two(shifted_integer(shifted));
    return fma(scale, r * exp_slope_short(r), scale - 1.0);
}
// log(1 + f) / f for f in [-0.293, 0.415], to 2^-30.
BASCULE_HD double log1p_slope_short(double f) {
    return horner(f, 1.00000000063123, -0.49999999668150619, 0.33333301603499238, -0.25000026989085572,
                  0.20002576181166087, -0.16667916365729954, 0.14212529505283805, -0.12401008586356464,
                  0.11926089117084965, -0.11718587365871797, 0.067258532993917874);
}

// The logarithm of such a double times `unit`, whose product with ln 2 is `k_unit`; to 2^-30.
BASCULE_HD double log_short(double x, double unit, double k_unit) {
    log_argument const a = reduce_log_normal(x);
    return fma(a.k, k_unit, a.f * log1p_slope_short(a.f) * unit);
}
// log(1 + x) for x > -1, x a float or a double of which 2^-30 matters.
BASCULE_HD double log1p_short(double x) {
    log_argument const a = reduce_log_normal(1.0 + x);
    double const f = a.k == 0 ? x : a.f;  // 1 + x has lost the low bits of a small x
    return fma(a.k, 0.69314718055994531, f * log1p_slope_short(f));
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
