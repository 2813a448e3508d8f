// Blocks of results that are too large for the caches, and are written past them.
#include <complex>

#include "backend/cpu/common/cpu_tuning.hpp"
#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/interpreter/compile.hpp"
#include "backend/cpu/program/program.hpp"
#include "support/every_isa.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;

// Memory that is named and never touched.
void* somewhere(int k) { return reinterpret_cast<void*>(std::intptr_t{1} << 40 | std::intptr_t{k} << 34); }

int block_of_products(std::int64_t n, bool& streams) {
    constexpr type_id t = type_id::complex128;
    plan_builder b({n});
    b.store_flat(b.op("multiply", t, {b.flat(somewhere(0), t), b.flat(somewhere(1), t)}), somewhere(2));
    plan const source = b.get();
    cpu::program p;
    EXPECT_TRUE(cpu::compile(p, source, *cpu::kernels_of("baseline"), false));
    streams = p.streams;
    return p.block;
}

TEST(CpuStreaming, BlocksAreShorter) {
    bool streams = true;
    int const kept = block_of_products(1 << 20, streams);
    EXPECT_FALSE(streams);
    int const streamed = block_of_products(1 << 22, streams);
    EXPECT_TRUE(streams);
    EXPECT_LT(streamed, kept);
}

bool streams_sum(cpu::kernel_table const& kernels, std::int64_t n, int arrays) {
    constexpr type_id t = type_id::uint8;
    plan_builder b({n});
    auto total = b.flat(somewhere(0), t);
    for (int k = 1; k < arrays; ++k) total = b.op("add", t, {total, b.flat(somewhere(k), t)});
    b.store_flat(total, somewhere(arrays));
    plan const source = b.get();
    cpu::program p;
    EXPECT_TRUE(cpu::compile(p, source, kernels, false));
    return p.streams;
}

bool streams_comparison(cpu::kernel_table const& kernels, std::int64_t n) {
    constexpr type_id t = type_id::float64;
    plan_builder b({n});
    b.store_flat(b.op("greater", type_id::bool_, {b.flat(somewhere(0), t), b.flat(somewhere(1), t)}), somewhere(2));
    plan const source = b.get();
    cpu::program p;
    EXPECT_TRUE(cpu::compile(p, source, kernels, false));
    return p.streams;
}

// Operands read in the same pass evict a result from the caches, on some processors.
TEST(CpuStreaming, WhatIsReadDrivesAResultOutOfTheCaches) {
    constexpr std::int64_t n = cpu::streamed_bytes / 4;
    for (char const* const isa : {"avx2", "avx512"}) {
        cpu::kernel_table const* const kernels = cpu::kernels_of(isa);
        if (!kernels) continue;
        EXPECT_EQ(streams_sum(*kernels, n, 8), cpu::streams_alongside_reads) << isa;
        EXPECT_FALSE(streams_sum(*kernels, n, 7)) << isa;
        EXPECT_FALSE(streams_sum(*kernels, n - 64, 16)) << isa;
        EXPECT_TRUE(streams_sum(*kernels, cpu::streamed_bytes, 2)) << isa;
        EXPECT_FALSE(streams_comparison(*kernels, n)) << isa;
    }
}

// Of a length that is a multiple of neither blocks nor vectors.
TEST(CpuStreaming, EveryElementIsWrittenOnce) {
    constexpr type_id t = type_id::complex128;
    using number = std::complex<double>;
    constexpr std::int64_t n = (std::int64_t{1} << 21) + 77;
    std::vector<number> x(n), result(n + 1);
    for (std::int64_t i = 0; i < n; ++i)
        x[static_cast<std::size_t>(i)] = number(static_cast<double>(i % 1013), static_cast<double>(i % 7));
    number by(3, -2);
    for (char const* const isa : {"baseline", "avx2", "avx512"}) {
        cpu::kernel_table const* const kernels = cpu::kernels_of(isa);
        if (!kernels) continue;
        std::fill(result.begin(), result.end(), number(-1, -1));
        plan_builder b({n});
        b.store_flat(b.op("multiply", t, {b.flat(x.data(), t), b.load(&by, t, {0})}), result.data());
        ASSERT_EQ(cpu::run_plan(b.get(), *kernels), status::ok) << cpu::last_error_text();
        for (std::int64_t i = 0; i < n; ++i) {
            number const a = x[static_cast<std::size_t>(i)];
            ASSERT_EQ(result[static_cast<std::size_t>(i)],
                      number(a.real() * 3 - a.imag() * -2, a.real() * -2 + a.imag() * 3))
                << isa << ": " << i;
        }
        EXPECT_EQ(result.back(), number(-1, -1));
    }
}

}  // namespace
}  // namespace bascule
