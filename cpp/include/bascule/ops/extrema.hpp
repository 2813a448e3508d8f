// The larger and the smaller of two. maximum and minimum hand on NaN and NaT, fmax and fmin ignore them. Device-clean.
#pragma once
#include "bascule/ops/comparison.hpp"

namespace bascule::ops {

struct maximum {
    static constexpr spec meta{.name = "maximum", .nin = 2, .types = comparable_types, .commutative = true, .raises = fp::invalid,
                               .doc = "Element-wise maximum of array elements, propagating NaN."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        if constexpr (is_time_type<T>) return {either(a.count == nat, b.count == nat) ? nat : a.count > b.count ? a.count : b.count};
        else return either(is_nan(a), greater_equal{}(a, b)) ? a : b;
    }
};

struct minimum {
    static constexpr spec meta{.name = "minimum", .nin = 2, .types = comparable_types, .commutative = true, .raises = fp::invalid,
                               .doc = "Element-wise minimum of array elements, propagating NaN."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        // NaT is the least count, so it wins without being asked for.
        if constexpr (is_time_type<T>) return {a.count < b.count ? a.count : b.count};
        else return either(is_nan(a), less_equal{}(a, b)) ? a : b;
    }
};

struct fmax {
    static constexpr spec meta{.name = "fmax", .nin = 2, .types = comparable_types, .commutative = true, .raises = fp::invalid,
                               .doc = "Element-wise maximum of array elements, ignoring NaN."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        if constexpr (is_time_type<T>) return {a.count > b.count ? a.count : b.count};
        else return either(is_nan(b), greater_equal{}(a, b)) ? a : b;
    }
};

struct fmin {
    static constexpr spec meta{.name = "fmin", .nin = 2, .types = comparable_types, .commutative = true, .raises = fp::invalid,
                               .doc = "Element-wise minimum of array elements, ignoring NaN."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return either(is_nan(b), less_equal{}(a, b)) ? a : b; }
};

struct heaviside {
    static constexpr spec meta{.name = "heaviside", .nin = 2, .types = types::floats, .doc = "Compute the Heaviside step function."};
    template <class T> BASCULE_HD T operator()(T a, T at_zero) const {
        T const step = a > 0 ? T(1) : T(0);
        return a == 0 ? at_zero : is_nan(a) ? a : step;
    }
};

using extrema_ops = op_list<maximum, minimum, fmax, fmin, heaviside>;

}  // namespace bascule::ops
