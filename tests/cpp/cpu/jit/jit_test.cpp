// Machine code against the kernels it replaces: the same bytes and the same conditions, for every operation and type it
// is written for.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/jit/jit.hpp"
#include "bascule/ops/table.hpp"
#include "cpu/jit/machine_code_test.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;
constexpr std::int64_t lengths[] = {1, 7, 8, 9, 16, 17, 33, 1023, 1024, 1031};
constexpr std::int64_t longest = 1031;

using bytes = std::vector<unsigned char>;

template <class T> void put(bytes& to, std::size_t at, T x) { std::memcpy(to.data() + at * sizeof x, &x, sizeof x); }

// Of every kind: usual sizes, zeros of both signs, infinities, NaN, the smallest and the largest. NaN are all the same
// where operations join two of them: which one goes on is the compiler's choice.
template <class T> bytes some_reals(std::uint64_t seed, bool usual, bool signalling = false) {
    using limits = std::numeric_limits<T>;
    T const special[] = {T(0),          -T(0),         limits::infinity(),   -limits::infinity(), limits::quiet_NaN(),
                         limits::max(), limits::min(), limits::denorm_min(), -limits::max(),      T(0.5)};
    std::mt19937_64 g(seed);
    std::normal_distribution<double> normal(0, 40);
    bytes b(longest * sizeof(T));
    for (std::size_t i = 0; i < longest; ++i)
        put(b, i, !usual && g() % 5 == 0 ? special[g() % std::size(special)] : static_cast<T>(normal(g)));
    if (!signalling || usual) return b;
    for (std::size_t i = 3; i < longest; i += 50) put(b, i, limits::signaling_NaN());
    if (sizeof(T) == 4) put(b, 5, 0xff800001u);  // NaN whose payload does not fit into a float16
    return b;
}

bytes some_elements(type_id t, std::uint64_t seed, bool usual, bool signalling = false) {
    if (t == type_id::float64) return some_reals<double>(seed, usual, signalling);
    if (t == type_id::float32) return some_reals<float>(seed, usual, signalling);
    std::mt19937_64 g(seed);
    bytes b(static_cast<std::size_t>(longest * itemsize(t)));
    for (auto& x : b) x = static_cast<unsigned char>(t == type_id::bool_ ? g() & 1 : g());
    if (t == type_id::float16)
        for (std::size_t i = 0; i < longest; ++i)
            put(b, i, static_cast<std::uint16_t>(0x3c00 ^ (g() & (usual ? 0x83ff : 0xffff))));
    else if (t != type_id::bool_ && itemsize(t) >= 4)
        for (std::size_t i = 0; i < b.size(); i += static_cast<std::size_t>(itemsize(t)))
            if (g() % 2) std::memset(b.data() + i + 1, b[i] & 1 ? 0xff : 0, static_cast<std::size_t>(itemsize(t) - 1));
    return b;
}

struct outcome {
    std::vector<bytes> outputs;
    std::vector<std::uint32_t> conditions;
    bool operator==(outcome const&) const = default;
};

// A plan of two operations of one kind, so that there is something to join, over inputs of which some are one element.
struct pair_of_ops {
    int op;
    type_id from, to;
    int ninputs;
    std::int64_t n;
    unsigned singles;  // a bit for each input
    bool usual;

    type_id input(int k) const { return k == 0 && ops::table[op].call == ops::form::selection ? type_id::bool_ : from; }

