// The elementary functions as the baseline processor runs them, and properties that do not depend on the processor.
#include "ops/math_checks.hpp"

TEST(math, every_function_keeps_its_bound) { every_function_keeps_its_bound(); }
TEST(math, every_binary_function_keeps_its_bound) { every_binary_function_keeps_its_bound(); }
TEST(math, trigonometry_holds_alongside_multiples_of_a_quarter_turn) {
    trigonometry_holds_alongside_multiples_of_a_quarter_turn();
}
TEST(math, fast_bodies_have_the_bits_of_the_full_functions) { fast_bodies_have_the_bits_of_the_full_functions(); }
TEST(math, fast_exponentials_have_the_bits_of_the_ops) { fast_exponentials_have_the_bits_of_the_ops(); }
TEST(math, special_values_are_those_of_c99) { special_values_are_those_of_c99(); }
TEST(math, special_pairs_are_those_of_c99) { special_pairs_are_those_of_c99(); }

namespace remainders {

struct remainder_case {
    double x, y, remainder, quotient;
};
constexpr double inf = INFINITY, nan = NAN;
// numpy.remainder and numpy.floor_divide, as NumPy 2.4 computes them.
constexpr remainder_case remainder_cases[] = {
    {0.0, 0.0, nan, nan},
    {0.0, -0.0, nan, nan},
    {0.0, 2.0, 0.0, 0.0},
    {0.0, -2.0, -0.0, -0.0},
    {0.0, 0.3, 0.0, 0.0},
    {0.0, -0.3, -0.0, -0.0},
    {0.0, inf, 0.0, 0.0},
    {0.0, -inf, -0.0, -0.0},
    {0.0, nan, nan, nan},
    {0.0, 1e-300, 0.0, 0.0},
    {-0.0, 0.0, nan, nan},
    {-0.0, -0.0, nan, nan},
    {-0.0, 2.0, 0.0, -0.0},
    {-0.0, -2.0, -0.0, 0.0},
    {-0.0, 0.3, 0.0, -0.0},
    {-0.0, -0.3, -0.0, 0.0},
    {-0.0, inf, 0.0, -0.0},
    {-0.0, -inf, -0.0, 0.0},
    {-0.0, nan, nan, nan},
    {-0.0, 1e-300, 0.0, -0.0},
    {1.0, 0.0, nan, inf},
    {1.0, -0.0, nan, -inf},
    {1.0, 2.0, 1.0, 0.0},
    {1.0, -2.0, -1.0, -1.0},
    {1.0, 0.3, 0.10000000000000003, 3.0},
    {1.0, -0.3, -0.19999999999999996, -4.0},
    {1.0, inf, 1.0, 0.0},
    {1.0, -inf, -inf, -1.0},
    {1.0, nan, nan, nan},
    {1.0, 1e-300, 8.963186528039712e-301, 9.999999999999999e+299},
    {-1.0, 0.0, nan, -inf},
    {-1.0, -0.0, nan, inf},
    {-1.0, 2.0, 1.0, -1.0},
    {-1.0, -2.0, -1.0, 0.0},
    {-1.0, 0.3, 0.19999999999999996, -4.0},
    {-1.0, -0.3, -0.10000000000000003, 3.0},
    {-1.0, inf, inf, -1.0},
    {-1.0, -inf, -1.0, 0.0},
    {-1.0, nan, nan, nan},
    {-1.0, 1e-300, 1.0368134719602886e-301, -9.999999999999999e+299},
    {5.5, 0.0, nan, inf},
    {5.5, -0.0, nan, -inf},
    {5.5, 2.0, 1.5, 2.0},
    {5.5, -2.0, -0.5, -3.0},
    {5.5, 0.3, 0.1000000000000002, 18.0},
    {5.5, -0.3, -0.1999999999999998, -19.0},
    {5.5, inf, 5.5, 0.0},
    {5.5, -inf, -inf, -1.0},
    {5.5, nan, nan, nan},
    {5.5, 1e-300, 9.297525904218413e-301, 5.5e+300},
    {-5.5, 0.0, nan, -inf},
    {-5.5, -0.0, nan, inf},
    {-5.5, 2.0, 0.5, -3.0},
    {-5.5, -2.0, -1.5, 2.0},
    {-5.5, 0.3, 0.1999999999999998, -19.0},
    {-5.5, -0.3, -0.1000000000000002, 18.0},
    {-5.5, inf, inf, -1.0},
    {-5.5, -inf, -5.5, 0.0},
    {-5.5, nan, nan, nan},
    {-5.5, 1e-300, 7.02474095781587e-302, -5.5e+300},
    {7.0, 0.0, nan, inf},
    {7.0, -0.0, nan, -inf},
    {7.0, 2.0, 1.0, 3.0},
    {7.0, -2.0, -1.0, -4.0},
    {7.0, 0.3, 0.10000000000000026, 23.0},
    {7.0, -0.3, -0.19999999999999973, -24.0},
    {7.0, inf, 7.0, 0.0},
    {7.0, -inf, -inf, -1.0},
    {7.0, nan, nan, nan},
    {7.0, 1e-300, 2.7423056962779803e-301, 7e+300},
    {inf, 0.0, nan, inf},
    {inf, -0.0, nan, -inf},
    {inf, 2.0, nan, nan},
    {inf, -2.0, nan, nan},
    {inf, 0.3, nan, nan},
    {inf, -0.3, nan, nan},
    {inf, inf, nan, nan},
    {inf, -inf, nan, nan},
    {inf, nan, nan, nan},
    {inf, 1e-300, nan, nan},
    {-inf, 0.0, nan, -inf},
    {-inf, -0.0, nan, inf},
    {-inf, 2.0, nan, nan},
    {-inf, -2.0, nan, nan},
    {-inf, 0.3, nan, nan},
    {-inf, -0.3, nan, nan},
    {-inf, inf, nan, nan},
    {-inf, -inf, nan, nan},
    {-inf, nan, nan, nan},
    {-inf, 1e-300, nan, nan},
    {nan, 0.0, nan, nan},
    {nan, -0.0, nan, nan},
    {nan, 2.0, nan, nan},
    {nan, -2.0, nan, nan},
    {nan, 0.3, nan, nan},
    {nan, -0.3, nan, nan},
    {nan, inf, nan, nan},
    {nan, -inf, nan, nan},
    {nan, nan, nan, nan},
    {nan, 1e-300, nan, nan},
    {1e-310, 0.0, nan, inf},
    {1e-310, -0.0, nan, -inf},
    {1e-310, 2.0, 1e-310, 0.0},
    {1e-310, -2.0, -2.0, -1.0},
    {1e-310, 0.3, 1e-310, 0.0},
    {1e-310, -0.3, -0.3, -1.0},
    {1e-310, inf, 1e-310, 0.0},
    {1e-310, -inf, -inf, -1.0},
    {1e-310, nan, nan, nan},
    {1e-310, 1e-300, 1e-310, 0.0},
    {1e+300, 0.0, nan, inf},
    {1e+300, -0.0, nan, -inf},
    {1e+300, 2.0, 0.0, 5e+299},
    {1e+300, -2.0, -0.0, -5e+299},
    {1e+300, 0.3, 0.15321850028067768, 3.3333333333333335e+300},
    {1e+300, -0.3, -0.1467814997193223, -3.3333333333333335e+300},
    {1e+300, inf, 1e+300, 0.0},
    {1e+300, -inf, -inf, -1.0},
    {1e+300, nan, nan, nan},
    {1e+300, 1e-300, 4.891554850853602e-301, inf},
    {-1e+300, 0.0, nan, -inf},
    {-1e+300, -0.0, nan, inf},
    {-1e+300, 2.0, 0.0, -5e+299},
    {-1e+300, -2.0, -0.0, 5e+299},
    {-1e+300, 0.3, 0.1467814997193223, -3.3333333333333335e+300},
    {-1e+300, -0.3, -0.15321850028067768, 3.3333333333333335e+300},
    {-1e+300, inf, inf, -1.0},
    {-1e+300, -inf, -1e+300, 0.0},
    {-1e+300, nan, nan, nan},
    {-1e+300, 1e-300, 5.108445149146398e-301, -inf},
    {0.1, 0.0, nan, inf},
    {0.1, -0.0, nan, -inf},
    {0.1, 2.0, 0.1, 0.0},
    {0.1, -2.0, -1.9, -1.0},
    {0.1, 0.3, 0.1, 0.0},
    {0.1, -0.3, -0.19999999999999998, -1.0},
    {0.1, inf, 0.1, 0.0},
    {0.1, -inf, -inf, -1.0},
    {0.1, nan, nan, nan},
    {0.1, 1e-300, 1.353654169526866e-301, 1e+299},
};

}  // namespace remainders

