// Bit operations on integers and booleans. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

inline constexpr type_set bit_types = types::boolean | types::integers;

struct bitwise_and {
    static constexpr spec meta{.name = "bitwise_and",
                               .nin = 2,
                               .types = bit_types,
                               .computes = primitive::bitwise_and,
                               .commutative = true,
                               .identity = -2,
                               .doc = "Compute the bit-wise AND of two arrays element-wise."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return static_cast<T>(a & b); }
};

struct bitwise_or {
    static constexpr spec meta{.name = "bitwise_or",
                               .nin = 2,
                               .types = bit_types,
                               .computes = primitive::bitwise_or,
                               .commutative = true,
                               .identity = 0,
                               .doc = "Compute the bit-wise OR of two arrays element-wise."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return static_cast<T>(a | b); }
};

struct bitwise_xor {
    static constexpr spec meta{.name = "bitwise_xor",
                               .nin = 2,
                               .types = bit_types,
                               .computes = primitive::bitwise_xor,
                               .commutative = true,
                               .identity = 0,
                               .doc = "Compute the bit-wise XOR of two arrays element-wise."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};

struct invert {
    static constexpr spec meta{.name = "invert",
                               .aliases = "bitwise_not bitwise_invert",
                               .types = bit_types,
                               .computes = primitive::invert,
                               .doc = "Compute bit-wise inversion, or bit-wise NOT, element-wise."};
    template <class T> BASCULE_HD T operator()(T a) const {
        if constexpr (is_bool_type<T>) return !a;
        else return static_cast<T>(~a);
    }
};

// A shift by the width or more, or by a negative count, moves every bit out. The count is masked before the shift,
// which would be undefined otherwise, and the result is then chosen.
struct left_shift {
    static constexpr spec meta{.name = "left_shift",
                               .aliases = "bitwise_left_shift",
                               .nin = 2,
                               .types = types::integers,
                               .computes = primitive::left_shift,
                               .doc = "Shift the bits of an integer to the left."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        constexpr int width = 8 * static_cast<int>(sizeof(T));
        auto const count = static_cast<bits_of<T>>(b);
        auto const shifted = static_cast<T>(static_cast<wrapping<T>>(a) << (count & (width - 1)));
        return count < width ? shifted : T(0);
    }
};

struct right_shift {
    static constexpr spec meta{.name = "right_shift",
                               .aliases = "bitwise_right_shift",
                               .nin = 2,
                               .types = types::integers,
                               .computes = primitive::right_shift,
                               .doc = "Shift the bits of an integer to the right."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        constexpr int width = 8 * static_cast<int>(sizeof(T));
        auto const count = static_cast<bits_of<T>>(b);
        auto const shifted = static_cast<T>(a >> (count & (width - 1)));
        auto const emptied = static_cast<T>(is_signed_type<T> ? (a < 0 ? -1 : 0) : 0);
        return count < width ? shifted : emptied;
    }
};

struct bitwise_count {
    static constexpr spec meta{.name = "bitwise_count",
                               .types = types::integers,
                               .cost = 2,
                               .doc = "Compute the number of 1-bits in the absolute value of x."};
    template <class T> BASCULE_HD std::uint8_t operator()(T a) const {
        auto const u = static_cast<std::uint64_t>(static_cast<bits_of<T>>(a));
        // The magnitude of the least value is itself, seen as unsigned.
        auto x = is_signed_type<T> && a < T(0) ? static_cast<std::uint64_t>(static_cast<bits_of<T>>(0 - u)) : u;
        x -= (x >> 1) & 0x5555555555555555ull;
        x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
        x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
        return static_cast<std::uint8_t>((x * 0x0101010101010101ull) >> 56);
    }
};

using bitwise_ops = op_list<bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift, bitwise_count>;

}  // namespace bascule::ops
