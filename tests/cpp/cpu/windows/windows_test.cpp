// Moving windows: the CPU against the reference, and by hand.
#include <cmath>
#include <limits>
#include <random>

#include "bascule/core/table_algorithms_window.hpp"
#include "cpu/tables/group_columns.hpp"

namespace {

using namespace bascule;
using namespace bascule::group_tests;
namespace agg = ops::aggregate;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using numbers = std::vector<double>;
using positions = std::vector<std::int64_t>;

// Few different values, some of them missing.
numbers some_values(std::int64_t n, unsigned seed) {
    std::mt19937 random(seed);
    numbers v;
    for (std::int64_t i = 0; i < n; ++i) {
        auto const what = random() % 20;
        v.push_back(what == 0 ? nan : what == 1 ? -std::numeric_limits<double>::infinity() : (random() % 41) / 4.0 - 5);
    }
    return v;
}

numbers aggregate(backend const& device, window_request r) {
    numbers out(static_cast<std::size_t>(r.span.windows), -1.0);
    r.out = out.data();
    window_aggregate_args const a{&r, 1};
    EXPECT_EQ(device.algorithm(0, algorithm_kind::window_aggregate, const_cast<window_aggregate_args*>(&a), nullptr),
              status::ok);
    return out;
}

numbers exponential(backend const& device, window_exponential_args a) {
    numbers out(static_cast<std::size_t>(a.length), -1.0);
    a.out = out.data();
    EXPECT_EQ(device.algorithm(0, algorithm_kind::window_exponential, &a, nullptr), status::ok);
    return out;
}

void expect_near(numbers const& got, numbers const& wanted, std::string const& what) {
    ASSERT_EQ(got.size(), wanted.size()) << what;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (std::isnan(wanted[i])) EXPECT_TRUE(std::isnan(got[i])) << what << ", window " << i << ": " << got[i];
        else EXPECT_NEAR(got[i], wanted[i], 1e-9 * (1 + std::fabs(wanted[i]))) << what << ", window " << i;
        if (::testing::Test::HasFailure()) return;
    }
}

void expect_as_reference(window_request r, numbers const& others, std::string const& what) {
    for (int k = 0; k < ops::aggregate_count; ++k) {
        if (!ops::is_window_aggregate(k)) continue;
        r.aggregate = static_cast<std::uint16_t>(k);
        r.others = r.aggregate == names::number_of<agg::cov> || r.aggregate == names::number_of<agg::corr>
                       ? others.data()
                       : nullptr;
        r.share = 0.3;
        auto const wanted = aggregate(*reference_backend(), r);
        for (int const threads : {1, 3}) {
            with_threads const scope(threads);
            expect_near(aggregate(*cpu_backend(), r), wanted, what + ", " + ops::aggregate_table[k].name);
        }
    }
}

TEST(windows, at_a_fixed_distance_as_the_reference) {
    auto const values = some_values(5000, 1), others = some_values(5000, 2);
    window_request r;
    r.values = values.data(), r.length = 5000;
    for (auto const& [low, high, step] :
         {std::tuple{0, 1, 1}, {-4, 1, 1}, {-30, 31, 1}, {-9, 0, 1}, {1, 5, 3}, {0, 0, 1}})
        for (std::int64_t const least : {0, 1, 4}) {
            r.span.low = low, r.span.high = high, r.span.step = step;
            r.span.windows = (r.length - 1) / step + 1;
            r.min_periods = least;
            expect_as_reference(r, others, "rows " + std::to_string(low) + ", least " + std::to_string(least));
        }
}

TEST(windows, that_expand_as_the_reference) {
    auto const values = some_values(600, 3), others = some_values(600, 4);
    window_request r;
    r.values = values.data(), r.length = 600;
    r.span.low = -600, r.span.high = 1, r.span.windows = 600;
    expect_as_reference(r, others, "expanding");
}

