// The parts and neighbours of floating-point numbers, and tests for NaN and infinity. Device-clean.
#pragma once
#include "bascule/ops/comparison.hpp"
#include "bascule/ops/fp_errors.hpp"
#include "bascule/ops/math.hpp"

namespace bascule::ops {

// float16 has no loop here: its neighbours are not those of float32.
inline constexpr type_set neighbour_types = set_of(type_id::float32, type_id::float64);

struct isnan {
    static constexpr spec meta{.name = "isnan",
                               .types = comparable_types,
                               .computes = primitive::isnan,
                               .doc = "Test element-wise for NaN and return result as a boolean array."};
    template <class T> BASCULE_HD bool operator()(T x) const { return is_nan(x); }
};

struct isinf {
    static constexpr spec meta{.name = "isinf",
                               .types = comparable_types,
                               .computes = primitive::isinf,
                               .doc = "Test element-wise for positive or negative infinity."};
    template <class T> BASCULE_HD bool operator()(T x) const {
        if constexpr (is_complex_type<T>) return either((*this)(x.re), (*this)(x.im));
        else if constexpr (is_float_type<T>) return without_sign(x) == constants<T>::infinity();
        else return false;
    }
};

struct isfinite {
    static constexpr spec meta{.name = "isfinite",
                               .types = comparable_types,
                               .computes = primitive::isfinite,
                               .doc = "Test element-wise for finiteness (not infinity and not Not a Number)."};
    template <class T> BASCULE_HD bool operator()(T x) const {
        if constexpr (is_complex_type<T>) return both((*this)(x.re), (*this)(x.im));
        else if constexpr (is_float_type<T>) return without_sign(x) <= constants<T>::greatest();
        else return !is_nan(x);
    }
};

struct isnat {
    static constexpr spec meta{.name = "isnat",
                               .types = types::times,
                               .doc = "Test element-wise for NaT (not a time) and return result as a boolean array."};
    template <class T> BASCULE_HD bool operator()(T x) const { return x.count == nat; }
};

struct signbit {
    static constexpr spec meta{.name = "signbit",
                               .types = types::floats,
                               .computes = primitive::signbit,
                               .doc = "Returns element-wise True where signbit is set (less than zero)."};
    template <class T> BASCULE_HD bool operator()(T x) const { return sign_is_set(x); }
};

struct copysign {
    static constexpr spec meta{.name = "copysign",
                               .nin = 2,
                               .types = types::floats,
                               .computes = primitive::copysign,
                               .doc = "Change the sign of x1 to that of x2, element-wise."};
    template <class T> BASCULE_HD T operator()(T x, T sign) const { return with_sign_of(x, sign); }
};

struct nextafter {
    static constexpr spec meta{.name = "nextafter",
                               .nin = 2,
                               .types = neighbour_types,
                               .cost = 2,
                               .raises = fp::over | fp::under,
                               .doc = "Return the next floating-point value after x1 towards x2, element-wise."};
    template <class T> BASCULE_HD T operator()(T x, T to) const { return math::nextafter(x, to); }
    template <class T> BASCULE_HD static std::uint8_t raised(T result, T x, T to) {
        if (either(either(is_nan(x), is_nan(to)), either(x == to, !is_finite(x)))) return fp::none;
        return is_finite(result) ? raised_if(is_tiny_or_zero(result), fp::under) : fp::over;
    }
};

// The exponent is a whole number of the element type. Rounded once: a step that could round is followed by one whose
// result is zero.
struct ldexp {
    static constexpr spec meta{.name = "ldexp",
                               .nin = 2,
                               .types = types::floats,
                               .cost = 3,
                               .range = {-60, 60},
                               .raises = fp::over | fp::under,
                               .has_ufunc = false,
                               .doc = "Returns x1 * 2**x2, element-wise."};
    template <class T> BASCULE_HD T operator()(T x, T exponent) const {
        T const n = math::rint(exponent);
        if constexpr (sizeof(T) == 4) return math::ldexp(x, static_cast<std::int32_t>(within(n, T(3000))));
        else {
            T const once = down(n), m = n - exponent_of(once), twice = down(m), rest = m - exponent_of(twice);
            auto const last = static_cast<std::int64_t>(within(rest, T(1022)));
            return x * once * twice * math::power_of_two(static_cast<std::uint64_t>(last));
        }
    }
    // One step where the power is a normal number.
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x, T exponent) {
        constexpr T shift = sizeof(T) == 4 ? T(math::round_shift_float) : T(math::round_shift);
        return x * math::power_of_two(math::shifted_integer(exponent + shift));
    }
    template <class T> BASCULE_HD static bool in_fast_range(T, T exponent) {
        return without_sign(exponent) <= (sizeof(T) == 4 ? T(126) : T(1022));
    }
    template <class T> BASCULE_HD static std::uint8_t raised(T result, T x, T exponent) {
        if (!is_finite(x)) return fp::none;
        if (!is_finite(result)) return fp::over;
        bool const small = both(x != 0, is_tiny_or_zero(result));
        return raised_if(both(small, ldexp{}(result, -exponent) != x), fp::under);
    }

private:
    template <class T> BASCULE_HD static T within(T n, T most) { return n > most ? most : n < -most ? -most : n; }
    // A power of two towards n, for as long as n is none that there is.
    BASCULE_HD static double down(double n) { return n < -1022 ? 0x1p-969 : n > 1022 ? 0x1p1022 : 1.0; }
    BASCULE_HD static double exponent_of(double power) { return power < 1 ? -969.0 : power > 1 ? 1022.0 : 0.0; }
};

