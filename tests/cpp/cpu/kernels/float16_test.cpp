// The conversions of half precision that the machine does against those of the ops, bit for bit.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/ops/cast.hpp"
#include "support/every_isa.hpp"

namespace bascule {
namespace {

template <class Check> void on_every_isa(Check const& check) {
    bascule::on_every_isa(cpu::kernels_of, [&](auto const& kernels) {
        auto const half = static_cast<int>(type_id::float16), single = static_cast<int>(type_id::float32);
        check(kernels.cast[half][single], kernels.cast[single][half]);
    });
}

std::uint32_t bits(float x) {
    std::uint32_t b;
    std::memcpy(&b, &x, sizeof b);
    return b;
}
std::uint16_t bits(float16 x) {
    std::uint16_t b;
    std::memcpy(&b, &x, sizeof b);
    return b;
}

TEST(CpuFloat16, WidensEveryValue) {
    std::vector<float16> all(65536);
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto const b = static_cast<std::uint16_t>(i);
        std::memcpy(&all[i], &b, sizeof b);
    }
    on_every_isa([&](cpu::kernel widen, cpu::kernel) {
        std::vector<float> got(all.size());
        for (std::size_t const from : {0, 1, 13, 31}) {
            widen(got.data(), all.data() + from, nullptr, nullptr, all.size() - from);
            for (std::size_t i = from; i < all.size(); ++i)
                ASSERT_EQ(bits(got[i - from]), bits(ops::to_float32(all[i]))) << i;
        }
    });
}

TEST(CpuFloat16, NarrowsAnyValue) {
    std::mt19937 g(1);
    std::vector<float> values;
    for (int i = 0; i < 60000; ++i) {
        // Any bits; then those of float16 with any rest, among which are all ways to round.
        std::uint32_t b = g();
        if (i % 2 != 0) b = (b & 0x80ffffffu) + ((100u + g() % 45u) << 23);
        if (i % 7 == 0) b &= 0xffffe000u;
        if (i % 11 == 0) b = (b & 0xffffe000u) | 0x1000u;
        float x;
        std::memcpy(&x, &b, sizeof x);
        if (i < 30000 && x != x) continue;  // long runs without NaN, then some with
        values.push_back(x);
    }
    on_every_isa([&](cpu::kernel, cpu::kernel narrow) {
        std::vector<float16> got(values.size());
        for (std::size_t const from : {0, 1, 29}) {
            narrow(got.data(), values.data() + from, nullptr, nullptr, values.size() - from);
            for (std::size_t i = from; i < values.size(); ++i)
                ASSERT_EQ(bits(got[i - from]), bits(ops::to_float16(values[i]))) << std::hex << bits(values[i]);
        }
    });
}

}  // namespace
}  // namespace bascule