TEST(windows, in_segments_and_by_ticks_as_the_reference) {
    std::mt19937 random(5);
    positions const segments{0, 1, 1, 40, 700, 1500, 2000};
    positions ticks;
    for (std::size_t g = 0; g + 1 < segments.size(); ++g) {
        positions part;
        for (auto i = segments[g]; i < segments[g + 1]; ++i) part.push_back(static_cast<std::int64_t>(random() % 300));
        std::sort(part.begin(), part.end());
        if (g % 2 == 1) std::reverse(part.begin(), part.end());
        ticks.insert(ticks.end(), part.begin(), part.end());
    }
    auto const values = some_values(2000, 6), others = some_values(2000, 7);
    for (int variant = 0; variant < 16; ++variant) {
        window_bounds_args a;
        a.length = 2000;
        a.segments = segments.data(), a.nsegments = static_cast<std::int64_t>(segments.size()) - 1;
        a.low = -3 - variant, a.high = variant % 3;
        if (variant >= 8) {
            a.ticks = ticks.data(), a.size = 3 + variant;
            a.centered = variant & 1, a.left_closed = variant & 2, a.right_closed = variant & 4;
        }
        positions start[2], end[2];
        for (int k : {0, 1}) {
            start[k].resize(2000), end[k].resize(2000);
            a.start = start[k].data(), a.end = end[k].data();
            backend const& device = k == 0 ? *cpu_backend() : *reference_backend();
            ASSERT_EQ(device.algorithm(0, algorithm_kind::window_bounds, &a, nullptr), status::ok);
        }
        EXPECT_EQ(start[0], start[1]) << variant;
        EXPECT_EQ(end[0], end[1]) << variant;
        window_request r;
        r.values = values.data(), r.length = 2000;
        r.span.windows = 2000, r.span.start = start[0].data(), r.span.end = end[0].data();
        expect_as_reference(r, others, "variant " + std::to_string(variant));
    }
}

TEST(windows, with_exponential_weights_as_the_reference) {
    auto const values = some_values(150, 8), others = some_values(150, 9);
    positions const segments{0, 1, 1, 60, 150};
    numbers deltas;
    for (int i = 0; i < 149; ++i) deltas.push_back(0.25 * (i % 7));
    for (int variant = 0; variant < 64; ++variant) {
        window_exponential_args a;
        a.values = values.data(), a.length = 150;
        a.segments = segments.data(), a.nsegments = 4;
        a.adjust = variant & 1, a.ignore_missing = variant & 2, a.bias = variant & 4;
        a.min_periods = variant & 8 ? 3 : 1;
        a.com = variant & 16 ? 1 : 2.5;
        std::string const what = "variant " + std::to_string(variant);
        for (auto const op : {exponential_op::mean, exponential_op::sum, exponential_op::cov}) {
            if (op == exponential_op::sum && !a.adjust) continue;
            a.op = op;
            a.others = op == exponential_op::cov ? others.data() : nullptr;
            a.deltas = op == exponential_op::mean && a.adjust && variant & 32 ? deltas.data() : nullptr;
            expect_near(exponential(*cpu_backend(), a), exponential(*reference_backend(), a), what);
        }
    }
}

TEST(windows, what_large_values_leave_behind_does_not_stay) {
    numbers values(4000, 1.0);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += 0.25 * static_cast<double>(i % 3);
    for (std::size_t i = 0; i < values.size(); i += 500) values[i] = 1e9;
    window_request r;
    r.values = values.data(), r.length = 4000;
    r.span.low = -9, r.span.windows = 4000;
    for (auto const op : {names::number_of<agg::var>, names::number_of<agg::skew>, names::number_of<agg::kurt>}) {
        r.aggregate = op;
        auto const got = aggregate(*cpu_backend(), r), wanted = aggregate(*reference_backend(), r);
        for (std::size_t i = 20; i < got.size(); ++i)
            if (i % 500 >= 10) { EXPECT_NEAR(got[i], wanted[i], 1e-9) << i; }
    }
}

TEST(windows, do_not_depend_on_threads_to_the_last_bit) {
    auto const values = some_values(400'000, 10);
    window_request r;
    r.values = values.data(), r.length = 400'000;
    r.span.low = -99, r.span.windows = 400'000;
    for (auto const op : {names::number_of<agg::sum>, names::number_of<agg::mean>, names::number_of<agg::var>,
                          names::number_of<agg::skew>, names::number_of<agg::median>}) {
        r.aggregate = op;
        std::vector<numbers> found;
        for (int const threads : {1, 2, 5}) {
            with_threads const scope(threads);
            found.push_back(aggregate(*cpu_backend(), r));
        }
        auto const same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
        for (auto const& other : found) EXPECT_TRUE(std::equal(other.begin(), other.end(), found[0].begin(), same));
    }
}

}  // namespace
