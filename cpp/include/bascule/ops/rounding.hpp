// Rounding to whole numbers; integers and booleans are whole already. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/math.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

inline constexpr type_set roundable_types = types::boolean | types::integers | types::floats;

struct floor {
    static constexpr spec meta{.name = "floor",
                               .types = roundable_types,
                               .computes = primitive::floor,
                               .doc = "Return the floor of the input, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_float_type<T>) return math::floor(x);
        else return x;
    }
};

struct ceil {
    static constexpr spec meta{.name = "ceil",
                               .types = roundable_types,
                               .computes = primitive::ceil,
                               .doc = "Return the ceiling of the input, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_float_type<T>) return math::ceil(x);
        else return x;
    }
};

struct trunc {
    static constexpr spec meta{.name = "trunc",
                               .types = roundable_types,
                               .computes = primitive::trunc,
                               .doc = "Return the truncated value of the input, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_float_type<T>) return math::trunc(x);
        else return x;
    }
};

struct rint {
    static constexpr spec meta{.name = "rint",
                               .types = types::inexact,
                               .computes = primitive::rint,
                               .doc = "Round elements of the array to the nearest integer."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return {math::rint(x.re), math::rint(x.im)};
        else return math::rint(x);
    }
};

using rounding_ops = op_list<floor, ceil, trunc, rint>;

}  // namespace bascule::ops
