// Random element-wise plans against the reference device, on every instruction set the machine has: equal bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/dispatch/kernels.hpp"
#include "backend/cpu/engine/run.hpp"
#include "support/plan_builder.hpp"

namespace {

using namespace bascule;
using bascule::testing::plan_builder;

constexpr char const* isas[] = {"baseline", "avx2", "avx512"};

void fill_random(std::mt19937& g, type_id t, void* p, std::int64_t n) {
    std::uniform_int_distribution<int> small(-50, 50);
    for (std::int64_t i = 0; i < n; ++i) {
        int const x = small(g);
        switch (t) {
            case type_id::bool_: static_cast<std::uint8_t*>(p)[i] = x > 0; break;
            case type_id::int8:
            case type_id::uint8: static_cast<std::int8_t*>(p)[i] = static_cast<std::int8_t>(x); break;
            case type_id::int16:
            case type_id::uint16: static_cast<std::int16_t*>(p)[i] = static_cast<std::int16_t>(x * 37); break;
            case type_id::int32:
            case type_id::uint32: static_cast<std::int32_t*>(p)[i] = x * 100003; break;
            case type_id::int64:
            case type_id::uint64: static_cast<std::int64_t*>(p)[i] = x * 10000000019LL; break;
            case type_id::float16: static_cast<std::uint16_t*>(p)[i] = static_cast<std::uint16_t>(0x3c00 + x); break;
            case type_id::float32: static_cast<float*>(p)[i] = static_cast<float>(x) / 7; break;
            case type_id::float64: static_cast<double*>(p)[i] = x / 7.0; break;
            case type_id::complex64:
                static_cast<complex<float>*>(p)[i] = {static_cast<float>(x) / 3, static_cast<float>(small(g))};
                break;
            case type_id::complex128: static_cast<complex<double>*>(p)[i] = {x / 3.0, small(g) / 9.0}; break;
            default: static_cast<std::int64_t*>(p)[i] = x == 50 ? nat : x; break;
        }
    }
}

// A random view of `shape` into a fresh buffer: flat, broadcast, every second, reversed or transposed.
struct random_operand {
    std::vector<char> memory;
    char* base;
    std::vector<std::int64_t> strides;

