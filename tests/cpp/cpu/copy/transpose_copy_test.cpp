// Transposes of some or all dimensions against the plain loop: within the caches, by way of a buffer and past them.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "backend/cpu/copy/transpose_copy.hpp"
#include "backend/cpu/engine/run.hpp"
#include "support/every_isa.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::extents;
using bytes = std::vector<unsigned char>;
constexpr std::int64_t line = 64;

bytes numbered(std::int64_t n) {
    bytes b(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<unsigned char>(i * 37 + i / 251 + i / 65521);
    return b;
}
char* on_a_line(bytes& b) {
    auto const at = reinterpret_cast<std::uintptr_t>(b.data());
    return reinterpret_cast<char*>(b.data()) + (line - at % line) % line;
}

TEST(CpuTransposeCopy, OneLineOfEveryRow) {
    on_every_isa(cpu::transpose_kernels_of, [](cpu::transpose_kernels const& kernels) {
        for (std::int64_t size = 1; size <= 16; size *= 2)
            for (std::int64_t rows : {1, 3, 8, 16, 31, 64, 77})
                for (bool const streamed : {false, true}) {
                    int const kind = cpu::size_class(static_cast<int>(size));
                    std::int64_t const items = line / size, column = (rows + 3) * size, row = 3 * line;
                    bytes const from = numbered(column * items);
                    bytes to(static_cast<std::size_t>(row * rows + line), 7), expected = to;
                    char* const first = on_a_line(to);
                    for (std::int64_t r = 0; r < rows; ++r)
                        for (std::int64_t k = 0; k < items; ++k)
                            std::memcpy(expected.data() + (first - reinterpret_cast<char*>(to.data())) + r * row +
                                            k * size,
                                        from.data() + k * column + r * size, static_cast<std::size_t>(size));
                    (streamed ? kernels.streamed : kernels.stored)[kind](
                        {first, reinterpret_cast<char const*>(from.data()), rows, row, column});
                    __atomic_thread_fence(__ATOMIC_SEQ_CST);
                    ASSERT_EQ(expected, to) << size << " bytes, " << rows << " rows, streamed " << streamed;
                }
    });
}

// An array of `shape` in C order, its axes exchanged, to the same in C order, so many bytes behind a line's start.
struct transpose {
    type_id type;
    extents shape;
    std::vector<std::size_t> axes;
    std::int64_t shift = 0;
    bool backwards = false;  // the first one read is the last in memory

    void check(cpu::kernel_table const& kernels) const {
        std::int64_t const size = itemsize(type),
                           n = std::accumulate(shape.begin(), shape.end(), size, std::multiplies{});
        bytes const source = numbered(n);
        bytes target(static_cast<std::size_t>(n + 3 * line), 9);
        extents strides(shape.size()), turned_shape, turned;
        for (std::size_t d = shape.size(); d-- > 0;)
            strides[d] = d + 1 == shape.size() ? size : strides[d + 1] * shape[d + 1];
        auto const* from = source.data();
        if (backwards) {
            from += strides[0] * (shape[0] - 1);
            strides[0] = -strides[0];
        }
        for (std::size_t const d : axes) turned_shape.push_back(shape[d]), turned.push_back(strides[d]);
        char* const to = on_a_line(target) + shift;
        testing::plan_builder b(turned_shape);
        b.store_flat(b.load(from, type, turned), to);
        auto const p = b.get();
        ASSERT_EQ(cpu::run_plan(p, kernels), status::ok);
        auto const guarded = [&](char const* begin, char const* end) {
            return std::all_of(begin, end, [](char c) { return c == 9; });
        };
        auto const* const start = reinterpret_cast<char const*>(target.data());
        ASSERT_TRUE(guarded(start, to)) << "wrote in front";
        ASSERT_TRUE(guarded(to + n, start + target.size())) << "wrote behind";
        extents at(shape.size());
        char const* item = to;
        std::int64_t offset = 0;
        for (std::int64_t i = 0; i < n / size; ++i, item += size) {
            if (std::memcmp(item, from + offset, static_cast<std::size_t>(size)) != 0) FAIL() << "item " << i;
            for (std::size_t d = at.size(); d-- > 0; at[d] = 0) {
                offset += turned[d];
                if (++at[d] < turned_shape[d]) break;
                offset -= turned[d] * turned_shape[d];
            }
        }
    }
};

void check_everywhere(std::vector<transpose> const& all) {
    on_every_isa(cpu::kernels_of, [&](cpu::kernel_table const& kernels) {
        for (auto const& t : all) {
            std::string text = "type " + std::to_string(static_cast<int>(t.type)) + ", shift " +
                               std::to_string(t.shift);
            for (auto const n : t.shape) text += " " + std::to_string(n);
            SCOPED_TRACE(text);
            t.check(kernels);
            if (::testing::Test::HasFatalFailure()) return;
        }
    });
}

constexpr type_id types[] = {type_id::uint8, type_id::int16, type_id::float32, type_id::float64, type_id::complex128};

TEST(CpuTransposeCopy, SmallAndBuffered) {
    std::vector<transpose> all;
    for (type_id const t : types)
        for (extents const& shape : {extents{70, 90}, {8, 1100}, {1100, 8}, {130, 257}, {520, 300}, {1031, 1027}})
            for (std::int64_t const items : {0, 1, 3})
                all.push_back({t, shape, {1, 0}, items * itemsize(t) % line, items == 3});
    for (type_id const t : types)
        for (std::int64_t const few : {2, 3, 4, 5, 8})
            for (std::int64_t const items : {0, 1})
                for (extents const& shape : {extents{few, 9001}, {9001, few}})
                    all.push_back({t, shape, {1, 0}, items * itemsize(t) % line, shape[0] == few && items == 1});
    for (auto const& axes : std::vector<std::vector<std::size_t>>{{0, 2, 3, 1}, {0, 3, 1, 2}, {3, 1, 0, 2}})
        for (type_id const t : {type_id::uint8, type_id::float64})
            for (extents const& shape : {extents{20, 3, 30, 40}, {20, 30, 40, 3}, {3, 70, 4, 80}})
                all.push_back({t, shape, axes, itemsize(t), false});
    for (auto const& axes : std::vector<std::vector<std::size_t>>{{2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}})
        for (type_id const t : {type_id::int16, type_id::float64})
            for (extents const& shape : {extents{30, 20, 40}, {3, 200, 150}, {200, 3, 150}, {61, 60, 67}})
                all.push_back({t, shape, axes, itemsize(t), false});
    all.push_back({type_id::float64, {1, 90, 1, 70}, {3, 2, 1, 0}, 0, false});
    all.push_back({type_id::float64, {12, 13, 14, 15, 3}, {4, 3, 2, 1, 0}, 8, false});
    all.push_back({type_id::float64, {90, 70}, {1, 0}, 4, false});  // items at no multiple of their size
    check_everywhere(all);
}

TEST(CpuTransposeCopy, PastTheCaches) {
    std::vector<transpose> all;
    for (type_id const t : {type_id::int16, type_id::float64}) {
        std::int64_t const side = itemsize(t) == 2 ? 4500 : 1500;
        all.push_back(
            {t, {side / 64 * 64, (cpu::streamed_bytes / itemsize(t)) / (side / 64 * 64) + 5}, {1, 0}, 0, false});
        all.push_back({t, {side + 3, (cpu::streamed_bytes / itemsize(t)) / side + 6}, {1, 0}, 16, true});
    }
    for (auto const& [t, few] : {std::pair{type_id::float64, 3}, {type_id::uint8, 4}})
        for (bool const joined : {false, true}) {
            std::int64_t const many = cpu::streamed_bytes / itemsize(t) / few + 77;
            extents const shape = joined ? extents{few, many} : extents{many, few};
            all.push_back({t, shape, {1, 0}, joined ? itemsize(t) : 0, false});
        }
    all.push_back({type_id::float32, {200, 200, 211}, {2, 1, 0}, 4, false});
    check_everywhere(all);
}

}  // namespace
}  // namespace bascule
