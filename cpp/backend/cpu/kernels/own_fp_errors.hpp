// Floating-point errors of ops that have a rule of their own (ops/fp_errors.hpp).
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/ops/fp_errors.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Subtracted from itself, a number that is not finite gives NaN, any other zero. Complex numbers are checked as twice
// as many reals.
template <class R> bool any_non_finite(void const* d, std::size_t n) {
    constexpr std::size_t at_once = 256 / sizeof(R);  // vectors side by side: one waits for the one before it
    auto const* p = static_cast<R const*>(d);
    ops::bits_of<R> found[at_once] = {}, any = 0;
    std::size_t i = 0;
    for (; i + at_once <= n; i += at_once)
        for (std::size_t k = 0; k < at_once; ++k) found[k] |= __builtin_bit_cast(ops::bits_of<R>, p[i + k] - p[i + k]);
    for (auto const one : found) any |= one;
    for (; i < n; ++i) any |= __builtin_bit_cast(ops::bits_of<R>, p[i] - p[i]);
    return any != 0;
}

template <class Op, class T>
concept raises_by_itself = requires(T x) {
    Op::raised(x, x);
}
|| requires(T x) { Op::raised(x, x, x); };

template <class Op, class T> std::uint8_t own_fp_errors(fp_error_args const& x) {
    using real = ops::real_type<T>;
    constexpr std::size_t parts = sizeof(T) / sizeof(real);
    if constexpr (!requires { Op::raises_when_finite; })
        if (!(x.raises & ops::fp::under) && !any_non_finite<real>(x.d, parts * x.n)) return ops::fp::none;
    auto const *const d = static_cast<T const*>(x.d), *const a = static_cast<T const*>(x.a),
                      *const b = static_cast<T const*>(x.b);
    std::uint8_t found = 0;
    for (std::size_t i = 0; i < x.n; ++i) {
        T const first = a[x.a_scalar ? 0 : i];
        if constexpr (Op::meta.nin == 1) found |= Op::raised(d[i], first);
        else found |= Op::raised(d[i], first, b[x.b_scalar ? 0 : i]);
    }
    return found & x.raises;
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
