// The traits of element types that formulas use, without <type_traits> (NVRTC has none). Device-clean.
#pragma once
#include "bascule/core/dtype.hpp"

namespace bascule::ops {

template <class T> inline constexpr bool is_bool_type = false;
template <> inline constexpr bool is_bool_type<bool> = true;
template <class T> inline constexpr bool is_float_type = false;
template <> inline constexpr bool is_float_type<float> = true;
template <> inline constexpr bool is_float_type<double> = true;
template <class T> inline constexpr bool is_complex_type = false;
template <class T> inline constexpr bool is_complex_type<complex<T>> = true;
template <class T> inline constexpr bool is_time_type = false;
template <> inline constexpr bool is_time_type<datetime64> = true;
template <> inline constexpr bool is_time_type<timedelta64> = true;
template <class T>
inline constexpr bool is_integer_type = !is_bool_type<T> && !is_float_type<T> && !is_complex_type<T> &&
                                        !is_time_type<T> && contains(types::integers, id_of<T>::value);
template <class T>
inline constexpr bool is_signed_type = is_integer_type<T>&& contains(types::signed_integers, id_of<T>::value);

template <class A, class B> inline constexpr bool same_type = false;
template <class A> inline constexpr bool same_type<A, A> = true;

template <bool, class A, class> struct choose_type { using type = A; };
template <class A, class B> struct choose_type<false, A, B> { using type = B; };
template <bool C, class A, class B> using choose = typename choose_type<C, A, B>::type;

template <class T> struct real_of { using type = T; };
template <class T> struct real_of<complex<T>> { using type = T; };
template <class T> using real_type = typename real_of<T>::type;

template <int Bytes> struct unsigned_of_size;
template <> struct unsigned_of_size<1> { using type = std::uint8_t; };
template <> struct unsigned_of_size<2> { using type = std::uint16_t; };
template <> struct unsigned_of_size<4> { using type = std::uint32_t; };
template <> struct unsigned_of_size<8> { using type = std::uint64_t; };
template <class T> using bits_of = typename unsigned_of_size<sizeof(T)>::type;
// Unsigned and at least as wide as int, so that nothing is promoted to a signed type that could overflow.
template <class T> using wrapping = typename unsigned_of_size<(sizeof(T) < 4 ? 4 : sizeof(T))>::type;

template <class To, class From> BASCULE_HD constexpr To bit_cast(From x) {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, x);
}

template <class T> struct constants;
template <> struct constants<float> {
    BASCULE_HD static constexpr float nan() { return bit_cast<float>(std::uint32_t{0x7fc00000u}); }
    BASCULE_HD static constexpr float infinity() { return bit_cast<float>(std::uint32_t{0x7f800000u}); }
    BASCULE_HD static constexpr float greatest() { return bit_cast<float>(std::uint32_t{0x7f7fffffu}); }
};
template <> struct constants<double> {
    BASCULE_HD static constexpr double nan() { return bit_cast<double>(std::uint64_t{0x7ff8000000000000ull}); }
    BASCULE_HD static constexpr double infinity() { return bit_cast<double>(std::uint64_t{0x7ff0000000000000ull}); }
    BASCULE_HD static constexpr double greatest() { return bit_cast<double>(std::uint64_t{0x7fefffffffffffffull}); }
};

// Sign, absolute value and NaN in bits: unlike comparisons they also see the sign of a zero and raise nothing.
template <class T> inline constexpr bits_of<T> sign_bit = bits_of<T>{1} << (8 * sizeof(T) - 1);
template <class T> BASCULE_HD constexpr bool sign_is_set(T x) { return (bit_cast<bits_of<T>>(x) & sign_bit<T>) != 0; }
template <class T> BASCULE_HD constexpr T without_sign(T x) {
    return bit_cast<T>(static_cast<bits_of<T>>(bit_cast<bits_of<T>>(x) & ~sign_bit<T>));
}
template <class T> BASCULE_HD constexpr T with_sign_of(T x, T sign) {
    return bit_cast<T>(
        static_cast<bits_of<T>>((bit_cast<bits_of<T>>(x) & ~sign_bit<T>) | (bit_cast<bits_of<T>>(sign) & sign_bit<T>)));
}

// "and" and "or" that evaluate both sides: a branch would keep a loop from becoming vector code.
BASCULE_HD constexpr bool both(bool a, bool b) { return (static_cast<int>(a) & static_cast<int>(b)) != 0; }
BASCULE_HD constexpr bool either(bool a, bool b) { return (static_cast<int>(a) | static_cast<int>(b)) != 0; }

template <class T> BASCULE_HD constexpr bool is_nan(T x) {
    if constexpr (is_complex_type<T>) return either(x.re != x.re, x.im != x.im);
    else if constexpr (is_time_type<T>) return x.count == nat;
    else if constexpr (is_float_type<T>) return x != x;
    else return false;
}
template <class T> BASCULE_HD constexpr bool is_nonzero(T x) {
    if constexpr (is_complex_type<T>) return either(x.re != 0, x.im != 0);
    else if constexpr (is_time_type<T>) return x.count != 0;
    else return x != T(0);
}

}  // namespace bascule::ops
