// Floating-point errors derived only from an op's arguments and result: a GPU keeps no status flags.
#pragma once
#include "backend/cuda/kernels/element.cuh"
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/float16_conversion.hpp"
#include "bascule/ops/fp_errors.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::cuda {

struct value_traits {
    bool nan, infinite, zero;
};

template <class T> __device__ inline value_traits inspect(T x) {
    if constexpr (ops::is_float_type<T>)
        return {x != x, ops::without_sign(x) == ops::constants<T>::infinity(), x == T(0)};
    else if constexpr (ops::is_complex_type<T>) {
        value_traits const re = inspect(x.re), im = inspect(x.im);
        return {re.nan | im.nan, re.infinite | im.infinite, re.zero & im.zero};
    } else return {false, false, true};
}

template <class T> __device__ inline T last_of(T x) { return x; }
template <class T, class... Rest> __device__ inline auto last_of(T, Rest... rest) { return last_of(rest...); }

template <class T> __device__ inline T first_of(T x) { return x; }
template <class T, class... Rest> __device__ inline T first_of(T x, Rest...) { return x; }

// Two sides of a division of integers.
template <class Op, class T> __device__ inline std::uint32_t integer_fp_errors(T a, T b) {
    constexpr std::uint8_t can = Op::meta.integers_raise;
    if (b == T(0)) return can & (ops::fp::divide | ops::fp::invalid);
    if constexpr (ops::is_signed_type<T>)
        if ((can & ops::fp::over) && b == T(-1) && a == static_cast<T>(ops::sign_bit<T>)) return ops::fp::over;
    return ops::fp::none;
}

// x86 converts to integers narrower than 32 bits through int32, and to uint32 through int64.
template <class To> __device__ inline std::uint32_t truncation_fp_errors(double x) {
    constexpr bool largest = ops::same_type<To, std::uint64_t>;
    double const limit = sizeof(To) < 4 || ops::same_type<To, std::int32_t> ? 0x1p31 : largest ? 0x1p64 : 0x1p63;
    double const low = largest ? -0x1p63 : -limit;
    return (x > low - 1 || x == low) && x < limit ? ops::fp::none : ops::fp::invalid;
}

template <class T> __device__ inline double as_double(T x) {
    if constexpr (ops::is_complex_type<T>) return static_cast<double>(x.re);
    else if constexpr (ops::same_type<T, float16>) return static_cast<double>(ops::to_float32(x));
    else return static_cast<double>(x);
}

template <class R, class A> __device__ inline std::uint32_t cast_fp_errors(R result, A a) {
    if constexpr (ops::is_integer_type<R>) {
        if constexpr (ops::is_integer_type<A> || ops::is_bool_type<A>) return ops::fp::none;
        else return truncation_fp_errors<R>(as_double(a));
    } else if constexpr (ops::is_float_type<R> || ops::is_complex_type<R> || ops::same_type<R, float16>) {
        if constexpr (ops::is_bool_type<A>) return ops::fp::none;
        else {
            double const x = as_double(a), r = as_double(result);
            std::uint32_t found = x - x == 0 && r - r != 0 ? ops::fp::over : ops::fp::none;
            if constexpr (ops::is_complex_type<R> && ops::is_complex_type<A>)
                if (a.im - a.im == 0 && result.im - result.im != 0) found = ops::fp::over;
            return found;
        }
    } else return ops::fp::none;
}

// Ops that treat a complex number as two real ones: a part that is NaN hides no error of the other one.
template <class Op>
inline constexpr bool by_parts = Op::meta.computes == ops::primitive::add ||
                                 Op::meta.computes == ops::primitive::subtract;

template <class Op, class R, class... A> __device__ inline std::uint32_t fp_errors_of(R result, A... args) {
    using last = decltype(last_of(args...));
    constexpr bool own = ops::is_complex_type<last> && Op::meta.complex_raises != ops::fp::as_real;
    constexpr std::uint8_t possible = own ? Op::meta.complex_raises : Op::meta.raises;
    constexpr bool divides = (possible & ops::fp::divide) != 0, overflows = (possible & ops::fp::over) != 0;
    if constexpr (Op::meta.call == ops::form::cast) return cast_fp_errors(result, args...);
    else if constexpr (ops::is_integer_type<last>) return integer_fp_errors<Op>(first_of(args...), last_of(args...));
    else if constexpr (requires { Op::raised(result, args...); }) return Op::raised(result, args...) & possible;
    else if constexpr (ops::is_complex_type<last> && by_parts<Op>)
        return fp_errors_of<Op>(result.re, args.re...) | fp_errors_of<Op>(result.im, args.im...);
    else {
        value_traits const r = inspect(result);
        if (!r.nan && !r.infinite) [[likely]]
            return ops::fp::none;  // nearly always, and the rest is long
        bool const nan = (inspect(args).nan | ...), infinite = (inspect(args).infinite | ...),
                   zero = (inspect(args).zero | ...);
        if (nan) return ops::fp::none;
        if (r.nan) return ops::fp::invalid;
        if (!r.infinite | infinite) return ops::fp::none;
        return divides && (zero || !overflows) ? ops::fp::divide : ops::fp::over;
    }
}

