// Hyperbolic functions and their inverses. Device-clean.
#pragma once
#include "bascule/ops/complex_math.hpp"
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/math.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

struct sinh {
    static constexpr spec meta{.name = "sinh",
                               .types = types::inexact,
                               .cost = 10,
                               .range = {-700, 700},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::over | fp::under,
                               .complex_raises = fp::over | fp::under | fp::invalid,
                               .doc = "Hyperbolic sine, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::sinh(x);
        else return math::sinh(x);
    }
};

struct cosh {
    static constexpr spec meta{.name = "cosh",
                               .types = types::inexact,
                               .cost = 10,
                               .range = {-700, 700},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::over,
                               .complex_raises = fp::over | fp::under | fp::invalid,
                               .doc = "Hyperbolic cosine, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::cosh(x);
        else return math::cosh(x);
    }
};

struct tanh {
    static constexpr spec meta{.name = "tanh",
                               .types = types::inexact,
                               .cost = 10,
                               .range = {-20, 20},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::under,
                               .complex_raises = fp::under | fp::invalid,
                               .doc = "Compute hyperbolic tangent element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::tanh(x);
        else return math::tanh(x);
    }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast::tanh(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) { return math::fast::tanh_in_range(x); }
};

struct arcsinh {
    static constexpr spec meta{.name = "arcsinh",
                               .aliases = "asinh",
                               .types = types::inexact,
                               .cost = 14,
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::under,
                               .doc = "Inverse hyperbolic sine element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::arcsinh(x);
        else return math::arcsinh(x);
    }
};

struct arccosh {
    static constexpr spec meta{.name = "arccosh",
                               .aliases = "acosh",
                               .types = types::inexact,
                               .cost = 14,
                               .range = {1, 1e6},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::invalid,
                               .complex_raises = fp::under,
                               .doc = "Inverse hyperbolic cosine, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::arccosh(x);
        else return math::arccosh(x);
    }
};

struct arctanh {
    static constexpr spec meta{.name = "arctanh",
                               .aliases = "atanh",
                               .types = types::inexact,
                               .cost = 14,
                               .range = {-0.999, 0.999},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::divide | fp::under | fp::invalid,
                               .complex_raises = fp::divide | fp::under,
                               .doc = "Inverse hyperbolic tangent element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::arctanh(x);
        else return math::arctanh(x);
    }
};

using hyperbolic_ops = op_list<sinh, cosh, tanh, arcsinh, arccosh, arctanh>;

}  // namespace bascule::ops
