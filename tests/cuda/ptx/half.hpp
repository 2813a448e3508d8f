// Floats of 16 bits: IEEE's and the upper half of a float.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace bascule::ptx {

// As PTX names them; the order is that of instruction::order's low bits.
enum class rounding : std::uint8_t { nearest, zero, minus, plus };

// |x| * 2^k as an integer, k such that the unit is the last place of the small type, rounded.
inline std::uint64_t rounded_units(double units, bool negative, rounding how) {
    double const whole = std::floor(units), rest = units - whole;
    auto const n = static_cast<std::uint64_t>(whole);
    bool const up = how == rounding::nearest ? rest > 0.5 || (rest == 0.5 && n & 1)
                    : how == rounding::zero  ? false
                    : how == rounding::minus ? rest > 0 && negative
                                             : rest > 0 && !negative;
    return n + up;
}

template <int ExponentBits, int MantissaBits> struct small_float {
    std::uint16_t bits = 0;

    small_float() = default;
    explicit small_float(double x, rounding how = rounding::nearest) {
        constexpr int bias = (1 << (ExponentBits - 1)) - 1, most = (1 << ExponentBits) - 1;
        std::uint16_t const sign = std::signbit(x) ? 0x8000 : 0;
        if (x != x) {
            bits = 0x7fff;
            return;
        }
        double const size = std::fabs(x);
        if (size == INFINITY) {
            bits = static_cast<std::uint16_t>(sign | most << MantissaBits);
            return;
        }
        int exponent = size == 0 ? 1 - bias : std::max(std::ilogb(size), 1 - bias);
        std::uint64_t units = rounded_units(std::ldexp(size, MantissaBits - exponent), sign != 0, how);
        if (units >> (MantissaBits + 1)) units >>= 1, ++exponent;
        bool const normal = units >> MantissaBits;
        std::uint64_t const biased = normal ? static_cast<std::uint64_t>(exponent + bias) : 0;
        std::uint64_t whole = biased << MantissaBits | (units & ((1u << MantissaBits) - 1));
        if (normal && exponent + bias >= most) {
            bool const away = how == rounding::nearest || (how == rounding::minus && sign) ||
                              (how == rounding::plus && !sign);
            whole = (static_cast<std::uint64_t>(most) << MantissaBits) - !away;
        }
        bits = static_cast<std::uint16_t>(sign | whole);
    }
    operator float() const {
        constexpr int bias = (1 << (ExponentBits - 1)) - 1, most = (1 << ExponentBits) - 1;
        int const exponent = bits >> MantissaBits & most, mantissa = bits & ((1 << MantissaBits) - 1);
        float size;
        if (exponent == most) size = mantissa ? NAN : INFINITY;
        else if (exponent)
            size = std::ldexp(static_cast<float>(mantissa | 1 << MantissaBits), exponent - bias - MantissaBits);
        else size = std::ldexp(static_cast<float>(mantissa), 1 - bias - MantissaBits);
        return bits & 0x8000 ? -size : size;
    }
};
using half = small_float<5, 10>;
using brain = small_float<8, 7>;

}  // namespace bascule::ptx
