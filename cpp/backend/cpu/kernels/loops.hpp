// The loops that turn an op's call operator into kernels. Included by the kernel files, which are compiled once per
// instruction set: everything lives in an unnamed namespace, and nothing of the standard library is called, so that the
// linker can never keep one instruction set's copy of a function for all of them.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// The type in memory for a T. A boolean is a byte: the vectoriser does not handle arrays of bool.
template <class T> struct stored { using type = T; };
template <> struct stored<bool> { using type = std::uint8_t; };
template <class T> using stored_t = typename stored<T>::type;
template <class T> inline __attribute__((always_inline)) T load(stored_t<T> const* p, std::size_t i) {
    if constexpr (__is_same(T, bool)) return p[i] != 0;
    else return p[i];
}

// The result may be written over an input, element for element, which the pragma declares not to be a dependence.
template <class Op, class T> struct unary_loop {
    using R = decltype(Op{}(T{}));
    static void run(void* d_, void const* a_, void const*, void const*, std::size_t n) {
        auto* d = static_cast<stored_t<R>*>(d_);
        auto const* a = static_cast<stored_t<T> const*>(a_);
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) d[i] = Op{}(load<T>(a, i));
    }
};

// Raises one of the processor's flags: where an argument is unusual, the errors of the result must be determined
// (inspection::values_if_noted).
inline void note_unusual() {
    float volatile zero = 0;
    zero = zero / zero;
}

// An op with a `fast` body that holds for the usual arguments runs it over pieces in which all are usual. Short pieces:
// the processor tests one while it still computes another.
template <class Op, class T> struct fast_unary_loop {
    static bool usual(T const* a, std::size_t n) {
        ops::bits_of<T> others = 0;  // as wide as T: of a bool the compiler makes no vector code
        for (std::size_t i = 0; i < n; ++i) others |= Op::in_fast_range(a[i]) ? 0u : 1u;
        return others == 0;
    }
    static void run(void* d_, void const* a_, void const*, void const*, std::size_t n) {
        constexpr std::size_t piece = 128;
        auto* const d = static_cast<T*>(d_);
        auto const* const a = static_cast<T const*>(a_);
        for (std::size_t begin = 0; begin < n; begin += piece) {
            std::size_t const m = n - begin < piece ? n - begin : piece;
            if (usual(a + begin, m)) run_fast(d + begin, a + begin, m);
            else run_any(d + begin, a + begin, m);
        }
    }
    static void run_any(T* d, T const* a, std::size_t n) {
        note_unusual();
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) d[i] = Op{}(a[i]);
    }
    static void run_fast(T* d, T const* a, std::size_t n) {
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) d[i] = Op::fast(a[i]);
    }
};

// The same of two inputs, one of which may be a scalar.
template <class Op, class T, int V> struct fast_binary_loop {
    static void run(void* d_, void const* a_, void const* b_, void const*, std::size_t n) {
        constexpr std::size_t piece = 128;
        auto* const d = static_cast<T*>(d_);
        auto const* const a = static_cast<T const*>(a_);
        auto const* const b = static_cast<T const*>(b_);
        T const x = a[0], y = b[0];  // a scalar is read once: the result may overwrite it
        auto const first = [&](std::size_t i) { return V == sv ? x : a[i]; };
        auto const second = [&](std::size_t i) { return V == vs ? y : b[i]; };
        for (std::size_t begin = 0; begin < n; begin += piece) {
            std::size_t const end = n - begin < piece ? n : begin + piece;
            ops::bits_of<T> others = 0;
            for (std::size_t i = begin; i < end; ++i) others |= Op::in_fast_range(first(i), second(i)) ? 0u : 1u;
            if (others == 0) {
#pragma GCC ivdep
                for (std::size_t i = begin; i < end; ++i) d[i] = Op::fast(first(i), second(i));
            } else {
#pragma GCC ivdep
                for (std::size_t i = begin; i < end; ++i) d[i] = Op{}(first(i), second(i));
            }
        }
    }
};

// Kernels of an op that has a fast body in one type only.
template <class Op, class T> void add_fast_binary(kernel (&to)[variant_count]) {
    to[vv] = fast_binary_loop<Op, T, vv>::run;
    to[vs] = fast_binary_loop<Op, T, vs>::run;
    to[sv] = fast_binary_loop<Op, T, sv>::run;
}

template <class Op, class T, int V> struct binary_loop {
    using R = decltype(Op{}(T{}, T{}));
    static void run(void* d_, void const* a_, void const* b_, void const*, std::size_t n) {
        auto* d = static_cast<stored_t<R>*>(d_);
        auto const* a = static_cast<stored_t<T> const*>(a_);
        auto const* b = static_cast<stored_t<T> const*>(b_);
        if constexpr (V == vv) {
#pragma GCC ivdep
            for (std::size_t i = 0; i < n; ++i) d[i] = Op{}(load<T>(a, i), load<T>(b, i));
        } else if constexpr (V == vs) {
            T const s = load<T>(b, 0);
#pragma GCC ivdep
            for (std::size_t i = 0; i < n; ++i) d[i] = Op{}(load<T>(a, i), s);
        } else {
            T const s = load<T>(a, 0);
#pragma GCC ivdep
            for (std::size_t i = 0; i < n; ++i) d[i] = Op{}(s, load<T>(b, i));
        }
    }
};

// First input A (bool for a selection), two more T; V says which of those are scalars.
template <class Op, class A, class T, int V> struct ternary_loop {
    using R = decltype(Op{}(A{}, T{}, T{}));
    static void run(void* d_, void const* a_, void const* b_, void const* c_, std::size_t n) {
        auto* d = static_cast<stored_t<R>*>(d_);
        auto const* a = static_cast<stored_t<A> const*>(a_);
        auto const* b = static_cast<stored_t<T> const*>(b_);
        auto const* c = static_cast<stored_t<T> const*>(c_);
        constexpr bool b_scalar = V & 1, c_scalar = V & 2;
        T const bs = b_scalar ? load<T>(b, 0) : T{};
        T const cs = c_scalar ? load<T>(c, 0) : T{};
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) {
            T const x = b_scalar ? bs : load<T>(b, i);
            T const y = c_scalar ? cs : load<T>(c, i);
            d[i] = Op{}(load<A>(a, i), x, y);
        }
    }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
