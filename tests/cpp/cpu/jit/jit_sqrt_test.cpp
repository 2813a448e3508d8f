// Square roots in machine code against those of the processor, which rounds them correctly.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/jit/jit.hpp"
#include "bascule/ops/table.hpp"
#include "support/jit_policy.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;

template <class T> T with_bits(std::uint64_t bits) {
    if constexpr (sizeof(T) == 8) return __builtin_bit_cast(double, bits);
    else return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits));
}

template <class T> std::vector<T> roots_of(std::vector<T>& x, std::uint32_t* conditions = nullptr) {
    constexpr type_id t = sizeof(T) == 8 ? type_id::float64 : type_id::float32;
    policy_of const policy(cpu::jit::policy::always);
    auto const n = static_cast<std::int64_t>(x.size());
    plan_builder b({n});
    std::vector<T> roots(x.size());
    int const root = b.op(ops::find("sqrt"), t, {b.load(x.data(), t, {sizeof(T)})}, ops::fp::invalid);
    b.store_flat(root, roots.data());
    std::vector<std::uint32_t> found(b.values.size(), 0);
    auto const p = b.get(found.data());
    EXPECT_EQ(cpu::run_plan(p, *cpu::kernels_of("avx512")), status::ok) << cpu::last_error_text();
    if (conditions) *conditions = found[static_cast<std::size_t>(root)];
    return roots;
}

template <class T> std::size_t different(std::vector<T>& x) {
    auto const roots = roots_of(x);
    std::size_t count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        T const expected = std::sqrt(x[i]);
        count += std::isnan(expected) ? !std::isnan(roots[i]) : std::memcmp(&roots[i], &expected, sizeof(T)) != 0;
    }
    return count;
}

// The numbers in [1, 4) of which the root is nearest to the middle of two numbers: with the middle (m + 1/2) * 2^-52,
// x = (m^2 + m + k) * 2^-104 for small k, where m follows from k bit by bit.
std::vector<double> hardest(int farthest) {
    using wide = unsigned __int128;
    std::vector<double> x;
    for (int const bits : {52, 53})  // that have to be zero, for x below and above 2
        for (int k = -farthest; k <= farthest; k += 2)
            for (std::uint64_t const lowest : {0u, 1u}) {
                auto const distance = static_cast<wide>(static_cast<__int128>(k));
                std::uint64_t m = lowest;
                for (int bit = 1; bit < bits; ++bit)
                    m |= static_cast<std::uint64_t>((wide{m} * m + m + distance) >> bit & 1) << bit;
                m |= std::uint64_t{1} << 52;
                wide const exact = wide{m} * m + m + distance;
                if (exact >> (bits + 52) == 1) x.push_back(std::ldexp(static_cast<double>(exact >> bits), bits - 104));
            }
    return x;
}

class CpuJitSqrt : public ::testing::Test {
protected:
    void SetUp() override {
        if (!cpu::kernels_of("avx512")) GTEST_SKIP() << "this machine has no AVX-512";
    }
};

TEST_F(CpuJitSqrt, NearestToTheMiddleOfTwoNumbers) {
    auto const x = hardest(2000);
    ASSERT_GT(x.size(), 2000u);
    for (int exponent = -1070; exponent < 1022; exponent += 2) {
        std::vector<double> scaled;
        for (double const y : x) scaled.push_back(std::ldexp(y, exponent));
        ASSERT_EQ(different(scaled), 0u) << exponent;
    }
}

TEST_F(CpuJitSqrt, NumbersOfAllSizes) {
    std::mt19937_64 g(5);
    std::vector<double> x;
    for (int k = 0; k < 2'000'000; ++k) x.push_back(with_bits<double>(g()));
    EXPECT_EQ(different(x), 0u);
    for (double& y : x) y = std::fabs(y);
    EXPECT_EQ(different(x), 0u);
}

TEST_F(CpuJitSqrt, NextToWhereTheWayChanges) {
    std::vector<double> x;
    for (std::uint64_t const edge : {0x0800000000000000u, 0x7ff0000000000000u, 0x0010000000000000u})
        for (std::uint64_t k = 0; k < 64; ++k) x.push_back(with_bits<double>(edge - 32 + k));
    for (std::uint64_t k = 0; k < 64; ++k)
        for (double const power : {1.0, 2.0, 4.0})
            x.push_back(with_bits<double>(__builtin_bit_cast(std::uint64_t, power) - 32 + k));
    EXPECT_EQ(different(x), 0u);
}

TEST_F(CpuJitSqrt, AllOfTwoOctavesOfFloat32AndSomeOfTheOthers) {
    constexpr std::uint64_t octaves = std::uint64_t{1} << 24, part = 1 << 20;
    for (std::uint64_t first = 0; first < octaves; first += part) {
        std::vector<float> x;
        for (std::uint64_t k = first; k < first + part; ++k) x.push_back(with_bits<float>(0x3f800000u + k));
        ASSERT_EQ(different(x), 0u) << first;
    }
    std::vector<float> x;
    for (std::uint64_t k = 0; k < std::uint64_t{1} << 32; k += 4093) x.push_back(with_bits<float>(k));
    EXPECT_EQ(different(x), 0u);
}

TEST_F(CpuJitSqrt, ConditionsAreThoseOfTheRootsAlone) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> x(4099, 2.0);
    std::uint32_t conditions = 0;
    for (double const harmless : {0.0, -0.0, 5e-324, 1e-300, 1e308, infinity}) {
        x[77] = harmless;
        roots_of(x, &conditions);
        EXPECT_EQ(conditions, 0u) << harmless;
    }
    x[4098] = -1;
    roots_of(x, &conditions);
    EXPECT_EQ(conditions, ops::fp::invalid);
}

}  // namespace
}  // namespace bascule
