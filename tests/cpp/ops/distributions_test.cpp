// Draws: the logarithms that decide rejections, squeezes that accept no more than the whole test, every parameter ends.
#include "bascule/ops/distributions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "bascule/ops/distribution_rules.hpp"

namespace {

using namespace bascule;
using std::int64_t, std::uint64_t;
namespace distributions = ops::distributions;

std::vector<uint64_t> seeds(int n) {
    std::vector<uint64_t> all;
    for (int i = 0; i < n; ++i) all.push_back(ops::random_words(2 * i, 4711).first);
    return all;
}

TEST(distributions, logarithms_of_factorials) {
    for (double k : {0., 1., 2., 3., 7., 8., 9., 10., 11., 57., 1e3, 1e6, 1e12}) {
        double const exact = std::lgamma(k + 1);
        EXPECT_NEAR(distributions::log_factorial(k), exact, 4e-10 + 1e-15 * exact) << k;
        double const power = k == 0 ? 0 : k * std::log(k) - k;
        EXPECT_NEAR(distributions::stirling_rest(k), exact - power, 1e-9 + 4e-16 * exact) << k;
    }
}

TEST(distributions, deviances_do_not_cancel) {
    for (double m : {0.5, 12.0, 1e9, 1e17})
        for (double z : {-1.0, -0.25, 0.0, 1e-3, 2.0}) {
            long double const x = static_cast<long double>(m) * (1 + static_cast<long double>(z)),
                              exact = x > 0 ? x * std::log(x / m) + m - x : m;
            EXPECT_NEAR(distributions::deviance(static_cast<double>(x), m), static_cast<double>(exact),
                        1e-14 * m * (std::abs(z) + 1e-3));
        }
}

// Arguments that the cheap test accepts are accepted by the whole one too, with the same result.
template <class R, class M> void squeezes(M const& m) {
    int fast_path = 0, whole = 0;
    for (auto const seed : seeds(5000)) {
        auto const w = distributions::attempt_words<M>(seed, 0);
        R a{}, b{};
        bool const early = m.fast_path(w, a), late = m.attempt(w, b);
        fast_path += early, whole += late;
        if (early) {
            ASSERT_TRUE(late);
            ASSERT_EQ(a, b);
        }
    }
    EXPECT_GT(fast_path, 1000);
    EXPECT_GE(whole, fast_path);
}

TEST(distributions, squeezes_accept_part_of_what_is_accepted) {
    squeezes<double>(distributions::gamma_method<false, false>(2.5));
    squeezes<double>(distributions::gamma_method<true, false>(0.3));
    squeezes<double>(distributions::gamma_method<true, true>(0.3));
    squeezes<int64_t>(distributions::poisson_method(10));
    squeezes<int64_t>(distributions::poisson_method(1e7));
    squeezes<int64_t>(distributions::binomial_method(100, 0.3));
    squeezes<int64_t>(distributions::binomial_method(1e6, 0.9));
    squeezes<uint64_t>(distributions::bounded_method(uint64_t{3} << 61));
}

TEST(distributions, every_parameter_ends) {
    double const values[] = {std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity(),
                             -1,
                             -0.0,
                             0,
                             5e-324,
                             1e-300,
                             1e-9,
                             0.3,
                             0.5,
                             1,
                             1.5,
                             9.99,
                             10,
                             1024.5,
                             1e9,
                             1e18,
                             1e300};
    for (auto const seed : seeds(20))
        for (double a : values) {
            for (double b : values) EXPECT_GE(ops::sampled<ops::random_binomial>(seed, a, b), 0) << a << ' ' << b;
            EXPECT_GE(ops::sampled<ops::random_poisson>(seed, a), 0) << a;
            EXPECT_GE(ops::sampled<ops::random_zipf>(seed, a), 0) << a;
            EXPECT_GE(ops::sampled<ops::random_geometric>(seed, a), 0) << a;
            EXPECT_GE(ops::sampled<ops::random_logseries>(seed, a), 0) << a;
            EXPECT_FALSE(ops::sampled<ops::random_gamma>(seed, a) < 0) << a;
            EXPECT_FALSE(ops::sampled<ops::random_weibull>(seed, a) < 0) << a;
            EXPECT_FALSE(std::abs(ops::sampled<ops::random_vonmises>(seed, a)) > 4) << a;
        }
}

TEST(distributions, samples_hold_no_more_than_there_is) {
    for (auto const seed : seeds(200))
        for (uint64_t good : {0, 1, 5, 40, 1000})
            for (uint64_t bad : {0, 1, 7, 300})
                for (uint64_t taken = 0; taken <= good + bad; taken += 1 + taken / 3) {
                    auto const k = ops::sampled<ops::random_hypergeometric>(seed, good | bad << 32, taken);
                    ASSERT_LE(k, static_cast<int64_t>(std::min(good, taken)));
                    ASSERT_GE(k, static_cast<int64_t>(taken > bad ? taken - bad : 0));
                }
}

TEST(distributions, bounded_integers_stay_below_their_bound) {
    for (auto const seed : seeds(2000))
        for (uint64_t width : {uint64_t{1}, uint64_t{2}, uint64_t{3} << 61, ~uint64_t{0}})
            ASSERT_LT(ops::sampled<ops::bounded_integer>(seed, width), width);
    EXPECT_EQ(ops::sampled<ops::bounded_integer>(77, uint64_t{0}), 77u);
}

}  // namespace
