// Quotients and remainders of two arrays of integers, in vectors: by floating-point division, for vectors have no
// other. The quotient is exact. For dividends and divisors that are exact in floating point, a quotient that is not
// whole is further below (or above) the next integer than one unit of the divisor, which is more than rounding moves
// it: it never reaches that integer.
#pragma once
#include "backend/cpu/kernels/loops.hpp"
#include "bascule/ops/division.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Integers of up to 16 bits in floats, of up to 32 in doubles, and those of 64 of which a double holds four times as
// much: conversions by addition of round_shift are the same on every processor that has vectors.
template <int Bytes> struct exact_division {
    using real = float;
    template <class T> static inline __attribute__((always_inline)) real from(T x) { return static_cast<real>(x); }
    template <class T> static inline __attribute__((always_inline)) T to(real x) {
        return static_cast<T>(static_cast<std::int32_t>(x));
    }
};
template <> struct exact_division<4> {
    using real = double;
    template <class T> static inline __attribute__((always_inline)) real from(T x) {
        if constexpr (ops::is_signed_type<T>) return static_cast<real>(x);
        else return ops::math::from_bits(std::uint64_t{x} | 0x4330000000000000u) - 0x1p52;
    }
    template <class T> static inline __attribute__((always_inline)) T to(real x) {
        return static_cast<T>(static_cast<std::uint32_t>(ops::math::bits(x + ops::math::round_shift)));
    }
};
template <> struct exact_division<8> {
    using real = double;
    template <class T> static inline __attribute__((always_inline)) real from(T x) {
        return ops::math::to_double(static_cast<std::uint64_t>(x));
    }
    template <class T> static inline __attribute__((always_inline)) T to(real x) {
        return static_cast<T>(ops::math::shifted_integer(x + ops::math::round_shift));
    }
};

// Op is floor_divide, remainder or fmod. Pieces of 64-bit integers in which one is too large are divided one by one.
template <class Op, class T, int V> struct integer_division_loop {
    using exact = exact_division<sizeof(T)>;
    using real = typename exact::real;
    static constexpr bool divides = ops::same_type<Op, ops::floor_divide>, truncates = ops::same_type<Op, ops::fmod>;

    static inline __attribute__((always_inline)) T each(T a, T b) {
        real const x = exact::from(a), y = exact::from(static_cast<T>(b == T(0) ? T(1) : b)), z = x / y;
        real const quotient = truncates ? ops::math::trunc(z) : ops::math::floor(z);
        T const result = exact::template to<T>(divides ? quotient : x - quotient * y);
        return b == T(0) ? T(0) : result;
    }
    static inline __attribute__((always_inline)) std::uint64_t beyond(T x) {
        constexpr std::uint64_t limit = std::uint64_t{1} << 51;
        return (static_cast<std::uint64_t>(x) + (ops::is_signed_type<T> ? limit : 0)) >>
               (ops::is_signed_type<T> ? 52 : 51);
    }

    static void run(void* d_, void const* a_, void const* b_, void const*, std::size_t n) {
        constexpr std::size_t piece = 128;
        auto* const d = static_cast<T*>(d_);
        auto const *const a = static_cast<T const*>(a_), *const b = static_cast<T const*>(b_);
        T const x = a[0], y = b[0];  // a scalar is read once: the result may overwrite it
        auto const first = [&](std::size_t i) { return V == sv ? x : a[i]; };
        auto const second = [&](std::size_t i) { return V == vs ? y : b[i]; };
        if constexpr (sizeof(T) < 8) {
#pragma GCC ivdep
            for (std::size_t i = 0; i < n; ++i) d[i] = each(first(i), second(i));
            return;
        }
        for (std::size_t begin = 0; begin < n; begin += piece) {
            std::size_t const end = n - begin < piece ? n : begin + piece;
            std::uint64_t others = 0;
            for (std::size_t i = begin; i < end; ++i) others |= beyond(first(i)) | beyond(second(i));
            if (others == 0) {
#pragma GCC ivdep
                for (std::size_t i = begin; i < end; ++i) d[i] = each(first(i), second(i));
            } else {
                for (std::size_t i = begin; i < end; ++i) d[i] = Op{}(first(i), second(i));
            }
        }
    }
};

template <class Op, class T> void add_integer_division(kernel (&to)[variant_count]) {
    to[vv] = integer_division_loop<Op, T, vv>::run;
    to[vs] = integer_division_loop<Op, T, vs>::run;
    to[sv] = integer_division_loop<Op, T, sv>::run;
}

template <class T> void add_integer_divisions(kernel_table& t, type_id id) {
    add_integer_division<ops::floor_divide, T>(t.op[ops::number<ops::floor_divide>][static_cast<int>(id)]);
    add_integer_division<ops::remainder, T>(t.op[ops::number<ops::remainder>][static_cast<int>(id)]);
    add_integer_division<ops::fmod, T>(t.op[ops::number<ops::fmod>][static_cast<int>(id)]);
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
