// nearest_centers and center_distances: the cpu device finds what comparing each row with each center finds, with the
// same bits for any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "backend/cpu/dispatch/center_kernels.hpp"
#include "bascule/core/array_algorithms_rows.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace {

using namespace bascule;
using numbers = std::vector<double>;

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

numbers normal(std::int64_t n, unsigned seed) {
    std::mt19937 random(seed);
    numbers made(size(n));
    for (double& v : made) v = std::normal_distribution<double>()(random);
    return made;
}

struct problem {
    std::int64_t length, columns, count;
    bool shifted, weighted;
    numbers rows = normal(length * columns, 1), centers = normal(count * columns, 2), shift = normal(columns, 3),
            weights = normal(length, 4);
    std::vector<std::int32_t> before = std::vector<std::int32_t>(size(length), 0);

    void set(center_rows& a) const {
        a.rows = rows.data(), a.length = length, a.columns = columns;
        a.centers = centers.data(), a.count = count;
        a.shift = shifted ? shift.data() : nullptr, a.weights = weighted ? weights.data() : nullptr;
    }
};

struct assigned {
    std::vector<std::int32_t> labels;
    numbers squares, sums, totals;
    std::vector<std::int64_t> members;
    std::int64_t changed;
    bool operator==(assigned const&) const = default;
};

assigned assign(backend const& device, problem const& p) {
    nearest_centers_args a;
    p.set(a);
    assigned r{std::vector<std::int32_t>(size(p.length), -1), numbers(size(p.length)),
               numbers(size(p.count * p.columns), 7),         numbers(size(p.count), 7),
               std::vector<std::int64_t>(size(p.count), 7),   0};
    a.before = p.before.data(), a.labels = r.labels.data(), a.squares = r.squares.data(), a.sums = r.sums.data();
    a.totals = r.totals.data(), a.members = r.members.data();
    EXPECT_EQ(device.algorithm(0, algorithm_kind::nearest_centers, &a, nullptr), status::ok);
    r.changed = a.changed;
    return r;
}

struct measured {
    numbers distances, sums;
    bool operator==(measured const&) const = default;
};

measured measure(backend const& device, problem const& p, numbers const* closest, bool by_row) {
    center_distances_args a;
    p.set(a);
    measured r{numbers(size(p.length * p.count), -1), numbers(size(p.count), 7)};
    a.closest = closest ? closest->data() : nullptr;
    a.distances = r.distances.data(), a.sums = r.sums.data(), a.roots = by_row;
    a.row_step = by_row ? p.count : 1, a.center_step = by_row ? 1 : p.length;
    EXPECT_EQ(device.algorithm(0, algorithm_kind::center_distances, &a, nullptr), status::ok);
    return r;
}

void expect_near(numbers const& found, numbers const& expected, double error) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], error) << i;
}

