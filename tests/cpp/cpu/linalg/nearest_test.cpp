// nearest: the cpu device finds the rows that comparing with all of them finds, whatever the scale of the data.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "bascule/core/array_algorithms_rows.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace {

using namespace bascule;

struct result {
    std::vector<std::int64_t> indices;
    std::vector<double> distances;
    bool operator==(result const&) const = default;
};

result find(backend const& device, std::vector<double> const& rows, std::vector<double> const& queries,
            std::int64_t columns, std::int64_t count) {
    nearest_args a;
    a.rows = rows.data(), a.length = static_cast<std::int64_t>(rows.size()) / columns;
    a.queries = queries.data(), a.nqueries = static_cast<std::int64_t>(queries.size()) / columns;
    a.columns = columns, a.count = count;
    result r{std::vector<std::int64_t>(static_cast<std::size_t>(a.nqueries * count), -1),
             std::vector<double>(static_cast<std::size_t>(a.nqueries * count), -1)};
    a.indices = r.indices.data(), a.distances = r.distances.data();
    EXPECT_EQ(device.algorithm(0, algorithm_kind::nearest, &a, nullptr), status::ok);
    return r;
}

std::vector<double> normal(std::int64_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<double> made(static_cast<std::size_t>(n));
    for (double& v : made) v = std::normal_distribution<double>()(random);
    return made;
}

void expect_found(std::vector<double> const& rows, std::vector<double> const& queries, std::int64_t columns,
                  std::int64_t count) {
    auto const expected = find(*reference_backend(), rows, queries, columns, count);
    int const before = sched::thread_count();
    for (int threads : {1, 3}) {
        sched::set_thread_count(threads);
        EXPECT_EQ(find(*cpu_backend(), rows, queries, columns, count), expected);
    }
    sched::set_thread_count(before);
}

TEST(nearest, every_size_of_blocks_and_counts) {
    for (std::int64_t columns : {1, 3, 20, 70})
        for (std::int64_t length : {1, 2, 15, 200, 3000, 20000}) {
            auto const rows = normal(length * columns, 1);
            for (std::int64_t queries : {1, 63, 130})
                for (std::int64_t count :
                     {std::int64_t{1}, std::min<std::int64_t>(5, length), std::min<std::int64_t>(300, length)})
                    if (length * queries < 500000) expect_found(rows, normal(queries * columns, 2), columns, count);
        }
}

TEST(nearest, equal_distances_are_in_the_order_of_rows) {
    std::vector<double> rows(5000, 1.0), grid;
    expect_found(rows, {1.0, 2.0}, 1, 7);
    for (int i = 0; i < 4000; ++i) grid.push_back(i % 5), grid.push_back(i % 3);
    expect_found(grid, grid, 2, 10);
}

TEST(nearest, data_far_from_nought_of_small_and_of_large_scale) {
    auto const rows = normal(4000 * 8, 3), queries = normal(40 * 8, 4);
    for (double scale : {1e-300, 1e-160, 1e-30, 1e-3, 1e20, 1e150})
        for (double shift : {0.0, 1.0, 1e8}) {
            auto r = rows, q = queries;
            for (double& v : r) v = (v + shift) * scale;
            for (double& v : q) v = (v + shift) * scale;
            expect_found(r, q, 8, 6);
        }
}

TEST(nearest, queries_far_from_all_rows_and_rows_far_from_the_others) {
    auto rows = normal(4000 * 4, 5), queries = normal(40 * 4, 6);
    for (double far : {1e6, 1e12, 1e25, 1e200}) {
        auto q = queries, r = rows;
        for (std::size_t k = 0; k < 40; ++k) q[k] *= far;
        expect_found(rows, q, 4, 5);
        for (std::size_t k = 0; k < 40; ++k) r[k * 7] *= far;
        expect_found(r, q, 4, 5);
        expect_found(r, queries, 4, 5);
    }
}

TEST(nearest, no_more_neighbours_than_rows) {
    std::vector<double> const rows{1, 2};
    nearest_args a;
    a.rows = rows.data(), a.length = 2, a.queries = rows.data(), a.nqueries = 2, a.columns = 1, a.count = 3;
    EXPECT_EQ(cpu_backend()->algorithm(0, algorithm_kind::nearest, &a, nullptr), status::value_error);
}

result within(backend const& device, std::vector<double> const& rows, std::vector<double> const& queries,
              std::int64_t columns, double radius) {
    within_radius_args a;
    a.rows = rows.data(), a.length = static_cast<std::int64_t>(rows.size()) / columns;
    a.queries = queries.data(), a.nqueries = static_cast<std::int64_t>(queries.size()) / columns;
    a.columns = columns, a.radius = radius, a.with_distances = true;
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(a.nqueries + 1), -1);
    result r;
    a.offsets = offsets.data(), a.owner = &r;
    a.allocate = [](void* owner, std::int64_t bytes) -> void* {
        auto& to = *static_cast<result*>(owner);
        auto const count = static_cast<std::size_t>(bytes / 8);
        if (!to.indices.empty()) return to.distances.assign(count, -1), to.distances.data();
        return to.indices.assign(count, -1), to.indices.data();
    };
    EXPECT_EQ(device.algorithm(0, algorithm_kind::within_radius, &a, nullptr), status::ok);
    EXPECT_EQ(static_cast<std::int64_t>(r.indices.size()), offsets.back());
    r.indices.insert(r.indices.end(), offsets.begin(), offsets.end());
    return r;
}

TEST(within_radius, every_size_of_blocks_and_radii) {
    int const before = sched::thread_count();
    for (std::int64_t columns : {1, 3, 20})
        for (std::int64_t length : {0, 1, 15, 200, 3000})
            for (std::int64_t queries : {0, 1, 63, 130})
                for (double radius : {0.0, 0.5, 5.0, std::numeric_limits<double>::infinity()})
                    for (double level : {0.0, 1e8}) {
                        auto rows = normal(length * columns, 1), at = normal(queries * columns, 2);
                        for (double& v : rows) v += level;
                        for (double& v : at) v += level;
                        auto const expected = within(*reference_backend(), rows, at, columns, radius);
                        for (int threads : {1, 3}) {
                            sched::set_thread_count(threads);
                            EXPECT_EQ(within(*cpu_backend(), rows, at, columns, radius), expected);
                        }
                    }
    sched::set_thread_count(before);
}

TEST(within_radius, rows_at_the_radius_are_within) {
    std::vector<double> grid;
    for (int i = 0; i < 900; ++i) grid.push_back(i % 30), grid.push_back(i / 30);
    EXPECT_EQ(within(*cpu_backend(), grid, grid, 2, 1.0), within(*reference_backend(), grid, grid, 2, 1.0));
}

}  // namespace
