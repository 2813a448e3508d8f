// Sums of a few computed elements each, written out, against the reference device.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/rewrites/unrolled_reduction.hpp"
#include "bascule/ops/aggregate.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;
constexpr std::int64_t outer = 30;

// sum over k of (x[i, k] - y[j, k]) ** 2 * (k - 1), x and y in C order or with k outermost.
template <class T> struct sums {
    std::int64_t inner, run;
    bool turned;
    std::vector<T> x, y, result;
    std::vector<std::uint32_t> conditions;

    sums(std::int64_t inner, std::int64_t run, bool turned)
        : inner(inner), run(run), turned(turned), x(static_cast<std::size_t>(outer * run)),
          y(static_cast<std::size_t>(inner * run)) {
        std::mt19937_64 g(static_cast<std::uint64_t>(run));
        std::normal_distribution<double> normal;
        for (auto* const to : {&x, &y})
            for (T& v : *to) v = g() % 7 ? static_cast<T>(normal(g)) : T(0);
    }

    std::vector<T> const& compute(cpu::kernel_table const* kernels) {
        constexpr std::int64_t size = sizeof(T);
        type_id const t = id_of<T>::value;
        plan_builder b({outer, inner, run}, {0, 0, 1});
        std::int64_t const along = turned ? 1 : run;
        int const a = b.load(x.data(), t, {along * size, 0, (turned ? outer : 1) * size}),
                  c = b.load(y.data(), t, {0, along * size, (turned ? inner : 1) * size});
        int const difference = b.op("subtract", t, {a, c}, ops::fp::all);
        int const square = b.op("square", t, {difference}, ops::fp::all);
        int const term = b.op("multiply", t, {square, b.cast(b.iota(-1, {0, 0, 1}), t)}, ops::fp::all);
        result.assign(static_cast<std::size_t>(outer * inner), T(-1));
        b.reduce(ops::aggregate_number<ops::aggregate::sum>, term, result.data(), t, {inner * size, size, 0});
        conditions.assign(b.values.size() + 1, 0);
        auto const p = b.get(conditions.data());
        EXPECT_EQ(cpu::unrolled_reduction::applies(p), run < 8 && inner >= 64);
        EXPECT_EQ(kernels ? cpu::run_plan(p, *kernels) : reference_backend()->run(0, &p, nullptr), status::ok);
        return result;
    }
};

template <class Check> void on_every_isa(Check const& check) {
    for (char const* isa : {"baseline", "avx2", "avx512"})
        if (auto const* const kernels = cpu::kernels_of(isa)) {
            SCOPED_TRACE(isa);
            check(kernels);
        }
}

template <class T> void every_length() {
    for (std::int64_t const inner : {63, 64, 300, 1000})
        for (std::int64_t run = 1; run <= 8; ++run)
            for (bool const turned : {false, true}) {
                sums<T> s(inner, run, turned);
                auto const expected = s.compute(nullptr);
                on_every_isa([&](auto const* kernels) {
                    auto const& got = s.compute(kernels);
                    ASSERT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(T)), 0)
                        << inner << ", runs of " << run;
                });
            }
}

TEST(CpuUnrolledReduction, EveryLength) {
    every_length<double>();
    every_length<float>();
}

// The sum of nothing but negative zeros is zero.
TEST(CpuUnrolledReduction, NegativeZeros) {
    sums<double> s(64, 1, false);
    std::fill(s.x.begin(), s.x.end(), 1.0), std::fill(s.y.begin(), s.y.end(), 1.0);
    on_every_isa([&](auto const* kernels) {
        for (double const v : s.compute(kernels)) ASSERT_FALSE(std::signbit(v));
    });
}

// Errors are reported of the value that raised them, whichever element of a run it was, and of the sum.
TEST(CpuUnrolledReduction, Conditions) {
    auto const raised = [](double first, double other) {
        sums<double> s(64, 5, false);
        std::fill(s.x.begin(), s.x.end(), first), std::fill(s.y.begin(), s.y.end(), other);
        std::vector<std::vector<std::uint32_t>> reported;
        on_every_isa([&](auto const* kernels) { s.compute(kernels), reported.push_back(s.conditions); });
        for (auto const& t : reported) EXPECT_EQ(t, reported[0]);
        return reported[0];
    };
    constexpr std::size_t difference = 2, square = 3, term = 6, sum = 7;
    EXPECT_EQ(raised(2, 1), std::vector<std::uint32_t>(8, 0));
    EXPECT_EQ(raised(1e200, 1)[square], ops::fp::over);
    EXPECT_EQ(raised(HUGE_VAL, HUGE_VAL)[difference], ops::fp::invalid);
    auto const large = raised(1e154, 0);  // the square fits, three times it does not
    EXPECT_EQ(large[square], 0u);
    EXPECT_EQ(large[term], ops::fp::over);
    EXPECT_EQ(large[sum], 0u);
    auto const many = raised(7e153, 0);  // three times it fits, five times it does not
    EXPECT_EQ(many[term], 0u);
    EXPECT_EQ(many[sum], ops::fp::over);
}

}  // namespace
}  // namespace bascule
