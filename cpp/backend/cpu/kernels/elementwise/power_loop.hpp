// Powers of float64. A third of the work of ops::math::pow is for special arguments and for results near the ends of
// the range: pieces in which all arguments are usual skip it, with the same result.
#pragma once
#include "backend/cpu/kernels/loops.hpp"
#include "bascule/ops/math/power.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

inline __attribute__((always_inline)) bool is_usual_power(double x, double y) {
    return (x >= 0x1p-100) & (x <= 0x1p100) & (ops::math::abs(y) <= 10.0);  // the result is between 2^-1000 and 2^1000
}
inline __attribute__((always_inline)) double usual_power(double x, double y) {
    namespace math = ops::math;
    math::log_argument const a = math::reduce_log_normal(x);
    math::twofold const l = math::log2_of_parts(a.k, {a.f, 0.0}), p = math::two_product(y, l.hi);
    double const shifted = p.hi + math::round_shift;
    math::twofold const r = math::fast_two_sum(p.hi - (shifted - math::round_shift), math::fma(y, l.lo, p.lo));
    return math::compose(math::scaled<double>{math::exp2_near(r), shifted});
}

template <int V> struct power_loop {
    static void run(void* d_, void const* a_, void const* b_, void const*, std::size_t n) {
        constexpr std::size_t piece = 128;
        auto* const d = static_cast<double*>(d_);
        auto const *const a = static_cast<double const*>(a_), *const b = static_cast<double const*>(b_);
        double const x = a[0], y = b[0];  // a scalar is read once: the result may overwrite it
        auto const base = [&](std::size_t i) { return V == sv ? x : a[i]; };
        auto const exponent = [&](std::size_t i) { return V == vs ? y : b[i]; };
        for (std::size_t begin = 0; begin < n; begin += piece) {
            std::size_t const end = n - begin < piece ? n : begin + piece;
            std::uint64_t others = 0;
            for (std::size_t i = begin; i < end; ++i) others |= is_usual_power(base(i), exponent(i)) ? 0u : 1u;
            if (others == 0) {
#pragma GCC ivdep
                for (std::size_t i = begin; i < end; ++i) d[i] = usual_power(base(i), exponent(i));
            } else {
#pragma GCC ivdep
                for (std::size_t i = begin; i < end; ++i) d[i] = ops::math::pow(base(i), exponent(i));
            }
        }
    }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
