// Shifts of bytes by one count, which kernels do a word at a time, against the ops themselves.
#include <gtest/gtest.h>

#include <vector>

#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/ops/bitwise.hpp"
#include "bascule/ops/table.hpp"

namespace {

using namespace bascule;

template <class Op, class T> void check(char const* isa) {
    auto const* table = cpu::kernels_of(isa);
    if (!table) return;
    auto const run = table->op[ops::number<Op>][static_cast<int>(id_of<T>::value)][cpu::vs];
    for (int shift : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 64, 127, 128, 255}) {
        auto const count = static_cast<T>(shift);
        for (std::size_t n : {0, 1, 7, 8, 9, 63, 64, 65, 256, 300}) {
            std::vector<T> a(n + 1), wanted(n), got(n + 1, T(42));
            for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(i * 7 + 129);
            for (std::size_t i = 0; i < n; ++i) wanted[i] = Op{}(a[i + 1], count);
            run(got.data(), a.data() + 1, &count, nullptr, n);
            ASSERT_EQ(got.back(), T(42)) << Op::meta.name << " of " << n << " on " << isa;
            got.pop_back();
            ASSERT_EQ(got, wanted) << Op::meta.name << " by " << shift << " of " << n << " on " << isa;
            a.erase(a.begin());
            run(a.data(), a.data(), &count, nullptr, n);
            ASSERT_EQ(a, wanted) << Op::meta.name << " in place by " << shift << " of " << n << " on " << isa;
        }
    }
}

TEST(byte_shift, by_every_count) {
    for (char const* isa : {"baseline", "avx2", "avx512"}) {
        check<ops::left_shift, std::int8_t>(isa);
        check<ops::left_shift, std::uint8_t>(isa);
        check<ops::right_shift, std::int8_t>(isa);
        check<ops::right_shift, std::uint8_t>(isa);
    }
}

}  // namespace
