// Classification, neighbours, rounding and parts against the C library.
#include "bascule/ops/floating.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bascule/ops/complex.hpp"
#include "bascule/ops/exponential.hpp"
#include "bascule/ops/hyperbolic.hpp"
#include "bascule/ops/rounding.hpp"
#include "bascule/ops/special.hpp"
#include "bascule/ops/trigonometric.hpp"

namespace {

using namespace bascule;
template <class T> constexpr T inf = std::numeric_limits<T>::infinity();
template <class T> constexpr T nan_value = std::numeric_limits<T>::quiet_NaN();

template <class T> void classifies() {
    T const values[] = {0,
                        T(-0.0),
                        1,
                        T(-2.5),
                        inf<T>,
                        -inf<T>,
                        nan_value<T>,
                        std::numeric_limits<T>::max(),
                        std::numeric_limits<T>::denorm_min()};
    for (T x : values) {
        EXPECT_EQ(ops::isnan{}(x), std::isnan(x));
        EXPECT_EQ(ops::isinf{}(x), std::isinf(x));
        EXPECT_EQ(ops::isfinite{}(x), std::isfinite(x));
        EXPECT_EQ(ops::signbit{}(x), std::signbit(x));
        EXPECT_EQ(std::signbit(ops::copysign{}(T(3), x)), std::signbit(x));
        if (!std::isnan(x)) { EXPECT_EQ(ops::nextafter{}(x, T(1)), std::nextafter(x, T(1))); }
    }
}
TEST(floating, classes_are_those_of_the_c_library) { classifies<float>(), classifies<double>(); }

TEST(floating, spacing_points_away_from_zero) {
    EXPECT_EQ(ops::spacing{}(1.0), 0x1p-52);
    EXPECT_EQ(ops::spacing{}(-1.0), -0x1p-52);
    EXPECT_EQ(ops::spacing{}(0.0), 0x1p-1074);
    EXPECT_EQ(ops::spacing{}(1.0f), 0x1p-23f);
    EXPECT_EQ(ops::spacing{}(std::numeric_limits<double>::max()), inf<double>);
    EXPECT_TRUE(std::isnan(ops::spacing{}(inf<double>)));
}

TEST(floating, nat_is_not_finite_and_not_a_number) {
    EXPECT_TRUE(ops::isnat{}(datetime64{nat}));
    EXPECT_TRUE(ops::isnan{}(timedelta64{nat}));
    EXPECT_FALSE(ops::isfinite{}(timedelta64{nat}));
    EXPECT_TRUE(ops::isfinite{}(datetime64{1}));
    EXPECT_FALSE(ops::isinf{}(datetime64{nat}));
    EXPECT_TRUE(ops::isfinite{}(std::int8_t{1}));
}

TEST(rounding, halves_go_to_the_even_neighbour) {
    EXPECT_EQ(ops::rint{}(2.5), 2.0);
    EXPECT_EQ(ops::rint{}(-1.5f), -2.0f);
    EXPECT_EQ(ops::floor{}(-1.5), -2.0);
    EXPECT_EQ(ops::ceil{}(-1.5), -1.0);
    EXPECT_EQ(ops::trunc{}(-1.5), -1.0);
    EXPECT_EQ(ops::floor{}(std::int8_t{-3}), -3);
    EXPECT_EQ((ops::rint{}(complex<double>{0.5, 1.5}).im), 2.0);
}

TEST(complex_parts, reals_have_no_imaginary_part) {
    complex<double> const z{3, -4};
    EXPECT_EQ(ops::conjugate{}(z).im, 4.0);
    EXPECT_EQ(ops::real{}(z), 3.0);
    EXPECT_EQ(ops::imag{}(z), -4.0);
    EXPECT_EQ(ops::imag{}(5), 0);
    EXPECT_EQ(ops::angle{}(-1.0), std::acos(-1.0));
}

// Every elementary op once, so that each is joined to the right function: accuracy is tested with the functions
// themselves.
template <class Op> void agrees(Op op, long double (*exact)(long double), std::initializer_list<double> points) {
    for (double x : points) {
        EXPECT_NEAR(op(x), static_cast<double>(exact(x)), 4e-16 * std::fabs(static_cast<double>(exact(x))))
            << Op::meta.name << ' ' << x;
        auto const f = static_cast<float>(x);
        EXPECT_NEAR(op(f), static_cast<float>(exact(f)), 2.4e-7f * std::fabs(static_cast<float>(exact(f))))
            << Op::meta.name << ' ' << x;
    }
}
long double two_to(long double x) { return std::exp2(x); }

TEST(elementary, each_op_computes_the_function_it_names) {
    using L = long double;
    agrees(ops::exp{}, [](L x) -> L { return std::exp(x); }, {-3.3, 0.7, 20});
    agrees(ops::exp2{}, two_to, {-3.3, 0.7, 20});
    agrees(ops::expm1{}, [](L x) -> L { return std::expm1(x); }, {-3.3, 1e-3, 20});
    agrees(ops::log{}, [](L x) -> L { return std::log(x); }, {0.3, 0.99, 1e9});
    agrees(ops::log2{}, [](L x) -> L { return std::log2(x); }, {0.3, 0.99, 1e9});
    agrees(ops::log10{}, [](L x) -> L { return std::log10(x); }, {0.3, 0.99, 1e9});
    agrees(ops::log1p{}, [](L x) -> L { return std::log1p(x); }, {-0.3, 1e-5, 1e9});
    agrees(ops::sqrt{}, [](L x) -> L { return std::sqrt(x); }, {0.3, 2, 1e9});
    agrees(ops::cbrt{}, [](L x) -> L { return std::cbrt(x); }, {-0.3, 2, 1e9});
    agrees(ops::sin{}, [](L x) -> L { return std::sin(x); }, {-0.3, 2, 1e9});
    agrees(ops::cos{}, [](L x) -> L { return std::cos(x); }, {-0.3, 2, 1e9});
    agrees(ops::tan{}, [](L x) -> L { return std::tan(x); }, {-0.3, 2, 1e9});
    agrees(ops::arcsin{}, [](L x) -> L { return std::asin(x); }, {-0.3, 0.9});
    agrees(ops::arccos{}, [](L x) -> L { return std::acos(x); }, {-0.3, 0.9});
    agrees(ops::arctan{}, [](L x) -> L { return std::atan(x); }, {-0.3, 2, 1e9});
    agrees(ops::sinh{}, [](L x) -> L { return std::sinh(x); }, {-0.3, 2, 20});
    agrees(ops::cosh{}, [](L x) -> L { return std::cosh(x); }, {-0.3, 2, 20});
    agrees(ops::tanh{}, [](L x) -> L { return std::tanh(x); }, {-0.3, 2, 20});
    agrees(ops::arcsinh{}, [](L x) -> L { return std::asinh(x); }, {-0.3, 2, 20});
    agrees(ops::arccosh{}, [](L x) -> L { return std::acosh(x); }, {1.3, 2, 20});
    agrees(ops::arctanh{}, [](L x) -> L { return std::atanh(x); }, {-0.3, 0.9});
    agrees(ops::erf{}, [](L x) -> L { return std::erf(x); }, {-0.3, 2});
    agrees(ops::erfc{}, [](L x) -> L { return std::erfc(x); }, {-0.3, 2});
}

TEST(elementary, the_fast_body_gives_the_same_bits_inside_its_range) {
    for (double x : {0.0, -0.5, 3.0, 1e5, -999999.0}) {
        ASSERT_TRUE(ops::sin::in_fast_range(x));
        EXPECT_EQ(ops::sin::fast(x), ops::sin{}(x));
        EXPECT_EQ(ops::cos::fast(static_cast<float>(x)), ops::cos{}(static_cast<float>(x)));
        EXPECT_EQ(ops::tan::fast(x), ops::tan{}(x));
    }
    EXPECT_FALSE(ops::sin::in_fast_range(1e9));
    EXPECT_FALSE(ops::sin::in_fast_range(nan_value<double>));
}

TEST(elementary, degrees_use_the_factor_rounded_to_the_element_type) {
    EXPECT_EQ(ops::degrees{}(1.0f), 57.295776f);  // NumPy 2.4
    EXPECT_EQ(ops::degrees{}(1.0), 57.29577951308232);
    EXPECT_EQ(ops::radians{}(180.0), std::acos(-1.0));
    EXPECT_EQ(ops::hypot{}(3.0, 4.0), 5.0);
    EXPECT_EQ(ops::arctan2{}(1.0, -1.0), std::atan2(1.0, -1.0));
    EXPECT_NEAR(ops::logaddexp{}(1.0, 1.0), 1 + std::log(2.0), 1e-15);
    EXPECT_EQ(ops::logaddexp2{}(1.0, 1.0), 2.0);
}

template <class T> void scales() {
    using limits = std::numeric_limits<T>;
    T const values[] = {0,      T(-0.0),     1, T(-1.9), limits::max(), limits::min(), limits::denorm_min(),
                        inf<T>, nan_value<T>};
    for (T const x : values)
        for (int n = -2200; n <= 2200; n += 1) {
            T const got = ops::ldexp{}(x, T(n)), wanted = std::ldexp(x, n);
            ASSERT_TRUE(got == wanted || (std::isnan(got) && std::isnan(wanted))) << x << " by " << n;
            ASSERT_EQ(std::signbit(got), std::signbit(wanted)) << x << " by " << n;
        }
    EXPECT_EQ(ops::ldexp{}(limits::denorm_min(), T(3000)), inf<T>);
    EXPECT_EQ(ops::ldexp{}(limits::max(), T(-3000)), T(0));
}

TEST(floating, powers_of_two_scale_as_ldexp_does) {
    scales<float>();
    scales<double>();
}

TEST(floating, underflow_is_a_tiny_result_that_was_rounded) {
    EXPECT_EQ(ops::ldexp::raised(0x1p-1074, 1.0, -1074.0), ops::fp::none);
    EXPECT_EQ(ops::ldexp::raised(0x1p-1074, 1.25, -1074.0), ops::fp::under);
    EXPECT_EQ(ops::ldexp::raised(0.0, 1.0, -1076.0), ops::fp::under);
    EXPECT_EQ(ops::ldexp::raised(inf<double>, 1.0, 1024.0), ops::fp::over);
    EXPECT_EQ(ops::nextafter::raised(0.0, 0x1p-1074, 0.0), ops::fp::under);
    EXPECT_EQ(ops::nextafter::raised(0x1p-1074, 0x1p-1074, 0x1p-1074), ops::fp::none);
    EXPECT_EQ(ops::exp2::raised(0x1p-1030, -1030.0), ops::fp::none);
    EXPECT_EQ(ops::hypot::raised(0x1p-1074, 0x1p-1074, 0.0), ops::fp::none);
    EXPECT_EQ(ops::hypot::raised(0x1p-1074, 0x1p-1074, 0x1p-1074), ops::fp::under);
}

}  // namespace