    outcome run(cpu::kernel_table const& kernels, cpu::jit::policy how) const {
        policy_of const policy(how);
        plan_builder b({n});
        std::vector<bytes> in;
        std::vector<int> args, turned;
        for (int k = 0; k < ninputs; ++k) {
            in.push_back(some_elements(input(k), static_cast<std::uint64_t>(op * 100 + k), usual, ninputs == 1));
            bool const single = (singles >> k & 1) != 0;
            args.push_back(b.load(in.back().data(), input(k), {single ? 0 : itemsize(input(k))}));
        }
        turned = args;
        if (ninputs > 1)
            std::swap(turned[static_cast<std::size_t>(ninputs) - 1], turned[static_cast<std::size_t>(ninputs) - 2]);
        if (ninputs == 1) {
            in.push_back(some_elements(from, 77, usual));
            turned = {b.load(in.back().data(), from, {itemsize(from)})};
        }
        bool const is_cast = ops::table[op].call == ops::form::cast;
        std::uint8_t const of_cast = to == type_id::float16 ? ops::fp::over | ops::fp::under : ops::fp::none;
        std::uint8_t const check = is_cast ? of_cast : ops::table[op].raises & ops::fp::all;
        outcome o{{bytes(static_cast<std::size_t>((n + 8) * itemsize(to)), 0xa5), {}}, {}};
        o.outputs[1] = o.outputs[0];
        int const first = b.op(op, to, args, check), second = b.op(op, to, turned, check);
        b.store_flat(first, o.outputs[0].data());
        b.store_flat(second, o.outputs[1].data());
        o.conditions.assign(b.values.size(), 0);
        auto const p = b.get(o.conditions.data());
        EXPECT_EQ(cpu::run_plan(p, kernels), status::ok) << cpu::last_error_text();
        return o;
    }
};

void compare(pair_of_ops const& p, cpu::kernel_table const& kernels) {
    ASSERT_EQ(p.run(kernels, cpu::jit::policy::always), p.run(kernels, cpu::jit::policy::off))
        << ops::table[p.op].name << " from " << static_cast<int>(p.from) << " to " << static_cast<int>(p.to) << ", "
        << p.n << " elements, single inputs " << p.singles << (p.usual ? ", usual" : ", special");
}

class CpuJit : public machine_code_test {};
INSTANTIATE_TEST_SUITE_P(Isa, CpuJit, machine_code_test::instruction_sets(), machine_code_test::name);

TEST_P(CpuJit, EveryOperationHasTheBitsAndConditionsOfItsKernel) {
    for (int op = 0; op < ops::op_count; ++op) {
        ops::spec const& s = ops::table[op];
        if (s.call != ops::form::elementwise && s.call != ops::form::selection) continue;
        for (int t = 0; t < type_count; ++t) {
            type_id const type = type_id(t);
            if (!contains(s.types, type) || type == type_id::float16) continue;
            for (std::int64_t const n : lengths)
                for (unsigned singles = 0; singles + 1 < (1u << s.nin); ++singles)
                    for (bool const usual : {true, false})
                        compare({op, type, ops::result_type(op, type), s.nin, n, singles, usual}, *vectors());
        }
    }
}

TEST_P(CpuJit, EveryCastHasTheBitsOfItsKernel) {
    for (int from = 0; from < type_count; ++from)
        for (int to = 0; to < type_count; ++to) {
            if (!vectors()->cast[from][to] || is_time(type_id(from)) != is_time(type_id(to))) continue;
            for (std::int64_t const n : lengths)
                for (bool const usual : {true, false})
                    compare({ops::find("cast"), type_id(from), type_id(to), 1, n, 0, usual}, *vectors());
        }
}

// A quotient by one divisor of every size, of both signs, and none at all; alone, and read again.
TEST_P(CpuJit, QuotientsByOneDivisor) {
    using limits = std::numeric_limits<double>;
    constexpr double divisors[] = {3,
                                   -7,
                                   9.7,
                                   1e-30,
                                   -1e29,
                                   1e31,
                                   1e100,
                                   1e-150,
                                   5e-324,
                                   0.0,
                                   -0.0,
                                   1e300,
                                   limits::infinity(),
                                   limits::quiet_NaN()};
    for (double const by : divisors)
        for (unsigned const kind : {0u, 1u, 2u, 3u})
            for (std::int64_t const n : lengths) {
                bool const usual = (kind & 1) != 0, alone = (kind & 2) != 0;
                auto const quotients = [&](cpu::jit::policy how) {
                    policy_of const policy(how);
                    auto const x = some_reals<double>(3, usual);
                    outcome o{{bytes(static_cast<std::size_t>(n) * 8)}, {}};
                    plan_builder b({n});
                    int const a = b.flat(x.data(), type_id::float64), d = b.constant(by);
                    int const q = b.op("divide", type_id::float64, {a, d}, ops::fp::all);
                    b.store_flat(alone ? q : b.op("negative", type_id::float64, {q}), o.outputs[0].data());
                    o.conditions.assign(b.values.size(), 0);
                    auto const p = b.get(o.conditions.data());
                    EXPECT_EQ(cpu::run_plan(p, *vectors()), status::ok);
                    return o;
                };
                ASSERT_EQ(quotients(cpu::jit::policy::always), quotients(cpu::jit::policy::off))
                    << by << ", " << n << (usual ? "" : ", special");
            }
}

