// The CPU device against the reference device on random plans: the same bytes, gaps between elements included.
#include <gtest/gtest.h>

#include "backend/cpu/jit/jit.hpp"
#include "support/describe.hpp"
#include "support/random_plan.hpp"

namespace bascule::testing {
namespace {

// Empty where the device's results equal those of the reference.
std::string difference(program const& p, backend const& device) {
    auto const expected = p.run_on(*reference_backend());
    if (expected.code != status::ok) return "the reference refuses the plan: " + expected.error;
    auto const got = p.run_on(device);
    if (got.code != status::ok) return "status " + std::to_string(static_cast<int>(got.code)) + ": " + got.error;
    auto const outputs = p.outputs();
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (auto const text = first_difference(outputs[i].dtype, expected.outputs[i], got.outputs[i]); !text.empty())
            return "output " + std::to_string(i) + ", " + text;
    constexpr std::uint32_t reported = ops::fp::divide | ops::fp::over | ops::fp::invalid;
    for (std::size_t v = 0; v < expected.conditions.size(); ++v) {
        std::uint32_t const least = expected.conditions[v] & reported, found = got.conditions[v] & reported;
        // For complex numbers with a NaN the processor reports more, as it does in NumPy.
        if (is_complex(p.values[v].dtype) ? (least & ~found) != 0 : least != found)
            return "value " + std::to_string(v) + " raises " + std::to_string(got.conditions[v]) + " instead of " +
                   std::to_string(expected.conditions[v]);
    }
    return "";
}

// Without a fused multiply-add in hardware the last bit of an inexact op may differ, and with it anything computed from
// it.
plan_options options(std::int64_t elements, int ops) {
    bool const baseline = std::string_view(cpu_backend()->describe(0)).find("baseline") != std::string_view::npos;
    return {.elements = elements, .ops = ops, .exact_only = baseline};
}

bool agrees(std::uint64_t seed, program const& p) {
    auto const text = difference(p, *cpu_backend());
    EXPECT_EQ(text, "") << "seed " << seed << ": " << describe(p);
    return text.empty();
}

void compare_many(std::uint64_t first_seed, int plans, plan_options const& o) {
    int failures = 0;
    for (int i = 0; i < plans && failures < 4; ++i) {
        auto const seed = first_seed + static_cast<std::uint64_t>(i);
        failures += agrees(seed, plan_maker(seed, o).make()) ? 0 : 1;
    }
}

TEST(random_plans, single_ops_agree_with_the_reference) { compare_many(1'000'000, 8000, options(60, 1)); }
TEST(random_plans, small_elementwise_plans_agree_with_the_reference) {
    auto o = options(100, 4);
    o.reductions = false;
    compare_many(1'500'000, 8000, o);
}
TEST(random_plans, small_plans_agree_with_the_reference) { compare_many(2'000'000, 10000, options(150, 8)); }
TEST(random_plans, long_plans_agree_with_the_reference) { compare_many(3'000'000, 1000, options(60, 60)); }
TEST(random_plans, plans_of_several_blocks_agree_with_the_reference) { compare_many(4'000'000, 400, options(6000, 6)); }
TEST(random_plans, variances_of_several_leaves_agree_with_the_reference) {
    for (std::uint64_t seed = 7'000'000; seed < 7'000'020; ++seed)
        agrees(seed, plan_maker(seed, options(4000, 6), {5, 743}).make());
}

// Small plans are interpreted unless machine code is requested; so few that there is room for all of it.
TEST(random_plans, plans_as_machine_code_agree_with_the_reference) {
    auto const before = cpu::jit::current();
    cpu::jit::use(cpu::jit::policy::always);
    for (char const* isa : {"avx2", "avx512"}) {
        cpu::kernel_table const* const kernels = cpu::kernels_of(isa);
        if (!kernels) continue;
        SCOPED_TRACE(isa);
        cpu::use_kernels(kernels);
        compare_many(8'000'000, 500, options(150, 8));
        compare_many(8'100'000, 150, options(3000, 12));
        compare_many(8'200'000, 60, options(60, 60));
    }
    cpu::use_kernels(nullptr);
    cpu::jit::use(before);
}

TEST(random_plans, plans_at_the_edge_of_a_block_agree_with_the_reference) {
    std::uint64_t seed = 5'000'000;
    for (std::int64_t const n : {7,   8,   9,   31,  32,  33,  63,   64,   65,   127,  128,  129,
                                 135, 136, 137, 255, 256, 257, 1023, 1024, 1025, 2047, 2048, 2049})
        for (auto const& shape : {extents{n}, extents{3, n}, extents{n, 3}, extents{2, n, 2}})
            for (int i = 0; i < 4; ++i, ++seed) agrees(seed, plan_maker(seed, options(n, 5), shape).make());
}

TEST(random_plans, plans_at_the_edge_of_a_task_agree_with_the_reference) {
    std::uint64_t seed = 6'000'000;
    for (std::int64_t const n : {32767, 32768, 32769, 65537})
        for (auto const& shape : {extents{n}, extents{n, 2}, extents{2, n}})
            for (int i = 0; i < 2; ++i, ++seed) agrees(seed, plan_maker(seed, options(n, 3), shape).make());
}

}  // namespace
}  // namespace bascule::testing
