// Exponentials, logarithms and roots. Device-clean.
#pragma once
#include "bascule/ops/complex_math.hpp"
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/fp_errors.hpp"
#include "bascule/ops/math.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

struct exp {
    static constexpr spec meta{.name = "exp",
                               .types = types::inexact,
                               .cost = 6,
                               .range = {-700, 700},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::over | fp::under | fp::invalid,
                               .status_covers = fp::all,
                               .doc = "Calculate the exponential of all elements in the input array."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::exp(x);
        else return math::of_ops::exp(x);
    }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast_of_ops::exp(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) { return math::fast_of_ops::exp_in_range(x); }
};

struct exp2 {
    static constexpr spec meta{.name = "exp2",
                               .types = types::inexact,
                               .cost = 6,
                               .range = {-1000, 1000},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::over | fp::under | fp::invalid,
                               .status_covers = fp::all,
                               .doc = "Calculate 2**p for all p in the input array."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::exp2(x);
        else return math::exp2(x);
    }
    // Powers of whole numbers are exact as long as there are any.
    template <class T>
    requires is_float_type<T> BASCULE_HD static std::uint8_t raised(T result, T x) {
        if (!is_finite(x)) return fp::none;
        if (!is_finite(result)) return fp::over;
        return raised_if(either(both(is_tiny(result), x != math::rint(x)), result == 0), fp::under);
    }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast::exp2(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) { return math::fast::exp2_in_range(x); }
};

struct expm1 {
    static constexpr spec meta{.name = "expm1",
                               .types = types::inexact,
                               .cost = 9,
                               .range = {-50, 700},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::over | fp::under | fp::invalid,
                               .status_covers = fp::over | fp::invalid,
                               .doc = "Calculate exp(x) - 1 for all elements in the array."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::expm1(x);
        else return math::expm1(x);
    }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast::expm1(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) { return math::fast::expm1_in_range(x); }
};

struct log {
    static constexpr spec meta{.name = "log",
                               .types = types::inexact,
                               .cost = 7,
                               .range = {1e-300, 1e300},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::divide | fp::invalid,
                               .complex_raises = fp::divide | fp::under,
                               .status_covers = fp::all,
                               .doc = "Natural logarithm, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::log(x);
        else return math::of_ops::log(x);
    }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast_of_ops::log(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) { return math::fast_of_ops::log_in_range(x); }
};

struct log2 {
    static constexpr spec meta{.name = "log2",
                               .types = types::inexact,
                               .cost = 7,
                               .range = {1e-300, 1e300},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::divide | fp::invalid,
                               .complex_raises = fp::divide | fp::under,
                               .status_covers = fp::all,
                               .doc = "Base-2 logarithm of x."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::log2(x);
        else return math::of_ops::log2(x);
    }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast_of_ops::log2(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) { return math::fast_of_ops::log_in_range(x); }
};

struct log10 {
    static constexpr spec meta{.name = "log10",
                               .types = types::inexact,
                               .cost = 8,
                               .range = {1e-300, 1e300},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::divide | fp::invalid,
                               .complex_raises = fp::divide | fp::under,
                               .status_covers = fp::all,
                               .doc = "Return the base 10 logarithm of the input array, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::log10(x);
        else return math::of_ops::log10(x);
    }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast_of_ops::log10(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) { return math::fast_of_ops::log_in_range(x); }
};

struct log1p {
    static constexpr spec meta{.name = "log1p",
                               .types = types::inexact,
                               .cost = 9,
                               .range = {-0.999, 1e6},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::divide | fp::under | fp::invalid,
                               .complex_raises = fp::divide | fp::under,
                               .status_covers = fp::divide | fp::invalid,
                               .doc = "Return the natural logarithm of one plus the input array, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::log1p(x);
        else return math::of_ops::log1p(x);
    }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast_of_ops::log1p(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) { return math::fast_of_ops::log1p_in_range(x); }
};

struct sqrt {
    static constexpr spec meta{.name = "sqrt",
                               .types = types::inexact,
                               .computes = primitive::sqrt,
                               .cost = 4,
                               .range = {0, 1e6},
                               .raises = fp::invalid,
                               .complex_raises = fp::under,
                               .exact_status = types::floats,
                               .doc = "Return the non-negative square-root of an array, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::sqrt(x);
        else return math::sqrt(x);
    }
};

struct cbrt {
    static constexpr spec meta{.name = "cbrt",
                               .types = types::floats,
                               .cost = 9,
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .doc = "Return the cube-root of an array, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::cbrt(x); }
};

struct logaddexp {
    static constexpr spec meta{.name = "logaddexp",
                               .nin = 2,
                               .types = types::floats,
                               .cost = 18,
                               .range = {0, 1e3},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .commutative = true,
                               .raises = fp::over | fp::under | fp::invalid,
                               .doc = "Logarithm of the sum of exponentiations of the inputs."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return math::logaddexp(a, b); }
    // NumPy computes max(a, b) + log1p(exp(-|a - b|)), whose exponential is tiny from here on.
    static constexpr bool raises_when_finite = true;
    template <class T> BASCULE_HD static std::uint8_t raised(T, T a, T b) {
        return raised_by_difference(a, b, sizeof(T) == 8 ? T(708.3964185322641) : T(87.336544f));
    }
    template <class T> BASCULE_HD static std::uint8_t raised_by_difference(T a, T b, T tiny_from) {
        if (either(is_nan(a), is_nan(b))) return fp::invalid;
        if (either(a == b, !both(is_finite(a), is_finite(b)))) return fp::none;
        T const apart = without_sign(a - b);
        return is_finite(apart) ? raised_if(apart > tiny_from, fp::under) : fp::over;
    }
};

struct logaddexp2 {
    static constexpr spec meta{.name = "logaddexp2",
                               .nin = 2,
                               .types = types::floats,
                               .cost = 18,
                               .range = {0, 1e3},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .commutative = true,
                               .raises = fp::over | fp::under | fp::invalid,
                               .doc = "Logarithm of the sum of exponentiations of the inputs in base-2."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return math::logaddexp2(a, b); }
    static constexpr bool raises_when_finite = true;
    template <class T> BASCULE_HD static std::uint8_t raised(T, T a, T b) {
        return logaddexp::raised_by_difference(a, b, sizeof(T) == 8 ? T(1022) : T(126));
    }
};

using exponential_ops = op_list<exp, exp2, expm1, log, log2, log10, log1p, sqrt, cbrt, logaddexp, logaddexp2>;

}  // namespace bascule::ops
