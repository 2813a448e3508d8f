// Whole quotients and remainders by one divisor for a whole block: a product with the divisor's reciprocal, rounded up,
// and a shift, exact for every dividend (T. Granlund and P. L. Montgomery, Division by invariant integers using
// multiplication, 1994; H. S. Warren, Hacker's Delight, chapter 10). Of a negative dividend n the complement is
// divided: floor(n / d) = ~floor(~n / d).
#pragma once
#include "backend/cpu/kernels/loops.hpp"
#include "backend/cpu/kernels/word_lanes.hpp"
#include "bascule/ops/division.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <int Bytes> struct twice_as_wide;
template <> struct twice_as_wide<1> { using type = std::uint32_t; };
template <> struct twice_as_wide<2> { using type = std::uint32_t; };
template <> struct twice_as_wide<4> { using type = std::uint64_t; };
template <> struct twice_as_wide<8> { __extension__ typedef unsigned __int128 type; };

// floor(n / |d|) of n below 2^(bits - 1) where T is signed, of every n where it is not.
template <class T> struct reciprocal {
    using U = ops::bits_of<T>;
    using W = typename twice_as_wide<sizeof(T)>::type;
    static constexpr int bits = 8 * static_cast<int>(sizeof(T));
    static constexpr bool is_signed = ops::is_signed_type<T>;

    U size, multiplier;  // |d|, not 0
    int first_shift, shift;

    explicit reciprocal(T d)
        : size(is_signed && d < T(0) ? static_cast<U>(0 - static_cast<ops::wrapping<T>>(d)) : static_cast<U>(d)) {
        int length = 0;  // 2^(length - 1) < size <= 2^length
        while (length < bits && (U(1) << length) < size) ++length;
        if constexpr (is_signed) {
            // Rounded up, 2^(bits - 1 + length) / size fits in one word.
            multiplier = static_cast<U>((W(1) << (bits - 1 + length)) / size + 1);
            first_shift = 0;
            shift = length;
        } else {
            // One bit more than a word holds: without its highest, which is added as the dividend.
            U const power = length < bits ? static_cast<U>(U(1) << length) : U(0);
            multiplier = static_cast<U>((W(static_cast<U>(power - size)) << bits) / size + 1);
            first_shift = length > 0;
            shift = length > 0 ? length - 1 : 0;
        }
    }
    inline __attribute__((always_inline)) U quotient(U n) const {
        U const product = static_cast<U>(W(static_cast<U>(is_signed ? n << 1 : n)) * multiplier >> bits);
        if constexpr (is_signed) return static_cast<U>(product >> shift);
        else return static_cast<U>(static_cast<U>(product + (static_cast<U>(n - product) >> first_shift)) >> shift);
    }
    inline __attribute__((always_inline)) words quotient(words n) const {
        words const product = high_product(is_signed ? n << 1 : n, all_words(multiplier));
        if constexpr (is_signed) return product >> shift;
        else return (product + ((n - product) >> first_shift)) >> shift;
    }
};

// Of one byte: 2^16 / size, rounded up, is exact for every dividend, and vectors have its product's upper half. By 1 it
// would take 17 bits.
template <class T> struct byte_reciprocal {
    using U = std::uint8_t;
    U size, itself;
    std::uint16_t multiplier;

    explicit byte_reciprocal(T d)
        : size(ops::is_signed_type<T> && d < T(0) ? static_cast<U>(-d) : static_cast<U>(d)),
          itself(size == 1 ? 0xff : 0),
          multiplier(size == 1 ? std::uint16_t{0} : static_cast<std::uint16_t>(0xffff / size + 1)) {}
    inline __attribute__((always_inline)) U quotient(U n) const {
        std::uint16_t const wide = n;
        auto const product = static_cast<std::uint16_t>(std::uint32_t{wide} * multiplier >> 16);
        return static_cast<U>(static_cast<U>(product) | (n & itself));
    }
};

