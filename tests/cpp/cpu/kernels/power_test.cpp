// Powers of usual arguments, which have a loop of their own, against the loop for all arguments, which a single unusual
// argument selects.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/ops/table.hpp"
#include "support/every_isa.hpp"

namespace bascule {
namespace {

constexpr std::size_t piece = 128;

std::vector<double> bases(std::mt19937& g) {
    std::uniform_real_distribution<double> exponent(-100, 100), unit(0.5, 2);
    std::vector<double> x(piece);
    for (std::size_t i = 0; i < piece; ++i) x[i] = i % 3 == 0 ? std::exp2(exponent(g)) : unit(g);
    x[1] = 1, x[2] = std::nextafter(1, 2), x[3] = std::nextafter(1, 0), x[4] = 0x1p-100, x[5] = 0x1p100;
    return x;
}
std::vector<double> exponents(std::mt19937& g) {
    std::uniform_real_distribution<double> any(-10, 10);
    std::vector<double> y(piece);
    for (std::size_t i = 0; i < piece; ++i) y[i] = i % 5 == 0 ? std::round(any(g)) : any(g);
    y[4] = 10, y[5] = -10, y[6] = 0, y[7] = -0.0, y[8] = 0x1p-1074;
    return y;
}

// In the second run the first element of the arrays is NaN.
void has_one_result(cpu::kernel run, std::vector<double> x, std::vector<double> y, bool base_varies,
                    bool exponent_varies) {
    std::vector<double> usual(piece), general(piece);
    run(usual.data(), x.data(), y.data(), nullptr, piece);
    if (base_varies) x[0] = std::numeric_limits<double>::quiet_NaN();
    if (exponent_varies) y[0] = std::numeric_limits<double>::quiet_NaN();
    run(general.data(), x.data(), y.data(), nullptr, piece);
    for (std::size_t i = 1; i < piece; ++i)
        ASSERT_EQ(std::memcmp(&usual[i], &general[i], sizeof(double)), 0)
            << usual[i] << " and " << general[i] << " for " << x[base_varies ? i : 0] << " to the power of "
            << y[exponent_varies ? i : 0];
}

TEST(CpuPower, UsualArgumentsHaveTheResultOfAnyArguments) {
    on_every_isa(cpu::kernels_of, [](auto const& kernels) {
        for (int const op : {ops::number<ops::power>, ops::number<ops::float_power>}) {
            auto const& run = kernels.op[op][static_cast<int>(type_id::float64)];
            std::mt19937 g(1);
            for (int round = 0; round < 50 && !testing::Test::HasFatalFailure(); ++round) {
                auto const x = bases(g), y = exponents(g);
                has_one_result(run[cpu::vv], x, y, true, true);
                has_one_result(run[cpu::vs], x, y, true, false);
                has_one_result(run[cpu::sv], x, y, false, true);
            }
        }
    });
}

}  // namespace
}  // namespace bascule
