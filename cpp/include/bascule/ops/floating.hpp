// The parts and neighbours of floating-point numbers, and what is not a number. Device-clean.
#pragma once
#include "bascule/ops/comparison.hpp"
#include "bascule/ops/math.hpp"

namespace bascule::ops {

// float16 has no loop here: its neighbours are not those of float32.
inline constexpr type_set neighbour_types = set_of(type_id::float32, type_id::float64);

struct isnan {
    static constexpr spec meta{.name = "isnan",
                               .types = comparable_types,
                               .doc = "Test element-wise for NaN and return result as a boolean array."};
    template <class T> BASCULE_HD bool operator()(T x) const { return is_nan(x); }
};

struct isinf {
    static constexpr spec meta{
        .name = "isinf", .types = comparable_types, .doc = "Test element-wise for positive or negative infinity."};
    template <class T> BASCULE_HD bool operator()(T x) const {
        if constexpr (is_complex_type<T>) return either((*this)(x.re), (*this)(x.im));
        else if constexpr (is_float_type<T>) return without_sign(x) == constants<T>::infinity();
        else return false;
    }
};

struct isfinite {
    static constexpr spec meta{.name = "isfinite",
                               .types = comparable_types,
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
                               .doc = "Returns element-wise True where signbit is set (less than zero)."};
    template <class T> BASCULE_HD bool operator()(T x) const { return sign_is_set(x); }
};

struct copysign {
    static constexpr spec meta{.name = "copysign",
                               .nin = 2,
                               .types = types::floats,
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
};

struct spacing {
    static constexpr spec meta{.name = "spacing",
                               .types = neighbour_types,
                               .cost = 2,
                               .doc = "Return the distance between x and the nearest adjacent number."};
    template <class T> BASCULE_HD T operator()(T x) const {
        T const away = math::nextafter(x, with_sign_of(constants<T>::infinity(), x)) -
                       x;  // infinity less itself is NaN
        return x == 0 ? without_sign(away) : away;
    }
};

using floating_ops = op_list<isnan, isinf, isfinite, isnat, signbit, copysign, nextafter, spacing>;

}  // namespace bascule::ops
