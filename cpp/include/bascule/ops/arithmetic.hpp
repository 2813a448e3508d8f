// Sums, differences, products and quotients. Integers wrap; bool adds as "or" and multiplies as "and"; a timedelta that
// is NaT makes the result NaT. Device-clean.
#pragma once
#include "bascule/ops/complex_math/arithmetic.hpp"
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/fp_errors.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

inline constexpr type_set signed_arithmetic_types = types::numbers | bit(type_id::timedelta64);
inline constexpr type_set arithmetic_types = types::boolean | signed_arithmetic_types;

struct add {
    static constexpr spec meta{.name = "add",
                               .nin = 2,
                               .types = arithmetic_types,
                               .computes = primitive::add,
                               .commutative = true,
                               .raises = fp::over | fp::invalid,
                               .exact_status = types::inexact,
                               .identity = 0,
                               .doc = "Add arguments element-wise."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        if constexpr (is_bool_type<T>) return either(a, b);
        else if constexpr (is_complex_type<T>) return {a.re + b.re, a.im + b.im};
        else if constexpr (is_time_type<T>) {
            auto const sum =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(a.count) + static_cast<std::uint64_t>(b.count));
            return {either(a.count == nat, b.count == nat) ? nat : sum};
        } else if constexpr (is_integer_type<T>)
            return static_cast<T>(static_cast<wrapping<T>>(a) + static_cast<wrapping<T>>(b));
        else return a + b;
    }
};

struct subtract {
    static constexpr spec meta{.name = "subtract",
                               .nin = 2,
                               .types = signed_arithmetic_types,
                               .computes = primitive::subtract,
                               .raises = fp::over | fp::invalid,
                               .exact_status = types::inexact,
                               .doc = "Subtract arguments element-wise."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        if constexpr (is_complex_type<T>) return {a.re - b.re, a.im - b.im};
        else if constexpr (is_time_type<T>) {
            auto const difference =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(a.count) - static_cast<std::uint64_t>(b.count));
            return {either(a.count == nat, b.count == nat) ? nat : difference};
        } else if constexpr (is_integer_type<T>)
            return static_cast<T>(static_cast<wrapping<T>>(a) - static_cast<wrapping<T>>(b));
        else return a - b;
    }
};

// timedelta64 times integer: the array side passes the integer as a timedelta64 of that count, NaT never among them.
struct multiply {
    static constexpr spec meta{.name = "multiply",
                               .nin = 2,
                               .types = arithmetic_types,
                               .computes = primitive::multiply,
                               .commutative = true,
                               .raises = fp::over | fp::under | fp::invalid,
                               .exact_status = types::inexact,
                               .identity = 1,
                               .doc = "Multiply arguments element-wise."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        if constexpr (is_bool_type<T>) return both(a, b);
        else if constexpr (is_complex_type<T>) return cmath::multiply(a, b);
        else if constexpr (is_time_type<T>) {
            auto const product =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(a.count) * static_cast<std::uint64_t>(b.count));
            return {either(a.count == nat, b.count == nat) ? nat : product};
        } else if constexpr (is_integer_type<T>)
            return static_cast<T>(static_cast<wrapping<T>>(a) * static_cast<wrapping<T>>(b));
        else return a * b;
    }
};

struct divide {
    static constexpr spec meta{.name = "divide",
                               .aliases = "true_divide",
                               .nin = 2,
                               .types = types::inexact | bit(type_id::timedelta64),
                               .computes = primitive::divide,
                               .integers_as = type_id::float64,
                               .cost = 4,
                               .raises = fp::divide | fp::over | fp::under | fp::invalid,
                               .exact_status = types::inexact,
                               .doc = "Divide arguments element-wise."};
    template <class T> BASCULE_HD choose<is_time_type<T>, double, T> operator()(T a, T b) const {
        if constexpr (is_complex_type<T>) return cmath::divide(a, b);
        else if constexpr (is_time_type<T>) {
            auto const quotient = static_cast<double>(a.count) / static_cast<double>(b.count);
            return either(a.count == nat, b.count == nat) ? constants<double>::nan() : quotient;
        } else return a / b;
    }
    // By zero each part is divided; else NumPy compares the divisor's parts, which is invalid for a NaN.
    template <class R> BASCULE_HD static std::uint8_t raised(complex<R> result, complex<R> a, complex<R> b) {
        if (!is_nonzero(b)) return static_cast<std::uint8_t>(by_zero(a.re) | by_zero(a.im));
        if (is_nan(b)) return fp::invalid;
        if (is_nan(result)) return raised_if(!is_nan(a), fp::invalid);
        if (!is_finite(result)) return raised_if(both(is_finite(a), is_finite(b)), fp::over);
        return raised_if(is_tiny(result), fp::under);
    }

private:
    template <class R> BASCULE_HD static std::uint8_t by_zero(R part) {
        return !is_finite(part) ? fp::none : part == 0 ? fp::invalid : fp::divide;
    }
};

