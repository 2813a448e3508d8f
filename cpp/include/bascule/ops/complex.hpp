// The parts of complex numbers. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/math.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

struct conjugate {
    static constexpr spec meta{.name = "conjugate",
                               .aliases = "conj",
                               .types = types::numbers,
                               .doc = "Return the complex conjugate, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return {x.re, -x.im};
        else return x;
    }
};

struct real {
    static constexpr spec meta{.name = "real",
                               .types = types::boolean | types::numbers,
                               .has_ufunc = false,
                               .doc = "Return the real part of the complex argument."};
    template <class T> BASCULE_HD real_type<T> operator()(T x) const {
        if constexpr (is_complex_type<T>) return x.re;
        else return x;
    }
};

struct imag {
    static constexpr spec meta{.name = "imag",
                               .types = types::boolean | types::numbers,
                               .has_ufunc = false,
                               .doc = "Return the imaginary part of the complex argument."};
    template <class T> BASCULE_HD real_type<T> operator()(T x) const {
        if constexpr (is_complex_type<T>) return x.im;
        else return T(0);
    }
};

struct angle {
    static constexpr spec meta{.name = "angle",
                               .types = types::inexact,
                               .cost = 14,
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .has_ufunc = false,
                               .doc = "Return the angle of the complex argument."};
    template <class T> BASCULE_HD real_type<T> operator()(T x) const { return math::arctan2(imag{}(x), real{}(x)); }
};

using complex_ops = op_list<conjugate, real, imag, angle>;

}  // namespace bascule::ops
