// Machine code that reads elements a few apart, or backwards, in place: the results are those of packing them first,
// and no memory is accessed but that between the first and the last.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/interpreter/compile.hpp"
#include "backend/cpu/jit/jit.hpp"
#include "bascule/ops/aggregate.hpp"
#include "cpu/jit/machine_code_test.hpp"
#include "support/guarded_memory.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;
constexpr std::int64_t lengths[] = {1, 7, 8, 9, 15, 16, 17, 33, 1023, 1024, 1031};
constexpr std::int64_t strides[] = {-1, 2, 3, 4, -2, 5};
constexpr type_id types[] = {type_id::float32, type_id::float64, type_id::int32,
                             type_id::uint32,  type_id::int64,   type_id::uint64};

// Every kind of number: small and large, and of real ones zeros, infinities and NaN.
void fill(char* to, type_id t, std::int64_t n, std::uint64_t seed) {
    std::mt19937_64 g(seed);
    for (std::int64_t i = 0; i < n; ++i) {
        double const special[] = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, 5e-324, 1e-40, 0.5, 3.0};
        double const real = g() % 6 ? static_cast<double>(static_cast<std::int64_t>(g())) * 1e-17 : special[g() % 8];
        std::uint64_t const whole = g() >> g() % 64;
        auto const single = static_cast<float>(real);
        void const* const from = t == type_id::float64   ? static_cast<void const*>(&real)
                                 : t == type_id::float32 ? static_cast<void const*>(&single)
                                                         : &whole;
        std::memcpy(to + i * itemsize(t), from, static_cast<std::size_t>(itemsize(t)));
    }
}

struct outcome {
    std::vector<unsigned char> first, second;
    std::vector<std::uint32_t> conditions;
    bool operator==(outcome const&) const = default;
};

class CpuJitStrides : public machine_code_test {};
INSTANTIATE_TEST_SUITE_P(Isa, CpuJitStrides, machine_code_test::instruction_sets(), machine_code_test::name);

TEST_P(CpuJitStrides, EveryTypeAndStrideAlongsideOneThatLiesTogether) {
    for (type_id const t : types)
        for (std::int64_t const stride : strides)
            for (std::int64_t const n : lengths) {
                std::int64_t const size = itemsize(t), apart = stride < 0 ? -stride : stride,
                                   spanned = (n - 1) * apart + 1;
                guarded const x(static_cast<std::size_t>(spanned * size), stride > 0),
                    y(static_cast<std::size_t>(n * size), true);
                fill(x.data, t, spanned, 1), fill(y.data, t, n, 2);
                char const* const first = x.data + (stride < 0 ? (spanned - 1) * size : 0);
                auto const results = [&](cpu::jit::policy how) {
                    policy_of const policy(how);
                    outcome o{std::vector<unsigned char>(static_cast<std::size_t>(n * size)), {}, {}};
                    o.second = o.first;
                    plan_builder b({n});
                    std::uint8_t const check = is_float(t) ? ops::fp::all : ops::fp::none;
                    int const a = b.load(first, t, {stride * size}), c = b.flat(y.data, t);
                    int const d = b.op(is_float(t) ? "divide" : "subtract", t, {a, c}, check);
                    int const e = b.op(is_float(t) ? "divide" : "subtract", t, {c, a}, check);
                    b.store_flat(d, o.first.data()), b.store_flat(b.op("negative", t, {e}), o.second.data());
                    o.conditions.assign(b.values.size(), 0);
                    auto const p = b.get(o.conditions.data());
                    EXPECT_EQ(cpu::run_plan(p, *vectors()), status::ok) << cpu::last_error_text();
                    return o;
                };
                ASSERT_EQ(results(cpu::jit::policy::always), results(cpu::jit::policy::off))
                    << "type " << static_cast<int>(t) << ", stride " << stride << ", " << n << " elements";
            }
}

