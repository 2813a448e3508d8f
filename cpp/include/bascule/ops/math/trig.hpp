// Sine, cosine, tangent and their inverses. `fast::` bodies are free of branches and hold for |x| <= trig_limit; the
// functions outside `fast` take any argument and give the same bits inside the limit. Array kernels run the fast body
// over a block and repair the rare element beyond the limit with the other.
// Coefficients: minimax (Remez) on the interval named at each.
#pragma once
#include "bascule/ops/math/basic.hpp"

namespace bascule::ops::math {

namespace fast {
inline constexpr double trig_limit = 1e6;
}

inline constexpr double pi_hi = 0x1.921fb54442d18p+1, pi_lo = 0x1.1a62633145c07p-53;

// |x| = quadrant * pi/2 + r + r_lo, |r| <= pi/4 and a rounding; only the low two bits of `quadrant` mean something.
struct trig_argument {
    double r, r_lo;
    std::uint64_t quadrant;
};

// For 0 <= x <= trig_limit. Next to a multiple of pi/2 the leading terms cancel, so every rounding error down to
// 2^-106 is kept: random tests never see the difference, a sine near pi does.
BASCULE_HD trig_argument reduce_trig(double x) {
    double const shifted = fma(x, 0x1.45f306dc9c883p-1, round_shift), n = shifted - round_shift;
    if constexpr (has_fma) {
        double const lead = fma(-n, 0x1.921fb54442d18p+0, x);  // exact
        double const next = n * 0x1.1a62633145c07p-54, next_lo = fma(n, 0x1.1a62633145c07p-54, -next);
        double const r = lead - next;
        return {r, ((lead - r) - next) - fma(n, -0x1.f1976b7ed8fbcp-110, next_lo), bits(shifted)};
    } else {
        // pi/2 in pieces of 33 bits, whose products with n < 2^20 are exact without a fused instruction.
        double const lead = x - n * 0x1.921fb54400000p+0;
        twofold const a = two_sum(lead, -(n * 0x1.0b4611a600000p-34));
        twofold const b = two_sum(a.hi, -(n * 0x1.3198a2e000000p-69));
        double const rest = (a.lo + b.lo) - n * 0x1.b839a252049c1p-104;
        twofold const r = fast_two_sum(b.hi, rest);
        return {r.hi, r.lo, bits(shifted)};
    }
}

// sin(r + r_lo) is r plus this, on [0, pi/4] to 2^-58.
BASCULE_HD double sin_rest(double r, double r_lo) {
    double const z = r * r;
    double const p = horner(z, 0.0083333333333224721, -0.00019841269829835677, 2.7557313697330616e-06,
                            -2.505075848600173e-08, 1.589679601236748e-10);
    return fma(z * r, fma(z, p, -0.16666666666666632), r_lo * fma(z, -0.5, 1.0));
}
// cos(r + r_lo) as an unevaluated sum, on [0, pi/4] to 2^-64.
BASCULE_HD twofold cos_parts(double r, double r_lo) {
    double const z = r * r, half = 0.5 * z, w = 1.0 - half;
    double const p = horner(z, 0.041666666666666602, -0.0013888888888874457, 2.4801587289652966e-05,
                            -2.7557314393940569e-07, 2.0875728126579468e-09, -1.1359866101000317e-11);
    return {w, ((1.0 - w) - half) + fma(z, z * p, -r * r_lo)};
}

struct sin_cos {
    double sin, cos;
};

// The signs: sine and cosine swap in odd quadrants and turn negative in (2, 3) and (1, 2).
BASCULE_HD sin_cos sincos_of(trig_argument a, double x) {
    double const s = a.r + sin_rest(a.r, a.r_lo);
    twofold const parts = cos_parts(a.r, a.r_lo);
    double const c = parts.hi + parts.lo;
    bool const odd = a.quadrant & 1;
    double const sine = odd ? c : s, cosine = odd ? s : c;
    return {from_bits(bits(sine) ^ ((a.quadrant & 2) << 62) ^ (bits(x) & 0x8000000000000000u)),
            from_bits(bits(cosine) ^ (((a.quadrant + 1) & 2) << 62))};
}

// The quotient is formed from unevaluated sums: that of two rounded ones would miss by more than an ULP.
BASCULE_HD double tan_of(trig_argument a, double x) {
    twofold const s = fast_two_sum(a.r, sin_rest(a.r, a.r_lo)), parts = cos_parts(a.r, a.r_lo);
    twofold const c = fast_two_sum(parts.hi, parts.lo);
    bool const odd = a.quadrant & 1;
    twofold const q = divide({odd ? c.hi : s.hi, odd ? c.lo : s.lo}, {odd ? s.hi : c.hi, odd ? s.lo : c.lo});
    double const y = abs(q.hi) < 0x1p-500 ? q.hi : q.hi + q.lo;
    return from_bits(bits(y) ^ (a.quadrant << 63) ^ (bits(x) & 0x8000000000000000u));
}

// The same for any finite x > 2^19, by Payne and Hanek: of x * 2/pi only the bits that are not whole turns, and of the
// fraction 160 bits, are formed, from the matching window of the digits of 2/pi.
BASCULE_HD trig_argument reduce_trig_any(double x) {
    // 2/pi in 32-bit digits, after the zero digit of the units.
    static constexpr std::uint32_t digits[] = {
        0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
        0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026,
        0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
        0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
        0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};
    constexpr int window = 8, length = window + 2;
    int const exponent = static_cast<int>((bits(x) >> 52) & 0x7ff) - 1075;  // x = mantissa * 2^exponent
    std::uint64_t const mantissa = (bits(x) & 0xfffffffffffffu) | 0x10000000000000u;
    // Digit i has weight 2^(-32 i); those before `start` give multiples of 2^32 only.
    int const start = exponent < 0 ? 0 : exponent / 32, shift = exponent - 32 * start;
    std::uint32_t product[length + 1] = {};  // most significant first; digit j has weight 2^(32 (2 - j) + shift)
    for (int half = 0; half < 2; ++half) {
        std::uint64_t const factor = half == 0 ? mantissa & 0xffffffffu : mantissa >> 32;
        std::uint64_t carry = 0;
        for (int i = window - 1; i >= 0; --i) {
            int const at = i + 2 - half;
            carry += factor * digits[start + i] + product[at];
            product[at] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        product[1 - half] = static_cast<std::uint32_t>(carry);
    }
    // Bring the binary point to the border behind digit `units`; shift is in [-33, 31].
    int const units = (shift + 64) / 32, left = (shift + 64) % 32;
    for (int j = 0; j < length; ++j) {
        std::uint64_t const pair = (std::uint64_t{product[j]} << 32) | product[j + 1];
        product[j] = static_cast<std::uint32_t>(pair >> (32 - left));
    }
    bool const round_up = product[units + 1] >> 31;
    std::uint64_t const quadrant = std::uint64_t{product[units]} + round_up;
    double sum = 0, rest = 0, weight = 0x1p-32;
    for (int j = 1; j <= 5; ++j, weight *= 0x1p-32) {
        // When rounded up, the remainder is the complement, subtracted.
        std::uint32_t const d = round_up ? ~product[units + j] : product[units + j];
        twofold const step = two_sum(sum, static_cast<double>(d) * weight);
        sum = step.hi;
        rest += step.lo;
    }
    twofold const fraction = fast_two_sum(sum, rest), scaled = two_product(fraction.hi, 0x1.921fb54442d18p+0);
    double const scaled_lo = scaled.lo + (fraction.hi * 0x1.1a62633145c07p-54 + fraction.lo * 0x1.921fb54442d18p+0);
    twofold const r = fast_two_sum(scaled.hi, scaled_lo);
    return {round_up ? -r.hi : r.hi, round_up ? -r.lo : r.lo, quadrant};
}

namespace fast {
BASCULE_HD sin_cos sincos(double x) { return sincos_of(reduce_trig(abs(x)), x); }
BASCULE_HD double sin(double x) { return sincos(x).sin; }
BASCULE_HD double cos(double x) { return sincos(x).cos; }
BASCULE_HD double tan(double x) { return tan_of(reduce_trig(abs(x)), x); }
}  // namespace fast

// Any argument; infinities give NaN.
BASCULE_HD trig_argument reduce_trig_full(double x) {
    double const a = abs(x);
    if (a <= fast::trig_limit) return reduce_trig(a);
    if (a < infinity) return reduce_trig_any(a);
    return {not_a_number, 0, 0};
}
BASCULE_HD sin_cos sincos(double x) { return sincos_of(reduce_trig_full(x), x); }
BASCULE_HD double sin(double x) { return sincos(x).sin; }
BASCULE_HD double cos(double x) { return sincos(x).cos; }
BASCULE_HD double tan(double x) { return tan_of(reduce_trig_full(x), x); }

// Float: sine and cosine in float, with a rest of the reduced argument, to 0.8 ULP; the tangent in double.
struct trig_argument_float {
    float r, r_lo;
    std::uint32_t quadrant;
};
// For 0 <= x <= trig_limit. 2/pi in float is so rough that |r| may exceed pi/4 by a twentieth.
BASCULE_HD trig_argument_float reduce_trig(float x) {
    if constexpr (has_fma) {
        float const shifted = fma(x, 0x1.45f306p-1f, round_shift_float), n = shifted - round_shift_float;
        float const lead = fma(-n, 0x1.921fb6p+0f, x);  // exact
        float const next = n * -0x1.777a5cp-25f, next_lo = fma(n, -0x1.777a5cp-25f, -next), r = lead - next;
        return {r, ((lead - r) - next) - fma(n, -0x1.ee59dap-50f, next_lo), bits(shifted)};
    } else {
        double const a = x, shifted = a * 0x1.45f306dc9c883p-1 + round_shift, n = shifted - round_shift;
        double const wide = (a - n * 0x1.921fb54400000p+0) - n * 0x1.0b4611a626331p-34;  // the first product is exact
        auto const r = static_cast<float>(wide);
        return {r, static_cast<float>(wide - r), static_cast<std::uint32_t>(bits(shifted))};
    }
}

struct sin_cos_float {
    float sin, cos;
};
BASCULE_HD sin_cos_float sincos_of(trig_argument_float a, float x) {
    float const r = a.r, z = r * r, z_lo = fma(r, r, -z), w = fma(-0.5f, z, 1.0f);
    // To 2^-27 and 2^-32 on [0, 0.827].
    float const s = r + fma(z * r, horner(z, -0.166666508f, 0.00833191443f, -0.000194821288f), w * a.r_lo);
    float const rest = fma(-0.5f, z, 1.0f - w) - fma(0.5f, z_lo, r * a.r_lo);
    float const c = w + fma(z * z, horner(z, 0.0416666381f, -0.00138869567f, 2.43932391e-05f), rest);
    bool const odd = a.quadrant & 1;
    float const sine = odd ? c : s, cosine = odd ? s : c;
    return {from_bits(bits(sine) ^ (((a.quadrant << 30) ^ bits(x)) & 0x80000000u)),
            from_bits(bits(cosine) ^ (((a.quadrant + 1) << 30) & 0x80000000u))};
}
// For the tangent, in double: to 2^-37 and 2^-33 on [0, pi/4].
BASCULE_HD float tan_short(double r, std::uint64_t quadrant, double x) {
    double const z = r * r;
    double const s =
        fma(z * r,
            horner(z, -0.16666666641526931, 0.0083333293732978826, -0.00019839330585355773, 2.7182695993745146e-06), r);
    double const c = fma(z, horner(z, -0.5, 0.04166664680872878, -0.0013887364553578361, 2.4438097757598825e-05), 1.0);
    bool const odd = quadrant & 1;
    return static_cast<float>(flip_sign((odd ? -c : s) / (odd ? s : c), x));
}

namespace fast {
BASCULE_HD sin_cos_float sincos(float x) { return sincos_of(reduce_trig(abs(x)), x); }
BASCULE_HD float sin(float x) { return sincos(x).sin; }
BASCULE_HD float cos(float x) { return sincos(x).cos; }
BASCULE_HD float tan(float x) {
    double const a = abs(x), shifted = fma(a, 0x1.45f306dc9c883p-1, round_shift), n = shifted - round_shift;
    double const r = (a - n * 0x1.921fb54400000p+0) - n * 0x1.0b4611a626331p-34;  // the first product is exact
    return tan_short(r, bits(shifted), x);
}
}  // namespace fast

BASCULE_HD trig_argument_float reduce_trig_full(float x) {
    float const a = abs(x);
    if (a <= static_cast<float>(fast::trig_limit)) return reduce_trig(a);
    trig_argument const wide = reduce_trig_full(static_cast<double>(a));
    auto const r = static_cast<float>(wide.r);
    return {r, static_cast<float>(wide.r - r), static_cast<std::uint32_t>(wide.quadrant)};
}
BASCULE_HD sin_cos_float sincos(float x) { return sincos_of(reduce_trig_full(x), x); }
BASCULE_HD float sin(float x) { return sincos(x).sin; }
BASCULE_HD float cos(float x) { return sincos(x).cos; }
BASCULE_HD float tan(float x) {
    if (abs(x) <= static_cast<float>(fast::trig_limit)) return fast::tan(x);
    trig_argument const a = reduce_trig_full(static_cast<double>(x));
    return tan_short(a.r, a.quadrant, x);
}

}  // namespace bascule::ops::math
