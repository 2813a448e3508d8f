// Partitioning by a pivot, taking values between two bounds and rows at a time, against plain loops, on every
// instruction set this machine has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "backend/cpu/dispatch/partition_kernels.hpp"
#include "support/every_isa.hpp"

namespace bascule {
namespace {

constexpr std::int64_t lengths[] = {0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100, 1000};

template <class T> std::vector<T> some_values(std::int64_t n, bool nan) {
    std::mt19937_64 g(static_cast<std::uint64_t>(n));
    std::vector<T> v(static_cast<std::size_t>(n));
    for (auto& x : v) x = static_cast<T>(static_cast<int>(g() % 21) - 10);
    if (nan && std::is_floating_point_v<T>)
        for (auto& x : v)
            if (g() % 5 == 0) x = std::numeric_limits<T>::quiet_NaN();
    return v;
}

template <class T> class CpuPartition : public testing::Test {};
using lane_types = testing::Types<double, float, std::int64_t, std::int32_t>;
TYPED_TEST_SUITE(CpuPartition, lane_types);

TYPED_TEST(CpuPartition, Parts) {
    using T = TypeParam;
    on_every_isa(cpu::partition_kernels_of, [](cpu::partition_kernels const& all) {
        auto const& kernels = std::get<cpu::partition_kernels_of_type<T>>(all);
        for (auto const n : lengths)
            for (bool const nan : {false, true})
                for (T const pivot : {T(-11), T(-10), T(0), T(3), T(10), T(11)}) {
                    auto const v = some_values<T>(n, nan);
                    std::vector<std::int64_t> wanted;
                    std::int64_t counts[3] = {};
                    for (int side = 0; side < 3; ++side)
                        for (std::int64_t i = 0; i < n; ++i) {
                            T const x = v[static_cast<std::size_t>(i)];
                            if ((x < pivot ? 0 : x == pivot ? 1 : 2) == side) wanted.push_back(i), ++counts[side];
                        }
                    auto const found = kernels.count(v.data(), n, pivot);
                    ASSERT_EQ(found.less, counts[0]);
                    ASSERT_EQ(found.equal, counts[1]);
                    wanted.push_back(-7);
                    std::vector<std::int64_t> at(wanted.size(), -7);
                    auto* const equal = at.data() + found.less;
                    kernels.part_positions(v.data(), n, pivot, at.data(), equal, equal + found.equal);
                    ASSERT_EQ(at, wanted);
                    std::vector<T> parted(at.size(), T(77));
                    auto* const middle = parted.data() + found.less;
                    kernels.part(v.data(), n, pivot, parted.data(), middle, middle + found.equal);
                    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
                        T const x = v[static_cast<std::size_t>(at[i])];
                        ASSERT_TRUE(parted[i] == x || (x != x && parted[i] != parted[i]));
                    }
                    ASSERT_EQ(parted.back(), T(77));
                }
    });
}

TYPED_TEST(CpuPartition, TakesBetween) {
    using T = TypeParam;
    on_every_isa(cpu::partition_kernels_of, [](cpu::partition_kernels const& all) {
        auto const& kernels = std::get<cpu::partition_kernels_of_type<T>>(all);
        for (auto const n : lengths)
            for (T const low : {T(-11), T(-3), T(4)})
                for (T const high : {T(4), T(11)}) {
                    auto const v = some_values<T>(n, true);
                    std::vector<T> wanted, out(static_cast<std::size_t>(n) + 16);
                    std::copy_if(v.begin(), v.end(), std::back_inserter(wanted),
                                 [=](T x) { return x >= low && x <= high; });
                    auto const r = kernels.take_between(v.data(), n, low, high, out.data());
                    ASSERT_EQ(r.below, std::count_if(v.begin(), v.end(), [=](T x) { return x < low; }));
                    ASSERT_EQ(r.count, static_cast<std::int64_t>(wanted.size()));
                    out.resize(wanted.size());
                    ASSERT_EQ(out, wanted);
                }
    });
}

TYPED_TEST(CpuPartition, SortsRows) {
    using T = TypeParam;
    on_every_isa(cpu::partition_kernels_of, [](cpu::partition_kernels const& all) {
        auto const sort = std::get<cpu::partition_kernels_of_type<T>>(all).sort_rows;
        if (sort == nullptr) return;
        for (std::int64_t length = 2; length <= cpu::most_lanes_length; ++length)
            for (std::int64_t const rows : {1, 2, 3, 4, 5, 8, 9, 16, 17, 40})
                for (bool const nan : {false, true}) {
                    auto const v = some_values<T>(rows * length, nan);
                    std::vector<T> out(v.size() + 1, T(77)), in_place = v;
                    sort(v.data(), out.data(), rows, length);
                    sort(in_place.data(), in_place.data(), rows, length);
                    ASSERT_EQ(out.back(), T(77));
                    for (std::int64_t r = 0; r < rows; ++r) {
                        std::vector<T> row(v.begin() + r * length, v.begin() + (r + 1) * length);
                        std::sort(row.begin(), row.end(), [](T a, T b) { return a < b || (b != b && a == a); });
                        for (std::int64_t j = 0; j < length; ++j)
                            for (T const x : {out[static_cast<std::size_t>(r * length + j)],
                                              in_place[static_cast<std::size_t>(r * length + j)]}) {
                                T const w = row[static_cast<std::size_t>(j)];
                                ASSERT_TRUE(x == w || (x != x && w != w)) << length << ' ' << rows;
                            }
                    }
                }
    });
}

}  // namespace
}  // namespace bascule
