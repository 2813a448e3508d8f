// join_nearest: by hand, and the cpu device against the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "bascule/core/table_algorithms_sort_join.hpp"

namespace {

using namespace bascule;
using rows = std::vector<std::int64_t>;
using groups = std::vector<std::uint32_t>;

rows nearest(backend const* device, rows const& bounds, groups const& left, groups const& right, bool backward) {
    rows out(bounds.size(), 77);
    join_nearest_args a;
    a.bounds = bounds.data(), a.left = left.data(), a.right = right.data();
    a.left_rows = static_cast<std::int64_t>(left.size()), a.right_rows = static_cast<std::int64_t>(right.size());
    a.groups = 5, a.backward = backward, a.out = out.data();
    EXPECT_EQ(device->algorithm(0, algorithm_kind::join_nearest, &a, nullptr), status::ok);
    return out;
}

TEST(join_nearest, rows_of_the_same_group_on_either_side_of_a_bound) {
    rows const bounds{0, 2, 2, 3};
    groups const left{0, 0, 1, 2}, right{0, 1, 0};
    EXPECT_EQ(nearest(cpu_backend(), bounds, left, right, true), (rows{-1, 0, 1, -1}));
    EXPECT_EQ(nearest(cpu_backend(), bounds, left, right, false), (rows{0, 2, -1, -1}));
}

TEST(join_nearest, random_rows_are_joined_as_by_the_reference) {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        rows bounds(random() % 30);
        groups left(bounds.size()), right(random() % 30);
        for (auto& b : bounds) b = static_cast<std::int64_t>(random() % (right.size() + 1));
        for (auto& g : left) g = random() % 5;
        for (auto& g : right) g = random() % 5;
        std::sort(bounds.begin(), bounds.end());
        for (bool const backward : {true, false})
            EXPECT_EQ(nearest(cpu_backend(), bounds, left, right, backward),
                      nearest(reference_backend(), bounds, left, right, backward));
    }
}

}  // namespace
