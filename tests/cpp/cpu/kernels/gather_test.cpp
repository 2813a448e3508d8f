// Items chosen by masks and moved by indices, against plain loops, on every instruction set this machine has.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "backend/cpu/dispatch/gather_kernels.hpp"
#include "support/every_isa.hpp"

namespace bascule {
namespace {

constexpr std::int64_t lengths[] = {0, 1, 7, 8, 9, 63, 64, 65, 127, 129, 255, 256, 257, 600, 2500};
using bytes = std::vector<unsigned char>;

template <class Check> void on_every_isa(Check const& check) { bascule::on_every_isa(cpu::gather_kernels_of, check); }

bytes some_bytes(std::int64_t n, std::uint64_t seed) {
    std::mt19937_64 g(seed);
    bytes b(static_cast<std::size_t>(n));
    for (auto& x : b) x = static_cast<unsigned char>(g());
    return b;
}
char* chars(bytes& b) { return reinterpret_cast<char*>(b.data()); }

// So many of 256 are true, and true is any byte but 0.
bytes some_mask(std::int64_t n, int of_256) {
    auto mask = some_bytes(n, static_cast<std::uint64_t>(n + of_256));
    auto const values = some_bytes(n, 5);
    for (std::size_t i = 0; i < mask.size(); ++i)
        mask[i] = mask[i] < of_256 ? static_cast<unsigned char>(values[i] | 1u << (i % 8)) : 0;
    return mask;
}

TEST(CpuGather, Masks) {
    on_every_isa([](cpu::gather_kernels const& kernels) {
        for (std::int64_t const n : lengths)
            for (int const density : {0, 20, 128, 240, 256}) {
                auto const mask = some_mask(n, density);
                std::vector<std::int64_t> wanted;
                for (std::int64_t i = 0; i < n; ++i)
                    if (mask[static_cast<std::size_t>(i)] != 0) wanted.push_back(1000 + i);
                auto const count = static_cast<std::int64_t>(wanted.size());
                ASSERT_EQ(kernels.count_nonzero(mask.data(), n), count);
                std::vector<std::uint64_t> bits(static_cast<std::size_t>(n / 64 + 1), 7), set = bits;
                for (std::int64_t i = 0; i < n; ++i) {
                    auto& word = set[static_cast<std::size_t>(i / 64)];
                    word = (i % 64 ? word : 0) | std::uint64_t{mask[static_cast<std::size_t>(i)] != 0} << (i % 64);
                }
                ASSERT_EQ(kernels.pack_mask(bits.data(), mask.data(), n), count);
                ASSERT_EQ(bits, set);
                wanted.push_back(-7);
                std::vector<std::int64_t> listed(wanted.size(), -7);
                ASSERT_EQ(kernels.nonzero_positions(listed.data(), listed.data() + count, mask.data(), 1000, n),
                          listed.data() + count);
                ASSERT_EQ(listed, wanted);
                for (std::int64_t size = 1; size <= 16; size *= 2) {
                    auto from = some_bytes(n * size + 1, 9);
                    bytes taken(static_cast<std::size_t>(count * size + 64), 3), expected = taken;
                    for (std::int64_t k = 0; k < count; ++k)
                        std::memcpy(chars(expected) + k * size,
                                    chars(from) + 1 + (wanted[static_cast<std::size_t>(k)] - 1000) * size,
                                    static_cast<std::size_t>(size));
                    auto const take = kernels.compress[cpu::size_class(static_cast<int>(size))];
                    char* const end = chars(taken) + count * size;
                    ASSERT_EQ(take(chars(taken), end, chars(from) + 1, mask.data(), n), end);
                    ASSERT_EQ(taken, expected) << n << " items of " << size << " bytes, " << density << " of 256";
                    bytes again(taken.size(), 3);
                    char* const last = chars(again) + count * size;
                    ASSERT_EQ(kernels.compress_bits[cpu::size_class(static_cast<int>(size))](
                                  chars(again), last, chars(from) + 1, bits.data(), n),
                              last);
                    ASSERT_EQ(again, expected) << n << " items of " << size << " bytes by bits";
                    bytes values = some_bytes(count * size + size, 13), spread = from;
                    for (std::int64_t k = 0; k < count; ++k)
                        std::memcpy(chars(from) + 1 + (wanted[static_cast<std::size_t>(k)] - 1000) * size,
                                    chars(values) + 1 + k * size, static_cast<std::size_t>(size));
                    char const* const used = chars(values) + 1 + count * size;
                    ASSERT_EQ(kernels.spread[cpu::size_class(static_cast<int>(size))](chars(spread) + 1, mask.data(), n,
                                                                                      chars(values) + 1, used),
                              used);
                    ASSERT_EQ(spread, from) << n << " items of " << size << " bytes, " << density << " of 256";
                    for (std::int64_t k = 0; k < count; ++k)
                        std::memcpy(chars(from) + 1 + (wanted[static_cast<std::size_t>(k)] - 1000) * size,
                                    chars(values), static_cast<std::size_t>(size));
                    kernels.fill_true[cpu::size_class(static_cast<int>(size))](chars(spread) + 1, mask.data(), n,
                                                                               chars(values));
                    ASSERT_EQ(spread, from) << n << " items of " << size << " bytes, all the same";
                }
            }
    });
}

std::vector<std::int64_t> some_indices(std::int64_t n, std::int64_t size) {
    std::mt19937_64 g(static_cast<std::uint64_t>(n));
    std::uniform_int_distribution<std::int64_t> any(-size, size - 1);
    std::vector<std::int64_t> index(static_cast<std::size_t>(n));
    for (auto& i : index) i = any(g);
    return index;
}

TEST(CpuGather, Takes) {
    on_every_isa([](cpu::gather_kernels const& kernels) {
        for (std::int64_t const n : lengths)
            for (std::int64_t size = 1; size <= 16; size *= 2) {
                constexpr std::int64_t extent = 300;
                auto base = some_bytes(extent * size + 1, 11);
                auto index = some_indices(n, extent);
                auto const* const positions = reinterpret_cast<char const*>(index.data());
                bytes taken(static_cast<std::size_t>(n * size + 64), 3), expected = taken;
                for (std::int64_t i = 0; i < n; ++i) {
                    auto const at = index[static_cast<std::size_t>(i)];
                    std::memcpy(chars(expected) + i * size, chars(base) + 1 + (at < 0 ? at + extent : at) * size,
                                static_cast<std::size_t>(size));
                }
                auto const take = kernels.take[cpu::size_class(static_cast<int>(size))];
                ASSERT_TRUE(take(chars(taken), chars(base) + 1, positions, n, extent));
                ASSERT_EQ(taken, expected) << n << " items of " << size << " bytes";
                auto const take_ahead = kernels.take_ahead[cpu::size_class(static_cast<int>(size))];
                bytes again(taken.size(), 3);
                ASSERT_TRUE(take_ahead(chars(again), chars(base) + 1, positions, n, extent));
                ASSERT_EQ(again, expected) << n << " items of " << size << " bytes, ahead";
                ASSERT_FALSE(kernels.any_out_of_bounds(positions, n, extent));
                for (std::int64_t const bad : {extent, -extent - 1, INT64_MAX, INT64_MIN}) {
                    if (n == 0) continue;
                    auto const at = static_cast<std::size_t>(n - 1) / 2;
                    auto const good = std::exchange(index[at], bad);
                    ASSERT_TRUE(kernels.any_out_of_bounds(positions, n, extent));
                    ASSERT_FALSE(take(chars(taken), chars(base) + 1, positions, n, extent));
                    ASSERT_FALSE(take_ahead(chars(taken), chars(base) + 1, positions, n, extent));
                    index[at] = good;
                }
            }
    });
}

// Indices are repeated: the last item for a position stays, and items for other positions are left alone.
TEST(CpuGather, PutsInOrder) {
    on_every_isa([](cpu::gather_kernels const& kernels) {
        for (std::int64_t const n : lengths)
            for (std::int64_t size = 1; size <= 16; size *= 2)
                for (auto const& [first, last] : {std::pair<std::int64_t, std::int64_t>{0, 300}, {0, 150}, {77, 240}})
                    for (std::int64_t const step : {size, std::int64_t{0}, 3 * size}) {
                        constexpr std::int64_t extent = 300;
                        auto base = some_bytes(extent * size + 1, 13);
                        bytes expected = base;
                        auto from = some_bytes(n * step + size, 17);
                        auto const index = some_indices(n, extent);
                        for (std::int64_t i = 0; i < n; ++i) {
                            auto at = index[static_cast<std::size_t>(i)];
                            at = at < 0 ? at + extent : at;
                            if (at >= first && at < last)
                                std::memcpy(chars(expected) + 1 + at * size, chars(from) + i * step,
                                            static_cast<std::size_t>(size));
                        }
                        for (bool const into_l2 : {false, true}) {
                            bytes put = base;
                            kernels.put[cpu::size_class(static_cast<int>(size))](
                                {chars(put) + 1, chars(from), step, reinterpret_cast<char const*>(index.data()), n,
                                 extent, first, last, into_l2});
                            ASSERT_EQ(put, expected) << n << " items of " << size << " bytes, every " << step;
                        }
                    }
    });
}

// Of long rows all, some and none alternately are in the range: the list of pending items grows and is used up.
TEST(CpuGather, PutsUnevenly) {
    on_every_isa([](cpu::gather_kernels const& kernels) {
        constexpr std::int64_t n = 9000, extent = 500;
        for (std::int64_t const run : {1, 40, 64, 100, 700, 3000})
            for (auto const& [first, last] : {std::pair<std::int64_t, std::int64_t>{0, 250}, {250, 500}, {100, 130}}) {
                std::vector<std::int64_t> index(n), values(n), put(extent, -1), expected(extent, -1);
                std::mt19937_64 g(static_cast<std::uint64_t>(run));
                for (std::size_t i = 0; i < n; ++i) {
                    bool const low = static_cast<std::int64_t>(i) / run % 2 == 0;
                    auto const at = static_cast<std::int64_t>(g() % 250) + (low ? 0 : 250);
                    values[i] = static_cast<std::int64_t>(i);
                    if (at >= first && at < last) expected[static_cast<std::size_t>(at)] = values[i];
                    index[i] = g() % 2 == 0 ? at : at - extent;
                }
                kernels.put[cpu::size_class(8)](
                    {reinterpret_cast<char*>(put.data()), reinterpret_cast<char const*>(values.data()), 8,
                     reinterpret_cast<char const*>(index.data()), n, extent, first, last, true});
                ASSERT_EQ(put, expected) << "in runs of " << run << " from " << first << " to " << last;
            }
    });
}

// Positions are listed in 32 bits, so longer targets are written in parts.
TEST(CpuGather, PutsBeyondWhatListsDistinguish) {
    constexpr std::int64_t far = std::int64_t{1} << 32, extent = far + 5000;
    void* const memory =
        mmap(nullptr, extent, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) GTEST_SKIP() << "no address space";
    auto* const base = static_cast<char*>(memory);
    on_every_isa([base](cpu::gather_kernels const& kernels) {
        std::int64_t const index[] = {3, far + 3, far - 1, -5000, 17, far + 17, 3, -1, far + 3, 18, 19};
        char const values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
        auto const put = kernels.put[cpu::size_class(1)];
        for (std::int64_t const first : {std::int64_t{0}, std::int64_t{10}}) {
            for (std::int64_t const i : index) base[i < 0 ? i + extent : i] = 0;
            put({base, values, 1, reinterpret_cast<char const*>(index), std::size(index), extent, first, extent,
                 false});
            EXPECT_EQ(base[3], first == 0 ? 7 : 0);
            EXPECT_EQ(base[far + 3], 9);
            EXPECT_EQ(base[far - 1], 3);
            EXPECT_EQ(base[far], 4);
            EXPECT_EQ(base[17], 5);
            EXPECT_EQ(base[far + 17], 6);
            EXPECT_EQ(base[extent - 1], 8);
        }
    });
    munmap(memory, extent);
}

}  // namespace
}  // namespace bascule
