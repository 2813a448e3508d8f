// Sums that the code adds up while it computes their elements, against those that are reduced from blocks: the same
// bits and the same conditions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <random>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/program/pairwise_sums.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/pairwise.hpp"
#include "support/jit_policy.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;

constexpr double infinity = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<double>::max();

std::vector<double> numbers(std::size_t n, std::uint64_t seed) {
    std::mt19937_64 g(seed);
    std::normal_distribution<double> normal;
    std::vector<double> x(n);
    for (double& y : x) y = normal(g) * std::exp(8 * normal(g));
    return x;
}

// Everything a plan leaves, as bytes.
struct outcome {
    std::vector<std::uint64_t> sums;
    std::vector<std::uint32_t> conditions;
    bool operator==(outcome const&) const = default;
};

// Of rows that are a few elements longer than the part of them that is read: (x - y) * (x - y), summed along each row
// or in all.
struct sum_of_rows {
    std::int64_t rows, n;
    bool all = false, mean = false;

    outcome run(cpu::jit::policy how, std::vector<double> const& x, std::vector<double> const& y) const {
        policy_of const policy(how);
        std::int64_t const row = 8 * (n + 3);
        plan_builder b({rows, n}, {all, 1});
        int const a = b.load(x.data(), type_id::float64, {row, 8}), c = b.load(y.data(), type_id::float64, {row, 8});
        int const apart = b.op("subtract", type_id::float64, {a, c}, ops::fp::all);
        int const squared = b.op("multiply", type_id::float64, {apart, apart}, ops::fp::all);
        outcome o{std::vector<std::uint64_t>(static_cast<std::size_t>(all ? 1 : rows)), {}};
        int const number = mean ? ops::aggregate_number<ops::aggregate::mean>
                                : ops::aggregate_number<ops::aggregate::sum>;
        b.reduce(number, squared, o.sums.data(), type_id::float64, {all ? 0 : 8, 0});
        o.conditions.assign(b.values.size() + 1, 0);
        auto const p = b.get(o.conditions.data());
        EXPECT_EQ(cpu::run_plan(p, *cpu::kernels_of("avx512")), status::ok) << cpu::last_error_text();
        return o;
    }
    outcome in_code(std::vector<double> const& x, std::vector<double> const& y) const {
        return run(cpu::jit::policy::always, x, y);
    }
    outcome from_blocks(std::vector<double> const& x, std::vector<double> const& y) const {
        return run(cpu::jit::policy::off, x, y);
    }
    std::size_t elements() const { return static_cast<std::size_t>(rows * (n + 3)); }
};

class CpuPairwiseSums : public ::testing::Test {
protected:
    void SetUp() override {
        if (!cpu::kernels_of("avx512"))
            GTEST_SKIP() << "sums are added up in AVX-512's code alone, which this machine has not";
    }
};

TEST_F(CpuPairwiseSums, OfRowsOfEveryLength) {
    for (std::int64_t n = 1; n < 2200; n += n < 300 ? 1 : 13)
        for (bool const all : {false, true})
            for (bool const mean : {false, true}) {
                sum_of_rows const s{4, n, all, mean};
                auto const x = numbers(s.elements(), 1), y = numbers(s.elements(), 2);
                ASSERT_EQ(s.in_code(x, y), s.from_blocks(x, y)) << n;
            }
}

TEST_F(CpuPairwiseSums, OfLongRuns) {
    for (std::int64_t const n : {8 * 1024, 8 * 1024 + 8, 32 * 1024, 32 * 1024 + 5, 100'003, 1'000'001}) {
        sum_of_rows const s{3, n};
        auto const x = numbers(s.elements(), 3), y = numbers(s.elements(), 4);
        ASSERT_EQ(s.in_code(x, y), s.from_blocks(x, y)) << n;
    }
}

TEST_F(CpuPairwiseSums, ReportWhichOperationRaisedWhat) {
    sum_of_rows const s{3, 2100};
    struct unusual {
        char const* what;
        double x, y;  // some elements
        std::size_t value;
        std::uint32_t condition;
    };
    std::size_t const difference = 2, product = 3, sum = 4;
    for (unusual const& u : {unusual{"a difference of infinities", infinity, infinity, difference, ops::fp::invalid},
                             {"a difference that is too large", largest, -largest, difference, ops::fp::over},
                             {"a square that is too large", 1e200, 0, product, ops::fp::over},
                             {"a sum that is too large", std::sqrt(largest), 0, sum, ops::fp::over}}) {
        auto x = numbers(s.elements(), 5), y = numbers(s.elements(), 6);
        for (std::size_t const at : {std::size_t{700}, std::size_t{701}, std::size_t{708}, s.elements() - 5})
            x[at] = u.x, y[at] = u.y;
        auto const found = s.in_code(x, y);
        EXPECT_EQ(found, s.from_blocks(x, y)) << u.what;
        EXPECT_TRUE(found.conditions[u.value] & u.condition) << u.what;
    }
}

TEST_F(CpuPairwiseSums, OfZeros) {
    sum_of_rows const s{2, 1500};
    std::vector<double> const zeros(s.elements(), 0.0);
    EXPECT_EQ(s.in_code(zeros, zeros), s.from_blocks(zeros, zeros));
}

TEST(PairwiseSums, AreJoinedAlongTheTree) {
    cpu::pairwise_sums leaves;
    for (std::int64_t n = 1; n <= cpu::pairwise_sums::most_elements; ++n) {
        auto const x = numbers(static_cast<std::size_t>(n), 7);
        leaves.cut_for(n);
        std::int64_t start = 0;
        for (std::int64_t const* end = leaves.ends(); *end; ++end) {
            double s[cpu::pairwise_sums::lanes];
            std::fill(std::begin(s), std::end(s), -0.0);
            for (; start < *end; ++start) s[start % cpu::pairwise_sums::lanes] += x[static_cast<std::size_t>(start)];
            leaves.sums()[end - leaves.ends()] = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
        }
        auto const at = [&](std::int64_t k) { return x[static_cast<std::size_t>(k)]; };
        auto const expected = ops::pairwise<double, std::plus<double>>(at, n, 0.0);
        ASSERT_EQ(leaves.total(x.data()), expected) << n;
    }
}

}  // namespace
}  // namespace bascule
