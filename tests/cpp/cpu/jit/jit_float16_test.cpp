// Arithmetic on float16 by the machine against float32 and a rounding: the same bits and the same conditions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/jit/float16.hpp"
#include "backend/cpu/jit/jit.hpp"
#include "bascule/ops/table.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;
using float16_bits = std::vector<std::uint16_t>;
constexpr std::uint16_t quiet = 0x7e00;
constexpr std::uint8_t rounding = ops::fp::over | ops::fp::under;

// The second and third with conversions from and to float32 around operations on that.
enum class way : std::uint8_t { machine, conversions, by_avx2, kernels };
constexpr char const* name_of[] = {"by the machine", "by conversions", "by conversions of AVX2", "by kernels"};
std::vector<way> possible_ways() {
    std::vector<way> ways{way::conversions};
    if (cpu::jit::has_float16_arithmetic()) ways.push_back(way::machine);
    if (cpu::kernels_of("avx2")) ways.push_back(way::by_avx2);
    return ways;
}

class by {
public:
    explicit by(way w) : before_(cpu::jit::current()), float16_before_(cpu::jit::has_float16_arithmetic()) {
        cpu::jit::use(w == way::kernels ? cpu::jit::policy::off : cpu::jit::policy::always);
        cpu::jit::use_float16_arithmetic(w == way::machine);
    }
    ~by() { cpu::jit::use(before_), cpu::jit::use_float16_arithmetic(float16_before_); }
    static cpu::kernel_table const& kernels(way w) { return *cpu::kernels_of(w == way::by_avx2 ? "avx2" : "avx512"); }

private:
    cpu::jit::policy before_;
    bool float16_before_;
};

struct outcome {
    std::vector<unsigned char> first, second;
    std::vector<std::uint32_t> conditions;
    bool operator==(outcome const&) const = default;
};

// op(inputs) and op of the last two the other way round, rounded to float16 where the result is a number.
struct pair_of_ops {
    int op, ninputs;
    bool alone;              // the first only
    unsigned singles;        // a bit for each input
    float16_bits const* in;  // ninputs of them

    outcome run(way w) const {
        by const way_of(w);
        ops::spec const& s = ops::table[op];
        auto const n = static_cast<std::int64_t>(in[0].size());
        plan_builder b({n});
        std::vector<int> args;
        for (int k = 0; k < ninputs; ++k) {
            bool const single = (singles >> k & 1) != 0, chooses = k == 0 && s.call == ops::form::selection;
            type_id const t = chooses ? type_id::bool_ : type_id::float16;
            int const x = b.load(in[k].data(), t, {single ? 0 : itemsize(t)});
            args.push_back(chooses ? x : b.cast(x, type_id::float32));
        }
        type_id const result = ops::result_type(op, type_id::float32);
        outcome o{std::vector<unsigned char>(static_cast<std::size_t>(2 * n + 8), 0xa5), {}, {}};
        o.second = o.first;
        auto const store = [&](std::vector<unsigned char>& to) {
            int const v = b.op(op, result, args, s.raises & ops::fp::all);
            b.store_flat(result == type_id::float32 ? b.cast(v, type_id::float16, rounding) : v, to.data());
        };
        store(o.first);
        if (ninputs > 1) std::swap(args[args.size() - 1], args[args.size() - 2]);
        if (!alone) store(o.second);
        o.conditions.assign(b.values.size(), 0);
        auto const p = b.get(o.conditions.data());
        EXPECT_EQ(cpu::run_plan(p, by::kernels(w)), status::ok) << cpu::last_error_text();
        return o;
    }

    void compare() const {
        auto const expected = run(way::kernels);
        for (way const w : possible_ways())
            ASSERT_EQ(run(w), expected) << ops::table[op].name << ", " << in[0].size() << " elements, single inputs "
                                        << singles << ", " << name_of[static_cast<int>(w)];
    }
};

// Of several inputs NaN are all the same: which one goes on is the compiler's choice.
float16_bits any(std::size_t n, std::uint64_t seed, bool one_nan) {
    std::mt19937_64 g(seed);
    float16_bits x(n);
    for (auto& h : x) {
        h = static_cast<std::uint16_t>(g() >> 20);
        if (g() % 4 == 0) h = static_cast<std::uint16_t>((h & 0x83ff) | (g() % 16 + 8) << 10);  // usual sizes
        if (one_nan && (h & 0x7fff) > 0x7c00) h = quiet;
    }
    return x;
}

float16_bits all(bool one_nan) {
    float16_bits x(65536);
    for (std::size_t k = 0; k < x.size(); ++k)
        x[k] = one_nan && (k & 0x7fff) > 0x7c00 ? quiet : static_cast<std::uint16_t>(k);
    return x;
}

