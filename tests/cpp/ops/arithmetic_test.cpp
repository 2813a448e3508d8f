// Arithmetic against values worked out by hand from the rules of two's complement, IEEE 754 and NumPy's NaT.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bascule/ops/arithmetic.hpp"
#include "bascule/ops/divisors.hpp"
#include "bascule/ops/extrema.hpp"
#include "bascule/ops/select.hpp"

namespace {

using namespace bascule;
using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint8_t, std::uint64_t;
constexpr double inf = std::numeric_limits<double>::infinity(), nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t least = std::numeric_limits<int64_t>::min(), greatest = std::numeric_limits<int64_t>::max();
constexpr timedelta64 no_time{nat};

TEST(arithmetic, integers_wrap) {
    EXPECT_EQ(ops::add{}(int8_t{127}, int8_t{1}), -128);
    EXPECT_EQ(ops::add{}(greatest, int64_t{1}), least);
    EXPECT_EQ(ops::subtract{}(uint8_t{0}, uint8_t{1}), 255);
    EXPECT_EQ(ops::multiply{}(int32_t{65536}, int32_t{65536}), 0);
    EXPECT_EQ(ops::multiply{}(int16_t{-32768}, int16_t{-1}), -32768);
    EXPECT_EQ(ops::negative{}(least), least);
    EXPECT_EQ(ops::negative{}(uint8_t{128}), 128);
    EXPECT_EQ(ops::square{}(int8_t{16}), 0);
    EXPECT_EQ(ops::muladd{}(int8_t{100}, int8_t{2}, int8_t{100}), int8_t(300 - 256));
}

TEST(arithmetic, booleans_add_as_or_and_multiply_as_and) {
    EXPECT_EQ(ops::add{}(true, true), true);
    EXPECT_EQ(ops::multiply{}(true, false), false);
}

TEST(arithmetic, nat_is_handed_on) {
    EXPECT_EQ(ops::add{}(no_time, timedelta64{5}).count, nat);
    EXPECT_EQ(ops::subtract{}(timedelta64{5}, no_time).count, nat);
    EXPECT_EQ(ops::subtract{}(timedelta64{5}, timedelta64{7}).count, -2);
    EXPECT_EQ(ops::multiply{}(no_time, timedelta64{0}).count, nat);
    EXPECT_EQ(ops::negative{}(no_time).count, nat);
    EXPECT_TRUE(std::isnan(ops::divide{}(no_time, timedelta64{5})));
    EXPECT_EQ(ops::divide{}(timedelta64{5}, timedelta64{2}), 2.5);
    EXPECT_EQ(ops::divide{}(timedelta64{5}, timedelta64{0}), inf);
}

TEST(arithmetic, products_round_before_they_are_added) {
    double const x = 1 + 0x1p-30;  // x*x = 1 + 2^-29 + 2^-60, whose last term is lost in a rounded product
    EXPECT_EQ(ops::muladd{}(x, x, -(1 + 0x1p-29)), 0.0);
    EXPECT_EQ(ops::mulsub{}(x, x, 1 + 0x1p-29), 0.0);
    EXPECT_EQ(ops::submul{}(1 + 0x1p-29, x, x), 0.0);
}

TEST(arithmetic, complex_quotients_do_not_overflow_on_the_way) {
    auto const q = ops::divide{}(complex<double>{1e300, 1e300}, complex<double>{1e300, 1e300});
    EXPECT_EQ(q.re, 1.0);
    EXPECT_EQ(q.im, 0.0);
    auto const by_zero = ops::divide{}(complex<double>{1, 1}, complex<double>{0, 0});
    EXPECT_EQ(by_zero.re, inf);
    EXPECT_EQ(by_zero.im, inf);
}

TEST(arithmetic, integer_reciprocals_are_truncated) {
    EXPECT_EQ(ops::reciprocal{}(int32_t{1}), 1);
    EXPECT_EQ(ops::reciprocal{}(int32_t{-1}), -1);
    EXPECT_EQ(ops::reciprocal{}(int32_t{2}), 0);
    EXPECT_EQ(ops::reciprocal{}(int64_t{0}), least);  // NumPy 2.4 on x86
    EXPECT_EQ(ops::reciprocal{}(uint8_t{0}), 0);
}

TEST(extrema, maximum_hands_on_nan_and_fmax_ignores_it) {
    EXPECT_TRUE(std::isnan(ops::maximum{}(nan_value, 1.0)));
    EXPECT_TRUE(std::isnan(ops::maximum{}(1.0, nan_value)));
    EXPECT_TRUE(std::isnan(ops::minimum{}(1.0, nan_value)));
    EXPECT_EQ(ops::fmax{}(nan_value, 1.0), 1.0);
    EXPECT_EQ(ops::fmin{}(1.0, nan_value), 1.0);
    EXPECT_EQ(ops::maximum{}(2.0, 1.0), 2.0);
    EXPECT_EQ(ops::minimum{}(2.0, 1.0), 1.0);
}

TEST(extrema, nat_wins_in_maximum_and_loses_in_fmax) {
    EXPECT_EQ(ops::maximum{}(no_time, timedelta64{1}).count, nat);
    EXPECT_EQ(ops::minimum{}(timedelta64{1}, no_time).count, nat);
    EXPECT_EQ(ops::fmax{}(no_time, timedelta64{1}).count, 1);
    EXPECT_EQ(ops::fmin{}(no_time, timedelta64{1}).count, 1);
    EXPECT_EQ(ops::fmin{}(timedelta64{1}, no_time).count, 1);
}

TEST(extrema, complex_numbers_order_by_real_part_first) {
    auto const m = ops::maximum{}(complex<double>{1, 9}, complex<double>{2, -9});
    EXPECT_EQ(m.re, 2.0);
    auto const same_real = ops::minimum{}(complex<double>{1, 9}, complex<double>{1, 3});
    EXPECT_EQ(same_real.im, 3.0);
}

TEST(extrema, step_function_takes_its_value_at_zero_from_the_second_input) {
    EXPECT_EQ(ops::heaviside{}(-1.0, 0.5), 0.0);
    EXPECT_EQ(ops::heaviside{}(-0.0, 0.5), 0.5);
    EXPECT_EQ(ops::heaviside{}(1.0, 0.5), 1.0);
    EXPECT_TRUE(std::isnan(ops::heaviside{}(nan_value, 0.5)));
}

TEST(divisors, are_those_of_the_magnitudes) {
    EXPECT_EQ(ops::gcd{}(int32_t{-12}, int32_t{18}), 6);
    EXPECT_EQ(ops::gcd{}(int32_t{0}, int32_t{-5}), 5);
    EXPECT_EQ(ops::gcd{}(int8_t{-128}, int8_t{0}), -128);  // 128 wraps
    EXPECT_EQ(ops::lcm{}(int32_t{4}, int32_t{-6}), 12);
    EXPECT_EQ(ops::lcm{}(int32_t{0}, int32_t{0}), 0);
}

TEST(select, clip_lets_the_upper_bound_win_and_hands_on_nan) {
    EXPECT_EQ(ops::clip{}(5, 0, 3), 3);
    EXPECT_EQ(ops::clip{}(2, 3, 1), 1);
    EXPECT_TRUE(std::isnan(ops::clip{}(nan_value, 0.0, 1.0)));
    EXPECT_TRUE(std::isnan(ops::clip{}(1.0, nan_value, 2.0)));
    EXPECT_EQ(ops::where{}(true, 1, 2), 1);
    EXPECT_EQ(ops::where{}(false, complex<float>{1, 2}, complex<float>{3, 4}).im, 4.0f);
}

}  // namespace
