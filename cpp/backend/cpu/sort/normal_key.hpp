// Normalised keys: every fixed-width value as an unsigned number in the same order.
#pragma once
#include <bit>
#include <cstring>
#include <type_traits>

#include "bascule/core/dtype.hpp"

namespace bascule::cpu::sorting {

// Bits that hold 0 ... range.
inline int bits_for(std::uint64_t range) noexcept { return static_cast<int>(std::bit_width(range)); }

inline bool is_valid(std::uint8_t const* validity, std::int64_t i) noexcept {
    return validity == nullptr || (validity[i >> 3] >> (i & 7) & 1) != 0;
}

// key() orders as NumPy compares; from_key() inverts it but for -0.0. ordered() distinguishes -0.0 from 0.0, which
// follows it, and leaves the number after that of every value free; value() inverts it. None is called for null.
template <class T> struct normal {
    using bits = std::make_unsigned_t<T>;
    static constexpr bits flip = std::is_signed_v<T> ? bits(bits{1} << (8 * sizeof(T) - 1)) : bits{0};
    static bool is_null(T) noexcept { return false; }
    static std::uint64_t key(T v) noexcept { return static_cast<bits>(static_cast<bits>(v) ^ flip); }
    static std::uint64_t ordered(T v) noexcept { return key(v); }
    static T value(std::uint64_t k) noexcept { return static_cast<T>(static_cast<bits>(static_cast<bits>(k) ^ flip)); }
    static T from_key(std::uint64_t k) noexcept { return value(k); }
    static T null() noexcept { return T{}; }
};

template <class T, class Bits, Bits Infinity> struct normal_float {
    static constexpr Bits sign = Bits(Bits{1} << (8 * sizeof(T) - 1));
    static bool is_null(T v) noexcept { return Bits(std::bit_cast<Bits>(v) & Bits(~sign)) > Infinity; }
    // All bits of negative numbers are inverted, else the first: without a branch, for signs may be random.
    static std::uint64_t of_bits(Bits b) noexcept {
        return Bits(b ^ Bits(Bits(Bits{0} - Bits(b >> (8 * sizeof(T) - 1))) | sign));
    }
    static std::uint64_t key(T v) noexcept {
        auto const b = std::bit_cast<Bits>(v);
        return of_bits(b == sign ? Bits{0} : b);
    }
    static std::uint64_t ordered(T v) noexcept { return of_bits(std::bit_cast<Bits>(v)); }
    static T value(std::uint64_t k) noexcept {
        auto const b = static_cast<Bits>(k);
        return std::bit_cast<T>((b & sign) != 0 ? Bits(b & Bits(~sign)) : Bits(~b));
    }
    static T from_key(std::uint64_t k) noexcept { return value(k); }
    static T null() noexcept { return std::bit_cast<T>(Bits(Infinity | Bits(Infinity >> 1))); }
};
template <> struct normal<float16> : normal_float<float16, std::uint16_t, 0x7c00> {};
template <> struct normal<float> : normal_float<float, std::uint32_t, 0x7f800000u> {};
template <> struct normal<double> : normal_float<double, std::uint64_t, 0x7ff0000000000000u> {};

template <class T> struct normal_time {
    static bool is_null(T v) noexcept { return v.count == nat; }
    static std::uint64_t key(T v) noexcept { return normal<std::int64_t>::key(v.count); }
    static std::uint64_t ordered(T v) noexcept { return key(v) - 1; }  // NaT would be 0
    static T value(std::uint64_t k) noexcept { return from_key(k + 1); }
    static T from_key(std::uint64_t k) noexcept { return T{normal<std::int64_t>::value(k)}; }
    static T null() noexcept { return T{nat}; }
};
template <> struct normal<datetime64> : normal_time<datetime64> {};
template <> struct normal<timedelta64> : normal_time<timedelta64> {};

template <class T> struct type_tag { using type = T; };

template <int I = 0, class F> bool visit_key_type(type_id t, F&& f) {
    if constexpr (I == type_count) {
        return false;
    } else {
        constexpr auto id = static_cast<type_id>(I);
        if (t != id) return visit_key_type<I + 1>(t, f);
        if constexpr (is_complex(id)) return false;
        // A byte of a bool column may hold more than 0 and 1.
        else f(type_tag<std::conditional_t<id == type_id::bool_, std::uint8_t, element<id>>>{});
        return true;
    }
}

}  // namespace bascule::cpu::sorting
