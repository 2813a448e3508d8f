// The larger and the smaller of two. maximum and minimum propagate NaN and NaT, fmax and fmin ignore them. Of two equal
// floats (zeros of either sign) the second is taken, as vector units do. Device-clean.
#pragma once
#include "bascule/ops/comparison.hpp"

namespace bascule::ops {

template <class T> BASCULE_HD bool is_greater_choice(T a, T b) {
    if constexpr (is_complex_type<T>) return greater_equal{}(a, b);
    else return a > b;
}
template <class T> BASCULE_HD bool is_less_choice(T a, T b) {
    if constexpr (is_complex_type<T>) return less_equal{}(a, b);
    else return a < b;
}

struct maximum {
    static constexpr spec meta{.name = "maximum",
                               .nin = 2,
                               .types = comparable_types,
                               .computes = primitive::maximum,
                               .commutative = true,
                               .raises = fp::invalid,
                               .doc = "Element-wise maximum of array elements, propagating NaN."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        if constexpr (is_time_type<T>)
            return {either(a.count == nat, b.count == nat) ? nat : a.count > b.count ? a.count : b.count};
        else return either(is_nan(a), is_greater_choice(a, b)) ? a : b;
    }
};

struct minimum {
    static constexpr spec meta{.name = "minimum",
                               .nin = 2,
                               .types = comparable_types,
                               .computes = primitive::minimum,
                               .commutative = true,
                               .raises = fp::invalid,
                               .doc = "Element-wise minimum of array elements, propagating NaN."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        // NaT is the least count, so it wins without a test.
        if constexpr (is_time_type<T>) return {a.count < b.count ? a.count : b.count};
        else return either(is_nan(a), is_less_choice(a, b)) ? a : b;
    }
};

struct fmax {
    static constexpr spec meta{.name = "fmax",
                               .nin = 2,
                               .types = comparable_types,
                               .computes = primitive::fmax,
                               .commutative = true,
                               .raises = fp::invalid,
                               .doc = "Element-wise maximum of array elements, ignoring NaN."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        if constexpr (is_time_type<T>) return {a.count > b.count ? a.count : b.count};
        else return either(is_nan(b), is_greater_choice(a, b)) ? a : b;
    }
};

struct fmin {
    static constexpr spec meta{.name = "fmin",
                               .nin = 2,
                               .types = comparable_types,
                               .computes = primitive::fmin,
                               .commutative = true,
                               .raises = fp::invalid,
                               .doc = "Element-wise minimum of array elements, ignoring NaN."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        if constexpr (is_time_type<T>)
            return {either(b.count == nat, both(a.count != nat, a.count < b.count)) ? a.count : b.count};
        else return either(is_nan(b), is_less_choice(a, b)) ? a : b;
    }
};

struct heaviside {
    static constexpr spec meta{
        .name = "heaviside", .nin = 2, .types = types::floats, .doc = "Compute the Heaviside step function."};
    template <class T> BASCULE_HD T operator()(T a, T at_zero) const {
        T const step = a > 0 ? T(1) : T(0);
        return a == 0 ? at_zero : is_nan(a) ? constants<T>::nan() : step;
    }
};

using extrema_ops = op_list<maximum, minimum, fmax, fmin, heaviside>;

}  // namespace bascule::ops
