// Building blocks for the floating-point errors of ops. An op whose errors do not follow from its inputs and its result
// has a member `raised(result, inputs...)`, which returns fp bits; bits outside its `raises` are ignored.
// `raises_when_finite`: also of results that are finite, and not too small. Underflow is as in IEEE 754 without traps:
// a tiny result that was rounded. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/math/basic.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

template <class T> BASCULE_HD constexpr T least_normal() {
    return bit_cast<T>(static_cast<bits_of<T>>(bits_of<T>{1} << (sizeof(T) == 8 ? 52 : 23)));
}

template <class T> BASCULE_HD constexpr bool is_finite(T x) {
    if constexpr (is_complex_type<T>) return both(is_finite(x.re), is_finite(x.im));
    else return without_sign(x) <= constants<T>::greatest();
}
// Subnormal.
template <class T> BASCULE_HD constexpr bool is_tiny(T x) {
    if constexpr (is_complex_type<T>) return either(is_tiny(x.re), is_tiny(x.im));
    else return both(x != 0, without_sign(x) < least_normal<T>());
}
template <class T> BASCULE_HD constexpr bool is_tiny_or_zero(T x) { return without_sign(x) < least_normal<T>(); }

// Of a quotient a / b. The remainder of a could be too small to be distinguished from zero: it is scaled.
template <class T> BASCULE_HD bool is_tiny_and_rounded(T quotient, T a, T b) {
    constexpr double scale = sizeof(T) == 8 ? 0x1p600 : 1;
    double const rest =
        math::residual(static_cast<double>(a) * scale, static_cast<double>(quotient) * scale, static_cast<double>(b));
    return both(is_tiny_or_zero(quotient), rest != 0);
}

BASCULE_HD constexpr std::uint8_t raised_if(bool when, std::uint8_t what) { return when ? what : fp::none; }

}  // namespace bascule::ops
