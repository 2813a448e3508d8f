// Quotients and remainders by one divisor, which kernels find without dividing, against the ops themselves: every pair
// of 8-bit numbers, and of wider ones the divisors and dividends at which rounding could go wrong.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "backend/cpu/kernels.hpp"
#include "bascule/ops/division.hpp"
#include "bascule/ops/table.hpp"

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

}  // namespace
