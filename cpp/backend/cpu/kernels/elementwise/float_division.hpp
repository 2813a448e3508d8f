// Floating-point quotients by one divisor for a whole block: the product with its rounded reciprocal, corrected once by
// the exact remainder, is the rounded quotient (P. Markstein, IA-64 and Elementary Functions, 2000, chapter 8; N.
// Brisebarre, J.-M. Muller and S. Raina, Accelerating correctly rounded floating-point division when the divisor is
// known in advance, 2004), as long as no intermediate result overflows or is subnormal. A division costs five times as
// much.
#pragma once
#include "backend/cpu/dispatch/division_range.hpp"
#include "backend/cpu/kernels/loops.hpp"
#include "bascule/ops/arithmetic.hpp"
#include "bascule/ops/element_traits.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

#ifdef __FMA__

template <class T> inline __attribute__((always_inline)) T multiply_and_add(T a, T b, T c) {
    if constexpr (sizeof(T) == 8) return __builtin_fma(a, b, c);
    else return __builtin_fmaf(a, b, c);
}

template <class T> struct divide_by_scalar {
    using range = division_range<T>;
    using U = ops::bits_of<T>;
    static constexpr std::size_t piece = 128;

    // All are zeros or of a size within the range.
    static bool usual(T const* a, std::size_t n) {
        constexpr U low = 2 * __builtin_bit_cast(U, range::low), high = 2 * __builtin_bit_cast(U, range::high);
        U unusual = 0;
        for (std::size_t i = 0; i < n; ++i) {
            U const size = 2 * __builtin_bit_cast(U, a[i]);
            unusual |= (size - low < high - low) | (size == 0) ? U(0) : U(1);
        }
        return unusual == 0;
    }
    static void run(void* d_, void const* a_, void const* b_, void const*, std::size_t n) {
        auto* const d = static_cast<T*>(d_);
        auto const* const a = static_cast<T const*>(a_);
        T const by = *static_cast<T const*>(b_);
        // Compared as bits: a comparison with NaN would be flagged as an invalid division.
        constexpr U low = 2 * __builtin_bit_cast(U, range::low_divisor),
                    high = 2 * __builtin_bit_cast(U, range::high_divisor);
        U const bits = __builtin_bit_cast(U, by), twice = 2 * bits;
        if (!(twice > low && twice < high)) return binary_loop<ops::divide, T, vs>::run(d, a, &by, nullptr, n);
        bool const negative = (bits >> (8 * sizeof(U) - 1)) != 0;
        T const size = negative ? -by : by, reciprocal = 1 / size;
        for (std::size_t begin = 0; begin < n; begin += piece) {
            std::size_t const m = n - begin < piece ? n - begin : piece;
            if (!usual(a + begin, m)) binary_loop<ops::divide, T, vs>::run(d + begin, a + begin, &by, nullptr, m);
            else if (negative) divide<true>(d + begin, a + begin, size, reciprocal, m);
            else divide<false>(d + begin, a + begin, size, reciprocal, m);
        }
    }
    // The remainder is taken with the sign that leaves the quotient of a zero its own.
    template <bool Negative> static void divide(T* d, T const* a, T by, T reciprocal, std::size_t n) {
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) {
            T const x = Negative ? -a[i] : a[i], near = x * reciprocal, excess = multiply_and_add(by, near, -x);
            d[i] = multiply_and_add(excess, -reciprocal, near);
        }
    }
};

#endif

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
