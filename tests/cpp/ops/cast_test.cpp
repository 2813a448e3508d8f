// Casts: float16 against a search through every half in long double; out-of-range values as NumPy 2.4 gives them on
// x86.
#include "bascule/ops/cast.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace {

using namespace bascule;
using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;
constexpr double inf = std::numeric_limits<double>::infinity(), nan_value = std::numeric_limits<double>::quiet_NaN();
template <class To, class From> To to(From x) { return ops::cast{}.template operator()<To>(x); }

long double value_of_half(unsigned bits) {
    int const exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
    long double const size = exponent == 0 ? std::ldexp(static_cast<long double>(fraction), -24)
                                           : std::ldexp(static_cast<long double>(1024 + fraction), exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
}

// Nearest half of a finite number, ties to the even one; infinity from halfway beyond the greatest on.
unsigned nearest_half(long double x) {
    unsigned const sign = std::signbit(x) ? 0x8000u : 0u;
    long double const size = std::fabs(x);
    if (size >= 65520.0L) return sign | 0x7c00u;
    unsigned low = 0, high = 0x7c00u;
    while (high - low > 1) (value_of_half((low + high) / 2) <= size ? low : high) = (low + high) / 2;
    long double const above = high == 0x7c00u ? 65536.0L : value_of_half(high), below = value_of_half(low);
    bool const up = size - below > above - size || (size - below == above - size && (low & 1) != 0);
    return sign | (up ? high : low);
}

TEST(float16, every_half_becomes_its_float) {
    for (unsigned bits = 0; bits < 0x10000u; ++bits) {
        float const x = to<float>(float16{static_cast<uint16_t>(bits)});
        if ((bits & 0x7c00u) != 0x7c00u) {
            ASSERT_EQ(x, static_cast<float>(value_of_half(bits))) << bits;
            ASSERT_EQ(std::signbit(x), (bits & 0x8000u) != 0) << bits;
        } else if ((bits & 0x3ffu) == 0) ASSERT_TRUE(std::isinf(x)) << bits;
        else ASSERT_TRUE(std::isnan(x)) << bits;
        if (!std::isnan(x)) { ASSERT_EQ(to<float16>(x).bits, bits); }
    }
}

TEST(float16, rounds_to_nearest_even_once) {
    std::mt19937_64 draw(7);
    for (int i = 0; i < 200000; ++i) {
        double const x =
            std::ldexp(static_cast<double>(draw() >> 11 | 1) * 0x1p-53, static_cast<int>(draw() % 46) - 28) *
            (i % 2 != 0 ? -1 : 1);
        ASSERT_EQ(to<float16>(x).bits, nearest_half(x)) << x;
        ASSERT_EQ(to<float16>(static_cast<float>(x)).bits, nearest_half(static_cast<float>(x))) << x;
    }
    for (unsigned bits = 0; bits < 0x7bffu;
         ++bits) {  // halfway points, and the doubles next to them, which float32 cannot distinguish
        double const half_way = static_cast<double>((value_of_half(bits) + value_of_half(bits + 1)) / 2);
        for (double x : {half_way, std::nextafter(half_way, 0.0), std::nextafter(half_way, 1e9)})
            ASSERT_EQ(to<float16>(x).bits, nearest_half(x)) << x;
    }
    EXPECT_EQ(to<float16>(65520.0).bits, 0x7c00);
    EXPECT_EQ(to<float16>(std::nextafter(65520.0, 0.0)).bits, 0x7bff);
    EXPECT_EQ(to<float16>(-inf).bits, 0xfc00);
    EXPECT_TRUE(std::isnan(to<float>(to<float16>(nan_value))));
}

TEST(cast, floats_outside_an_integer_give_what_x86_gives) {
    EXPECT_EQ(to<int64_t>(nan_value), std::numeric_limits<int64_t>::min());
    EXPECT_EQ(to<int64_t>(1e19), std::numeric_limits<int64_t>::min());
    EXPECT_EQ(to<int32_t>(3e9), std::numeric_limits<int32_t>::min());
    EXPECT_EQ(to<int8_t>(70000.7), 112);
    EXPECT_EQ(to<uint8_t>(-1.5), 255);
    EXPECT_EQ(to<uint16_t>(-129.0f), 65407);
    EXPECT_EQ(to<uint32_t>(-1.0), 4294967295u);
    EXPECT_EQ(to<uint32_t>(3e9), 3000000000u);
    EXPECT_EQ(to<uint32_t>(nan_value), 2147483648u);
    EXPECT_EQ(to<uint64_t>(1e19), 10000000000000000000u);
    EXPECT_EQ(to<uint64_t>(1e300), 0u);
    EXPECT_EQ(to<uint64_t>(-1.0), ~uint64_t{0});
    EXPECT_EQ(to<int32_t>(-2.9), -2);
}

TEST(cast, integers_wrap_and_boolean_is_non_zero) {
    EXPECT_EQ(to<int8_t>(int32_t{300}), 44);
    EXPECT_EQ(to<uint64_t>(int8_t{-1}), ~uint64_t{0});
    EXPECT_TRUE(to<bool>(0.1));
    EXPECT_TRUE(to<bool>(nan_value));
    EXPECT_TRUE((to<bool>(complex<float>{0, 1})));
    EXPECT_FALSE(to<bool>(-0.0));
    EXPECT_FALSE(to<bool>(float16{0x8000}));
    EXPECT_EQ(to<double>(true), 1.0);
}

TEST(cast, complex_to_real_drops_the_imaginary_part) {
    EXPECT_EQ((to<double>(complex<float>{1.5f, 2})), 1.5);
    EXPECT_EQ((to<int32_t>(complex<double>{-1.5, 2})), -1);
    EXPECT_EQ(to<complex<double>>(int8_t{-3}).re, -3.0);
    EXPECT_EQ((to<float16>(complex<double>{1, 2}).bits), 0x3c00);
}

TEST(cast, times_are_their_counts) {
    EXPECT_EQ(to<int64_t>(datetime64{nat}), nat);
    EXPECT_EQ(to<timedelta64>(int32_t{-5}).count, -5);
    EXPECT_EQ(to<timedelta64>(nan_value).count, nat);
    EXPECT_EQ(to<double>(timedelta64{7}), 7.0);
    EXPECT_EQ(to<timedelta64>(datetime64{9}).count, 9);
}

}  // namespace
