// Comparisons, truth values and bits against values worked out by hand.
#include "bascule/ops/comparison.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "bascule/ops/bitwise.hpp"
#include "bascule/ops/logical.hpp"

namespace {

using namespace bascule;
using std::int32_t, std::int64_t, std::int8_t, std::uint64_t, std::uint8_t;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
using c128 = complex<double>;

TEST(comparison, nan_is_unequal_to_everything) {
    EXPECT_FALSE(ops::equal{}(nan_value, nan_value));
    EXPECT_TRUE(ops::not_equal{}(nan_value, nan_value));
    EXPECT_FALSE(ops::less_equal{}(nan_value, 1.0));
    EXPECT_FALSE(ops::greater{}(nan_value, 1.0));
    EXPECT_TRUE(ops::equal{}(0.0, -0.0));
}

TEST(comparison, nat_is_unequal_to_everything) {
    datetime64 const no_date{nat}, date{0};
    EXPECT_FALSE(ops::equal{}(no_date, no_date));
    EXPECT_TRUE(ops::not_equal{}(no_date, no_date));
    EXPECT_FALSE(ops::less{}(no_date, date));
    EXPECT_FALSE(ops::less_equal{}(no_date, date));
    EXPECT_FALSE(ops::greater_equal{}(date, no_date));
    EXPECT_TRUE(ops::less{}(date, datetime64{1}));
}

TEST(comparison, complex_numbers_compare_lexicographically) {
    EXPECT_TRUE(ops::less{}(c128{1, 9}, c128{2, 0}));
    EXPECT_TRUE(ops::less{}(c128{1, 1}, c128{1, 2}));
    EXPECT_FALSE(ops::less{}(c128{1, nan_value}, c128{2, 0}));
    EXPECT_TRUE(ops::greater_equal{}(c128{1, 2}, c128{1, 2}));
    EXPECT_FALSE(ops::equal{}(c128{nan_value, 0}, c128{nan_value, 0}));
}

TEST(logical, every_value_but_zero_is_true) {
    EXPECT_TRUE(ops::logical_and{}(nan_value, 1.0));
    EXPECT_FALSE(ops::logical_or{}(0.0, -0.0));
    EXPECT_TRUE(ops::logical_xor{}(c128{0, 1}, c128{0, 0}));
    EXPECT_FALSE(ops::logical_not{}(int8_t{2}));
}

TEST(bitwise, shifts_by_the_width_or_more_move_every_bit_out) {
    EXPECT_EQ(ops::left_shift{}(int8_t{1}, int8_t{8}), 0);
    EXPECT_EQ(ops::left_shift{}(int8_t{1}, int8_t{7}), -128);
    EXPECT_EQ(ops::left_shift{}(int32_t{1}, int32_t{-1}), 0);
    EXPECT_EQ(ops::right_shift{}(int32_t{-5}, int32_t{100}), -1);
    EXPECT_EQ(ops::right_shift{}(int32_t{-5}, int32_t{1}), -3);
    EXPECT_EQ(ops::right_shift{}(int32_t{5}, int32_t{-1}), 0);
    EXPECT_EQ(ops::right_shift{}(~uint64_t{0}, uint64_t{63}), 1u);
    EXPECT_EQ(ops::right_shift{}(~uint64_t{0}, uint64_t{64}), 0u);
}

TEST(bitwise, counts_the_bits_of_the_magnitude) {
    EXPECT_EQ(ops::bitwise_count{}(int8_t{-1}), 1);
    EXPECT_EQ(ops::bitwise_count{}(int8_t{-128}), 1);
    EXPECT_EQ(ops::bitwise_count{}(uint8_t{255}), 8);
    EXPECT_EQ(ops::bitwise_count{}(std::numeric_limits<int64_t>::max()), 63);
}

TEST(bitwise, inverting_a_boolean_negates_it) {
    EXPECT_FALSE(ops::invert{}(true));
    EXPECT_EQ(ops::invert{}(uint8_t{1}), 254);
}

}  // namespace
