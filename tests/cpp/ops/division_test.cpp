// Quotients, remainders, powers and signs. Values marked NumPy were obtained from NumPy 2.4.
#include "bascule/ops/division.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bascule/ops/magnitude.hpp"

namespace {

using namespace bascule;
using std::int64_t, std::int8_t, std::uint64_t, std::uint8_t;
constexpr double inf = std::numeric_limits<double>::infinity(), nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t least = std::numeric_limits<int64_t>::min();
constexpr timedelta64 no_time{nat};

void expect_same(double value, double expected) {
    if (std::isnan(expected)) EXPECT_TRUE(std::isnan(value));
    else {
        EXPECT_EQ(value, expected);
        EXPECT_EQ(std::signbit(value), std::signbit(expected));
    }
}

TEST(division, integers_floor_towards_minus_infinity) {
    for (int a = -128; a < 128; ++a)
        for (int b = -128; b < 128; ++b) {
            auto const x = static_cast<int8_t>(a), y = static_cast<int8_t>(b);
            auto const floored = b == 0 ? 0 : static_cast<int>(std::floor(static_cast<double>(a) / b));
            ASSERT_EQ(ops::floor_divide{}(x, y), static_cast<int8_t>(floored)) << a << ' ' << b;
            ASSERT_EQ(ops::remainder{}(x, y), b == 0 ? 0 : static_cast<int8_t>(a - floored * b)) << a << ' ' << b;
            ASSERT_EQ(ops::fmod{}(x, y), b == 0 ? 0 : static_cast<int8_t>(a % b)) << a << ' ' << b;
        }
    EXPECT_EQ(ops::floor_divide{}(least, int64_t{-1}), least);
    EXPECT_EQ(ops::remainder{}(least, int64_t{-1}), 0);
    EXPECT_EQ(ops::floor_divide{}(~uint64_t{0}, uint64_t{2}), ~uint64_t{0} / 2);
}

TEST(division, floats_keep_the_signs_numpy_gives) {
    double const a[] = {5, -5, 5, -0.0, 0, 5, -5, inf, 5, 0}, b[] = {3, 3, -3, 1, -1, inf, inf, 1, 0, 0};
    double const remainders[] = {2, 1, -1, 0, -0.0, 5, inf, nan_value, nan_value, nan_value};  // NumPy
    double const quotients[] = {1, -2, -2, -0.0, -0.0, 0, -1, nan_value, inf, nan_value};      // NumPy
    for (int i = 0; i < 10; ++i) {
        expect_same(ops::remainder{}(a[i], b[i]), remainders[i]);
        expect_same(ops::floor_divide{}(a[i], b[i]), quotients[i]);
    }
    expect_same(ops::fmod{}(-5.0, 3.0), -2);
    EXPECT_EQ(ops::floor_divide{}(1.0, 0.1), 9.0);  // 0.1 is above a tenth
}

TEST(division, spans_of_time_divide_to_numbers) {
    EXPECT_EQ(ops::floor_divide{}(timedelta64{-5}, timedelta64{2}), -3);
    EXPECT_EQ(ops::floor_divide{}(no_time, timedelta64{2}), 0);
    EXPECT_EQ(ops::floor_divide{}(timedelta64{5}, timedelta64{0}), 0);
    EXPECT_EQ(ops::remainder{}(timedelta64{-5}, timedelta64{2}).count, 1);
    EXPECT_EQ(ops::remainder{}(timedelta64{5}, timedelta64{0}).count, nat);
    EXPECT_EQ(ops::truncate_divide{}(timedelta64{-7}, timedelta64{2}).count, -3);
    EXPECT_EQ(ops::truncate_divide{}(timedelta64{7}, timedelta64{0}).count, nat);
}

TEST(magnitude, the_least_integer_is_its_own_absolute_value) {
    EXPECT_EQ(ops::absolute{}(int8_t{-128}), -128);
    EXPECT_EQ(ops::absolute{}(int8_t{-5}), 5);
    expect_same(ops::absolute{}(-0.0), 0.0);
    EXPECT_EQ((ops::absolute{}(complex<double>{3, -4})), 5.0);
    EXPECT_EQ(ops::absolute{}(no_time).count, nat);
}

TEST(magnitude, sign_keeps_nan_and_drops_the_sign_of_zero) {
    expect_same(ops::sign{}(-0.0), 0.0);
    expect_same(ops::sign{}(nan_value), nan_value);
    EXPECT_EQ(ops::sign{}(int8_t{-3}), -1);
    EXPECT_EQ(ops::sign{}(uint8_t{200}), 1);
    EXPECT_EQ(ops::sign{}(timedelta64{-3}).count, -1);
    auto const z = ops::sign{}(complex<double>{3, -4});
    EXPECT_EQ(z.re, 0.6);
    EXPECT_EQ(z.im, -0.8);
    auto const far = ops::sign{}(complex<double>{-inf, nan_value});  // NumPy: -1+0j
    EXPECT_EQ(far.re, -1.0);
    EXPECT_EQ(far.im, 0.0);
}

TEST(magnitude, integer_powers_wrap) {
    EXPECT_EQ(ops::power{}(int64_t{3}, int64_t{41}), -420491770248316829);  // NumPy
    EXPECT_EQ(ops::power{}(int64_t{2}, int64_t{64}), 0);
    EXPECT_EQ(ops::power{}(int8_t{0}, int8_t{0}), 1);
    EXPECT_EQ(ops::power{}(uint8_t{3}, uint8_t{5}), 243);
    EXPECT_EQ(ops::power{}(2.0, 0.5), std::sqrt(2.0));
}

}  // namespace