// Dividends of every exponent, zeros among them or none, and divisors of both signs.
template <class T>
outcome quotients_of_every_size(T by, bool zeros, cpu::jit::policy how, cpu::kernel_table const& kernels) {
    policy_of const policy(how);
    constexpr type_id t = id_of<T>::value;
    using limits = std::numeric_limits<T>;
    std::vector<T> x;
    for (int k = limits::min_exponent - limits::digits; k <= limits::max_exponent; ++k)
        for (T const a : {T(0.6180339), T(-0.9999999), T(0.5)}) {
            x.push_back(std::ldexp(a, k));
            if (zeros && x.size() % 5 == 0) x.push_back(x.size() % 2 ? T(0) : -T(0));
        }
    auto const n = static_cast<std::int64_t>(x.size());
    outcome o{{bytes(x.size() * sizeof(T))}, {}};
    plan_builder b({n});
    int const q = b.op("divide", t, {b.flat(x.data(), t), b.constant(by)}, ops::fp::all);
    b.store_flat(b.op("negative", t, {q}), o.outputs[0].data());
    o.conditions.assign(b.values.size(), 0);
    auto const p = b.get(o.conditions.data());
    EXPECT_EQ(cpu::run_plan(p, kernels), status::ok) << cpu::last_error_text();
    return o;
}

TEST_P(CpuJit, QuotientsOfEverySize) {
    auto const compare = [](auto by, bool zeros) {
        ASSERT_EQ(quotients_of_every_size(by, zeros, cpu::jit::policy::always, *vectors()),
                  quotients_of_every_size(by, zeros, cpu::jit::policy::off, *vectors()))
            << by << (zeros ? ", zeros" : "");
    };
    for (bool const zeros : {false, true})
        for (double const by : {9.0, -9.0, 1e29, -1e-29, 0x1.8p100, 0x1.8p-100}) {
            compare(by, zeros);
            compare(static_cast<float>(by < 0 ? -std::sqrt(std::abs(by)) : std::sqrt(by)), zeros);
        }
}

// Elements of one size are compared, those of another chosen; conditions are read, joined, stored and become numbers.
TEST_P(CpuJit, ConditionsAmongElementsOfEverySize) {
    constexpr type_id types[] = {type_id::float64, type_id::float32, type_id::int64, type_id::uint64,
                                 type_id::int32,   type_id::uint32,  type_id::int8,  type_id::uint8};
    for (type_id const compared : types)
        for (type_id const chosen : types)
            for (std::int64_t const n : lengths)
                for (bool const single : {false, true}) {
                    auto const results = [&](cpu::jit::policy how) {
                        policy_of const policy(how);
                        auto const bytes_of = [&](type_id t) { return static_cast<std::size_t>(n * itemsize(t)); };
                        bytes const a = some_elements(compared, 1, false), b = some_elements(compared, 2, false),
                                    x = some_elements(chosen, 3, false), y = some_elements(chosen, 4, false),
                                    c = some_elements(type_id::bool_, 5, false);
                        outcome o{{bytes(bytes_of(chosen)), bytes(bytes_of(compared)), bytes(bytes_of(type_id::bool_))},
                                  {}};
                        plan_builder p({n});
                        int const va = p.flat(a.data(), compared), vb = p.flat(b.data(), compared);
                        int const vx = p.flat(x.data(), chosen), vy = p.flat(y.data(), chosen);
                        int const vc = p.load(c.data(), type_id::bool_, {single ? 0 : 1});
                        int const less = p.op("less", type_id::bool_, {va, vb});
                        int const boolean =
                            p.op("logical_or", type_id::bool_, {p.op("logical_not", type_id::bool_, {vx}), vc});
                        int const both = p.op("logical_xor", type_id::bool_, {less, boolean});
                        p.store_flat(p.op("where", chosen, {both, vx, vy}), o.outputs[0].data());
                        p.store_flat(p.cast(both, compared), o.outputs[1].data());
                        p.store_flat(
                            p.op("logical_and", type_id::bool_, {both, p.op("less_equal", type_id::bool_, {vx, vy})}),
                            o.outputs[2].data());
                        auto const plan = p.get();
                        EXPECT_EQ(cpu::run_plan(plan, *vectors()), status::ok) << cpu::last_error_text();
                        return o;
                    };
                    ASSERT_EQ(results(cpu::jit::policy::always), results(cpu::jit::policy::off))
                        << static_cast<int>(compared) << ", " << static_cast<int>(chosen) << ", " << n;
                }
}

