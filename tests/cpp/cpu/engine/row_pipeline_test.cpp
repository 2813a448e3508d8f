// Reductions of rows and operations on their results, a row at a time: the bits and errors are those of one plan after
// the other.
#include "backend/cpu/engine/row_pipeline.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "backend/cpu/engine/run.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/spec.hpp"
#include "support/every_isa.hpp"
#include "support/jit_policy.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;
using namespace ops::aggregate;
constexpr std::uint8_t usual = ops::fp::invalid | ops::fp::over | ops::fp::divide;

// (x - mean) / std of every row, or x - max.
template <class T> struct normalised {
    static constexpr std::int64_t size = sizeof(T);
    static constexpr type_id type = id_of<T>::value;
    std::int64_t rows, columns;
    std::vector<T> x, means, spreads, result;

    normalised(std::int64_t r, std::int64_t c)
        : rows(r), columns(c), x(static_cast<std::size_t>(r * c)), means(static_cast<std::size_t>(r), T(-1)),
          spreads(means), result(x.size(), T(-1)) {
        std::mt19937_64 g(static_cast<unsigned>(r * c));
        for (T& a : x) a = static_cast<T>(std::normal_distribution<double>(3, 40)(g));
    }
    T& at(std::int64_t row, std::int64_t column) { return x[static_cast<std::size_t>(row * columns + column)]; }

    plan_builder reduces(bool varies) {
        plan_builder b({rows, columns}, {0, 1});
        int const v = b.flat(x.data(), type);
        if (varies) {
            b.reduce(ops::aggregate_number<mean>, v, means.data(), type, {size, 0});
            b.reduce(ops::aggregate_number<std_dev>, v, spreads.data(), type, {size, 0});
        } else {
            b.reduce(ops::aggregate_number<maximum>, v, means.data(), type, {size, 0});
        }
        return b;
    }
    plan_builder elements(bool varies) {
        plan_builder b({rows, columns});
        int v = b.op("subtract", type, {b.flat(x.data(), type), b.load(means.data(), type, {size, 0})}, usual);
        if (varies) v = b.op("divide", type, {v, b.load(spreads.data(), type, {size, 0})}, usual);
        b.store_flat(v, result.data());
        return b;
    }
};

struct flags {
    std::uint32_t reduces[8] = {}, elements[8] = {};
    bool operator==(flags const&) const = default;
};

template <class T> flags one_after_the_other(normalised<T>& of, bool varies, cpu::kernel_table const& kernels) {
    flags f;
    auto const reduces = of.reduces(varies), elements = of.elements(varies);
    EXPECT_EQ(cpu::run_plan(reduces.get(f.reduces), kernels), status::ok);
    EXPECT_EQ(cpu::run_plan(elements.get(f.elements), kernels), status::ok);
    return f;
}

template <class T> flags by_rows(normalised<T>& of, bool varies, cpu::kernel_table const& kernels) {
    flags f;
    auto const reduces = of.reduces(varies), elements = of.elements(varies);
    plan const first = reduces.get(f.reduces), second = elements.get(f.elements);
    cpu::row_pipeline const rows(first, second, of.rows, kernels);
    if (rows.possible() && rows.run(0, of.rows)) return f;
    plan const* const plans[] = {&first, &second};
    EXPECT_EQ(cpu::run_row_blocked(plans, 2, of.rows, kernels), status::ok);
    return f;
}

template <class T> void expect_equal_bits(std::vector<T> const& a, std::vector<T> const& b) {
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(T)), 0);
}

template <class T> void compare(normalised<T> together, bool varies, cpu::kernel_table const& kernels) {
    SCOPED_TRACE(std::to_string(together.rows) + " rows of " + std::to_string(together.columns));
    normalised<T> apart = together;
    flags const of_apart = one_after_the_other(apart, varies, kernels),
                of_together = by_rows(together, varies, kernels);
    expect_equal_bits(together.means, apart.means);
    if (varies) expect_equal_bits(together.spreads, apart.spreads);
    expect_equal_bits(together.result, apart.result);
    EXPECT_EQ(of_together, of_apart);
}

template <class T> bool goes(normalised<T>& of, bool varies, cpu::kernel_table const& kernels) {
    auto const reduces = of.reduces(varies), elements = of.elements(varies);
    cpu::row_pipeline const rows(reduces.get(), elements.get(), of.rows, kernels);
    return rows.possible() && rows.run(0, of.rows);
}

template <class F> void with_all_kernels(F const& f) {
    for (cpu::jit::policy const p : {cpu::jit::policy::off, cpu::jit::policy::always}) {
        policy_of const policy(p);
        on_every_isa([](char const* isa) { return cpu::kernels_of(isa); }, f);
    }
}

TEST(CpuRowPipeline, HaveTheBitsOfOnePlanAfterTheOther) {
    with_all_kernels([](cpu::kernel_table const& kernels) {
        for (std::int64_t const columns : {7, 100, 128, 256, 333, 512, 515, 1000, 1016, 1024, 1025, 1500, 2048})
            for (bool const varies : {true, false}) {
                compare(normalised<double>(150, columns), varies, kernels);
                compare(normalised<float>(150, columns), varies, kernels);
            }
    });
}

TEST(CpuRowPipeline, AreTakenWhereAFewRowsStayInTheFirstCache) {
    policy_of const policy(cpu::jit::policy::always);
    cpu::kernel_table const& kernels = *cpu::active_kernels(nullptr);
    for (bool const varies : {true, false}) {
        normalised<double> small(150, 1000), shorter(150, 127), longer(10, 2049);
        EXPECT_TRUE(goes(small, varies, kernels));
        EXPECT_FALSE(goes(shorter, varies, kernels));
        EXPECT_FALSE(goes(longer, varies, kernels));
        normalised<double> apart(150, 1000);
        one_after_the_other(apart, varies, kernels);
        expect_equal_bits(small.result, apart.result);
    }
}

TEST(CpuRowPipeline, ReportWhatIsRaisedOfEachValue) {
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    with_all_kernels([&](cpu::kernel_table const& kernels) {
        for (std::int64_t const columns : {100, 128, 333, 1000})
            for (double const odd : {inf, nan, 1e308, 0.0, -0.0, 1e-310}) {
                normalised<double> one(150, columns), all = one;
                one.at(77, 5) = odd;
                for (std::int64_t c = 0; c < columns; ++c) all.at(149, c) = odd;
                for (bool const varies : {true, false}) compare(one, varies, kernels), compare(all, varies, kernels);
            }
    });
}

}  // namespace
}  // namespace bascule