    random_operand(std::mt19937& g, std::vector<std::int64_t> const& shape, type_id t, bool broadcast) {
        std::size_t const nd = shape.size();
        std::vector<std::size_t> order(nd);
        for (std::size_t d = 0; d < nd; ++d) order[d] = d;
        int const kind = static_cast<int>(g() % 5);
        if (kind == 3) std::shuffle(order.begin(), order.end(), g);
        strides.assign(nd, 0);
        std::int64_t step = 1, lowest = 0;
        for (std::size_t k = nd; k-- > 0;) {
            std::size_t const d = order[k];
            if (kind == 1 && broadcast && g() % 2) continue;
            std::int64_t const factor = kind == 2 ? 2 : 1;
            bool const reversed = kind == 4 && g() % 2;
            strides[d] = (reversed ? -1 : 1) * step * factor * itemsize(t);
            if (reversed && shape[d] > 0) lowest += (shape[d] - 1) * step;
            step *= factor * (shape[d] ? shape[d] : 1);
        }
        memory.resize(static_cast<std::size_t>((step + 64) * itemsize(t)));
        fill_random(g, t, memory.data(), step);
        base = memory.data() + lowest * itemsize(t);
    }
};

std::vector<std::int64_t> random_shape(std::mt19937& g) {
    static std::vector<std::vector<std::int64_t>> const shapes = {
        {},       {0},         {1},         {7},      {1023}, {1025},    {3001},   {5, 3},       {700, 3},
        {3, 700}, {40, 33, 5}, {2, 3, 300}, {64, 65}, {1, 1}, {5, 0, 3}, {9, 257}, {4, 3, 2, 31}};
    return shapes[g() % shapes.size()];
}

void expect_same(plan_builder& b, std::vector<random_operand>& outs, std::string const& what, bool all_used = true) {
    std::vector<std::vector<char>> originals;
    for (auto& o : outs) originals.push_back(o.memory);
    std::vector<std::uint32_t> wanted_flags(b.values.size());
    plan p = b.get(wanted_flags.data());
    ASSERT_EQ(reference_backend()->run(0, &p, nullptr), status::ok) << what << reference_backend()->last_error();
    std::vector<std::vector<char>> wanted;
    for (auto& o : outs) wanted.push_back(o.memory);
    for (char const* isa : isas) {
        auto const* kernels = cpu::kernels_of(isa);
        if (!kernels) continue;
        for (std::size_t k = 0; k < outs.size(); ++k)
            std::copy(originals[k].begin(), originals[k].end(), outs[k].memory.begin());
        std::vector<std::uint32_t> flags(b.values.size());
        p = b.get(flags.data());
        ASSERT_EQ(cpu::run_plan(p, *kernels), status::ok) << what << cpu::last_error_text();
        for (std::size_t k = 0; k < outs.size(); ++k)
            ASSERT_EQ(outs[k].memory, wanted[k]) << what << " on " << isa << ", output " << k;
        ASSERT_TRUE(!all_used || flags == wanted_flags) << what << " on " << isa;
        for (std::size_t v = 0; v < flags.size(); ++v)  // the reference also checks values that are not used
            ASSERT_EQ(flags[v] & ~wanted_flags[v], 0u) << what << " on " << isa << ", value " << v;
    }
}

std::vector<type_id> types_of(type_set s) {
    std::vector<type_id> all;
    for (int t = 0; t < type_count; ++t)
        if (contains(s, type_id(t)) && type_id(t) != type_id::float16) all.push_back(type_id(t));
    return all;
}

std::string shape_text(std::vector<std::int64_t> const& s) {
    std::string t = "(";
    for (auto x : s) t += std::to_string(x) + ",";
    return t + ")";
}

TEST(elementwise, every_exact_op_of_every_type_equals_the_reference) {
    std::mt19937 g(1);
    for (int op = 0; op < ops::op_count; ++op) {
        ops::spec const& s = ops::table[op];
        if (s.call == ops::form::cast || s.call == ops::form::counter || s.call == ops::form::sample || s.ulp64 != 0)
            continue;
        for (type_id t : types_of(s.types))
            for (int round = 0; round < 4; ++round) {
                auto const shape = random_shape(g);
                plan_builder b(shape);
                std::vector<random_operand> in, out;
                std::vector<int> args;
                for (int k = 0; k < s.nin; ++k) {
                    type_id const input = k == 0 && s.call == ops::form::selection ? type_id::bool_ : t;
                    in.emplace_back(g, shape, input, true);
                    args.push_back(b.load(in.back().base, input, in.back().strides));
                }
                type_id const result = ops::result_type(op, t);
                out.emplace_back(g, shape, result, false);
                int const v = b.op(op, result, args,
                                   is_time(t) ? 0 : s.raises & (ops::fp::divide | ops::fp::over | ops::fp::invalid));
                b.store(v, out.back().base, out.back().strides);
                ASSERT_NO_FATAL_FAILURE(expect_same(b, out,
                                                    std::string(s.name) + " of type " +
                                                        std::to_string(static_cast<int>(t)) + shape_text(shape)));
            }
    }
}

TEST(elementwise, every_cast_equals_the_reference) {
    std::mt19937 g(2);
    for (int from = 0; from < type_count; ++from)
        for (int to = 0; to < type_count; ++to) {
            auto const shape = random_shape(g);
            plan_builder b(shape);
            random_operand in(g, shape, type_id(from), true);
            std::vector<random_operand> out;
            out.emplace_back(g, shape, type_id(to), false);
            int const v = b.cast(b.load(in.base, type_id(from), in.strides), type_id(to));
            b.store(v, out.back().base, out.back().strides);
            ASSERT_NO_FATAL_FAILURE(
                expect_same(b, out, "cast " + std::to_string(from) + " to " + std::to_string(to) + shape_text(shape)));
        }
}

// Chains that provoke register reuse, fused products, constants, several outputs and checks.
TEST(elementwise, random_expressions_equal_the_reference) {
    std::mt19937 g(3);
    char const* const binary[] = {"add", "subtract", "multiply", "add", "subtract", "multiply", "divide", "maximum"};
    for (int round = 0; round < 400; ++round) {
        auto const shape = random_shape(g);
        plan_builder b(shape);
        type_id const t = g() % 2 ? type_id::float64 : type_id::float32;
        std::vector<random_operand> in, out;
        std::vector<int> reals, bools;
        for (int k = 0; k < 3; ++k) {
            in.emplace_back(g, shape, t, true);
            reals.push_back(b.load(in.back().base, t, in.back().strides));
        }
        double const c = g() % 3 == 0 ? 2.0 : g() % 2 ? 0.25 : 3.0;
        reals.push_back(t == type_id::float64 ? b.constant(c) : b.constant(static_cast<float>(c)));
        reals.push_back(b.cast(b.iota(3, std::vector<std::int64_t>(shape.size(), 2)), t));
        int const steps = 1 + static_cast<int>(g() % 25);
        auto pick = [&](std::vector<int> const& v) {
            return g() % 2 ? v[v.size() - 1 - g() % std::min<std::size_t>(3, v.size())] : v[g() % v.size()];
        };
        for (int k = 0; k < steps; ++k) {
            auto const checks =
                static_cast<std::uint8_t>(g() % 4 ? 0 : ops::fp::divide | ops::fp::over | ops::fp::invalid);
            switch (g() % 6) {
                case 0: bools.push_back(b.op("less", type_id::bool_, {pick(reals), pick(reals)})); break;
                case 1:
                    if (!bools.empty()) {
                        reals.push_back(b.op("where", t, {pick(bools), pick(reals), pick(reals)}));
                        break;
                    }
                    [[fallthrough]];
                default: reals.push_back(b.op(binary[g() % 8], t, {pick(reals), pick(reals)}, checks)); break;
            }
        }
        std::vector<int> stored = {reals.back()};
        if (g() % 2) stored.push_back(pick(reals));
        if (!bools.empty() && g() % 2) stored.push_back(bools.back());
        for (int v : stored) {
            out.emplace_back(g, shape, b.type_of(v), false);
            b.store(v, out.back().base, out.back().strides);
        }
        ASSERT_NO_FATAL_FAILURE(expect_same(b, out, "round " + std::to_string(round) + shape_text(shape), false));
    }
}

// Every value is used, so a fast program that tests only some of them must report the same errors as the reference.
TEST(elementwise, conditions_of_chains_equal_the_reference) {
    std::mt19937 g(4);
    char const* const names[] = {"add", "subtract", "multiply", "divide", "square", "sqrt", "maximum", "where"};
    for (int round = 0; round < 300; ++round) {
        std::vector<std::int64_t> const shape = {static_cast<std::int64_t>(g() % 3000)};
        plan_builder b(shape);
        std::vector<random_operand> in, out;
        in.emplace_back(g, shape, type_id::float64, false);
        in.emplace_back(g, shape, type_id::float64, false);
        int const x = b.load(in[0].base, type_id::float64, in[0].strides),
                  y = b.load(in[1].base, type_id::float64, in[1].strides);
        int const large = b.constant(1e200), condition = b.op("less", type_id::bool_, {x, y});
        int v = x;
        std::string what;
        for (int k = 0, steps = 1 + static_cast<int>(g() % 6); k < steps; ++k) {
            char const* const name = names[g() % 8];
            int const op = ops::find(name), other = g() % 3 ? y : large;
            auto const checks =
                static_cast<std::uint8_t>(ops::table[op].raises & (ops::fp::divide | ops::fp::over | ops::fp::invalid));
            if (ops::table[op].nin == 1) v = b.op(op, type_id::float64, {v}, checks);
            else if (ops::table[op].nin == 3) v = b.op(op, type_id::float64, {condition, v, other}, checks);
            else v = b.op(op, type_id::float64, {v, other}, checks);
            what += std::string(name) + " ";
        }
        out.emplace_back(g, shape, type_id::float64, false);
        b.store(v, out[0].base, out[0].strides);
        ASSERT_NO_FATAL_FAILURE(expect_same(b, out, what));
    }
}

// Divisions by constants inside sums, on either side, more than a program may turn into products.
template <class T> void check_quotients_in_sums() {
    std::mt19937 g(8);
    type_id const t = id_of<T>::value;
    T const divisors[] = {2,
                          T(-0.25),
                          3,
                          T(0x1p100),
                          T(-0x1p-100),
                          1,
                          0,
                          std::numeric_limits<T>::infinity(),
                          std::numeric_limits<T>::denorm_min()};
    for (int round = 0; round < 200; ++round) {
        auto const shape = random_shape(g);
        plan_builder b(shape);
        std::vector<random_operand> in, out;
        for (int k = 0; k < 3; ++k) in.emplace_back(g, shape, t, true);
        T* const first = reinterpret_cast<T*>(in[0].memory.data());
        for (T const special : {std::numeric_limits<T>::min() * T(1.5), std::numeric_limits<T>::quiet_NaN(),
                                std::numeric_limits<T>::max(), T(-0.0)})
            first[g() % 60] = special;
        std::vector<int> loads;
        for (auto& x : in) loads.push_back(b.load(x.base, t, x.strides));
        auto const checks = static_cast<std::uint8_t>(g() % 2 ? ops::fp::divide | ops::fp::over | ops::fp::invalid : 0);
        int sum = loads[0];
        for (int k = 0, terms = 1 + static_cast<int>(g() % 12); k < terms; ++k) {
            int const quotient = b.op("divide", t, {loads[g() % 3], b.constant(divisors[g() % 9])}, checks);
            char const* const name = g() % 2 ? "add" : "subtract";
            sum = g() % 2 ? b.op(name, t, {sum, quotient}, checks) : b.op(name, t, {quotient, sum}, checks);
        }
        out.emplace_back(g, shape, t, false);
        b.store(sum, out[0].base, out[0].strides);
        ASSERT_NO_FATAL_FAILURE(expect_same(b, out, "round " + std::to_string(round) + shape_text(shape)));
    }
}
TEST(elementwise, quotients_in_sums_of_float64_equal_the_reference) { check_quotients_in_sums<double>(); }
TEST(elementwise, quotients_in_sums_of_float32_equal_the_reference) { check_quotients_in_sums<float>(); }

// Rounded differently with and without a fused multiply-add, but within twice the error that the op promises.
template <class T> void expect_close(int op, type_id t, double ulps) {
    ops::spec const& s = ops::table[op];
    std::int64_t const n = 3000;
    std::mt19937 g(6);
    std::uniform_real_distribution<double> any(s.range.low, s.range.high);
    std::vector<std::vector<T>> x(static_cast<std::size_t>(s.nin), std::vector<T>(static_cast<std::size_t>(n)));
    for (auto& input : x)
        for (auto& e : input) e = static_cast<T>(any(g));
    if (std::string(s.name) == "sin" || std::string(s.name) == "cos" || std::string(s.name) == "tan")
        x[0][1500] = static_cast<T>(1e9);
    std::vector<T> wanted(static_cast<std::size_t>(n)), got = wanted;
    plan_builder b({n});
    std::vector<int> args;
    for (auto& input : x) args.push_back(b.flat(input.data(), t));
    b.store_flat(b.op(op, t, args), wanted.data());
    plan p = b.get();
    ASSERT_EQ(reference_backend()->run(0, &p, nullptr), status::ok);
    b.move_store(0, got.data());
    for (char const* isa : isas) {
        auto const* kernels = cpu::kernels_of(isa);
        if (!kernels) continue;
        p = b.get();
        ASSERT_EQ(cpu::run_plan(p, *kernels), status::ok);
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i]))) continue;
            double const error = std::abs(static_cast<double>(got[i]) - static_cast<double>(wanted[i]));
            ASSERT_LE(error, 2 * ulps * std::numeric_limits<T>::epsilon() * std::abs(static_cast<double>(wanted[i])) +
                                 std::numeric_limits<T>::denorm_min())
                << s.name << " of " << x[0][i] << " on " << isa;
        }
    }
}

