// Remainders: C99's fmod, exact for every pair, and NumPy's remainder and floor_divide, whose quotient rounds down.
// The exact fmod divides integers in a loop. `fast::` forms have no branches and hold where fast::fmod_holds says so;
// they give the same bits there, and array kernels repair the rare other element.
#pragma once
#include "bascule/ops/math/power.hpp"

namespace bascule::ops::math {

BASCULE_HD double fmod(double x, double y) {
    double const a = abs(x), b = abs(y);
    // On x86 an invalid operation gives a NaN with the sign bit set, and a NaN input is passed on, the first one of
    // two.
    if (x != x) return x;
    if (b != b) return y;
    if (!(a < infinity) || b == 0) return -not_a_number;
    if (a < b) return x;
    int const a_field = static_cast<int>(bits(a) >> 52), b_field = static_cast<int>(bits(b) >> 52);
    std::uint64_t const low = 0xfffffffffffffu, one = 0x10000000000000u;
    std::uint64_t const divisor = (bits(b) & low) | (b_field ? one : 0);
    std::uint64_t rest = ((bits(a) & low) | (a_field ? one : 0)) % divisor;
    int const b_exponent = b_field ? b_field : 1;
    // rest < 2^53: eleven more bits of the quotient fit in a word each time round.
    for (int left = (a_field ? a_field : 1) - b_exponent; left > 0 && rest != 0; left -= 11) {
        rest = (rest << (left < 11 ? left : 11)) % divisor;
    }
    return copysign(ldexp(static_cast<double>(rest), b_exponent - 1075), x);
}
BASCULE_HD float fmod(float x, float y) {  // the remainder of two floats is a float
    return static_cast<float>(fmod(static_cast<double>(x), static_cast<double>(y)));
}

namespace fast {
BASCULE_HD bool fmod_holds(double x, double y) {
    double const a = abs(x), b = abs(y);
    return (a < b * 0x1p50) & (a < 0x1p900) & (b < 0x1p900) & (b > 0x1p-900);
}
BASCULE_HD double fmod(double x, double y) {
    double const a = abs(x), b = abs(y);
    // The rounded quotient may be one too large or too small; the remainder of either is exact.
    double const r = residual(a, trunc(a / b), b);
    double const raised = r < 0 ? r + b : r, lowered = raised >= b ? raised - b : raised;
    return copysign(lowered, x);
}
BASCULE_HD bool fmod_holds(float x, float y) { return fmod_holds(static_cast<double>(x), static_cast<double>(y)); }
BASCULE_HD float fmod(float x, float y) {
    return static_cast<float>(fmod(static_cast<double>(x), static_cast<double>(y)));
}
}  // namespace fast

// NumPy's remainder from C's: the sign of y, also on a zero.
template <class T> BASCULE_HD T remainder_from(T y, T mod) {
    T const moved = (y < 0) != (mod < 0) ? mod + y : mod, zero = copysign(T{0}, y);
    T const r = mod == 0 ? zero : moved;
    return y == 0 ? mod : r;
}
// NumPy's floor_divide from C's remainder: the quotient is formed from x - mod, then snapped to an integer.
template <class T> BASCULE_HD T floor_divide_from(T x, T y, T mod) {
    T const quotient = (x - mod) / y;
    T const q = mod != 0 && (y < 0) != (mod < 0) ? quotient - T{1} : quotient;
    T const down = floor(q), snapped = q - down > T{0.5} ? down + T{1} : down;
    T const zero = copysign(T{0}, x / y), r = q == 0 ? zero : snapped;
    return y == 0 ? x / y : r;
}

template <class T> BASCULE_HD T remainder(T x, T y) { return remainder_from(y, fmod(x, y)); }
template <class T> BASCULE_HD T floor_divide(T x, T y) { return floor_divide_from(x, y, fmod(x, y)); }

namespace fast {
template <class T> BASCULE_HD T remainder(T x, T y) { return remainder_from(y, fmod(x, y)); }
template <class T> BASCULE_HD T floor_divide(T x, T y) { return floor_divide_from(x, y, fmod(x, y)); }
}  // namespace fast

}  // namespace bascule::ops::math