struct negative {
    static constexpr spec meta{.name = "negative",
                               .types = signed_arithmetic_types,
                               .computes = primitive::negative,
                               .doc = "Numerical negative, element-wise."};
    template <class T> BASCULE_HD T operator()(T a) const {
        if constexpr (is_complex_type<T>) return {-a.re, -a.im};
        else if constexpr (is_time_type<T>)
            return {static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(a.count))};  // NaT is its own
        else if constexpr (is_integer_type<T>) return static_cast<T>(0 - static_cast<wrapping<T>>(a));
        else return -a;
    }
};

struct positive {
    static constexpr spec meta{.name = "positive",
                               .types = signed_arithmetic_types,
                               .computes = primitive::positive,
                               .doc = "Numerical positive, element-wise."};
    template <class T> BASCULE_HD T operator()(T a) const { return a; }
};

struct fabs {
    static constexpr spec meta{.name = "fabs",
                               .types = types::floats,
                               .computes = primitive::absolute,
                               .doc = "Compute the absolute values element-wise."};
    template <class T> BASCULE_HD T operator()(T a) const { return without_sign(a); }
};

// An integer's reciprocal is truncated. That of zero is infinity as x86 converts it to an integer: the least value of a
// signed 32 or 64 bit type, 0 of the others.
struct reciprocal {
    static constexpr spec meta{.name = "reciprocal",
                               .types = types::numbers,
                               .computes = primitive::reciprocal,
                               .cost = 4,
                               .raises = fp::divide | fp::over | fp::under | fp::invalid,
                               .integers_raise = fp::divide | fp::invalid,
                               .exact_status = types::inexact,
                               .doc = "Return the reciprocal of the argument, element-wise."};
    template <class T> BASCULE_HD T operator()(T a) const {
        if constexpr (is_complex_type<T>) return cmath::reciprocal(a);
        else if constexpr (is_integer_type<T>) {
            constexpr T of_zero = is_signed_type<T> && sizeof(T) >= 4 ? static_cast<T>(sign_bit<T>) : T(0);
            bool const minus_one = is_signed_type<T> && a == static_cast<T>(-1);
            return a == 0 ? of_zero : static_cast<T>(a == 1 ? T(1) : minus_one ? a : T(0));
        } else return T(1) / a;
    }
    // NumPy compares the parts, which is invalid for a NaN.
    template <class R> BASCULE_HD static std::uint8_t raised(complex<R> result, complex<R> a) {
        if (either(is_nan(a), is_nan(result))) return fp::invalid;
        if (!is_finite(result)) return fp::over;
        return raised_if(is_tiny(result), fp::under);
    }
};

struct square {
    static constexpr spec meta{.name = "square",
                               .types = types::numbers,
                               .computes = primitive::square,
                               .raises = fp::over | fp::under | fp::invalid,
                               .exact_status = types::inexact,
                               .doc = "Return the element-wise square of the input."};
    template <class T> BASCULE_HD T operator()(T a) const {
        if constexpr (is_complex_type<T>) return cmath::square(a);
        else return multiply{}(a, a);
    }
};

// Two operations in one kernel, each rounded: the planner uses it for a*b + c when nothing else needs the product. Not
// for float16, whose product would have to be rounded to float16 in between.
inline constexpr type_set fused_product_types = types::integers | set_of(type_id::float32, type_id::float64);

struct muladd {
    static constexpr spec meta{.name = "muladd",
                               .nin = 3,
                               .types = fused_product_types,
                               .computes = primitive::multiply_add,
                               .cost = 1.5,
                               .raises = fp::over | fp::under | fp::invalid,
                               .has_ufunc = false,
                               .doc = "Return x1 * x2 + x3 with both operations rounded."};
    template <class T> BASCULE_HD T operator()(T a, T b, T c) const { return add{}(multiply{}(a, b), c); }
};

struct mulsub {
    static constexpr spec meta{.name = "mulsub",
                               .nin = 3,
                               .types = fused_product_types,
                               .computes = primitive::multiply_subtract,
                               .cost = 1.5,
                               .raises = fp::over | fp::under | fp::invalid,
                               .has_ufunc = false,
                               .doc = "Return x1 * x2 - x3 with both operations rounded."};
    template <class T> BASCULE_HD T operator()(T a, T b, T c) const { return subtract{}(multiply{}(a, b), c); }
};

struct submul {
    static constexpr spec meta{.name = "submul",
                               .nin = 3,
                               .types = fused_product_types,
                               .computes = primitive::subtract_multiply,
                               .cost = 1.5,
                               .raises = fp::over | fp::under | fp::invalid,
                               .has_ufunc = false,
                               .doc = "Return x1 - x2 * x3 with both operations rounded."};
    template <class T> BASCULE_HD T operator()(T a, T b, T c) const { return subtract{}(a, multiply{}(b, c)); }
};

using arithmetic_ops =
    op_list<add, subtract, multiply, divide, negative, positive, fabs, reciprocal, square, muladd, mulsub, submul>;

}  // namespace bascule::ops