TEST(elementwise, elementary_functions_are_close_to_the_reference) {
    for (int op = 0; op < ops::op_count; ++op) {
        ops::spec const& s = ops::table[op];
        if (s.call != ops::form::elementwise || s.ulp64 == 0) continue;
        if (contains(s.types, type_id::float64) && ops::result_type(op, type_id::float64) == type_id::float64) {
            ASSERT_NO_FATAL_FAILURE(expect_close<double>(op, type_id::float64, s.ulp64));
        }
        if (contains(s.types, type_id::float32) && ops::result_type(op, type_id::float32) == type_id::float32) {
            ASSERT_NO_FATAL_FAILURE(expect_close<float>(op, type_id::float32, s.ulp32));
        }
    }
}

TEST(elementwise, sine_and_cosine_of_one_value_equal_each_alone) {
    std::int64_t const n = 2000;
    std::mt19937 g(7);
    std::vector<double> x(static_cast<std::size_t>(n)), s(x), c(x), s2(x), c2(x);
    for (auto& e : x) e = std::uniform_real_distribution<double>(-20, 20)(g);
    x[1999] = 1e18;
    for (char const* isa : isas) {
        auto const* kernels = cpu::kernels_of(isa);
        if (!kernels) continue;
        plan_builder both({n}), sine({n}), cosine({n});
        int const v = both.flat(x.data(), type_id::float64), cos = both.op("cos", type_id::float64, {v}),
                  sin = both.op("sin", type_id::float64, {v});
        both.store_flat(sin, s.data());
        both.store_flat(cos, c.data());
        sine.store_flat(sine.op("sin", type_id::float64, {sine.flat(x.data(), type_id::float64)}), s2.data());
        cosine.store_flat(cosine.op("cos", type_id::float64, {cosine.flat(x.data(), type_id::float64)}), c2.data());
        for (plan_builder* b : {&both, &sine, &cosine}) {
            plan const p = b->get();
            ASSERT_EQ(cpu::run_plan(p, *kernels), status::ok);
        }
        EXPECT_EQ(s, s2) << isa;
        EXPECT_EQ(c, c2) << isa;
        EXPECT_NEAR(s[7], std::sin(x[7]), 1e-15);
    }
}

