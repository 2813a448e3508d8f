// Trigonometric functions and their inverses. An op with `fast` has a branch-free body that holds where in_fast_range
// is true: array kernels run it over a block and repair the rest with the call operator, which gives the same bits
// inside the range. Device-clean.
#pragma once
#include "bascule/ops/complex_math.hpp"
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/fp_errors.hpp"
#include "bascule/ops/math.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

struct sin {
    static constexpr spec meta{.name = "sin",
                               .types = types::inexact,
                               .computes = primitive::sin,
                               .cost = 10,
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::under | fp::invalid,
                               .complex_raises = fp::over | fp::under | fp::invalid,
                               .status_covers = fp::invalid,
                               .doc = "Trigonometric sine, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::sin(x);
        else return math::sin(x);
    }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast::sin(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) {
        return without_sign(x) <= static_cast<T>(math::fast::trig_limit);
    }
};

struct cos {
    static constexpr spec meta{.name = "cos",
                               .types = types::inexact,
                               .computes = primitive::cos,
                               .cost = 10,
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::invalid,
                               .complex_raises = fp::over | fp::under | fp::invalid,
                               .status_covers = fp::all,
                               .doc = "Cosine element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::cos(x);
        else return math::cos(x);
    }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast::cos(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) {
        return without_sign(x) <= static_cast<T>(math::fast::trig_limit);
    }
};

struct tan {
    static constexpr spec meta{.name = "tan",
                               .types = types::inexact,
                               .cost = 13,
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::under | fp::invalid,
                               .status_covers = fp::invalid,
                               .doc = "Compute tangent element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::tan(x);
        else return math::tan(x);
    }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast::tan(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) {
        return without_sign(x) <= static_cast<T>(math::fast::trig_limit);
    }
};

struct arcsin {
    static constexpr spec meta{.name = "arcsin",
                               .aliases = "asin",
                               .types = types::inexact,
                               .cost = 10,
                               .range = {-1, 1},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::under | fp::invalid,
                               .complex_raises = fp::under,
                               .doc = "Inverse sine, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::arcsin(x);
        else return math::arcsin(x);
    }
};

struct arccos {
    static constexpr spec meta{.name = "arccos",
                               .aliases = "acos",
                               .types = types::inexact,
                               .cost = 10,
                               .range = {-1, 1},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::invalid,
                               .complex_raises = fp::under,
                               .doc = "Trigonometric inverse cosine, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::arccos(x);
        else return math::arccos(x);
    }
};

struct arctan {
    static constexpr spec meta{.name = "arctan",
                               .aliases = "atan",
                               .types = types::inexact,
                               .cost = 10,
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::under,
                               .complex_raises = fp::divide | fp::under,
                               .doc = "Trigonometric inverse tangent, element-wise."};
    template <class T> BASCULE_HD T operator()(T x) const {
        if constexpr (is_complex_type<T>) return cmath::arctan(x);
        else return math::arctan(x);
    }
};

struct arctan2 {
    static constexpr spec meta{.name = "arctan2",
                               .aliases = "atan2",
                               .nin = 2,
                               .types = types::floats,
                               .cost = 14,
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::under,
                               .doc = "Element-wise arc tangent of x1/x2 choosing the quadrant correctly."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return math::arctan2(a, b); }
};

struct hypot {
    static constexpr spec meta{.name = "hypot",
                               .nin = 2,
                               .types = types::floats,
                               .cost = 8,
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .commutative = true,
                               .raises = fp::over | fp::under,
                               .identity = 0,
                               .doc = "Given the legs of a right triangle, return its hypotenuse."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return math::hypot(a, b); }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T a, T b) { return math::fast::hypot(a, b); }
    template <class T> BASCULE_HD static bool in_fast_range(T a, T b) { return math::fast::hypot_in_range(a, b); }
    template <class T> BASCULE_HD static std::uint8_t raised(T result, T a, T b) {
        if (!both(is_finite(a), is_finite(b))) return fp::none;
        if (!is_finite(result)) return fp::over;
        return raised_if(both(is_tiny(result), both(a != 0, b != 0)), fp::under);
    }
};

// The factor is rounded to the element type before it is multiplied with, as in NumPy.
struct degrees {
    static constexpr spec meta{.name = "degrees",
                               .types = types::floats,
                               .raises = fp::over | fp::under,
                               .doc = "Convert angles from radians to degrees."};
    template <class T> BASCULE_HD T operator()(T x) const {
        return x * (T(180) / static_cast<T>(3.14159265358979323846));
    }
};

struct radians {
    static constexpr spec meta{.name = "radians",
                               .types = types::floats,
                               .raises = fp::under,
                               .doc = "Convert angles from degrees to radians."};
    template <class T> BASCULE_HD T operator()(T x) const {
        return x * (static_cast<T>(3.14159265358979323846) / T(180));
    }
};

// Messages name the function that was called.
struct rad2deg : degrees {
    static constexpr spec meta{
        .name = "rad2deg", .types = degrees::meta.types, .raises = degrees::meta.raises, .doc = degrees::meta.doc};
};

struct deg2rad : radians {
    static constexpr spec meta{
        .name = "deg2rad", .types = radians::meta.types, .raises = radians::meta.raises, .doc = radians::meta.doc};
};

using trigonometric_ops =
    op_list<sin, cos, tan, arcsin, arccos, arctan, arctan2, hypot, degrees, radians, rad2deg, deg2rad>;

}  // namespace bascule::ops
