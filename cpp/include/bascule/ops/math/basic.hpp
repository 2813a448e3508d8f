// The bricks of the elementary functions: bit views, fused multiply-add, exact sums and products, rounding.
// No library function is called, so every result is a matter of this text and of IEEE 754 alone; the builds that have
// a fused multiply-add (x86-64-v3 and up, aarch64, CUDA) agree bit for bit. Compile with -ffp-contract=off and, for
// the loops to become vector code, -fno-math-errno -fno-trapping-math.
#pragma once
#include "bascule/core/host_device.hpp"

namespace bascule::ops::math {

#if defined(__CUDA_ARCH__) || defined(__FMA__) || defined(__aarch64__)
inline constexpr bool has_fma = true;
#else
inline constexpr bool has_fma = false;
#endif

BASCULE_HD std::uint64_t bits(double x) { return __builtin_bit_cast(std::uint64_t, x); }
BASCULE_HD std::uint32_t bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }
BASCULE_HD double from_bits(std::uint64_t b) { return __builtin_bit_cast(double, b); }
BASCULE_HD float from_bits(std::uint32_t b) { return __builtin_bit_cast(float, b); }

inline constexpr double infinity = __builtin_bit_cast(double, std::uint64_t{0x7ff0000000000000});
inline constexpr double not_a_number = __builtin_bit_cast(double, std::uint64_t{0x7ff8000000000000});
inline constexpr double smallest_normal = 0x1p-1022;