class CpuJitFloat16 : public ::testing::Test {
protected:
    void SetUp() override {
        if (!cpu::kernels_of("avx512")) GTEST_SKIP() << "this machine has no AVX-512";
    }
    template <class Check> static void each_op(Check const& check) {
        for (int op = 0; op < ops::op_count; ++op) {
            ops::spec const& s = ops::table[op];
            bool const chosen = s.call == ops::form::elementwise || s.call == ops::form::selection;
            if (!chosen || !contains(s.types, type_id::float16)) continue;
            type_id const result = ops::result_type(op, type_id::float32);
            if (result == type_id::float32 || result == type_id::bool_) check(op, s.nin);
        }
    }
};

TEST_F(CpuJitFloat16, EveryOperationOnRowsOfEveryLength) {
    each_op([](int op, int ninputs) {
        for (std::size_t const n : {1, 7, 15, 16, 17, 31, 32, 33, 100, 1024, 1031})
            for (unsigned singles = 0; singles + 1 < (1u << ninputs); ++singles) {
                std::vector<float16_bits> in;
                for (int k = 0; k < ninputs; ++k)
                    in.push_back(any(n, static_cast<std::uint64_t>(op * 10 + k), ninputs > 1));
                if (ops::table[op].call == ops::form::selection)
                    for (auto& h : in[0]) h &= 0x0101;
                pair_of_ops{op, ninputs, false, singles, in.data()}.compare();
            }
    });
}

TEST_F(CpuJitFloat16, EveryValueWithManyOthers) {
    constexpr std::uint16_t others[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x8400,
                                        0x1000, 0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x3555, 0x4248,
                                        0xc900, 0x7000, 0x7bff, 0xfbff, 0x7c00, 0xfc00, quiet};
    each_op([&](int op, int ninputs) {
        if (ninputs > 2 || ops::table[op].cost > 20) return;
        float16_bits in[2] = {all(ninputs > 1), any(65536, static_cast<std::uint64_t>(op), true)};
        pair_of_ops const p{op, ninputs, true, 0, in};
        p.compare();
        if (ninputs == 1) return;
        for (std::uint16_t const other : others) {
            std::fill(in[1].begin(), in[1].end(), other);
            pair_of_ops{op, ninputs, true, 2, in}.compare();
            pair_of_ops{op, ninputs, false, 0, in}.compare();
        }
    });
}

// NaN that signal, which conversions make quiet, and operations that move bits do not.
TEST_F(CpuJitFloat16, SignallingValuesAmongNumbers) {
    each_op([](int op, int ninputs) {
        if (ninputs != 2 || ops::table[op].cost > 20) return;
        float16_bits in[2] = {all(false), any(65536, static_cast<std::uint64_t>(op), true)};
        for (auto& h : in[1]) h = (h & 0x7fff) > 0x7c00 ? 0x3c00 : h;
        pair_of_ops{op, ninputs, true, 0, in}.compare();
        std::swap(in[0], in[1]);
        pair_of_ops{op, ninputs, true, 0, in}.compare();
    });
}

// Results that are read again, in float16 and wider, and a kernel between them.
TEST_F(CpuJitFloat16, ChainsOfThem) {
    for (std::size_t const n : {31, 1031, 20000}) {
        float16_bits const x = any(n, 1, true), y = any(n, 2, true);
        auto const results = [&](way w) {
            by const way_of(w);
            outcome o{std::vector<unsigned char>(2 * n), std::vector<unsigned char>(4 * n), {}};
            plan_builder b({static_cast<std::int64_t>(n)});
            auto const op = [&](char const* name, std::vector<int> args) {
                for (int& a : args) a = b.cast(a, type_id::float32);
                int const v = b.op(name, type_id::float32, args, ops::fp::all);
                return b.cast(v, type_id::float16, rounding);
            };
            int const a = b.flat(x.data(), type_id::float16), c = b.flat(y.data(), type_id::float16);
            int const p = op("multiply", {a, c}), q = op("add", {p, a}), e = op("exp", {q}), r = op("subtract", {e, p});
            int const s = op("maximum", {op("sqrt", {r}), op("divide", {q, c})});
            b.store_flat(s, o.first.data());
            b.store_flat(b.op("add", type_id::float32, {b.cast(p, type_id::float32), b.cast(s, type_id::float32)}),
                         o.second.data());
            o.conditions.assign(b.values.size(), 0);
            auto const plan = b.get(o.conditions.data());
            EXPECT_EQ(cpu::run_plan(plan, by::kernels(w)), status::ok) << cpu::last_error_text();
            return o;
        };
        auto const expected = results(way::kernels);
        for (way const w : possible_ways()) ASSERT_EQ(results(w), expected) << n << name_of[static_cast<int>(w)];
    }
}

}  // namespace
}  // namespace bascule
