// The copies of strided items against the plain loop, on every instruction set this machine has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "backend/cpu/dispatch/kernels.hpp"
#include "support/every_isa.hpp"

namespace bascule {
namespace {

using bytes = std::vector<unsigned char>;

struct place {
    std::int64_t start, row, column;  // in bytes
};

std::int64_t extent_of(place const& p, std::int64_t rows, std::int64_t columns, std::int64_t size) {
    return p.start + (rows - 1) * std::max<std::int64_t>(p.row, 0) +
           (columns - 1) * std::max<std::int64_t>(p.column, 0) + size;
}

// Operands whose lowest item is `shift` bytes behind the start of their memory.
place packed_operands(std::int64_t rows, std::int64_t columns, std::int64_t row, std::int64_t column,
                      std::int64_t shift) {
    return {shift + (rows - 1) * std::max<std::int64_t>(-row, 0) + (columns - 1) * std::max<std::int64_t>(-column, 0),
            row, column};
}

void copies_like_a_loop(cpu::copy_kernel copy, std::int64_t size, std::int64_t rows, std::int64_t columns,
                        place const& to, place const& from) {
    bytes source(static_cast<std::size_t>(extent_of(from, rows, columns, size)));
    bytes target(static_cast<std::size_t>(extent_of(to, rows, columns, size)));
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<unsigned char>(i * 37 + i / 251 + 1);
    for (std::size_t i = 0; i < target.size(); ++i) target[i] = static_cast<unsigned char>(i * 11);
    bytes expected = target;
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
            std::memcpy(expected.data() + to.start + r * to.row + c * to.column,
                        source.data() + from.start + r * from.row + c * from.column, static_cast<std::size_t>(size));
    copy({reinterpret_cast<char*>(target.data()) + to.start, reinterpret_cast<char const*>(source.data()) + from.start,
          rows, columns, to.row, to.column, from.row, from.column});
    ASSERT_EQ(expected, target) << "items of " << size << " bytes, " << rows << " x " << columns << ", to " << to.start
                                << " by " << to.row << ", " << to.column << ", from " << from.start << " by "
                                << from.row << ", " << from.column;
}

template <class Check> void on_every_isa(Check const& check) {
    bascule::on_every_isa(cpu::kernels_of, [&](auto const& kernels) {
        for (std::int64_t size = 1; size <= 16 && !testing::Test::HasFatalFailure(); size *= 2)
            check(kernels.copy[cpu::size_class(static_cast<int>(size))], size);
    });
}

TEST(CpuCopy, RowsOfEveryStepAndLength) {
    on_every_isa([](cpu::copy_kernel copy, std::int64_t size) {
        for (std::int64_t step = -4; step <= 9; ++step)
            for (std::int64_t columns : {1, 2, 7, 8, 9, 16, 17, 18, 31, 32, 33, 34, 63, 64, 65, 66, 129, 130, 275})
                for (std::int64_t shift : {std::int64_t{0}, size, 3 * size, std::int64_t{1}}) {
                    if (step == 0) continue;
                    auto const near = packed_operands(1, columns, 0, size, shift);
                    auto const far = packed_operands(1, columns, 0, step * size, 5 * size);
                    copies_like_a_loop(copy, size, 1, columns, near, far);
                    copies_like_a_loop(copy, size, 1, columns, far, near);
                    if (testing::Test::HasFatalFailure()) return;
                }
    });
}

// Complex numbers inside records, bytes of wider items: steps that are no number of items.
TEST(CpuCopy, OneItemOfEachRowRepeated) {
    on_every_isa([](cpu::copy_kernel copy, std::int64_t size) {
        for (std::int64_t rows : {1, 3, 4, 5, 16, 33, 300})
            for (std::int64_t columns : {1, 2, 3, 4, 5, 16})
                for (std::int64_t apart : {std::int64_t{0}, size, 3 * size, -2 * size})
                    for (std::int64_t shift : {std::int64_t{0}, std::int64_t{1}})
                        for (std::int64_t gap : {std::int64_t{0}, size})
                            copies_like_a_loop(copy, size, rows, columns,
                                               packed_operands(rows, columns, columns * size + gap, size, shift),
                                               packed_operands(rows, columns, apart, 0, shift));
    });
}

TEST(CpuCopy, StepsBetweenItems) {
    on_every_isa([](cpu::copy_kernel copy, std::int64_t size) {
        for (std::int64_t step = size + 1; step <= 4 * size; ++step)
            for (std::int64_t columns : {5, 40, 131}) {
                auto const near = packed_operands(1, columns, 0, size, 0),
                           far = packed_operands(1, columns, 0, step, 0);
                copies_like_a_loop(copy, size, 1, columns, near, far);
                copies_like_a_loop(copy, size, 1, columns, far, near);
                if (testing::Test::HasFatalFailure()) return;
            }
    });
}

TEST(CpuCopy, Planes) {
    on_every_isa([](cpu::copy_kernel copy, std::int64_t size) {
        for (std::int64_t rows : {2, 5, 17, 40, 75})
            for (std::int64_t columns : {3, 16, 17, 40, 70, 129}) {
                std::int64_t const row = (columns + 3) * size, tall = (rows + 1) * size;
                for (std::int64_t shift : {std::int64_t{0}, size}) {
                    auto const packed = packed_operands(rows, columns, columns * size, size, shift);
                    for (auto const& other : {packed_operands(rows, columns, row, size, size),
                                              packed_operands(rows, columns, 3 * row, 3 * size, 0),
                                              packed_operands(rows, columns, size, tall, 0),
                                              packed_operands(rows, columns, 2 * size, 2 * tall, size),
                                              packed_operands(rows, columns, -size, tall, 0),
                                              packed_operands(rows, columns, size, -tall, 0)}) {
                        copies_like_a_loop(copy, size, rows, columns, packed, other);
                        copies_like_a_loop(copy, size, rows, columns, other, packed);
                        if (testing::Test::HasFatalFailure()) return;
                    }
                }
            }
    });
}

}  // namespace
}  // namespace bascule
