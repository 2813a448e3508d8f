// From the digits of a decimal number to the nearest double (D. Lemire, "Number Parsing at a Gigabyte per Second",
// 2021): the digits times 128 bits of a power of five decide, but for some numbers of more than 19 digits.
#pragma once
#include <cstdint>

#include "bascule/core/field_text.hpp"

namespace bascule::cuda::algorithms {

// The 128 highest bits of 5 to the powers from `least_power` to `greatest_power`, two words each, the higher one first.
inline constexpr std::int64_t least_power = -342, greatest_power = 308;
std::uint64_t const* powers_of_five();  // in the host's memory
inline constexpr std::int64_t words_of_powers = 2 * (greatest_power - least_power + 1);

struct wide_product {
    std::uint64_t high, low;
};
BASCULE_HD wide_product multiply(std::uint64_t a, std::uint64_t b) {
#if defined(__CUDA_ARCH__)
    return {__umul64hi(a, b), a * b};
#else
    __extension__ typedef unsigned __int128 wide;
    wide const all = static_cast<wide>(a) * b;
    return {static_cast<std::uint64_t>(all >> 64), static_cast<std::uint64_t>(all)};
#endif
}
BASCULE_HD int leading_zeros(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
    return __clzll(static_cast<long long>(x));
#else
    return __builtin_clzll(x);
#endif
}

inline constexpr std::uint64_t infinity_bits = std::uint64_t{0x7ff} << 52;

// The bits of the double nearest to digits * 10^power.
BASCULE_HD std::uint64_t nearest_double(std::uint64_t digits, std::int64_t power, std::uint64_t const* powers) {
    if (digits == 0 || power < least_power) return 0;
    if (power > greatest_power) return infinity_bits;
    int const zeros = leading_zeros(digits);
    digits <<= zeros;
    std::uint64_t const* const five = powers + 2 * (power - least_power);
    wide_product product = multiply(digits, five[0]);
    constexpr int kept = 52 + 3;  // the mantissa's bits, and three more that round it
    if ((product.high & (~std::uint64_t{0} >> kept)) == ~std::uint64_t{0} >> kept) {
        std::uint64_t const more = multiply(digits, five[1]).high;
        product.low += more;
        if (more > product.low) ++product.high;
    }
    int const upper = static_cast<int>(product.high >> 63), shift = upper + 64 - kept;
    std::uint64_t mantissa = product.high >> shift;
    std::int64_t exponent = ((217706 * power) >> 16) + 63 + upper - zeros + 1023;
    if (exponent <= 0) {  // below the normal numbers
        if (1 - exponent >= 64) return 0;
        mantissa >>= 1 - exponent;
        mantissa = (mantissa + (mantissa & 1)) >> 1;
        return mantissa;  // the smallest normal number's bits follow those of the largest below
    }
    // Exactly in the middle, which only few powers allow: to even.
    if (product.low <= 1 && power >= -4 && power <= 23 && (mantissa & 3) == 1 && mantissa << shift == product.high)
        mantissa &= ~std::uint64_t{1};
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    if (mantissa >= std::uint64_t{1} << 53) mantissa = std::uint64_t{1} << 52, ++exponent;
    if (exponent >= 0x7ff) return infinity_bits;
    return (mantissa & ~(std::uint64_t{1} << 52)) | static_cast<std::uint64_t>(exponent) << 52;
}

// Up to 19 digits of a decimal number, and the power of ten of the last of them.
struct decimal_digits {
    std::uint64_t digits = 0;
    std::int64_t power = 0;
    bool more = false;  // others than zero follow
};
// s is a decimal without blanks and sign.
BASCULE_HD decimal_digits digits_of(field_text::span s) {
    constexpr std::int64_t most_exponent = std::int64_t{1} << 60;
    decimal_digits d;
    int count = 0;
    bool behind_point = false;
    std::int64_t at = 0;
    for (; at < s.n && s.p[at] != 'e' && s.p[at] != 'E'; ++at) {
        if (s.p[at] == '.') {
            behind_point = true;
            continue;
        }
        auto const digit = static_cast<std::uint64_t>(s.p[at] - '0');
        bool const taken = count < 19;
        if (taken) {
            d.digits = d.digits * 10 + digit;
            if (d.digits != 0) ++count;
        } else {
            d.more = d.more || digit != 0;
        }
        if (taken && behind_point) --d.power;
        if (!taken && !behind_point) ++d.power;
    }
    if (at == s.n) return d;
    bool const negative = s.p[++at] == '-';
    if (negative || s.p[at] == '+') ++at;
    std::int64_t exponent = 0;
    for (; at < s.n; ++at)
        if (exponent < most_exponent / 16) exponent = exponent * 10 + (s.p[at] - '0');
    d.power += negative ? -exponent : exponent;
    return d;
}

enum class float_form : std::uint8_t { none, known, undecided };

// The value of a float's text. Undecided: the digits behind the 19th matter.
BASCULE_HD float_form parse_float(field_text::span s, std::uint64_t const* powers, std::uint64_t* bits) {
    s = field_text::trimmed(s);
    std::uint64_t const sign = field_text::take_sign(s) ? std::uint64_t{1} << 63 : 0;
    bool integer = false;
    if (field_text::is_infinity(s)) return *bits = sign | infinity_bits, float_form::known;
    if (!field_text::is_decimal(s, &integer)) return float_form::none;
    decimal_digits const d = digits_of(s);
    std::uint64_t const found = nearest_double(d.digits, d.power, powers);
    *bits = sign | found;
    bool const decided = !d.more || found == nearest_double(d.digits + 1, d.power, powers);
    return decided ? float_form::known : float_form::undecided;
}

}  // namespace bascule::cuda::algorithms
