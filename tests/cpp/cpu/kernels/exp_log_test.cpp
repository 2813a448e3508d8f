// exp and logarithms by tables, which instruction sets look up in different ways: equal bits wherever there is a fused
// multiply-add, of all lengths, in place, and together with unusual arguments.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "backend/cpu/common/fp_status.hpp"
#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/ops/table.hpp"
#include "support/every_isa.hpp"

namespace bascule {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), missing = std::numeric_limits<double>::quiet_NaN();

struct function {
    char const* name;
    int op;
    double low, high;
    long double (*oracle)(long double);
    std::vector<double> unusual;
    bool notes_underflow = true;  // whether kernels report it: op_traits.cpp
};
std::vector<double> const not_logarithms{infinity,  -infinity,   missing,   0.0,
                                         -0.0,      -1.0,        0x1p-1074, 0x1.8p-1023,
                                         0x1p-1022, 0x1.7p-1022, 0x1p-1001, 0x1.fffffffffffffp1023};

std::vector<function> functions() {
    return {{"exp",
             ops::number<ops::exp>,
             -708,
             708,
             [](long double x) { return std::exp(x); },
             {infinity, -infinity, missing, 709.7, 709.9, 1e300, -708.5, -744.4, -745.13, -745.14, -745.3, -1e300}},
            {"log", ops::number<ops::log>, 0.01, 100, [](long double x) { return std::log(x); }, not_logarithms},
            {"log2", ops::number<ops::log2>, 0.01, 100, [](long double x) { return std::log2(x); }, not_logarithms},
            {"log10", ops::number<ops::log10>, 0.01, 100, [](long double x) { return std::log10(x); }, not_logarithms},
            {"log1p",
             ops::number<ops::log1p>,
             -0.99,
             100,
             [](long double x) { return std::log1p(x); },
             {infinity, -infinity, missing, -1.0, -1.5, -0x1.fffffffffffffp-1, -0.0, 0x1p-1074, 0x1p-1022, 0x1p-53,
              -0x1p-54, 0x1p60, 0x1.7p1023, 0x1.fffffffffffffp1023},
             false}};
}

cpu::kernel kernel_of(cpu::kernel_table const& kernels, function const& f) {
    return kernels.op[f.op][static_cast<int>(type_id::float64)][cpu::vv];
}

std::vector<double> arguments(function const& f, std::mt19937_64& g, std::size_t n) {
    std::uniform_real_distribution<double> wide(f.low, f.high), near_one(0.5, 1.5);
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = i % 2 ? wide(g) : near_one(g);
    if (n > 5) x[5] = 1;
    return x;
}

bool same_bits(std::vector<double> const& a, std::vector<double> const& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(CpuExpLog, EveryLengthHasTheResultOfItsParts) {
    on_every_isa(cpu::kernels_of, [](cpu::kernel_table const& kernels) {
        for (auto const& f : functions()) {
            std::mt19937_64 g(3);
            auto const x = arguments(f, g, 300);
            std::vector<double> each(x.size());
            for (std::size_t i = 0; i < x.size(); ++i) kernel_of(kernels, f)(&each[i], &x[i], nullptr, nullptr, 1);
            for (std::size_t n = 0; n <= x.size(); ++n) {
                std::vector<double> all(x.size(), -7.0), in_place = x, want = each;
                kernel_of(kernels, f)(all.data(), x.data(), nullptr, nullptr, n);
                kernel_of(kernels, f)(in_place.data(), in_place.data(), nullptr, nullptr, n);
                std::fill(want.begin() + static_cast<std::ptrdiff_t>(n), want.end(), -7.0);
                ASSERT_TRUE(same_bits(all, want)) << f.name << " of " << n;
                in_place.resize(n), want.resize(n);
                ASSERT_TRUE(same_bits(in_place, want)) << f.name << " of " << n << " in place";
            }
        }
    });
}

TEST(CpuExpLog, UnusualArgumentsAreNotedAndChangeNothingAlongsideThem) {
    on_every_isa(cpu::kernels_of, [](cpu::kernel_table const& kernels) {
        for (auto const& f : functions()) {
            std::mt19937_64 g(4);
            auto const usual = arguments(f, g, 200);
            std::vector<double> want(usual.size()), got(usual.size());
            kernel_of(kernels, f)(want.data(), usual.data(), nullptr, nullptr, usual.size());
            for (std::size_t k = 0; k < f.unusual.size(); ++k) {
                auto x = usual;
                std::size_t const at = (k * 53) % x.size();
                x[at] = f.unusual[k];
                cpu::fp_status::clear();
                kernel_of(kernels, f)(got.data(), x.data(), nullptr, nullptr, x.size());
                double const r = got[at];
                bool const tiny = std::abs(r) < std::numeric_limits<double>::min();
                bool const raises = !std::isfinite(r) || (tiny && f.notes_underflow);
                EXPECT_TRUE(cpu::fp_status::raised() || !raises) << f.name << " of " << x[at];
                auto const exact = static_cast<double>(f.oracle(x[at]));
                if (std::isnan(exact)) EXPECT_TRUE(std::isnan(r)) << f.name << " of " << x[at];
                else if (std::isinf(exact) || exact == 0) EXPECT_EQ(r, exact) << f.name << " of " << x[at];
                else EXPECT_LE(std::abs(r - exact), std::abs(exact) * 0x1p-51 + 0x1p-1074) << f.name << " of " << x[at];
                got[at] = want[at];
                ASSERT_TRUE(same_bits(got, want)) << f.name << " beside " << x[at];
            }
        }
    });
}

TEST(CpuExpLog, VectorsOfEveryWidthHaveTheSameBits) {
    auto const *narrow = cpu::kernels_of("avx2"), *wide = cpu::kernels_of("avx512");
    if (!narrow || !wide) GTEST_SKIP() << "one instruction set with a fused multiply-add";
    for (auto const& f : functions()) {
        std::mt19937_64 g(5);
        for (int round = 0; round < 300; ++round) {
            auto x = arguments(f, g, 1000);
            if (round % 2)
                for (auto& v : x)
                    if (g() % 8 == 0) v = __builtin_bit_cast(double, g());
            for (double const v : f.unusual)
                if (round % 4 == 3) x[g() % x.size()] = v;
            std::vector<double> a(x.size()), b(x.size());
            kernel_of(*narrow, f)(a.data(), x.data(), nullptr, nullptr, x.size());
            kernel_of(*wide, f)(b.data(), x.data(), nullptr, nullptr, x.size());
            for (std::size_t i = 0; i < x.size(); ++i)
                if (std::isnan(a[i]) && std::isnan(b[i])) a[i] = b[i] = 0;  // signs of NaN are the processor's
            ASSERT_TRUE(same_bits(a, b)) << f.name;
        }
    }
}

}  // namespace
}  // namespace bascule
