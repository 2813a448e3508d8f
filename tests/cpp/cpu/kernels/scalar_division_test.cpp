// Quotients and remainders by one divisor, which kernels find without dividing, against the ops themselves: every pair
// of 8-bit numbers, and of wider ones, floating point among them, the divisors and dividends at which rounding could
// go wrong.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/ops/division.hpp"
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/table.hpp"
#include "support/every_isa.hpp"

namespace {

using namespace bascule;

template <class T> std::vector<T> notable() {
    constexpr int bits = 8 * sizeof(T);
    using U = std::make_unsigned_t<T>;
    std::vector<T> v;
    if constexpr (sizeof(T) == 1) {
        for (int i = 0; i < 256; ++i) v.push_back(static_cast<T>(i));
        return v;
    }
    for (int k = 0; k < bits; ++k)
        for (int around = -2; around <= 2; ++around) {
            auto const u = static_cast<U>((U(1) << k) + static_cast<U>(around));
            v.push_back(static_cast<T>(u));
            v.push_back(static_cast<T>(U(0) - u));
        }
    std::mt19937_64 g(3);
    for (int i = 0; i < 60; ++i) v.push_back(static_cast<T>(static_cast<U>(g()) >> (g() % bits)));
    for (long long x : {0, 3, 5, 7, 10, 60, 641, 1000, 3600, 86400})
        v.push_back(static_cast<T>(x)), v.push_back(static_cast<T>(-x));
    return v;
}

// The notable values, and both sides of multiples of the divisor all over the range.
template <class T> std::vector<T> dividends(T divisor) {
    using U = std::make_unsigned_t<T>;
    std::vector<T> v = notable<T>();
    std::mt19937_64 g(static_cast<std::uint64_t>(divisor));
    for (int i = 0; i < 100 && sizeof(T) > 1; ++i) {
        auto const at =
            static_cast<U>(static_cast<U>(g()) / (divisor ? static_cast<U>(divisor) : U(1)) * static_cast<U>(divisor));
        for (int around = -1; around <= 1; ++around)
            v.push_back(static_cast<T>(at + static_cast<U>(around))),
                v.push_back(static_cast<T>(U(0) - at + static_cast<U>(around)));
    }
    return v;
}

template <class Op, class T> void check(char const* isa) {
    auto const* table = cpu::kernels_of(isa);
    if (!table) return;
    auto const run = table->op[ops::number<Op>][static_cast<int>(id_of<T>::value)][cpu::vs];
    for (T const divisor : notable<T>()) {
        auto const a = dividends<T>(divisor);
        std::vector<T> got(a.size()), wanted(a.size()), in_place = a;
        for (std::size_t i = 0; i < a.size(); ++i) wanted[i] = Op{}(a[i], divisor);
        run(got.data(), a.data(), &divisor, nullptr, a.size());
        run(in_place.data(), in_place.data(), &divisor, nullptr, a.size());
        ASSERT_EQ(got, wanted) << Op::meta.name << " by " << +divisor << " of type "
                               << static_cast<int>(id_of<T>::value) << " on " << isa;
        ASSERT_EQ(in_place, wanted) << +divisor;
        for (std::size_t n : {0, 1, 7, 15, 16, 17, 31, 33}) {
            std::vector<T> some(n + 1, T(42));
            run(some.data(), a.data() + 1, &divisor, nullptr, n);
            ASSERT_EQ(some.back(), T(42));
            some.pop_back();
            ASSERT_EQ(some, std::vector<T>(wanted.begin() + 1, wanted.begin() + 1 + static_cast<std::ptrdiff_t>(n)))
                << +divisor;
        }
    }
}

template <class T> void check_type() {
    for (char const* isa : {"baseline", "avx2", "avx512"}) {
        check<ops::floor_divide, T>(isa);
        check<ops::remainder, T>(isa);
    }
}

TEST(scalar_division, of_8_bits_is_exact) { check_type<std::int8_t>(), check_type<std::uint8_t>(); }
TEST(scalar_division, of_16_bits_is_exact) { check_type<std::int16_t>(), check_type<std::uint16_t>(); }
TEST(scalar_division, of_32_bits_is_exact) { check_type<std::int32_t>(), check_type<std::uint32_t>(); }
TEST(scalar_division, of_64_bits_is_exact) { check_type<std::int64_t>(), check_type<std::uint64_t>(); }

// Arrays of divisors, which kernels divide in floating point: all of bytes; of the other types the notable values, in
// pieces with and without values that are not exact in floating point, and both sides of multiples.
template <class Op, class T> void check_arrays(cpu::kernel_table const& table) {
    std::vector<T> a, b;
    std::mt19937_64 g(11);
    auto const pair = [&](T x, T y) { a.push_back(x), b.push_back(y); };
    auto const alongside_multiples = [&](int bits) {
        for (int i = 0; i < 3000; ++i) {
            auto const divisor = static_cast<T>(static_cast<std::int64_t>(g()) >> (64 - 1 - g() % bits));
            auto const multiple =
                static_cast<T>(divisor * static_cast<T>(static_cast<std::int64_t>(g()) >> (64 - bits)));
            for (int around = -1; around <= 1; ++around) pair(static_cast<T>(multiple + around), divisor);
        }
    };
    if constexpr (sizeof(T) == 8) alongside_multiples(26);
    for (T const x : notable<T>())
        for (T const y : notable<T>()) pair(x, y);
    if constexpr (sizeof(T) == 8) alongside_multiples(24);
    else alongside_multiples(4 * static_cast<int>(sizeof(T)) - 1);
    std::vector<T> wanted(a.size()), got(a.size()), over_a = a, over_b = b;
    for (std::size_t i = 0; i < a.size(); ++i) wanted[i] = Op{}(a[i], b[i]);
    auto const& run = table.op[ops::number<Op>][static_cast<int>(id_of<T>::value)];
    run[cpu::vv](got.data(), a.data(), b.data(), nullptr, a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_EQ(+got[i], +wanted[i]) << Op::meta.name << '(' << +a[i] << ", " << +b[i] << ')';
    run[cpu::vv](over_a.data(), over_a.data(), b.data(), nullptr, a.size());
    ASSERT_EQ(over_a, wanted);
    run[cpu::vv](over_b.data(), a.data(), over_b.data(), nullptr, a.size());
    ASSERT_EQ(over_b, wanted);
    for (T const one :
         {T(0), T(1), static_cast<T>(-1), T(7), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}) {
        for (std::size_t i = 0; i < a.size(); ++i) wanted[i] = Op{}(one, b[i]);
        run[cpu::sv](got.data(), &one, b.data(), nullptr, a.size());
        ASSERT_EQ(got, wanted) << +one << " by all, " << Op::meta.name;
        for (std::size_t i = 0; i < a.size(); ++i) wanted[i] = Op{}(a[i], one);
        run[cpu::vs](got.data(), a.data(), &one, nullptr, a.size());
        ASSERT_EQ(got, wanted) << "all by " << +one << ", " << Op::meta.name;
    }
}
template <class... T> void check_array_types() {
    on_every_isa(cpu::kernels_of, [](cpu::kernel_table const& table) {
        (check_arrays<ops::floor_divide, T>(table), ...);
        (check_arrays<ops::remainder, T>(table), ...);
        (check_arrays<ops::fmod, T>(table), ...);
    });
}
TEST(array_division, of_8_bits_is_exact) { check_array_types<std::int8_t, std::uint8_t>(); }
TEST(array_division, of_16_bits_is_exact) { check_array_types<std::int16_t, std::uint16_t>(); }
TEST(array_division, of_32_bits_is_exact) { check_array_types<std::int32_t, std::uint32_t>(); }
TEST(array_division, of_64_bits_is_exact) { check_array_types<std::int64_t, std::uint64_t>(); }

// Every fraction by some divisors, and dividends of all sizes whose quotients are next to halfway points of the last
// digit.
template <class T> std::vector<T> float_dividends(T divisor) {
    using U = ops::bits_of<T>;
    using limits = std::numeric_limits<T>;
    std::vector<T> v{T(0),
                     -T(0),
                     limits::infinity(),
                     -limits::infinity(),
                     limits::quiet_NaN(),
                     limits::denorm_min(),
                     limits::min(),
                     -limits::min(),
                     limits::max(),
                     -limits::max(),
                     limits::lowest()};
    std::mt19937_64 g(7);
    for (int i = 0; i < 300; ++i) v.push_back(std::bit_cast<T>(static_cast<U>(g())));
    while (v.size() % 128) v.push_back(T(0));  // the rest has pieces without anything unusual
    for (int i = 0; i < 2000; ++i) {
        T const quotient = 1 + static_cast<T>(g() >> 11) * T(0x1p-53);
        v.push_back((i % 2 ? quotient : -quotient) * divisor);
    }
    for (int i = 0; i < 2000; ++i) v.push_back(static_cast<T>(i % 3 ? i : 0));
    return v;
}

template <class T> std::vector<T> float_divisors() {
    using limits = std::numeric_limits<T>;
    std::vector<T> v{T(0), -T(0), T(1), T(-1), T(3), T(-3), T(7), T(9), T(-9), T(10), T(1e20), T(-1e-20)};
    for (T x : {limits::infinity(), limits::quiet_NaN(), limits::denorm_min(), limits::min(), limits::max()})
        v.push_back(x), v.push_back(-x);
    std::mt19937_64 g(5);
    for (int i = 0; i < 200; ++i) {
        T const fraction = i % 4 == 0   ? 2 - limits::epsilon() * static_cast<T>(1 + i / 4)
                           : i % 4 == 1 ? 1 + limits::epsilon() * static_cast<T>(i / 4)
                                        : 1 + static_cast<T>(g() >> 11) * T(0x1p-53);
        v.push_back(std::ldexp(i % 2 ? fraction : -fraction, static_cast<int>(g() % 250) - 125));
    }
    return v;
}

template <class T> void check_float_type() {
    using U = ops::bits_of<T>;
    for (char const* isa : {"baseline", "avx2", "avx512"}) {
        auto const* table = cpu::kernels_of(isa);
        if (!table) continue;
        auto const run = table->op[ops::number<ops::divide>][static_cast<int>(id_of<T>::value)][cpu::vs];
        for (T const divisor : float_divisors<T>()) {
            auto const a = float_dividends<T>(divisor);
            std::vector<T> got(a.size()), in_place = a;
            run(got.data(), a.data(), &divisor, nullptr, a.size());
            run(in_place.data(), in_place.data(), &divisor, nullptr, a.size());
            for (std::size_t i = 0; i < a.size(); ++i) {
                T const wanted = a[i] / divisor;
                bool const both_nan = wanted != wanted && got[i] != got[i];
                ASSERT_TRUE(both_nan || std::bit_cast<U>(got[i]) == std::bit_cast<U>(wanted))
                    << a[i] << " / " << divisor << " on " << isa << ": " << got[i] << ", not " << wanted;
                ASSERT_TRUE(both_nan || std::bit_cast<U>(in_place[i]) == std::bit_cast<U>(wanted)) << a[i];
            }
        }
    }
}

TEST(scalar_division, of_float64_is_rounded_once) { check_float_type<double>(); }
TEST(scalar_division, of_float32_is_rounded_once) { check_float_type<float>(); }

TEST(scalar_division, of_every_float32_fraction_is_rounded_once) {
    auto const* table = cpu::kernels_of("avx2");
    if (!table) GTEST_SKIP() << "no avx2 on this machine";
    auto const run = table->op[ops::number<ops::divide>][static_cast<int>(type_id::float32)][cpu::vs];
    std::vector<float> all(std::size_t(1) << 23), got(all.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = std::bit_cast<float>(0x3f800000u | i);
    for (float const divisor : {3.0f, 9.0f, -7.0f, 1.9999999f, 1.9999998f, 1.0000001f, 1.3333334f, 1.7182817f}) {
        run(got.data(), all.data(), &divisor, nullptr, all.size());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < all.size(); ++i) wrong += got[i] != all[i] / divisor;
        EXPECT_EQ(wrong, 0u) << divisor;
    }
}

}  // namespace
