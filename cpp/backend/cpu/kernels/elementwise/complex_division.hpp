// Quotients of complex numbers, so that the processor's flags are those of the operation: pieces without a zero or NaN
// below the line need no branch, and comparisons are of bits. A NaN there is an invalid operation, as in NumPy, which
// compares the parts.
#pragma once
#include "backend/cpu/kernels/loops.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// The parts of n numbers, without their signs: none is NaN, and of no number both are zero.
template <class T, bool ZerosToo> bool all_divide(complex<T> const* b, std::size_t n) {
    using U = ops::bits_of<T>;
    constexpr U infinity = __builtin_bit_cast(U, ops::constants<T>::infinity());
    U others = 0;
    for (std::size_t i = 0; i < n; ++i) {
        U const re = __builtin_bit_cast(U, ops::without_sign(b[i].re)),
                im = __builtin_bit_cast(U, ops::without_sign(b[i].im));
        others |= (re > infinity) | (im > infinity) | (ZerosToo && (re | im) == 0) ? U(1) : U(0);
    }
    return others == 0;
}

// Operands that pass through this are divided here: the compiler would otherwise move the division to where its errors
// are not wanted.
template <class T> inline __attribute__((always_inline)) complex<T> here(complex<T> b) {
    T volatile re = b.re, im = b.im;
    return {re, im};
}
template <class T> inline complex<T> divide_by_zero(complex<T> a) {
    T volatile zero = 0;
    return {a.re / zero, a.im / zero};
}

template <class T, int V> struct complex_division {
    using number = complex<T>;
    static void run(void* d_, void const* a_, void const* b_, void const*, std::size_t n) {
        constexpr std::size_t piece = 128;
        auto* const d = static_cast<number*>(d_);
        auto const *const a = static_cast<number const*>(a_), *const b = static_cast<number const*>(b_);
        number const x = a[0], y = b[0];  // a scalar is read once: the result may overwrite it
        auto const first = [&](std::size_t i) { return V == sv ? x : a[i]; };
        for (std::size_t begin = 0; begin < n; begin += piece) {
            std::size_t const end = n - begin < piece ? n : begin + piece;
            if (V == vs ? all_divide<T, true>(&y, 1) : all_divide<T, true>(b + begin, end - begin)) {
                number const by = V == vs ? here(y) : y;
#pragma GCC ivdep
                for (std::size_t i = begin; i < end; ++i)
                    d[i] = ops::cmath::divide_by_nonzero(first(i), V == vs ? by : b[i]);
                continue;
            }
            for (std::size_t i = begin; i < end; ++i) {
                number const by = V == vs ? y : b[i];
                if (!all_divide<T, false>(&by, 1)) note_unusual();
                d[i] = ops::is_nonzero(by) ? ops::cmath::divide_by_nonzero(first(i), here(by))
                                           : divide_by_zero(first(i));
            }
        }
    }
};

template <class T> struct complex_reciprocal {
    using number = complex<T>;
    static void run(void* d_, void const* a_, void const*, void const*, std::size_t n) {
        auto* const d = static_cast<number*>(d_);
        auto const* const a = static_cast<number const*>(a_);
        if (!all_divide<T, false>(a, n)) note_unusual();
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) d[i] = ops::cmath::reciprocal(a[i]);
    }
};

template <type_id Id> void add_complex_division(kernel_table& t) {
    using T = ops::real_type<element<Id>>;
    constexpr int type = static_cast<int>(Id);
    auto& quotients = t.op[ops::number<ops::divide>][type];
    quotients[vv] = complex_division<T, vv>::run;
    quotients[vs] = complex_division<T, vs>::run;
    quotients[sv] = complex_division<T, sv>::run;
    t.op[ops::number<ops::reciprocal>][type][vv] = complex_reciprocal<T>::run;
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
