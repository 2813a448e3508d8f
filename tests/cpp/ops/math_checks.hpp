// The checks both builds run on the cases: each adds failures to the current test.
#pragma once
#include "bascule/ops/exponential.hpp"
#include "bascule/ops/hyperbolic.hpp"
#include "bascule/ops/special.hpp"
#include "ops/math_cases.hpp"

#include <gtest/gtest.h>

namespace {

constexpr int points = 60000;

inline void every_function_keeps_its_bound() {
    for (function_case const& c : unary_cases()) {
        worst_error const wide = measure<double>(c, points), narrow = measure<float>(c, points);
        worst_error const patterns = std::string(c.name).find("large") == std::string::npos ? measure_float_patterns(c)
                                                                                            : narrow;
        report(c.name, "float64", wide);
        report(c.name, "float32", narrow.ulp > patterns.ulp ? narrow : patterns);
        EXPECT_LE(wide.ulp, c.bound.get()) << c.name << " float64 at " << wide.x;
        EXPECT_LE(narrow.ulp, c.bound.get()) << c.name << " float32 at " << narrow.x;
        EXPECT_LE(patterns.ulp, c.bound.get()) << c.name << " float32 at " << patterns.x;
    }
}

inline void every_binary_function_keeps_its_bound() {
    for (binary_case const& c : binary_cases()) {
        worst_error const wide = measure<double>(c, 3 * points), narrow = measure<float>(c, 3 * points);
        report(c.name, "float64", wide);
        report(c.name, "float32", narrow);
        EXPECT_LE(wide.ulp, c.bound.get()) << c.name << " float64 at " << wide.x << ", " << wide.y;
        EXPECT_LE(narrow.ulp, c.bound.get()) << c.name << " float32 at " << narrow.x << ", " << narrow.y;
    }
    worst_error const wide = measure_pow<double>(5 * points), narrow = measure_pow<float>(5 * points);
    report("pow", "float64", wide);
    report("pow", "float32", narrow);
    EXPECT_LE(wide.ulp, 1.0) << wide.x << ", " << wide.y;
    EXPECT_LE(narrow.ulp, 1.0) << narrow.x << ", " << narrow.y;
}

inline void trigonometry_holds_alongside_multiples_of_a_quarter_turn() {
    auto const check = [](char const* name, double (*f)(double), long double (*oracle)(long double), ulp_bound bound) {
        worst_error const worst = measure_near_quarters(f, oracle);
        report(name, "near quarters", worst);
        EXPECT_LE(worst.ulp, bound.get()) << name << " at " << worst.x;
    };
    check(
        "sin", [](double x) { return math::sin(x); }, [](long double x) { return std::sin(x); }, {0.8, 1.1});
    check(
        "cos", [](double x) { return math::cos(x); }, [](long double x) { return std::cos(x); }, {0.8, 1.1});
    check(
        "tan", [](double x) { return math::tan(x); }, [](long double x) { return std::tan(x); }, {1.0, 2.0});
    // Where the arctangent's quotient is near 1, the last digit is hardest to keep.
    for (float x = 0.97f; x < 1.04f; x = std::nextafter(x, 2.0f))
        ASSERT_LE(error_in_ulp(math::arctan(x), std::atan(static_cast<long double>(x))), 1.0) << x;
    for (int k = 1; k < 636000; k += k < 20000 ? 1 : 17) {
        auto const at = static_cast<float>(k * 1.57079632679489661923L);
        for (float x : {at, std::nextafter(at, 0.0f), std::nextafter(at, 1e9f), -at}) {
            double const half_more = math::has_fma ? 0.8 : 1.1;
            ASSERT_LE(error_in_ulp(math::sin(x), std::sin(static_cast<long double>(x))), half_more) << x;
            ASSERT_LE(error_in_ulp(math::cos(x), std::cos(static_cast<long double>(x))), half_more) << x;
            ASSERT_LE(error_in_ulp(math::tan(x), std::tan(static_cast<long double>(x))), math::has_fma ? 1.0 : 2.0)
                << x;
        }
    }
    for (large_angle const& a : large_angles) {
        EXPECT_LE(error_in_ulp(math::sin(a.x), a.sin), 1.0) << a.x;
        EXPECT_LE(error_in_ulp(math::cos(a.x), a.cos), 1.0) << a.x;
        EXPECT_LE(error_in_ulp(math::tan(a.x), a.tan), 1.0) << a.x;
        EXPECT_EQ(math::sin(-a.x), -math::sin(a.x)) << a.x;
        EXPECT_EQ(math::cos(-a.x), math::cos(a.x)) << a.x;
    }
}

inline void fast_bodies_have_the_bits_of_the_full_functions() {
    std::mt19937_64 random(23);
    for (int i = 0; i < points; ++i) {
        double const x = draw(random, {-1e6, 1e6, false});
        float const y = static_cast<float>(x);
        ASSERT_EQ(math::fast::sin(x), math::sin(x)) << x;
        ASSERT_EQ(math::fast::cos(x), math::cos(x)) << x;
        ASSERT_EQ(math::fast::tan(x), math::tan(x)) << x;
        ASSERT_EQ(math::fast::sin(y), math::sin(y)) << y;
        ASSERT_EQ(math::fast::cos(y), math::cos(y)) << y;
        ASSERT_EQ(math::fast::tan(y), math::tan(y)) << y;
        ASSERT_EQ(math::fast::sincos(x).sin, math::sin(x)) << x;
        ASSERT_EQ(math::fast::sincos(y).cos, math::cos(y)) << y;
        double const divisor = draw(random, {1e-6, 1e3, true});
        auto const base = static_cast<float>(draw(random, {1e-5, 1e5, true})), power = y * 1e-5f;
        if (math::fast::pow_in_range(base, power)) {
            ASSERT_EQ(math::fast::pow(base, power), math::pow(base, power)) << base << ", " << power;
        }
        ASSERT_TRUE(math::fast::fmod_holds(x, divisor));
        ASSERT_EQ(math::fast::fmod(x, divisor), std::fmod(x, divisor)) << x << ", " << divisor;
        ASSERT_EQ(math::fast::fmod(y, 0.75f), std::fmod(y, 0.75f)) << y;
        double const multiple = divisor * std::trunc(x);
        ASSERT_EQ(math::fast::fmod(multiple, divisor), std::fmod(multiple, divisor)) << multiple << ", " << divisor;
    }
    for (float const x : special_values<float>()) {
        for (float const y : special_values<float>()) {
            if (math::fast::pow_in_range(x, y)) { ASSERT_EQ(math::fast::pow(x, y), math::pow(x, y)) << x << ", " << y; }
        }
    }
    EXPECT_FALSE(math::fast::pow_in_range(0.0f, 1.0f));
    EXPECT_FALSE(math::fast::pow_in_range(2.0f, NAN));
}

// An op's fast body against the op wherever it says that it may be used: on random numbers, random bit patterns, and
// at the ends of the range.
template <class Op, class T> void fast_body_has_the_bits_of_the_op(double far) {
    using U = ops::bits_of<T>;
    std::mt19937_64 random(24);
    auto const same = [](T x) { return !Op::in_fast_range(x) || math::bits(Op::fast(x)) == math::bits(Op{}(x)); };
    for (int i = 0; i < points; ++i) {
        T const x = static_cast<T>(draw(random, {-far, far, false})), near = x * static_cast<T>(0x1p-9);
        T const pattern = math::from_bits(static_cast<U>(random()));
        for (T v : {x, near, -near, pattern}) ASSERT_TRUE(same(v)) << Op::meta.name << '(' << v << ')';
    }
    for (T const edge : {T(0), T(1), T(87), T(125), T(708), T(1021), std::numeric_limits<T>::min()}) {
        for (T v : {edge, std::nextafter(edge, T(0)), std::nextafter(edge, T(1e9))}) {
            ASSERT_TRUE(same(v)) << Op::meta.name << '(' << v << ')';
            ASSERT_TRUE(same(-v)) << Op::meta.name << '(' << -v << ')';
        }
    }
    for (T const odd : special_values<T>()) ASSERT_TRUE(same(odd)) << Op::meta.name << '(' << odd << ')';
    EXPECT_TRUE(Op::in_fast_range(T(0.5))) << Op::meta.name;
    EXPECT_FALSE(Op::in_fast_range(std::numeric_limits<T>::infinity())) << Op::meta.name;
    EXPECT_FALSE(Op::in_fast_range(std::numeric_limits<T>::quiet_NaN())) << Op::meta.name;
}
template <class Op> void fast_bodies_have_the_bits_of_the_op(double far) {
    fast_body_has_the_bits_of_the_op<Op, double>(far);
    fast_body_has_the_bits_of_the_op<Op, float>(far);
}
inline void fast_exponentials_have_the_bits_of_the_ops() {
    fast_bodies_have_the_bits_of_the_op<ops::exp>(710);
    fast_bodies_have_the_bits_of_the_op<ops::exp2>(1024);
    fast_bodies_have_the_bits_of_the_op<ops::log>(1e4);
    fast_bodies_have_the_bits_of_the_op<ops::log2>(1e4);
    fast_bodies_have_the_bits_of_the_op<ops::log10>(1e4);
    fast_bodies_have_the_bits_of_the_op<ops::log1p>(1e4);
    fast_bodies_have_the_bits_of_the_op<ops::expm1>(710);
    fast_bodies_have_the_bits_of_the_op<ops::tanh>(2);
    fast_bodies_have_the_bits_of_the_op<ops::erf>(2);
}

// One function of one argument against the C library's at the special values, for both types.
template <class Ours, class Theirs> void special_values_agree(char const* name, Ours ours, Theirs theirs) {
    auto const check = [&](auto zero) {
        for (auto x : special_values<decltype(zero)>()) {
            EXPECT_TRUE(agrees(ours(x), theirs(x))) << name << '(' << x << ") is " << ours(x) << ", not " << theirs(x);
        }
    };
    check(0.0);
    check(0.0f);
}
template <class Ours, class Theirs> void special_pairs_agree(char const* name, Ours ours, Theirs theirs) {
    auto const check = [&](auto zero) {
        auto const values = special_values<decltype(zero)>();
        for (auto x : values) {
            for (auto y : values) {
                EXPECT_TRUE(agrees(ours(x, y), theirs(x, y)))
                    << name << '(' << x << ", " << y << ") is " << ours(x, y) << ", not " << theirs(x, y);
            }
        }
    };
    check(0.0);
    check(0.0f);
}

inline void special_values_are_those_of_c99() {
    special_values_agree(
        "sqrt", [](auto x) { return math::sqrt(x); }, [](auto x) { return std::sqrt(x); });
    special_values_agree(
        "floor", [](auto x) { return math::floor(x); }, [](auto x) { return std::floor(x); });
    special_values_agree(
        "ceil", [](auto x) { return math::ceil(x); }, [](auto x) { return std::ceil(x); });
    special_values_agree(
        "trunc", [](auto x) { return math::trunc(x); }, [](auto x) { return std::trunc(x); });
    special_values_agree(
        "rint", [](auto x) { return math::rint(x); }, [](auto x) { return std::nearbyint(x); });
    special_values_agree(
        "abs", [](auto x) { return math::abs(x); }, [](auto x) { return std::abs(x); });
    special_values_agree(
        "exp", [](auto x) { return math::exp(x); }, [](auto x) { return std::exp(x); });
    special_values_agree(
        "exp, op", [](auto x) { return math::of_ops::exp(x); }, [](auto x) { return std::exp(x); });
    special_values_agree(
        "log, op", [](auto x) { return math::of_ops::log(x); }, [](auto x) { return std::log(x); });
    special_values_agree(
        "exp2", [](auto x) { return math::exp2(x); }, [](auto x) { return std::exp2(x); });
    special_values_agree(
        "expm1", [](auto x) { return math::expm1(x); }, [](auto x) { return std::expm1(x); });
    special_values_agree(
        "log", [](auto x) { return math::log(x); }, [](auto x) { return std::log(x); });
    special_values_agree(
        "log2", [](auto x) { return math::of_ops::log2(x); }, [](auto x) { return std::log2(x); });
    special_values_agree(
        "log10", [](auto x) { return math::of_ops::log10(x); }, [](auto x) { return std::log10(x); });
    special_values_agree(
        "log1p", [](auto x) { return math::log1p(x); }, [](auto x) { return std::log1p(x); });
    special_values_agree(
        "log1p, op", [](auto x) { return math::of_ops::log1p(x); }, [](auto x) { return std::log1p(x); });
    special_values_agree(
        "cbrt", [](auto x) { return math::cbrt(x); }, [](auto x) { return std::cbrt(x); });
    special_values_agree(
        "sin", [](auto x) { return math::sin(x); }, [](auto x) { return std::sin(x); });
    special_values_agree(
        "cos", [](auto x) { return math::cos(x); }, [](auto x) { return std::cos(x); });
    special_values_agree(
        "tan", [](auto x) { return math::tan(x); }, [](auto x) { return std::tan(x); });
    special_values_agree(
        "arcsin", [](auto x) { return math::arcsin(x); }, [](auto x) { return std::asin(x); });
    special_values_agree(
        "arccos", [](auto x) { return math::arccos(x); }, [](auto x) { return std::acos(x); });
    special_values_agree(
        "arctan", [](auto x) { return math::arctan(x); }, [](auto x) { return std::atan(x); });
    special_values_agree(
        "sinh", [](auto x) { return math::sinh(x); }, [](auto x) { return std::sinh(x); });
    special_values_agree(
        "cosh", [](auto x) { return math::cosh(x); }, [](auto x) { return std::cosh(x); });
    special_values_agree(
        "tanh", [](auto x) { return math::tanh(x); }, [](auto x) { return std::tanh(x); });
    special_values_agree(
        "arcsinh", [](auto x) { return math::arcsinh(x); }, [](auto x) { return std::asinh(x); });
    special_values_agree(
        "arccosh", [](auto x) { return math::arccosh(x); }, [](auto x) { return std::acosh(x); });
    special_values_agree(
        "arctanh", [](auto x) { return math::arctanh(x); }, [](auto x) { return std::atanh(x); });
    special_values_agree(
        "erf", [](auto x) { return math::erf(x); }, [](auto x) { return std::erf(x); });
    special_values_agree(
        "erfc", [](auto x) { return math::erfc(x); }, [](auto x) { return std::erfc(x); });
}

inline void special_pairs_are_those_of_c99() {
    special_pairs_agree(
        "pow", [](auto x, auto y) { return math::pow(x, y); }, [](auto x, auto y) { return std::pow(x, y); });
    special_pairs_agree(
        "hypot", [](auto x, auto y) { return math::hypot(x, y); }, [](auto x, auto y) { return std::hypot(x, y); });
    special_pairs_agree(
        "arctan2", [](auto x, auto y) { return math::arctan2(x, y); }, [](auto x, auto y) { return std::atan2(x, y); });
    special_pairs_agree(
        "fmod", [](auto x, auto y) { return math::fmod(x, y); }, [](auto x, auto y) { return std::fmod(x, y); });
    special_pairs_agree(
        "copysign", [](auto x, auto y) { return math::copysign(x, y); },
        [](auto x, auto y) { return std::copysign(x, y); });
    auto const next = [](auto x, auto y) { return math::nextafter(x, y); };
    special_pairs_agree("nextafter", next, [](auto x, auto y) { return std::nextafter(x, y); });
    auto const scale = [](auto x, auto y) {
        return math::ldexp(x, std::isfinite(y) && std::abs(y) < 3000 ? int(y) : 2100);
    };
    auto const c_scale = [](auto x, auto y) {
        return std::ldexp(x, std::isfinite(y) && std::abs(y) < 3000 ? int(y) : 2100);
    };
    special_pairs_agree("ldexp", scale, c_scale);
}

}  // namespace
