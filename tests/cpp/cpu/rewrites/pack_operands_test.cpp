// Small operands that are read many times in another order than memory's, against the reference device.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/rewrites/pack_operands.hpp"
#include "bascule/ops/aggregate.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;
constexpr std::int64_t outer = 90, middle = 30, inner = 70;
constexpr type_id items[] = {type_id::uint8, type_id::int16, type_id::float32, type_id::float64, type_id::complex128};

// x[i] + y[j] + z[i, j] for small y and z whose last axis is not the fastest-varying.
struct sums {
    type_id type;
    std::vector<unsigned char> memory, result;
    std::vector<std::int64_t> strides;  // of the small operand, in elements
    std::int64_t first = 0;             // the offset of its element 0

    std::vector<unsigned char> run(bool reduces, cpu::kernel_table const* kernels) {
        std::int64_t const size = itemsize(type);
        std::vector<unsigned char> big(static_cast<std::size_t>(outer * middle * inner * size));
        for (std::size_t k = 0; k < big.size(); k += static_cast<std::size_t>(size))
            big[k] = static_cast<unsigned char>(k / 7);
        plan_builder b({outer, middle, inner}, {});
        if (reduces) b.reduced = {0, 0, 1};
        auto bytes = strides;
        for (auto& s : bytes) s *= size;
        int const x = b.flat(big.data(), type), y = b.load(memory.data() + first * size, type, bytes);
        int const sum = b.op("add", type, {x, y});
        result.assign(big.size(), 0);
        if (reduces)
            b.reduce(ops::aggregate_number<ops::aggregate::maximum>, sum, result.data(), type,
                     {middle * size, size, 0});
        else b.store_flat(sum, result.data());
        auto const p = b.get();
        EXPECT_TRUE(cpu::packed_operands::applies(p));
        EXPECT_EQ(kernels ? cpu::run_plan(p, *kernels) : reference_backend()->run(0, &p, nullptr), status::ok);
        return result;
    }
};

TEST(CpuPackOperands, SmallOperandsInEveryOrder) {
    std::vector<std::vector<std::int64_t>> const layouts = {
        {0, 1, middle}, {0, 0, 3}, {0, -inner, -1}, {0, 2, 2 * middle + 1}, {1, 0, outer}};
    for (type_id const t : items)
        for (auto const& strides : layouts)
            for (bool const reduces : {false, true}) {
                sums s{t, std::vector<unsigned char>(8192 * static_cast<std::size_t>(itemsize(t)) * 2), {}, strides, 0};
                for (std::size_t k = 0; k < s.memory.size(); k += static_cast<std::size_t>(itemsize(t)))
                    s.memory[k] = static_cast<unsigned char>(k * 31 / 17);
                for (std::size_t d = 0; d < 3; ++d)
                    if (strides[d] < 0) s.first -= strides[d] * ((d == 1 ? middle : inner) - 1);
                auto const expected = s.run(reduces, nullptr);
                for (char const* isa : {"baseline", "avx2", "avx512"})
                    if (auto const* const kernels = cpu::kernels_of(isa)) {
                        ASSERT_EQ(s.run(reduces, kernels), expected) << isa << ", type " << static_cast<int>(t);
                    }
            }
}

}  // namespace
}  // namespace bascule
