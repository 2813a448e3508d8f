// Where a quotient is the product with a reciprocal, corrected once (kernels/float_division.hpp): sizes of dividends
// and divisors for which no intermediate result overflows or is subnormal.
#pragma once

namespace bascule::cpu {

template <class T> struct division_range;
template <> struct division_range<double> {
    static constexpr double low = 0x1p-900, high = 0x1p900, low_divisor = 0x1p-100, high_divisor = 0x1p100;
};
template <> struct division_range<float> {
    static constexpr float low = 0x1p-70f, high = 0x1p70f, low_divisor = 0x1p-30f, high_divisor = 0x1p30f;
};

}  // namespace bascule::cpu