numbers squared(numbers v) {
    for (double& x : v) x *= x;
    return v;
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

std::vector<problem> problems() {
    std::vector<problem> all;
    for (std::int64_t length : {0, 1, 15, 16, 17, 1025, 5000})
        for (std::int64_t columns : {1, 3, 20})
            for (std::int64_t count : {1, 2, 7, 8, 13, 300})
                for (bool shifted : {false, true})
                    if (length < 5000 || count < 20) all.push_back({length, columns, count, shifted, columns == 3});
    return all;
}

TEST(nearest_centers, every_size_of_tiles_and_pieces) {
    for (problem const& p : problems()) {
        auto const found = on_any_threads([&] { return assign(*cpu_backend(), p); });
        auto const expected = assign(*reference_backend(), p);
        ASSERT_EQ(found.labels, expected.labels);
        EXPECT_EQ(found.members, expected.members);
        EXPECT_EQ(found.changed, expected.changed);
        expect_near(found.squares, expected.squares, 1e-12 * static_cast<double>(p.columns));
        expect_near(found.sums, expected.sums, 1e-11 * static_cast<double>(p.length + 1));
        expect_near(found.totals, expected.totals, 1e-11 * static_cast<double>(p.length + 1));
    }
}

TEST(nearest_centers, of_equal_centers_the_first_one) {
    problem p{100, 4, 9, false, false};
    for (std::int64_t k = 3; k < 9; ++k) std::copy_n(p.centers.begin(), 4, p.centers.begin() + k * 4);
    for (std::int32_t const label : assign(*cpu_backend(), p).labels) EXPECT_LT(label, 3);
}

// Iterations of k-means by the cpu device, with bounds, and by the reference: the same labels at every step.
void expect_iterations(problem p, int iterations) {
    std::int64_t const n = p.length, k = p.count, d = p.columns;
    assigned state{std::vector<std::int32_t>(size(n)), {}, numbers(size(k * d)), numbers(size(k)),
                   std::vector<std::int64_t>(size(k)), 0};
    numbers upper(size(n)), lower(size(n)), moved(size(k));
    for (int i = 0; i < iterations; ++i) {
        nearest_centers_args a;
        p.set(a);
        a.before = i > 0 ? p.before.data() : nullptr, a.moved = i > 0 ? moved.data() : nullptr;
        a.labels = state.labels.data(), a.sums = state.sums.data(), a.totals = state.totals.data();
        a.members = state.members.data(), a.upper = upper.data(), a.lower = lower.data();
        ASSERT_EQ(cpu_backend()->algorithm(0, algorithm_kind::nearest_centers, &a, nullptr), status::ok);
        if (i == 0) p.before.assign(size(n), -1);
        auto const expected = assign(*reference_backend(), p);
        ASSERT_EQ(state.labels, expected.labels) << i;
        EXPECT_EQ(state.members, expected.members);
        EXPECT_EQ(a.changed, expected.changed);
        expect_near(state.sums, expected.sums, 1e-10 * static_cast<double>(n));
        for (std::int64_t c = 0; c < k; ++c) {
            double way = 0;
            for (std::int64_t j = 0; j < d; ++j) {
                double& at = p.centers[size(c * d + j)];
                double const next =
                    expected.members[size(c)] ? expected.sums[size(c * d + j)] / expected.totals[size(c)] : at;
                way += (next - at) * (next - at), at = next;
            }
            moved[size(c)] = std::sqrt(way);
        }
        p.before = state.labels;
    }
}

TEST(nearest_centers, bounds_change_no_label) {
    for (std::int64_t columns : {1, 2, 20})
        for (std::int64_t count : {1, 2, 9, 40})
            for (bool shifted : {false, true}) expect_iterations({3000, columns, count, shifted, false}, 25);
    problem grid{2000, 2, 6, false, false};
    for (std::int64_t i = 0; i < 4000; ++i) grid.rows[size(i)] = static_cast<double>(i % 2 ? i / 80 : i % 80 / 2);
    expect_iterations(grid, 15);
}

TEST(center_distances, of_rows_and_of_centers_in_order) {
    for (problem const& p : problems()) {
        auto const closest = normal(p.length, 5);
        numbers most;
        for (double const v : closest) most.push_back(std::abs(v) * static_cast<double>(p.columns));
        for (numbers const* limit : {static_cast<numbers const*>(nullptr), static_cast<numbers const*>(&most)})
            for (bool by_row : {false, true}) {
                auto const found = on_any_threads([&] { return measure(*cpu_backend(), p, limit, by_row); });
                auto const expected = measure(*reference_backend(), p, limit, by_row);
                expect_near(by_row ? squared(found.distances) : found.distances,
                            by_row ? squared(expected.distances) : expected.distances,
                            1e-12 * static_cast<double>(p.columns));
                expect_near(found.sums, expected.sums, 1e-11 * static_cast<double>(p.columns * (p.length + 1)));
            }
    }
}

TEST(center_distances, a_row_is_at_no_distance_from_itself) {
    problem p{50, 7, 50, false, false};
    p.centers = p.rows;
    auto const found = measure(*cpu_backend(), p, nullptr, true).distances;
    for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(found[i * 50 + i], 0);
}

TEST(center_kernels, every_instruction_set_finds_the_same) {
    for (char const* isa : {"baseline", "avx2", "avx512"}) {
        cpu::center_kernels const* const k = cpu::center_kernels_of(isa);
        if (k == nullptr) continue;
        constexpr std::int64_t columns = 11, count = 15, lanes = cpu::center_kernels::lanes;
        auto const rows = normal(lanes * columns, 6), centers = normal(count * columns, 7);
        alignas(64) double tile[lanes * columns], products[lanes * count];
        k->load(rows.data(), lanes, columns, nullptr, tile);
        k->products(tile, columns, centers.data(), count, products);
        for (std::int64_t r = 0; r < lanes; ++r)
            for (std::int64_t c = 0; c < count; ++c) {
                double sum = 0;
                for (std::int64_t j = 0; j < columns; ++j)
                    sum += rows[size(r * columns + j)] * centers[size(c * columns + j)];
                EXPECT_NEAR(products[c * lanes + r], sum, 1e-13) << isa;
            }
    }
}

}  // namespace