// Together: several strides, narrow elements among wide ones, an operand that a kernel reads too, one that is stored.
TEST_P(CpuJitStrides, ManyTogether) {
    for (std::int64_t const n : lengths) {
        std::vector<char> x(static_cast<std::size_t>(4 * n * 8)), y(x.size());
        fill(x.data(), type_id::float64, 4 * n, 3), fill(y.data(), type_id::float32, 8 * n, 4);
        auto const results = [&](cpu::jit::policy how) {
            policy_of const policy(how);
            outcome o{std::vector<unsigned char>(static_cast<std::size_t>(n * 8)), {}, {}};
            o.second = o.first;
            plan_builder b({n});
            std::vector<int> wide, narrow;
            for (std::int64_t const s : {2, 3, 4}) {
                wide.push_back(b.load(x.data(), type_id::float64, {s * 8}));
                narrow.push_back(b.cast(b.load(y.data() + 4, type_id::float32, {s * 4}), type_id::float64));
            }
            wide.push_back(b.load(x.data() + (n - 1) * 8, type_id::float64, {-8}));
            narrow.push_back(b.cast(b.load(y.data() + (n - 1) * 4, type_id::float32, {-4}), type_id::float64));
            int total = b.op("sin", type_id::float64, {wide[1]});
            for (std::size_t k = 0; k < wide.size(); ++k)
                total =
                    b.op("add", type_id::float64, {total, b.op("multiply", type_id::float64, {wide[k], narrow[k]})});
            b.store_flat(b.op("maximum", type_id::float64, {total, wide[2]}), o.first.data());
            b.store_flat(wide[0], o.second.data());
            auto const p = b.get();
            EXPECT_EQ(cpu::run_plan(p, *vectors()), status::ok) << cpu::last_error_text();
            return o;
        };
        ASSERT_EQ(results(cpu::jit::policy::always), results(cpu::jit::policy::off)) << n;
    }
}

// Runs of a sum: rows of every length, of which every second is read.
TEST_P(CpuJitStrides, SumsOfRows) {
    constexpr std::int64_t rows = 21;
    for (std::int64_t const n : {300, 500, 1031})
        for (std::int64_t const stride : strides) {
            std::int64_t const apart = stride < 0 ? -stride : stride, row = apart * n, size = 8;
            std::vector<char> x(static_cast<std::size_t>(2 * rows * row * size));
            fill(x.data(), type_id::float64, 2 * rows * row, 5);
            char const* const first = x.data() + (stride < 0 ? (row - 1) * size : 0);
            auto const sums = [&](cpu::jit::policy how) {
                policy_of const policy(how);
                outcome o{std::vector<unsigned char>(rows * 8), std::vector<unsigned char>(8), {}};
                plan_builder b({rows, n}, {0, 1}), whole({rows, n}, {1, 1});
                for (plan_builder* const at : {&b, &whole}) {
                    int const v = at->load(first, type_id::float64, {2 * row * size, stride * size});
                    int const y = at->op("add", type_id::float64, {v, at->constant(1.0)}, ops::fp::all);
                    at->reduce(ops::aggregate_number<ops::aggregate::sum>, y,
                               at == &b ? o.first.data() : o.second.data(), type_id::float64, {at == &b ? 8 : 0, 0});
                    o.conditions.assign(at->values.size() + 1, 0);
                    auto const p = at->get(o.conditions.data());
                    EXPECT_EQ(cpu::run_plan(p, *vectors()), status::ok);
                }
                return o;
            };
            ASSERT_EQ(sums(cpu::jit::policy::always), sums(cpu::jit::policy::off)) << n << ", stride " << stride;
        }
}

// Rows that are no longer than a block, which the code ends at where it reads them apart.
TEST_P(CpuJitStrides, ShortRowsAreReadWhereTheyLie) {
    constexpr std::int64_t rows = 37, size = 8;
    for (std::int64_t const n : {255, 256, 333, 1000})
        for (std::int64_t const stride : {2, 3, -1, 5}) {
            std::int64_t const row = std::abs(stride) * n + 3;
            std::vector<char> x(static_cast<std::size_t>(rows * row * size));
            fill(x.data(), type_id::float64, rows * row, 6);
            char const* const first = x.data() + (stride < 0 ? (row - 1) * size : 0);
            auto const sums = [&](cpu::jit::policy how) {
                policy_of const policy(how);
                outcome o{std::vector<unsigned char>(static_cast<std::size_t>(rows * n * size)), {}, {}};
                plan_builder b({rows, n});
                int const a = b.load(first, type_id::float64, {row * size, stride * size}),
                          c = b.load(first + (stride < 0 ? -size : size), type_id::float64,
                                     {row * size, stride * size});
                b.store_flat(b.op("add", type_id::float64, {a, c}, ops::fp::all), o.first.data());
                o.conditions.assign(b.values.size(), 0);
                auto const p = b.get(o.conditions.data());
                cpu::program compiled;
                EXPECT_TRUE(cpu::compile(compiled, p, *vectors(), false));
                EXPECT_EQ(compiled.space.by_rows, how == cpu::jit::policy::always && n >= 256 && stride < 5);
                EXPECT_EQ(cpu::run_plan(p, *vectors()), status::ok);
                return o;
            };
            ASSERT_EQ(sums(cpu::jit::policy::always), sums(cpu::jit::policy::off)) << n << ", stride " << stride;
        }
}

}  // namespace
}  // namespace bascule