TEST(math, rounded_remainders_and_quotients_are_numpys) {
    for (remainders::remainder_case const& r : remainders::remainder_cases) {
        double const remainder = math::remainder(r.x, r.y), quotient = math::floor_divide(r.x, r.y);
        EXPECT_TRUE(agrees(remainder, r.remainder))
            << r.x << " % " << r.y << " is " << remainder << ", not " << r.remainder;
        EXPECT_TRUE(agrees(quotient, r.quotient))
            << r.x << " // " << r.y << " is " << quotient << ", not " << r.quotient;
        if (!math::fast::fmod_holds(r.x, r.y)) continue;
        EXPECT_TRUE(agrees(math::fast::remainder(r.x, r.y), r.remainder)) << r.x << " % " << r.y;
        EXPECT_TRUE(agrees(math::fast::floor_divide(r.x, r.y), r.quotient)) << r.x << " // " << r.y;
    }
}

TEST(math, logaddexp_is_the_logarithm_of_the_sum) {
    std::mt19937_64 random(24);
    for (int i = 0; i < points; ++i) {
        double const x = draw(random, {-50, 50, false}), y = draw(random, {-50, 50, false});
        long double const top = std::max(x, y), low = std::min(x, y);
        long double const want = top + std::log1p(std::exp(low - top)),
                          want2 = top + std::log2(1 + std::exp2(low - top));
        // Next to a zero the error is relative to the operands.
        double const scale = std::max(1.0, static_cast<double>(std::abs(top)));
        ASSERT_NEAR(math::logaddexp(x, y), static_cast<double>(want), scale * 0x1p-51) << x << ", " << y;
        ASSERT_NEAR(math::logaddexp2(x, y), static_cast<double>(want2), scale * 0x1p-51) << x << ", " << y;
    }
    double const inf = INFINITY;
    EXPECT_EQ(math::logaddexp(-inf, -inf), -inf);
    EXPECT_EQ(math::logaddexp(inf, inf), inf);
    EXPECT_EQ(math::logaddexp(inf, -inf), inf);
    EXPECT_EQ(math::logaddexp(-inf, 3.0), 3.0);
    EXPECT_EQ(math::logaddexp2(-inf, -inf), -inf);
    EXPECT_TRUE(std::isnan(math::logaddexp(double{NAN}, 1.0)));
    EXPECT_TRUE(std::isnan(math::logaddexp2(1.0, double{NAN})));
}

