// Machine code that stores results between each other, item by item: as when they are stored one after the other, and
// nothing behind them is touched.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/interpreter/compile.hpp"
#include "backend/cpu/program/program.hpp"
#include "bascule/ops/spec.hpp"
#include "cpu/jit/machine_code_test.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;

struct form {
    type_id type;
    int count;   // of results
    int inputs;  // fewer than results, or not
    bool by_rows = false, in_place = false;
};

struct outcome {
    std::vector<unsigned char> memory;
    std::vector<std::uint32_t> conditions;
    bool operator==(outcome const&) const = default;
};

class CpuJitInterleave : public machine_code_test {
protected:
    // Every result is another sum or quotient; bytes behind each row, and behind the last one, stay unchanged.
    static outcome results(form const& f, std::int64_t rows, std::int64_t columns, cpu::jit::policy how) {
        policy_of const policy(how);
        std::int64_t const size = itemsize(f.type), dense = columns * f.count * size, behind = 64, row = dense + behind;
        std::mt19937_64 g(11);
        outcome o{std::vector<unsigned char>(static_cast<std::size_t>(rows * row)), {}};
        std::vector<unsigned char> from(static_cast<std::size_t>(f.inputs * rows * columns * size));
        for (auto& x : from) x = static_cast<unsigned char>(g());
        for (auto& x : o.memory) x = static_cast<unsigned char>(g());
        if (is_float(f.type))
            for (std::size_t i = 0; i < from.size() / 4; ++i) {
                float const special[] = {0.0f, -0.0f, HUGE_VALF, 1e-40f, 3e38f, 1.5f, -2.25f, 1e-3f};
                std::memcpy(from.data() + 4 * i, special + g() % 8, 4);
            }
        plan_builder b = f.by_rows ? plan_builder({rows, columns}) : plan_builder({columns});
        std::int64_t const apart = f.count * size;
        auto const place = [&](int k) { return o.memory.data() + k * size; };
        auto const strides = [&]() -> testing::extents {
            return f.by_rows ? testing::extents{row, apart} : testing::extents{apart};
        };
        std::vector<int> in;
        for (int k = 0; k < f.inputs; ++k)
            in.push_back(f.in_place ? b.load(place(k), f.type, strides())
                                    : b.flat(from.data() + k * rows * columns * size, f.type));
        std::uint8_t const check = is_float(f.type) ? ops::fp::all : ops::fp::none;
        char const* const last = is_float(f.type) ? "divide" : "bitwise_xor";
        for (int k = 0; k < f.count; ++k) {
            int const a = in[static_cast<std::size_t>(k % f.inputs)], c = in[static_cast<std::size_t>(f.inputs - 1)];
            int const sum = b.op("add", f.type, {a, in[0]}, check);
            b.store(b.op(k % 2 ? "subtract" : last, f.type, {sum, c}, check), place(f.count - 1 - k), strides());
        }
        o.conditions.assign(b.values.size(), 0);
        plan const p = b.get(o.conditions.data());
        if (how == cpu::jit::policy::always) {
            cpu::program compiled;
            EXPECT_TRUE(cpu::compile(compiled, p, *vectors(), false));
            bool const written = std::string_view(GetParam()) != "avx2" && !f.in_place;
            EXPECT_EQ(compiled.joins, written && (!f.by_rows || columns >= cpu::block_elements))
                << "type " << static_cast<int>(f.type) << ", " << f.count << " results of " << f.inputs << " inputs";
        }
        EXPECT_EQ(cpu::run_plan(p, *vectors()), status::ok) << cpu::last_error_text();
        return o;
    }

    static void compare(form const& f, std::int64_t rows, std::int64_t columns) {
        ASSERT_EQ(results(f, rows, columns, cpu::jit::policy::always), results(f, rows, columns, cpu::jit::policy::off))
            << "type " << static_cast<int>(f.type) << ", " << f.count << " results of " << f.inputs << " inputs, "
            << rows << " x " << columns;
    }
};
INSTANTIATE_TEST_SUITE_P(Isa, CpuJitInterleave, machine_code_test::instruction_sets(), machine_code_test::name);

constexpr form forms[] = {{type_id::uint8, 4, 1},   {type_id::uint8, 4, 3},  {type_id::int8, 4, 4},
                          {type_id::uint8, 2, 1},   {type_id::int8, 2, 3},   {type_id::float32, 2, 1},
                          {type_id::float32, 2, 2}, {type_id::uint32, 2, 1}, {type_id::int32, 2, 5}};

TEST_P(CpuJitInterleave, EveryLengthOfARest) {
    for (form const& f : forms)
        for (std::int64_t n = 2; n < 140; ++n) compare(f, 1, n);
}

TEST_P(CpuJitInterleave, LongRunsAndRows) {
    for (form f : forms) {
        for (std::int64_t const n : {1000, 4099, 70001}) compare(f, 1, n);
        f.by_rows = true;
        for (std::int64_t const n : {100, 256, 700, 1031}) compare(f, 9, n);
    }
}

TEST_P(CpuJitInterleave, WhatOverwritesItsInputsIsStoredByBlocks) {
    for (std::int64_t const n : {63, 64, 1000, 4099}) {
        compare({type_id::uint8, 4, 4, false, true}, 1, n);
        compare({type_id::float32, 2, 2, false, true}, 1, n);
    }
}

}  // namespace
}  // namespace bascule
