// Machine code that reads slices of one array a few elements apart: where two vectors are computed together, elements
// that the first reads behind another slice are taken from vectors that are already loaded; no memory outside the
// slices is accessed.
#include <algorithm>
#include <cstring>
#include <random>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/engine/run.hpp"
#include "cpu/jit/machine_code_test.hpp"
#include "support/guarded_memory.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;
constexpr std::int64_t lengths[] = {1, 7, 8, 16, 17, 31, 33, 64, 129, 1031};
constexpr int apart[][3] = {{0, 1, 2}, {2, 1, 0}, {3, 0, 9}, {0, 7, 8}, {1, 15, 16}, {0, 1, 1}, {1, 2, 70}};

template <class T> void fill(char* to, std::int64_t n, std::uint64_t seed) {
    std::mt19937_64 g(seed);
    for (std::int64_t i = 0; i < n; ++i) {
        auto const x = static_cast<T>(g() % 251);
        std::memcpy(to + i * static_cast<std::int64_t>(sizeof x), &x, sizeof x);
    }
}

// Slices of x that begin so far from its first element, and y.
template <class T>
std::vector<T> combined(int const (&begin)[3], std::int64_t n, cpu::jit::policy how, cpu::kernel_table const& kernels) {
    policy_of const policy(how);
    constexpr type_id t = id_of<T>::value;
    constexpr std::int64_t size = sizeof(T);
    std::int64_t const all = n + *std::max_element(begin, begin + 3);
    guarded x(static_cast<std::size_t>(all * size), true), y(static_cast<std::size_t>(n * size), false);
    fill<T>(x.data, all, 1), fill<T>(y.data, n, 2);
    std::vector<T> result(static_cast<std::size_t>(n)), other = result;
    plan_builder b({n});
    int slices[3];
    for (int k = 0; k < 3; ++k) slices[k] = b.flat(x.data + begin[k] * size, t);
    int const sum = b.op("add", t, {b.op("add", t, {slices[0], slices[1]}), b.flat(y.data, t)});
    int const last = b.op("subtract", t, {b.op("maximum", t, {sum, slices[2]}), slices[0]});
    b.store_flat(last, result.data());
    b.store_flat(b.op("minimum", t, {slices[2], slices[1]}), other.data());
    auto const p = b.get();
    EXPECT_EQ(cpu::run_plan(p, kernels), status::ok) << cpu::last_error_text();
    result.insert(result.end(), other.begin(), other.end());
    return result;
}

class CpuJitNeighbours : public machine_code_test {
protected:
    template <class T> static void compare() {
        for (auto const& begin : apart)
            for (std::int64_t const n : lengths)
                ASSERT_EQ(combined<T>(begin, n, cpu::jit::policy::always, *vectors()),
                          combined<T>(begin, n, cpu::jit::policy::off, *vectors()))
                    << sizeof(T) << " bytes, " << begin[0] << ", " << begin[1] << ", " << begin[2] << ", " << n;
    }
};
INSTANTIATE_TEST_SUITE_P(Isa, CpuJitNeighbours, machine_code_test::instruction_sets(), machine_code_test::name);

TEST_P(CpuJitNeighbours, SlicesOfEveryType) {
    compare<double>(), compare<float>(), compare<std::int64_t>(), compare<std::uint32_t>(), compare<std::uint8_t>();
}

// Vectors of fewer elements than the distance of the narrower slices.
TEST_P(CpuJitNeighbours, NarrowOnesAmongWideOnes) {
    for (std::int64_t const n : lengths) {
        auto const sums = [&](cpu::jit::policy how) {
            policy_of const policy(how);
            guarded x(static_cast<std::size_t>(n + 12) * 4, true), booleans(static_cast<std::size_t>(n + 1), true);
            fill<float>(x.data, n + 12, 3);
            for (std::int64_t i = 0; i <= n; ++i) booleans.data[i] = static_cast<char>(i % 3 == 0);
            std::vector<double> result(static_cast<std::size_t>(n));
            plan_builder b({n});
            constexpr type_id wide = type_id::float64, boolean = type_id::bool_;
            int sum = b.cast(b.flat(x.data, type_id::float32), wide);
            for (int const behind : {1, 7, 8, 12})
                sum = b.op("add", wide, {sum, b.cast(b.flat(x.data + behind * 4, type_id::float32), wide)});
            int const differ =
                b.op("logical_xor", boolean, {b.flat(booleans.data, boolean), b.flat(booleans.data + 1, boolean)});
            b.store_flat(b.op("where", wide, {differ, sum, b.op("negative", wide, {sum})}), result.data());
            auto const p = b.get();
            EXPECT_EQ(cpu::run_plan(p, *vectors()), status::ok) << cpu::last_error_text();
            return result;
        };
        ASSERT_EQ(sums(cpu::jit::policy::always), sums(cpu::jit::policy::off)) << n;
    }
}

}  // namespace
}  // namespace bascule