// ---- underflow, only if it is checked: a result below the normal numbers that was rounded
template <class R, class A> __device__ inline bool cast_underflows(R result, A a) {
    if constexpr (ops::is_complex_type<R>) {
        if constexpr (ops::is_complex_type<A>)
            return cast_underflows(result.re, a.re) | cast_underflows(result.im, a.im);
        else return cast_underflows(result.re, a);
    } else if constexpr (ops::same_type<R, float16> || ops::same_type<R, float>) {
        double const x = as_double(a), r = as_double(result), least = ops::same_type<R, float16> ? 0x1p-14 : 0x1p-126;
        return x - x == 0 && x != r && r < least && -r < least;
    } else return false;
}

// Of a * b. The parts are scaled so that the rounding error of the product can be distinguished from zero.
template <class T> __device__ inline bool product_underflows(T product, T a, T b) {
    if (!ops::is_tiny_or_zero(product) || a == 0 || b == 0) return false;
    if (product == 0) return true;
    T const size_of_a = ops::without_sign(a), size_of_b = ops::without_sign(b);
    double const least = size_of_a < size_of_b ? a : b, other = size_of_a < size_of_b ? b : a;
    constexpr double scale = sizeof(T) == 8 ? 0x1p600 : 1;
    return ops::math::residual(static_cast<double>(product) * scale, least * scale, other) != 0;
}

template <class T> __device__ inline bool quotient_underflows(T quotient, T a, T b) {
    if (!ops::is_tiny_or_zero(quotient) || a == 0 || !ops::is_finite(b)) return false;
    return quotient == 0 || ops::is_tiny_and_rounded(quotient, a, b);
}

// Inverse functions of complex numbers are zero where they are so exactly.
template <class Op, class R, class... A> __device__ inline bool function_underflows(R result, A... args) {
    constexpr bool vanishes = !ops::is_complex_type<R> || (Op::meta.complex_raises & ops::fp::over) != 0;
    if (!ops::is_finite(result)) return false;
    if (ops::is_tiny(result)) return true;
    return vanishes && !ops::is_nonzero(result) && ((ops::is_nonzero(args) & ops::is_finite(args)) & ...);
}

template <class Op, class R, class... A> __device__ inline std::uint32_t underflow_of(R result, A... args) {
    using last = decltype(last_of(args...));
    bool under = false;
    if constexpr (Op::meta.call == ops::form::cast) under = cast_underflows(result, args...);
    else if constexpr (requires { Op::raised(result, args...); }) return ops::fp::none;  // the op has reported it
    else if constexpr (!(ops::raised_by(Op::meta, ops::is_complex_type<last>) & ops::fp::under)) return ops::fp::none;
    else if constexpr (ops::is_float_type<last> && Op::meta.computes == ops::primitive::multiply)
        under = product_underflows(result, args...);
    else if constexpr (ops::is_float_type<last> && Op::meta.computes == ops::primitive::square)
        under = product_underflows(result, args..., args...);
    else if constexpr (ops::is_float_type<last> && Op::meta.computes == ops::primitive::divide)
        under = quotient_underflows(result, args...);
    else if constexpr (ops::is_float_type<last> && Op::meta.computes == ops::primitive::reciprocal)
        under = quotient_underflows(result, last(1), args...);
    else if constexpr (ops::is_float_type<last> || ops::is_complex_type<last>)
        under = function_underflows<Op>(result, args...);
    return under ? ops::fp::under : ops::fp::none;
}

__device__ inline void report(std::uint64_t words, std::uint64_t value, std::uint32_t found) {
    if (found) atomicOr(at<unsigned>(words, static_cast<std::int64_t>(4 * value)), found);
}

}  // namespace bascule::cuda