// a*b+c rounded once, or twice where the processor has no such instruction: callers must not need the difference for
// more than a fraction of a unit in the last place. Where exactness is needed, two_product is.
BASCULE_HD double fma(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
    return __fma_rn(a, b, c);
#elif defined(__FMA__) || defined(__aarch64__)
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}
BASCULE_HD float fma(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#elif defined(__FMA__) || defined(__aarch64__)
    return __builtin_fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

BASCULE_HD double sqrt(double x) {
#if defined(__CUDA_ARCH__)
    return __dsqrt_rn(x);
#else
    return __builtin_sqrt(x);
#endif
}
BASCULE_HD float sqrt(float x) {
#if defined(__CUDA_ARCH__)
    return __fsqrt_rn(x);
#else
    return __builtin_sqrtf(x);
#endif
}

#if defined(__CUDA_ARCH__)
BASCULE_HD double floor(double x) { return ::floor(x); }
BASCULE_HD float floor(float x) { return ::floorf(x); }
BASCULE_HD double ceil(double x) { return ::ceil(x); }
BASCULE_HD float ceil(float x) { return ::ceilf(x); }
BASCULE_HD double trunc(double x) { return ::trunc(x); }
BASCULE_HD float trunc(float x) { return ::truncf(x); }
BASCULE_HD double rint(double x) { return ::rint(x); }
BASCULE_HD float rint(float x) { return ::rintf(x); }
#else
BASCULE_HD double floor(double x) { return __builtin_floor(x); }
BASCULE_HD float floor(float x) { return __builtin_floorf(x); }
BASCULE_HD double ceil(double x) { return __builtin_ceil(x); }
BASCULE_HD float ceil(float x) { return __builtin_ceilf(x); }
BASCULE_HD double trunc(double x) { return __builtin_trunc(x); }
BASCULE_HD float trunc(float x) { return __builtin_truncf(x); }
// Rounds halfway cases to even, in the default rounding mode.
BASCULE_HD double rint(double x) { return __builtin_rint(x); }
BASCULE_HD float rint(float x) { return __builtin_rintf(x); }
#endif

BASCULE_HD double abs(double x) { return from_bits(bits(x) & 0x7fffffffffffffffu); }
BASCULE_HD float abs(float x) { return from_bits(bits(x) & 0x7fffffffu); }
BASCULE_HD double copysign(double magnitude, double sign) {
    return from_bits((bits(magnitude) & 0x7fffffffffffffffu) | (bits(sign) & 0x8000000000000000u));
}
BASCULE_HD float copysign(float magnitude, float sign) {
    return from_bits((bits(magnitude) & 0x7fffffffu) | (bits(sign) & 0x80000000u));
}
// x with its sign turned where `sign` is negative: the odd half of an odd function.
BASCULE_HD double flip_sign(double x, double sign) { return from_bits(bits(x) ^ (bits(sign) & 0x8000000000000000u)); }
BASCULE_HD float flip_sign(float x, float sign) { return from_bits(bits(x) ^ (bits(sign) & 0x80000000u)); }

BASCULE_HD bool signbit(double x) { return bits(x) >> 63; }
BASCULE_HD bool signbit(float x) { return bits(x) >> 31; }
template <class T> BASCULE_HD bool isnan(T x) { return x != x; }
template <class T> BASCULE_HD bool isinf(T x) { return abs(x) == static_cast<T>(infinity); }
template <class T> BASCULE_HD bool isfinite(T x) { return abs(x) < static_cast<T>(infinity); }

// c0 + x*(c1 + x*(c2 + ...)), by Horner's rule.
template <class T> BASCULE_HD T horner(T, T c) { return c; }
template <class T, class... C> BASCULE_HD T horner(T x, T c, C... rest) { return fma(x, horner(x, rest...), c); }

// The same in pairs of terms, z = x*x: as many operations, in half as long a chain.
template <class T> BASCULE_HD T pairs(T, T, T c) { return c; }
template <class T> BASCULE_HD T pairs(T x, T, T c, T d) { return fma(x, d, c); }
template <class T, class... C> BASCULE_HD T pairs(T x, T z, T c, T d, C... rest) {
    return fma(z, pairs(x, z, rest...), fma(x, d, c));
}

// An unevaluated sum of two doubles, for intermediate results that need more than 53 bits.
struct twofold {
    double hi, lo;
};

// hi + lo is exactly a + b; needs |a| >= |b| or a == 0.
BASCULE_HD twofold fast_two_sum(double a, double b) {
    double const sum = a + b;
    return {sum, b - (sum - a)};
}
// hi + lo is exactly a + b (Knuth).
BASCULE_HD twofold two_sum(double a, double b) {
    double const sum = a + b, b_part = sum - a;
    return {sum, (a - (sum - b_part)) + (b - b_part)};
}
// hi + lo is exactly a * b. Without a fused instruction: Dekker's product, for |a|, |b| < 2^996.
BASCULE_HD twofold two_product(double a, double b) {
    double const product = a * b;
    if constexpr (has_fma) {
        return {product, fma(a, b, -product)};
    } else {
        double const ca = a * 0x1.0000002p27, cb = b * 0x1.0000002p27;
        double const a_hi = ca - (ca - a), b_hi = cb - (cb - b), a_lo = a - a_hi, b_lo = b - b_hi;
        return {product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
    }
}
// c - a*b, good to the last bit also where the product cancels against c.
BASCULE_HD double residual(double c, double a, double b) {
    if constexpr (has_fma) return fma(-a, b, c);
    twofold const p = two_product(a, b);
    return (c - p.hi) - p.lo;
}
// The quotient of two unevaluated sums, with one division: `hi` is good to about an ULP, `lo` is the rest.
BASCULE_HD twofold divide(twofold a, twofold b) {
    double const inverse = 1.0 / b.hi, q = a.hi * inverse;
    return {q, ((residual(a.hi, q, b.hi) + a.lo) - q * b.lo) * inverse};
}

// 1 / (2 root) to float precision, for corrections that need no more: a float division is several times cheaper. The
// tiny addend keeps 0/0 away.
BASCULE_HD double rough_half_inverse(double root) {
    return static_cast<double>(0.5f / (static_cast<float>(root) + 1e-30f));
}

// 1/x of a positive normal number up to 2^126, to an eighth of it: for rests that need no more.
BASCULE_HD float rough_inverse(float x) { return from_bits(0x7ef311c7u - bits(x)); }

// Adding this to |x| < 2^51 rounds x to an integer, half to even, and leaves the integer in the low bits: AVX2 has no
// conversion between doubles and 64-bit integers, and this needs none.
inline constexpr double round_shift = 0x1.8p52;
inline constexpr float round_shift_float = 0x1.8p23f;  // for |x| < 2^22
BASCULE_HD std::uint64_t shifted_integer(double shifted) { return bits(shifted) - 0x4338000000000000u; }
BASCULE_HD std::uint32_t shifted_integer(float shifted) { return bits(shifted) - 0x4b400000u; }
// The same the other way: a two's complement integer of magnitude below 2^51 as a double.
BASCULE_HD double to_double(std::uint64_t n) { return from_bits(n + 0x4338000000000000u) - round_shift; }

// 2^n for -1022 <= n <= 1023 given as two's complement.
BASCULE_HD double power_of_two(std::uint64_t n) { return from_bits((n + 1023) << 52); }
BASCULE_HD float power_of_two(std::uint32_t n) { return from_bits((n + 127) << 23); }

// x * 2^n for |n| <= 2044, float 252, and x near 1: two steps, so that only the last one can overflow or round.
BASCULE_HD double scale_near_one(double x, std::uint64_t n) {
    std::uint64_t const half = ((n + 4096) >> 1) - 2048;
    return x * power_of_two(half) * power_of_two(n - half);
}
BASCULE_HD float scale_near_one(float x, std::uint32_t n) {
    std::uint32_t const half = ((n + 512) >> 1) - 256;
    return x * power_of_two(half) * power_of_two(n - half);
}

// The next double or float after x towards `to`, as C99's nextafter.
BASCULE_HD double nextafter(double x, double to) {
    std::uint64_t const b = bits(x);
    bool const away = (x < to) == (x > 0);
    double const stepped = from_bits(away ? b + 1 : b - 1);
    double const from_zero = copysign(0x1p-1074, to);
    double const moved = x == 0 ? from_zero : stepped;
    double const y = x == to ? to : moved;
    return ((x != x) | (to != to)) ? x + to : y;
}
BASCULE_HD float nextafter(float x, float to) {
    std::uint32_t const b = bits(x);
    bool const away = (x < to) == (x > 0);
    float const stepped = from_bits(away ? b + 1 : b - 1);
    float const from_zero = copysign(0x1p-149f, to);
    float const moved = x == 0 ? from_zero : stepped;
    float const y = x == to ? to : moved;
    return ((x != x) | (to != to)) ? x + to : y;
}
// The distance to the neighbour away from zero, negative for negative x, as NumPy's spacing.
template <class T> BASCULE_HD T spacing(T x) {
    T const gap = nextafter(x, copysign(static_cast<T>(infinity), x)) - x;
    return isfinite(x) ? gap : static_cast<T>(not_a_number);
}

}  // namespace bascule::ops::math