// x = mantissa * 2^exponent with a mantissa from 0.5 to 1; zeros, infinities and NaN are their own, with an exponent of
// 0.
template <class T> struct binary_parts {
    T mantissa;
    std::int32_t exponent;
};
template <class T> BASCULE_HD binary_parts<T> parts_of(T x) {
    using U = bits_of<T>;
    constexpr int digits = sizeof(T) == 8 ? 52 : 23, half = sizeof(T) == 8 ? 1022 : 126;
    constexpr U exponents = ((U{1} << (8 * sizeof(T) - 1 - digits)) - 1) << digits;
    T const size = without_sign(x);
    bool const tiny = size < least_normal<T>(), plain = both(size != 0, size <= constants<T>::greatest());
    U const b = bit_cast<U>(tiny ? x * static_cast<T>(U{1} << (digits + 2)) : x);
    auto const biased = static_cast<std::int32_t>((b & exponents) >> digits);
    T const mantissa = bit_cast<T>(static_cast<U>((b & ~exponents) | (U{half} << digits)));
    std::int32_t const exponent = biased - half - (tiny ? digits + 2 : 0);
    return {plain ? mantissa : x, plain ? exponent : 0};
}

struct frexp_mantissa {
    static constexpr spec meta{.name = "frexp_mantissa",
                               .types = types::floats,
                               .cost = 2,
                               .has_ufunc = false,
                               .doc = "Return the mantissa of x, from 0.5 to 1."};
    template <class T> BASCULE_HD T operator()(T x) const { return parts_of(x).mantissa; }
};

struct frexp_exponent {
    static constexpr spec meta{.name = "frexp_exponent",
                               .types = types::floats,
                               .cost = 2,
                               .has_ufunc = false,
                               .doc = "Return the exponent of two that goes with the mantissa of x."};
    template <class T> BASCULE_HD std::int32_t operator()(T x) const { return parts_of(x).exponent; }
};

struct spacing {
    static constexpr spec meta{.name = "spacing",
                               .types = neighbour_types,
                               .cost = 2,
                               .raises = fp::over | fp::under,
                               .doc = "Return the distance between x and the nearest adjacent number."};
    template <class T> BASCULE_HD T operator()(T x) const {
        T const away = math::nextafter(x, with_sign_of(constants<T>::infinity(), x)) -
                       x;  // infinity less itself is NaN
        return x == 0 ? without_sign(away) : away;
    }
    template <class T> BASCULE_HD static std::uint8_t raised(T result, T x) {
        if (!is_finite(x)) return fp::none;
        return is_finite(result) ? raised_if(is_tiny(x), fp::under) : fp::over;
    }
};

using floating_ops = op_list<isnan, isinf, isfinite, isnat, signbit, copysign, nextafter, ldexp, spacing>;
using frexp_ops = op_list<frexp_mantissa, frexp_exponent>;

}  // namespace bascule::ops
