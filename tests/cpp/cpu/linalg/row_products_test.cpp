// column_spread and row_products: the cpu device finds what plain loops find, with the same bits for any number of
// threads.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "bascule/core/array_algorithms_rows.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace {

using namespace bascule;
using numbers = std::vector<double>;

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

template <class T> std::vector<T> normal(std::int64_t n, unsigned seed, double level = 0) {
    std::mt19937 random(seed);
    std::vector<T> made(size(n));
    for (T& v : made) v = static_cast<T>(level + std::normal_distribution<double>()(random));
    return made;
}

template <class T> constexpr type_id id = sizeof(T) == 8 ? type_id::float64 : type_id::float32;

template <class T>
std::vector<numbers> spread(backend const& device, std::vector<T> const& rows, std::int64_t columns) {
    std::vector<numbers> r(3, numbers(size(columns), 7));
    column_spread_args a;
    a.rows = rows.data(), a.type = id<T>, a.length = static_cast<std::int64_t>(rows.size()) / columns;
    a.columns = columns, a.counts = r[0].data(), a.means = r[1].data(), a.squares = r[2].data();
    EXPECT_EQ(device.algorithm(0, algorithm_kind::column_spread, &a, nullptr), status::ok);
    return r;
}

template <class T>
std::vector<numbers> products(backend const& device, std::vector<T> const& rows, std::int64_t columns,
                              std::vector<T> const& targets, std::int64_t ntargets, bool centred) {
    std::int64_t const all = columns + ntargets;
    std::vector<numbers> r{numbers(size(all), 7), numbers(size(all * all), 7)};
    row_products_args a;
    a.rows = rows.data(), a.targets = targets.data(), a.type = id<T>, a.centred = centred;
    a.length = static_cast<std::int64_t>(rows.size()) / columns, a.columns = columns, a.ntargets = ntargets;
    a.means = r[0].data(), a.products = r[1].data();
    EXPECT_EQ(device.algorithm(0, algorithm_kind::row_products, &a, nullptr), status::ok);
    return r;
}

// Relative to the number of rows and to the level of the data.
void expect_near(std::vector<numbers> const& found, std::vector<numbers> const& expected, double error) {
    for (std::size_t k = 0; k < expected.size(); ++k)
        for (std::size_t i = 0; i < expected[k].size(); ++i)
            ASSERT_NEAR(found[k][i], expected[k][i], error) << k << " " << i;
}

template <class F> auto on_any_threads(F const& f) {
    int const before = sched::thread_count();
    sched::set_thread_count(1);
    auto const one = f();
    sched::set_thread_count(3);
    EXPECT_EQ(f(), one);
    sched::set_thread_count(before);
    return one;
}

template <class T> void expect_spread(std::int64_t length, std::int64_t columns, double level, bool nulls) {
    auto rows = normal<T>(length * columns, 1, level);
    for (std::size_t i = 0; nulls && i < rows.size(); ++i)
        if (i % 7 == 0 || static_cast<std::int64_t>(i) % columns == 1) rows[i] = std::numeric_limits<T>::quiet_NaN();
    auto const found = on_any_threads([&] { return spread(*cpu_backend(), rows, columns); });
    auto const expected = spread(*reference_backend(), rows, columns);
    EXPECT_EQ(found[0], expected[0]);
    expect_near(found, expected, 1e-13 * static_cast<double>(length + 1) * (1 + level));
}

TEST(column_spread, every_width_and_length) {
    for (std::int64_t length : {0, 1, 7, 100, 3000, 40000})
        for (std::int64_t columns : {1, 2, 3, 8, 20, 21, 33, 70})
            for (bool nulls : {false, true})
                if (length * columns < 1000000) {
                    expect_spread<double>(length, columns, 0, nulls);
                    expect_spread<float>(length, columns, 100, nulls);
                }
}

TEST(column_spread, deviations_far_from_nought_keep_their_digits) {
    std::vector<double> rows;
    for (int i = 0; i < 100000; ++i) rows.push_back(1e9 + i % 3), rows.push_back(i < 50000 ? 0 : 1e9);
    auto const found = spread(*cpu_backend(), rows, 2);
    EXPECT_NEAR(found[2][0] / 100000, 2.0 / 3, 1e-5);
    EXPECT_NEAR(found[2][1] / 100000, 0.25e18, 1e6);
}

template <class T>
void expect_products(std::int64_t length, std::int64_t columns, std::int64_t ntargets, bool centred) {
    auto const rows = normal<T>(length * columns, 1, 3), targets = normal<T>(length * ntargets, 2, -2);
    auto const found =
        on_any_threads([&] { return products(*cpu_backend(), rows, columns, targets, ntargets, centred); });
    expect_near(found, products(*reference_backend(), rows, columns, targets, ntargets, centred),
                1e-12 * static_cast<double>(length + 1));
}

TEST(row_products, every_width_and_length) {
    for (std::int64_t length : {0, 1, 7, 1000, 5000})
        for (std::int64_t columns : {1, 3, 20, 70})
            for (std::int64_t ntargets : {0, 1, 3})
                for (bool centred : {false, true}) {
                    expect_products<double>(length, columns, ntargets, centred);
                    expect_products<float>(length, columns, ntargets, centred);
                }
}

TEST(row_products, means_far_from_nought_and_a_trend) {
    std::vector<double> rows;
    for (int i = 0; i < 60000; ++i) rows.push_back(1e8 + i % 5), rows.push_back(1e-3 * i);
    auto const found = products<double>(*cpu_backend(), rows, 2, {}, 0, true);
    EXPECT_NEAR(found[0][0], 1e8 + 2, 1e-6);
    EXPECT_NEAR(found[1][0] / 60000, 2, 1e-6);
    EXPECT_NEAR(found[1][3] / 60000, 300, 1e-3);
}

}  // namespace