// float16 together with doubles, NaN of every kind among it, to double and back.
TEST_P(CpuJit, Float16AmongDoubles) {
    for (std::int64_t const n : lengths) {
        auto const results = [&](cpu::jit::policy how) {
            policy_of const policy(how);
            bytes const x = some_elements(type_id::float16, 1, false), y = some_reals<double>(2, false),
                        z = some_reals<float>(3, false, true);
            outcome o{{bytes(static_cast<std::size_t>(n) * 8), bytes(static_cast<std::size_t>(n) * 2)}, {}};
            plan_builder b({n});
            int const half = b.cast(b.flat(x.data(), type_id::float16), type_id::float32);
            int const sum =
                b.op("add", type_id::float64, {b.cast(half, type_id::float64), b.flat(y.data(), type_id::float64)});
            b.store_flat(b.op("negative", type_id::float64, {sum}), o.outputs[0].data());
            b.store_flat(b.cast(b.flat(z.data(), type_id::float32), type_id::float16), o.outputs[1].data());
            auto const p = b.get();
            EXPECT_EQ(cpu::run_plan(p, *vectors()), status::ok) << cpu::last_error_text();
            return o;
        };
        ASSERT_EQ(results(cpu::jit::policy::always), results(cpu::jit::policy::off)) << n;
    }
}

// More values at once than there are registers: inputs are read again, or the run is cut.
TEST_P(CpuJit, ManyValuesAlive) {
    for (int const many : {5, 12, 20, 28}) {
        auto const sums = [&](cpu::jit::policy how) {
            policy_of const policy(how);
            std::vector<bytes> in;
            for (int k = 0; k < many; ++k) in.push_back(some_reals<double>(static_cast<std::uint64_t>(k), true));
            outcome o{{bytes(longest * 8), bytes(longest)}, {}};
            plan_builder b({longest});
            std::vector<int> x, y;
            for (auto const& i : in) x.push_back(b.flat(i.data(), type_id::float64));
            for (int k = 0; k < many; ++k)
                y.push_back(b.op("multiply", type_id::float64,
                                 {x[static_cast<std::size_t>(k)], x[static_cast<std::size_t>((k + 1) % many)]}));
            int total = b.op("add", type_id::float64, {y[0], x[0]});
            for (std::size_t k = y.size(); k-- > 1;) total = b.op("subtract", type_id::float64, {total, y[k]});
            for (std::size_t k = 0; k < x.size(); ++k) total = b.op("maximum", type_id::float64, {total, x[k]});
            b.store_flat(total, o.outputs[0].data());
            b.store_flat(b.op("greater", type_id::bool_, {total, x[0]}), o.outputs[1].data());
            auto const p = b.get();
            EXPECT_EQ(cpu::run_plan(p, *vectors()), status::ok) << cpu::last_error_text();
            return o;
        };
        ASSERT_EQ(sums(cpu::jit::policy::always), sums(cpu::jit::policy::off)) << many;
    }
}

}  // namespace
}  // namespace bascule
