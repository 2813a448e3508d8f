// Aggregations against the same reduces in long double, a recursion that states the tree in other words, and NumPy's
// rules.
#include "bascule/ops/aggregate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace bascule;
namespace agg = ops::aggregate;
using std::int64_t, std::int8_t, std::uint8_t;
constexpr double inf = std::numeric_limits<double>::infinity(), nan_value = std::numeric_limits<double>::quiet_NaN();
int const sizes[] = {1,  2,   7,   8,   9,   15,  16,   31,   32,   33,   63,    64,
                     65, 127, 128, 129, 136, 137, 1023, 1024, 1025, 5000, 100003};

std::vector<double> normals(int n) {
    std::mt19937_64 draw(static_cast<unsigned>(n));
    std::normal_distribution<double> normal(1, 10);
    std::vector<double> x(static_cast<std::size_t>(n));
    for (auto& v : x) v = normal(draw);
    return x;
}

template <class A, class T> auto reduced(std::vector<T> const& x, double ddof = 0) {
    using F = typename A::template of<T>;
    auto const n = static_cast<int64_t>(x.size());
    return F::finish(F::merge(F::identity(), F::reduce(x.data(), n, 0)), n, ddof);
}
template <class A, class T> auto updated(std::vector<T> const& x, double ddof = 0) {
    using F = typename A::template of<T>;
    auto s = F::identity();
    for (std::size_t i = 0; i < x.size(); ++i) F::update(s, x[i], static_cast<int64_t>(i));
    return F::finish(s, static_cast<int64_t>(x.size()), ddof);
}

// The tree of plan_reduction, written as the recursion it is.
double pairwise_sum(double const* x, int n) {
    if (n < 8) {
        double s = 0;
        for (int i = 0; i < n; ++i) s += x[i];
        return s;
    }
    if (n <= 128) {
        double r[8];
        std::copy(x, x + 8, r);
        int i = 8;
        for (; i < n - n % 8; i += 8)
            for (int j = 0; j < 8; ++j) r[j] += x[i + j];
        double s = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
        for (; i < n; ++i) s += x[i];
        return s;
    }
    int half = n / 2;
    half -= half % 8;
    return pairwise_sum(x, half) + pairwise_sum(x + half, n - half);
}

TEST(aggregate, sum_of_a_run_follows_the_tree) {
    for (int n : sizes) {
        auto const x = normals(n);
        ASSERT_EQ(reduced<agg::sum>(x), pairwise_sum(x.data(), n)) << n;
        ASSERT_EQ(reduced<agg::mean>(x), pairwise_sum(x.data(), n) / n) << n;
    }
}

TEST(aggregate, leaves_joined_along_the_tree_are_the_whole_reduce) {
    using F = agg::sum::of<double>;
    auto const x = normals(1000);  // 1000 = 496 + 504, each cut into leaves of at most 128
    auto leaf = [&](int start, int n) { return F::leaf(x.data() + start, n); };
    double const left = F::merge(F::merge(leaf(0, 120), leaf(120, 128)), F::merge(leaf(248, 120), leaf(368, 128)));
    double const right = F::merge(F::merge(leaf(496, 120), leaf(616, 128)), F::merge(leaf(744, 128), leaf(872, 128)));
    EXPECT_EQ(ops::first_half(1000, 8), 496);
    EXPECT_EQ(ops::first_half(504, 8), 248);
    EXPECT_EQ(F::merge(left, right), F::reduce(x.data(), 1000));
}

TEST(aggregate, sum_of_integers_wraps_in_64_bits) {
    EXPECT_EQ(reduced<agg::sum>(std::vector<int8_t>{127, 127, -1}), 253);
    EXPECT_EQ(reduced<agg::sum>(std::vector<uint8_t>(300, 255)), 76500u);
    EXPECT_EQ(reduced<agg::sum>(std::vector<int64_t>{std::numeric_limits<int64_t>::max(), 1}),
              std::numeric_limits<int64_t>::min());
    EXPECT_EQ(reduced<agg::prod>(std::vector<int8_t>{100, 100, 2}), 20000);
    bool const boolean[] = {true, false, true};
    EXPECT_EQ(agg::sum::of<bool>::reduce(boolean, 3), 2);
    EXPECT_EQ(reduced<agg::mean>(std::vector<int8_t>{1, 2}), 1.5);
}

TEST(aggregate, reducing_nothing_is_the_identity) {
    EXPECT_EQ(reduced<agg::sum>(std::vector<double>{}), 0.0);
    EXPECT_EQ(reduced<agg::prod>(std::vector<double>{}), 1.0);
    EXPECT_TRUE(std::isnan(reduced<agg::mean>(std::vector<double>{})));
    EXPECT_TRUE(std::isnan(reduced<agg::var>(std::vector<double>{})));
    EXPECT_FALSE(reduced<agg::any>(std::vector<double>{}));
    EXPECT_TRUE(reduced<agg::all>(std::vector<double>{}));
    EXPECT_STREQ(agg::minimum::meta.empty_error,
                 "zero-size array to reduction operation minimum which has no identity");
}

