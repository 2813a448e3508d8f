// Rows of stencils that are computed together, and share sums: the bits and conditions of a loop that computes all of
// them.
#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/rewrites/cross_row_cse.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "backend/cpu/engine/run.hpp"
#include "bascule/ops/spec.hpp"
#include "support/every_isa.hpp"
#include "support/jit_policy.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;
constexpr std::int64_t rows = 150, size = 8;

struct stencil {
    std::int64_t columns;
    std::vector<double> x = std::vector<double>(static_cast<std::size_t>((rows + 2) * (columns + 2)));
    std::vector<double> result = std::vector<double>(static_cast<std::size_t>(rows * columns)), negative = result;

    explicit stencil(std::int64_t columns) : columns(columns) {
        std::mt19937_64 g(7);
        for (double& a : x) a = std::normal_distribution<double>(0, 40)(g);
    }
    double& at(std::int64_t row, std::int64_t column) {
        return x[static_cast<std::size_t>(row * (columns + 2) + column)];
    }

    // (upper + middle + lower) / 9, each a sum of three; or with each row twice as far from the one before.
    plan_builder plan(int apart = 1, std::uint8_t check = ops::fp::invalid | ops::fp::over) {
        plan_builder b({apart == 1 ? rows : rows / 2, columns});
        int sums[3];
        for (int r = 0; r < 3; ++r) {
            int loads[3];
            for (int c = 0; c < 3; ++c)
                loads[c] = b.load(&at(r, c), type_id::float64, {apart * (columns + 2) * size, size});
            int const two = b.op("add", type_id::float64, {loads[0], loads[1]}, check);
            sums[r] = b.op("add", type_id::float64, {two, loads[2]}, check);
        }
        int const upper = b.op("add", type_id::float64, {sums[0], sums[1]}, check),
                  all = b.op("add", type_id::float64, {upper, sums[2]}, check);
        int const mean = b.op("divide", type_id::float64, {all, b.constant(9.0)}, check);
        b.store(mean, result.data(), {columns * size, size});
        b.store(b.op("negative", type_id::float64, {mean}), negative.data(), {columns * size, size});
        return b;
    }

    double expected(std::int64_t row, std::int64_t column) {
        auto const sum = [&](std::int64_t r) { return at(r, column) + at(r, column + 1) + at(r, column + 2); };
        return (sum(row) + sum(row + 1) + sum(row + 2)) / 9;
    }
};

bool are_together(plan const& source) {
    return cpu::cross_row_cse::applies(source) && cpu::cross_row_cse(source).pays();
}

class CpuCrossRowCse : public ::testing::TestWithParam<cpu::jit::policy> {};
INSTANTIATE_TEST_SUITE_P(Jit, CpuCrossRowCse, ::testing::Values(cpu::jit::policy::off, cpu::jit::policy::always));

TEST_P(CpuCrossRowCse, HaveTheBitsOfALoop) {
    policy_of const policy(GetParam());
    for (char const* const isa : {"baseline", "avx2", "avx512"}) {
        cpu::kernel_table const* const kernels = cpu::kernels_of(isa);
        if (!kernels) continue;
        for (std::int64_t const columns : {1, 7, 100, 1031, 1500}) {
            stencil s(columns);
            auto const b = s.plan();
            ASSERT_EQ(cpu::run_plan(b.get(), *kernels), status::ok) << cpu::last_error_text();
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < columns; ++c) {
                    auto const at = static_cast<std::size_t>(r * columns + c);
                    ASSERT_EQ(s.result[at], s.expected(r, c))
                        << isa << " " << columns << " columns: " << r << ", " << c;
                    ASSERT_EQ(s.negative[at], -s.expected(r, c));
                }
        }
    }
}

// An invalid sum of a row is one of the lower sums, then of the middle ones, then of the upper ones, each of which
// reports it by itself; so is one among the last rows, which only some of them see.
TEST_P(CpuCrossRowCse, EveryValueReportsItsConditions) {
    policy_of const policy(GetParam());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (char const* const isa : {"baseline", "avx2", "avx512"}) {
        cpu::kernel_table const* const kernels = cpu::kernels_of(isa);
        if (!kernels) continue;
        for (std::int64_t const row : {0L, 1L, 2L, 33L, long{rows}, long{rows + 1}}) {
            stencil s(1100);
            s.at(row, 500) = infinity, s.at(row, 501) = -infinity;
            auto const b = s.plan();
            std::vector<std::uint32_t> reported(b.values.size());
            ASSERT_EQ(cpu::run_plan(b.get(reported.data()), *kernels), status::ok) << cpu::last_error_text();
            for (int r = 0; r < 3; ++r) {
                bool const sees = row >= r && row < rows + r;
                auto const first = static_cast<std::size_t>(5 * r + 3);  // behind three loads
                EXPECT_EQ(reported[first], sees ? ops::fp::invalid : 0u) << isa << ": row " << row << ", sum " << r;
                EXPECT_EQ(reported[first + 1], reported[first]);
            }
        }
    }
}

TEST(CpuCrossRowCse, AreFoundWhereRowsFollowEachOtherAndNoneIsWrittenOver) {
    stencil s(1200);
    EXPECT_TRUE(are_together(s.plan().get()));
    EXPECT_FALSE(are_together(s.plan(2).get())) << "rows between";
    EXPECT_FALSE(are_together(stencil(255).plan().get())) << "short rows";
    EXPECT_FALSE(are_together(stencil(400).plan().get())) << "few elements";
    auto b = s.plan();
    b.move_store(1, s.result.data() + 1);
    EXPECT_FALSE(are_together(b.get())) << "one result on the other";
    b.move_store(1, &s.at(0, 0));
    EXPECT_FALSE(are_together(b.get())) << "written over";
}

}  // namespace
}  // namespace bascule