TEST(elementwise, an_output_may_lie_on_its_input) {
    for (char const* isa : isas) {
        auto const* kernels = cpu::kernels_of(isa);
        if (!kernels) continue;
        std::vector<double> x(5000, 3.0);
        x[77] = 0;
        std::uint32_t flags[5] = {};
        plan_builder b({5000});
        int const v = b.flat(x.data(), type_id::float64);
        int const sum =
            b.op("add", type_id::float64, {b.op("divide", type_id::float64, {b.constant(1.0), v}, ops::fp::divide), v});
        b.store_flat(sum, x.data());
        plan const p = b.get(flags);
        ASSERT_EQ(cpu::run_plan(p, *kernels), status::ok);
        EXPECT_EQ(x[4999], 1 / 3.0 + 3.0);
        EXPECT_TRUE(std::isinf(x[77]));
        EXPECT_EQ(flags[2], ops::fp::divide);
    }
}

TEST(cpu_stream, copies_any_length_between_any_addresses_and_nothing_more) {
    for (char const* isa : isas) {
        auto const* const kernels = cpu::kernels_of(isa);
        if (!kernels) continue;
        std::vector<unsigned char> from(700), to(700), expected(700);
        for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i * 7 + 1);
        for (std::size_t const length : {0, 1, 7, 63, 64, 65, 127, 128, 200, 513})
            for (std::size_t shift = 0; shift < 65; shift += 3) {
                std::fill(to.begin(), to.end(), 0xee);
                expected = to;
                std::copy_n(from.begin() + 5, length, expected.begin() + static_cast<std::ptrdiff_t>(shift));
                kernels->stream(to.data() + shift, from.data() + 5, length);
                ASSERT_EQ(to, expected) << isa << ' ' << length << ' ' << shift;
            }
    }
}

}  // namespace