TEST(aggregate, nat_and_nan_win) {
    EXPECT_EQ(reduced<agg::sum>(std::vector<timedelta64>{{1}, {nat}}).count, nat);
    EXPECT_EQ(reduced<agg::mean>(std::vector<timedelta64>{{-7}, {2}}).count, -2);  // NumPy truncates
    EXPECT_EQ(reduced<agg::maximum>(std::vector<timedelta64>{{1}, {nat}, {5}}).count, nat);
    EXPECT_EQ(reduced<agg::argmax>(std::vector<timedelta64>{{1}, {nat}, {5}}), 1);
    for (int at : {0, 5, 40, 99}) {
        auto x = normals(100);
        x[static_cast<std::size_t>(at)] = nan_value;
        EXPECT_TRUE(std::isnan(reduced<agg::maximum>(x)));
        EXPECT_TRUE(std::isnan(reduced<agg::minimum>(x)));
        EXPECT_EQ(reduced<agg::argmin>(x), at);
        EXPECT_EQ(updated<agg::argmax>(x), at);
    }
}

TEST(aggregate, extrema_and_their_positions_are_those_of_the_standard_library) {
    for (int n : sizes) {
        auto const x = normals(n);
        auto const [low, high] = std::minmax_element(x.begin(), x.end());
        ASSERT_EQ(reduced<agg::minimum>(x), *low);
        ASSERT_EQ(reduced<agg::maximum>(x), *high);
        ASSERT_EQ(reduced<agg::argmin>(x), low - x.begin());
        ASSERT_EQ(updated<agg::argmax>(x), std::max_element(x.begin(), x.end()) - x.begin());
    }
    EXPECT_EQ(reduced<agg::minimum>(std::vector<double>{inf, inf}), inf);
    EXPECT_EQ(reduced<agg::maximum>(std::vector<int8_t>{-128}), -128);
}

TEST(aggregate, the_first_of_equals_has_the_place_whatever_the_order_of_merges) {
    using F = agg::argmax::of<double>;
    std::vector<double> const x{1, 5, 5, 2, 5};
    EXPECT_EQ(reduced<agg::argmax>(x), 1);
    auto const early = F::leaf(x.data(), 3, 0), late = F::leaf(x.data() + 3, 2, 3);
    EXPECT_EQ(F::merge(early, late).index, 1);
    EXPECT_EQ(F::merge(late, early).index, 1);
    EXPECT_EQ(F::merge(F::identity(), late).index, 4);
}

long double two_pass_variance(std::vector<double> const& x, double ddof) {
    long double mean = 0, squares = 0;
    for (double v : x) mean += v;
    mean /= static_cast<long double>(x.size());
    for (double v : x) squares += (v - mean) * (v - mean);
    return squares / (static_cast<long double>(x.size()) - ddof);
}

TEST(aggregate, variance_is_within_4_ulp_of_two_passes) {
    for (int n : sizes) {
        auto x = normals(n);
        for (double shift : {0.0, 1e4}) {
            for (auto& v : x) v += shift;
            for (double ddof : {0.0, 1.0}) {
                if (n <= ddof) continue;
                auto const exact = static_cast<double>(two_pass_variance(x, ddof));
                auto const ulp = std::nextafter(exact, inf) - exact;
                ASSERT_LE(std::fabs(reduced<agg::var>(x, ddof) - exact), 4 * ulp) << n << ' ' << shift;
                ASSERT_NEAR(updated<agg::var>(x, ddof), exact, 1e-10 * exact) << n;
                ASSERT_EQ(reduced<agg::std_dev>(x, ddof), std::sqrt(reduced<agg::var>(x, ddof)));
            }
        }
    }
    EXPECT_EQ(reduced<agg::var>(std::vector<complex<double>>{{0, 0}, {0, 2}}), 1.0);
    EXPECT_TRUE(std::isnan(updated<agg::var>(std::vector<double>{inf})));
    EXPECT_TRUE(std::isnan(reduced<agg::var>(std::vector<double>{3.0}, 1)));
}

TEST(aggregate, boolean_is_counted) {
    std::vector<double> x(3000, 0.0);
    EXPECT_FALSE(reduced<agg::any>(x));
    x[2500] = nan_value;
    EXPECT_TRUE(reduced<agg::any>(x));
    EXPECT_TRUE(updated<agg::any>(x));
    EXPECT_FALSE(reduced<agg::all>(x));
    EXPECT_EQ(reduced<agg::count_nonzero>(x), 1);
}

}  // namespace
