// Whole quotients and remainders. remainder has the divisor's sign, fmod the dividend's. An integer divided by zero
// gives 0 and raises fp::divide, which no status register records: checked calls test the divisors. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/fp_errors.hpp"
#include "bascule/ops/math.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

template <class T> struct quotient_and_remainder { T quotient, remainder; };

// Truncated, as C divides; by zero both are 0; the least value over -1 wraps to itself.
template <class T> BASCULE_HD quotient_and_remainder<T> truncated_division(T a, T b) {
    bool const minus_one = is_signed_type<T> && b == static_cast<T>(-1);
    T const divisor = either(b == 0, minus_one) ? T(1) : b;
    T const quotient = static_cast<T>(a / divisor), remainder = static_cast<T>(a % divisor);
    T const negated = static_cast<T>(0 - static_cast<wrapping<T>>(a));
    return {static_cast<T>(b == 0 ? T(0) : minus_one ? negated : quotient), remainder};
}

template <class T> BASCULE_HD quotient_and_remainder<T> floored_division(T a, T b) {
    if constexpr (is_float_type<T>) {
        T rest = math::fmod(a, b), quotient = (a - rest) / b;
        bool const opposite = both(rest != 0, (b < 0) != (rest < 0));
        rest = opposite ? rest + b : rest == 0 ? with_sign_of(T(0), b) : rest;
        quotient = opposite ? quotient - T(1) : quotient;
        // The difference above may have rounded: the quotient is whole up to that error.
        T const below = math::floor(quotient), whole = quotient - below > T(0.5) ? below + T(1) : below;
        T const signed_whole = quotient == 0 ? with_sign_of(T(0), a / b) : whole;
        T const by_zero = a == 0 ? -constants<T>::nan() : a / b;
        return b == 0 ? quotient_and_remainder<T>{by_zero, math::fmod(a, b)}
                      : quotient_and_remainder<T>{signed_whole, rest};
    } else {
        auto const [quotient, rest] = truncated_division(a, b);
        bool const opposite = is_signed_type<T> && both(rest != 0, (b < T(0)) != (rest < T(0)));
        return {static_cast<T>(quotient - (opposite ? 1 : 0)), static_cast<T>(opposite ? rest + b : rest)};
    }
}

inline constexpr type_set divisible_types = types::integers | types::floats;

// timedelta // timedelta is a number: 0 where a NaT or a zero divisor leaves none.
struct floor_divide {
    static constexpr spec meta{.name = "floor_divide",
                               .nin = 2,
                               .types = divisible_types | bit(type_id::timedelta64),
                               .cost = 12,
                               .raises = fp::divide | fp::over | fp::under | fp::invalid,
                               .integers_raise = fp::divide | fp::over,
                               .doc = "Return the largest integer smaller or equal to the division of the inputs."};
    template <class T> BASCULE_HD choose<is_time_type<T>, std::int64_t, T> operator()(T a, T b) const {
        if constexpr (is_time_type<T>)
            return either(a.count == nat, b.count == nat) ? 0 : floored_division(a.count, b.count).quotient;
        else return floored_division(a, b).quotient;
    }
    // A zero has the sign of the quotient, which is computed for it. Where the quotient is infinite, its fraction is
    // no number.
    template <class T>
    requires is_float_type<T> BASCULE_HD static std::uint8_t raised(T result, T a, T b) {
        if (either(is_nan(a), is_nan(b))) return fp::none;
        if (is_nan(result)) return fp::invalid;
        if (!is_finite(result)) return raised_if(is_finite(a), b == 0 ? fp::divide : fp::over | fp::invalid);
        if (either(either(result != 0, a == 0), !is_finite(b))) return fp::none;
        return raised_if(is_tiny_and_rounded(a / b, a, b), fp::under);
    }
};

struct remainder {
    static constexpr spec meta{.name = "remainder",
                               .aliases = "mod",
                               .nin = 2,
                               .types = divisible_types | bit(type_id::timedelta64),
                               .cost = 12,
                               .raises = fp::invalid,
                               .integers_raise = fp::divide,
                               .doc = "Returns the element-wise remainder of division."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        if constexpr (is_time_type<T>) {
            bool const undefined = either(either(a.count == nat, b.count == nat), b.count == 0);
            return {undefined ? nat : floored_division(a.count, b.count).remainder};
        } else return floored_division(a, b).remainder;
    }
};

struct fmod {
    static constexpr spec meta{.name = "fmod",
                               .nin = 2,
                               .types = divisible_types,
                               .cost = 12,
                               .raises = fp::invalid,
                               .integers_raise = fp::divide,
                               .doc = "Returns the element-wise remainder of division."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        if constexpr (is_float_type<T>) return math::fmod(a, b);
        else return truncated_division(a, b).remainder;
    }
};

// timedelta / integer and timedelta // integer, the integer passed as a timedelta64 of that count: NumPy truncates
// both.
struct truncate_divide {
    static constexpr spec meta{.name = "truncate_divide",
                               .nin = 2,
                               .types = bit(type_id::timedelta64),
                               .cost = 10,
                               .has_ufunc = false,
                               .doc = "Return the quotient of a time span and a number, rounded towards zero."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        bool const undefined = either(either(a.count == nat, b.count == nat), b.count == 0);
        return {undefined ? nat : truncated_division(a.count, b.count).quotient};
    }
};

using division_ops = op_list<floor_divide, remainder, fmod, truncate_divide>;

}  // namespace bascule::ops
