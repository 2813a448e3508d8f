// Random numbers: the known answers published with Philox, and the moments of the distributions.
#include "bascule/ops/counter.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bascule/ops/distributions/integers.hpp"

namespace {

using namespace bascule;
using std::int64_t, std::uint64_t;

void expect_block(ops::philox_block r, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    EXPECT_EQ(r.word[0], a);
    EXPECT_EQ(r.word[1], b);
    EXPECT_EQ(r.word[2], c);
    EXPECT_EQ(r.word[3], d);
}

TEST(philox, gives_the_known_answers) {
    expect_block(ops::philox({{0, 0, 0, 0}}, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
    expect_block(ops::philox({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u), 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
    expect_block(ops::philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0), 0xd16cfe09,
                 0x94fdcceb, 0x5001e420, 0x24126ea1);
}

template <class Op, class T> void pairs_are_elements() {
    for (int64_t k = 0; k < 1000; k += 2) {
        auto const both = Op::template pair<T>(k, 99);
        ASSERT_EQ(both.first, Op{}.template operator()<T>(k, 99));
        ASSERT_EQ(both.second, Op{}.template operator()<T>(k + 1, 99));
    }
}
TEST(random, a_pair_holds_both_elements_of_a_block) {
    pairs_are_elements<ops::random_bits, uint64_t>();
    pairs_are_elements<ops::random_uniform, double>();
    pairs_are_elements<ops::random_uniform, float>();
    pairs_are_elements<ops::random_normal, double>();
    pairs_are_elements<ops::random_normal, float>();
}

struct moments {
    double mean = 0, variance = 0, least = 1e9, greatest = -1e9;
};
template <class Op, class T> moments moments_of(int n) {
    moments m;
    for (int i = 0; i < n; ++i) {
        double const x = Op{}.template operator()<T>(i, 12345);
        m.mean += x / n, m.variance += x * x / n;
        m.least = std::fmin(m.least, x), m.greatest = std::fmax(m.greatest, x);
    }
    m.variance -= m.mean * m.mean;
    return m;
}

template <class T> void is_uniform() {
    auto const m = moments_of<ops::random_uniform, T>(200000);
    EXPECT_NEAR(m.mean, 0.5, 0.004);  // six standard errors
    EXPECT_NEAR(m.variance, 1.0 / 12, 0.002);
    EXPECT_GE(m.least, 0.0);
    EXPECT_LT(m.greatest, 1.0);
}
TEST(random, uniform_lies_in_the_half_open_unit_interval) { is_uniform<double>(), is_uniform<float>(); }

template <class T> void is_normal() {
    auto const m = moments_of<ops::random_normal, T>(200000);
    EXPECT_NEAR(m.mean, 0.0, 0.0135);
    EXPECT_NEAR(m.variance, 1.0, 0.019);
    EXPECT_GT(m.greatest, 4.0);
    EXPECT_LT(m.greatest, 6.7);
}
TEST(random, normal_has_mean_zero_and_variance_one) { is_normal<double>(), is_normal<float>(); }

TEST(random, the_upper_half_of_a_product) {
    for (int64_t i = 0; i < 1000; ++i) {
        auto const a = ops::random_words(i, 1).first, b = ops::random_words(i, 2).second;
        ASSERT_EQ(ops::distributions::upper_product(a, b),
                  static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> 64));
    }
    EXPECT_EQ(ops::distributions::upper_product(~uint64_t{0}, ~uint64_t{0}), ~uint64_t{0} - 1);
}

}  // namespace