TEST(math, spacing_is_the_gap_away_from_zero) {
    EXPECT_EQ(math::spacing(1.0), 0x1p-52);
    EXPECT_EQ(math::spacing(-1.0), -0x1p-52);
    EXPECT_EQ(math::spacing(0.0), 0x1p-1074);
    EXPECT_EQ(math::spacing(1.0f), 0x1p-23f);
    EXPECT_TRUE(std::isnan(math::spacing(double{INFINITY})));
    EXPECT_TRUE(std::isnan(math::spacing(NAN)));
}

TEST(math, predicates_distinguish_the_kinds_of_numbers) {
    for (double x : special_values<double>()) {
        EXPECT_EQ(math::isnan(x), std::isnan(x)) << x;
        EXPECT_EQ(math::isinf(x), std::isinf(x)) << x;
        EXPECT_EQ(math::isfinite(x), std::isfinite(x)) << x;
        EXPECT_EQ(math::signbit(x), std::signbit(x)) << x;
    }
}

TEST(math, exact_powers_have_exact_roots_and_logarithms) {
    for (int n = -300; n <= 300; ++n) {
        EXPECT_EQ(math::of_ops::log2(std::ldexp(1.0, 3 * n)), 3 * n);
        EXPECT_EQ(math::cbrt(std::ldexp(1.0, 3 * n)), std::ldexp(1.0, n));
        EXPECT_EQ(math::exp2(double(n)), std::ldexp(1.0, n));
        EXPECT_EQ(math::pow(2.0, double(n)), std::ldexp(1.0, n));
    }
    for (int n = 0; n <= 22; ++n) EXPECT_EQ(math::of_ops::log10(std::pow(10.0, n)), n);
    for (int n = -149; n < 128; ++n) EXPECT_EQ(math::log2(std::ldexp(1.0f, n)), n);
    for (int n = 0; n <= 10; ++n) EXPECT_EQ(math::log10(static_cast<float>(std::pow(10.0, n))), n);
    for (int n = 0; n < 15; ++n) EXPECT_EQ(math::pow(10.0, double(n)), std::pow(10.0, n));
    for (int n = -200; n <= 200; ++n) EXPECT_EQ(math::cbrt(double(n) * n * n), n);
}
