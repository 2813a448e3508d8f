// float16 to and from wider floats, in bits and without branches, so that plain loops vectorise. Rounds to nearest
// even, keeps subnormals, infinities and a NaN's sign and leading payload. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"

namespace bascule::ops {

BASCULE_HD constexpr float to_float32(float16 h) {
    std::uint32_t const magnitude = h.bits & 0x7fffu, sign = static_cast<std::uint32_t>(h.bits & 0x8000u) << 16;
    // Shifted into place, a half is a float whose exponent is 112 too small: multiplying by 2^112 puts it right,
    // subnormals included. Infinity and NaN then lack the upper part of the exponent.
    float const scaled = bit_cast<float>(magnitude << 13) * 0x1p112f;
    std::uint32_t const special = magnitude >= 0x7c00u ? 0x7f800000u : 0u;
    return bit_cast<float>(bit_cast<std::uint32_t>(scaled) | special | sign);
}

BASCULE_HD constexpr float16 to_float16(float x) {
    std::uint32_t const bits = bit_cast<std::uint32_t>(x), magnitude = bits & 0x7fffffffu,
                        sign = (bits >> 16) & 0x8000u;
    // Normal float16: rebias, add half a unit less one and the lowest bit kept. Overflow gives infinity without a
    // special case.
    std::uint32_t const normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    // Subnormal float16: adding 0.5 makes the float adder round at 2^-24, the last place of float16.
    std::uint32_t const subnormal = bit_cast<std::uint32_t>(bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
    std::uint32_t const payload = (magnitude >> 13) & 0x3ffu;
    std::uint32_t const not_a_number = 0x7c00u | (payload == 0 ? 1u : payload);
    std::uint32_t const finite = magnitude < 0x38800000u ? subnormal : normal;
    std::uint32_t const number = magnitude >= 0x47800000u ? 0x7c00u : finite;
    return float16{static_cast<std::uint16_t>(sign | (magnitude > 0x7f800000u ? not_a_number : number))};
}

// From float64 in one rounding: narrowed to a float rounded to odd, which keeps enough to round once more without harm.
BASCULE_HD constexpr float16 to_float16(double x) {
    std::uint64_t const bits = bit_cast<std::uint64_t>(x);
    float const nearest = static_cast<float>(x);
    std::uint32_t const n = bit_cast<std::uint32_t>(nearest);
    double const back = static_cast<double>(nearest);
    std::uint64_t const back_size = bit_cast<std::uint64_t>(back) & 0x7fffffffffffffffull,
                        size = bits & 0x7fffffffffffffffull;
    bool const inexact = both(back_size != size, x == x);
    // Truncate towards zero, then set the last bit.
    std::uint32_t const truncated = back_size > size ? n - 1 : n;
    return to_float16(bit_cast<float>(inexact ? truncated | 1u : n));
}

}  // namespace bascule::ops
