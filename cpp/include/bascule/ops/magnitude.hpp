// Size, sign and powers. Device-clean.
#pragma once
#include "bascule/ops/arithmetic.hpp"
#include "bascule/ops/complex_math.hpp"
#include "bascule/ops/fp_errors.hpp"

namespace bascule::ops {

struct absolute {
    static constexpr spec meta{.name = "absolute",
                               .aliases = "abs",
                               .types = arithmetic_types,
                               .computes = primitive::absolute,
                               .complex_raises = fp::over,
                               .doc = "Calculate the absolute value element-wise."};
    template <class T> BASCULE_HD real_type<T> operator()(T a) const {
        if constexpr (is_complex_type<T>) return cmath::abs(a);
        else if constexpr (is_float_type<T>) return without_sign(a);
        else if constexpr (is_time_type<T>) return {a.count < 0 ? negative{}(a).count : a.count};
        else if constexpr (is_signed_type<T>) return a < T(0) ? negative{}(a) : a;
        else return a;
    }
};

// A NaT has the sign of its count, -1, as in NumPy. A complex sign is z/|z|.
struct sign {
    static constexpr spec meta{.name = "sign",
                               .types = signed_arithmetic_types,
                               .complex_raises = fp::over | fp::under,
                               .doc = "Returns an element-wise indication of the sign of a number."};
    template <class T> BASCULE_HD T operator()(T a) const {
        if constexpr (is_complex_type<T>) return direction(a);
        else if constexpr (is_time_type<T>) return {(a.count > 0) - (a.count < 0)};
        else if constexpr (is_float_type<T>) return is_nan(a) ? a : static_cast<T>((a > 0) - (a < 0));
        else return static_cast<T>((a > T(0)) - (is_signed_type<T> && a < T(0)));
    }
    static constexpr bool raises_when_finite = true;
    template <class R> BASCULE_HD static std::uint8_t raised(complex<R> result, complex<R> a) {
        if (!is_finite(a)) return fp::none;
        R const size = cmath::abs(a);
        if (!is_finite(size)) return fp::over;
        bool const of_size = both(is_tiny(size), both(a.re != 0, a.im != 0));
        bool const of_parts =
            either(is_tiny_and_rounded(result.re, a.re, size), is_tiny_and_rounded(result.im, a.im, size));
        return raised_if(either(of_size, of_parts), fp::under);
    }

private:
    template <class R> BASCULE_HD static complex<R> direction(complex<R> a) {
        R const size = cmath::abs(a), nan = constants<R>::nan(), infinity = constants<R>::infinity();
        if (is_nan(size)) return {nan, nan};
        if (size == infinity) {  // a size that overflowed counts as an infinite imaginary part
            if (without_sign(a.re) != infinity) return {R(0), with_sign_of(R(1), a.im)};
            if (without_sign(a.im) == infinity) return {nan, nan};
            return {with_sign_of(R(1), a.re), R(0)};
        }
        if (size == 0) return {R(0), R(0)};
        return {a.re / size, a.im / size};
    }
};

// Integers wrap. The array side refuses negative integer exponents at the call.
struct power {
    static constexpr spec meta{.name = "power",
                               .aliases = "pow",
                               .nin = 2,
                               .types = types::numbers,
                               .computes = primitive::power,
                               .cost = 25,
                               .range = {0, 30},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::divide | fp::over | fp::under | fp::invalid,
                               .doc = "First array elements raised to powers from second array, element-wise."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        if constexpr (is_complex_type<T>) return cmath::pow(a, b);
        else if constexpr (is_float_type<T>) return math::pow(a, b);
        else {
            auto base = static_cast<wrapping<T>>(a), result = wrapping<T>{1};
            for (auto exponent = static_cast<bits_of<T>>(b); exponent != 0;
                 exponent = static_cast<bits_of<T>>(exponent >> 1)) {
                result *= (exponent & 1u) != 0 ? base : wrapping<T>{1};
                base *= base;
            }
            return static_cast<T>(result);
        }
    }
    // Zero to a power that is not positive is undefined; anything to the power of zero is one.
    template <class R> BASCULE_HD static std::uint8_t raised(complex<R> result, complex<R> a, complex<R> b) {
        if (!is_nonzero(b)) return fp::none;
        if (!is_nonzero(a)) return raised_if(!(b.re > 0), fp::invalid);
        if (either(is_nan(a), is_nan(b))) return fp::none;
        if (is_nan(result)) return fp::invalid;
        bool const finite = both(is_finite(a), is_finite(b));
        if (!is_finite(result)) return raised_if(finite, fp::over);
        return raised_if(both(finite, either(is_tiny(result), !is_nonzero(result))), fp::under);
    }
};

struct float_power {
    static constexpr spec meta{.name = "float_power",
                               .nin = 2,
                               .types = set_of(type_id::float64, type_id::complex128),
                               .cost = 25,
                               .range = {0, 30},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::divide | fp::over | fp::under | fp::invalid,
                               .doc = "First array elements raised to powers from second array, in at least float64."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return power{}(a, b); }
    template <class R> BASCULE_HD static std::uint8_t raised(complex<R> result, complex<R> a, complex<R> b) {
        return power::raised(result, a, b);
    }
};

using magnitude_ops = op_list<absolute, sign, power, float_power>;

}  // namespace bascule::ops
