// Powers of float64. A third of the work of ops::math::pow is for special arguments and for results near the ends of
// the range: pieces in which all arguments are usual skip it, with the same result.
#pragma once
#include "backend/cpu/kernels/loops.hpp"
#include "bascule/ops/magnitude.hpp"

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

struct usual_powers : ops::power {
    static bool in_fast_range(double x, double y) { return is_usual_power(x, y); }
    __attribute__((always_inline)) static double fast(double x, double y) {
        return ops::math::or_square(x, y, usual_power(x, y));
    }
    static bool in_fast_range(float x, float y) { return ops::math::fast::pow_in_range(x, y); }
    static float fast(float x, float y) { return ops::math::fast::pow(x, y); }
};

// One exponent for all: squares, if it is 2, take none of the work of other powers.
template <class T> void power_loop(void* d_, void const* a_, void const* b, void const* c, std::size_t n) {
    if (*static_cast<T const*>(b) != 2) return fast_binary_loop<usual_powers, T, vs>::run(d_, a_, b, c, n);
    auto* const d = static_cast<T*>(d_);
    auto const* const a = static_cast<T const*>(a_);
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) d[i] = a[i] * a[i];
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
