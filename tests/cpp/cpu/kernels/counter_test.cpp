// Random values over runs of positions, as the kernels of every instruction set make them, against one value at a time.
#include <cstring>
#include <limits>
#include <vector>

#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/ops/counter.hpp"
#include "bascule/ops/table.hpp"
#include "support/every_isa.hpp"

namespace bascule {
namespace {

// Positions from before and behind where the halves of a block's number change, and of either parity.
constexpr std::int64_t firsts[] = {0,
                                   1,
                                   -1,
                                   -500,
                                   (std::int64_t{1} << 33) - 700,
                                   (std::int64_t{1} << 33) + 3,
                                   std::numeric_limits<std::int64_t>::max() - 300};
constexpr std::size_t lengths[] = {1, 2, 3, 63, 64, 65, 66, 127, 129, 512, 513, 1024, 1025};

template <class Op, class T> void follow_each_other(cpu::kernel_table const& kernels) {
    cpu::kernel const run = kernels.op[ops::number<Op>][static_cast<int>(id_of<T>::value)][cpu::ss];
    std::uint64_t const key = 0x123456789abcdef0u;
    for (std::int64_t const first : firsts)
        for (std::size_t const n : lengths) {
            std::vector<T> found(n + 1, T{7});
            run(found.data(), &first, &key, nullptr, n);
            for (std::size_t i = 0; i < n; ++i) {
                auto const position = static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + i);
                T const wanted = Op{}.template operator()<T>(position, key);
                ASSERT_EQ(std::memcmp(&found[i], &wanted, sizeof(T)), 0) << position << ", " << i << " of " << n;
            }
            ASSERT_EQ(found[n], T{7}) << first << ", " << n;
        }
}

TEST(CpuCounter, ValuesThatFollowEachOtherAreThoseOfTheirPositions) {
    on_every_isa(cpu::kernels_of, [](auto const& kernels) {
        follow_each_other<ops::random_bits, std::uint64_t>(kernels);
        follow_each_other<ops::random_uniform, double>(kernels);
        follow_each_other<ops::random_uniform, float>(kernels);
    });
}

}  // namespace
}  // namespace bascule
