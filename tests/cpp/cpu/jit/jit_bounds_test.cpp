// Extrema, whose machine code knows more of bounds that are numbers.
#include <cstring>
#include <limits>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/engine/run.hpp"
#include "cpu/jit/machine_code_test.hpp"
#include "support/plan_builder.hpp"

namespace bascule {
namespace {

using testing::plan_builder;

template <class T> class CpuJitBounds : public machine_code_test {
protected:
    // NaN of two kinds among numbers and zeros of both signs, clipped to a bound.
    static std::vector<T> bounded(char const* op, T low, T high, bool clips, cpu::jit::policy how,
                                  cpu::kernel_table const& kernels) {
        policy_of const policy(how);
        constexpr std::int64_t n = 67;
        std::vector<T> x(n), result(n), negative(n);
        T const special[] = {std::numeric_limits<T>::quiet_NaN(),
                             -std::numeric_limits<T>::quiet_NaN(),
                             T(0),
                             -T(0),
                             std::numeric_limits<T>::infinity(),
                             T(-3)};
        for (std::size_t k = 0; k < x.size(); ++k)
            x[k] = k % 3 ? static_cast<T>(k) / 40 - T(0.5) : special[k / 3 % std::size(special)];
        plan_builder b({n});
        std::vector<int> args{b.flat(x.data(), id_of<T>::value), b.constant(low)};
        if (clips) args.push_back(b.constant(high));
        int const value = b.op(op, id_of<T>::value, args);
        b.store_flat(value, result.data());
        b.store_flat(b.op("negative", id_of<T>::value, {value}), negative.data());  // alone, it would be the kernel's
        auto const p = b.get();
        EXPECT_EQ(cpu::run_plan(p, kernels), status::ok) << cpu::last_error_text();
        return result;
    }

    void compare_all() {
        T const nan = std::numeric_limits<T>::quiet_NaN();
        T const bounds[] = {T(0.25), T(0), -T(0), nan, -nan, -std::numeric_limits<T>::infinity()};
        for (char const* const op : {"maximum", "minimum", "fmax", "fmin", "clip"})
            for (T const low : bounds)
                for (T const high : bounds) {
                    bool const clips = std::strcmp(op, "clip") == 0;
                    auto const written = bounded(op, low, high, clips, cpu::jit::policy::always, *vectors());
                    auto const known = bounded(op, low, high, clips, cpu::jit::policy::off, *vectors());
                    ASSERT_EQ(std::memcmp(written.data(), known.data(), known.size() * sizeof(T)), 0)
                        << op << " beside " << low << " and " << high;
                }
    }
};

using CpuJitBounds64 = CpuJitBounds<double>;
INSTANTIATE_TEST_SUITE_P(Isa, CpuJitBounds64, machine_code_test::instruction_sets(), machine_code_test::name);
TEST_P(CpuJitBounds64, HaveTheBitsOfTheKernels) { compare_all(); }

using CpuJitBounds32 = CpuJitBounds<float>;
INSTANTIATE_TEST_SUITE_P(Isa, CpuJitBounds32, machine_code_test::instruction_sets(), machine_code_test::name);
TEST_P(CpuJitBounds32, HaveTheBitsOfTheKernels) { compare_all(); }

}  // namespace
}  // namespace bascule