template <class T> struct reciprocal_of { using type = reciprocal<T>; };
template <> struct reciprocal_of<std::int8_t> { using type = byte_reciprocal<std::int8_t>; };
template <> struct reciprocal_of<std::uint8_t> { using type = byte_reciprocal<std::uint8_t>; };

// Op is floor_divide or remainder; V is an element, or a vector of 64-bit words.
template <class Op, class T, bool Negative> struct by_reciprocal {
    using U = ops::bits_of<T>;
    static constexpr bool divides = ops::same_type<Op, ops::floor_divide>, is_signed = ops::is_signed_type<T>;
    typename reciprocal_of<T>::type const by;

    static inline __attribute__((always_inline)) U sign_of(U n) {
        return static_cast<U>(static_cast<T>(n) < T(0) ? ~U(0) : U(0));
    }
    static inline __attribute__((always_inline)) words sign_of(words n) {
        return reinterpret_cast<words>(reinterpret_cast<signed_words>(n) < 0);
    }
    static inline __attribute__((always_inline)) U mask_of_some(U n) { return static_cast<U>(n != 0 ? ~U(0) : U(0)); }
    static inline __attribute__((always_inline)) words mask_of_some(words n) { return reinterpret_cast<words>(n != 0); }

    template <class V> inline __attribute__((always_inline)) V operator()(V n) const {
        if constexpr (!is_signed) {
            V const q = by.quotient(n);
            return divides ? q : static_cast<V>(n - static_cast<V>(q * by.size));
        } else {
            V const sign = sign_of(n), q = static_cast<V>(by.quotient(static_cast<V>(n ^ sign)) ^ sign);
            if constexpr (divides && !Negative) return q;
            V const rest = static_cast<V>(n - static_cast<V>(q * by.size));  // of the division by |d|
            if constexpr (!divides && !Negative) return rest;
            V const some = mask_of_some(rest);
            // Rounded towards the other side: one further where something is left.
            if constexpr (divides) return static_cast<V>(some - q);
            return static_cast<V>(rest - (some & all_of(by.size, n)));
        }
    }
    static inline __attribute__((always_inline)) U all_of(U x, U) { return x; }
    static inline __attribute__((always_inline)) words all_of(U x, words) { return all_words(x); }
};

template <class Op, class T> struct scalar_division_loop {
    using U = ops::bits_of<T>;
    // Below this many elements divisions cost less than finding the reciprocal.
    static constexpr std::size_t worth_a_reciprocal = 16;

    static void run(void* d_, void const* a_, void const* b_, void const* c, std::size_t n) {
        T const divisor = *static_cast<T const*>(b_);
        if (n < worth_a_reciprocal || divisor == T(0)) return binary_loop<Op, T, vs>::run(d_, a_, b_, c, n);
        auto* const d = static_cast<U*>(d_);
        auto const* const a = static_cast<U const*>(a_);
        typename reciprocal_of<T>::type const by(divisor);
        if (ops::is_signed_type<T> && divisor < T(0)) each(d, a, by_reciprocal<Op, T, true>{by}, n);
        else each(d, a, by_reciprocal<Op, T, false>{by}, n);
    }
    template <class F> static void each(U* d, U const* a, F const f, std::size_t n) {
        std::size_t i = 0;
#if defined(__AVX2__)
        if constexpr (sizeof(T) == 8)
            for (; i + words_count <= n; i += words_count) store_words(d + i, f(load_words(a + i)));
#endif
#pragma GCC ivdep
        for (; i < n; ++i) d[i] = f(a[i]);
    }
};

template <class T> void add_scalar_divisions(kernel_table& t, type_id id) {
    t.op[ops::number<ops::floor_divide>][static_cast<int>(id)][vs] = scalar_division_loop<ops::floor_divide, T>::run;
    t.op[ops::number<ops::remainder>][static_cast<int>(id)][vs] = scalar_division_loop<ops::remainder, T>::run;
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
