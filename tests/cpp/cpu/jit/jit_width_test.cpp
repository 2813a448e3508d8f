// Which vectors machine code of AVX-512 takes.
#include <gtest/gtest.h>

#include "backend/cpu/interpreter/compile.hpp"
#include "backend/cpu/jit/tuning.hpp"
#include "backend/cpu/program/program.hpp"
#include "support/jit_policy.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;

// Memory that is named and never touched.
void* somewhere(int k) { return reinterpret_cast<void*>(std::intptr_t{1} << 40 | std::intptr_t{k} << 32); }

// Bytes that are stored at once where the results of so many inputs are too many for the caches.
int stored_at_once(char const* op, int inputs, bool narrow) {
    bool const before = cpu::jit::narrows_vectors();
    cpu::jit::narrow_vectors(narrow);
    plan_builder b({std::int64_t{1} << 23});
    int value = b.flat(somewhere(0), type_id::float64);
    for (int k = 1; k < inputs; ++k)
        value = b.op(op, type_id::float64, {value, b.flat(somewhere(k), type_id::float64)});
    b.store_flat(value, somewhere(inputs));
    plan const source = b.get();
    cpu::program p;
    EXPECT_TRUE(cpu::compile(p, source, *cpu::kernels_of("avx512"), false));
    cpu::jit::narrow_vectors(before);
    return p.streamed_vector;
}

TEST(CpuJitWidth, WhatIsQuicklyComputedAndStoredTakesNarrowVectorsWhereTheyAreWanted) {
    if (!cpu::kernels_of("avx512")) GTEST_SKIP() << "no avx512 on this machine";
    for (char const* const op : {"add", "multiply", "maximum"}) {
        EXPECT_EQ(stored_at_once(op, 2, true), 32) << op;
        EXPECT_EQ(stored_at_once(op, 3, true), 32) << op;
        EXPECT_EQ(stored_at_once(op, 2, false), 64) << op;
    }
    EXPECT_EQ(stored_at_once("add", 5, true), 64) << "reads much";
    EXPECT_EQ(stored_at_once("divide", 2, true), 64) << "computes long";
}

}  // namespace
}  // namespace bascule
