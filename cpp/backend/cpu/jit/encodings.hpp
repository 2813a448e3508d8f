// Vector instructions by their use (Intel, Software Developer's Manual, volume 2).
#pragma once
#include "backend/cpu/jit/assembler.hpp"
#include "backend/cpu/jit/jit_ops.hpp"
#include "bascule/core/dtype.hpp"

namespace bascule::cpu::jit::encodings {

inline constexpr encoding load{1, prefix::none, 0, 0x10}, store{1, prefix::none, 0, 0x11},  // vmovups
    store_past_caches{1, prefix::none, 0, 0x2b},                                            // vmovntps
    move{1, prefix::none, 0, 0x28}, move_wide{1, prefix::p66, 1, 0x28};                     // vmovaps, vmovapd
inline constexpr encoding half_from_single{3, prefix::p66, 0, 0x1d}, single_from_half{2, prefix::p66, 0, 0x13},
    widen_words{2, prefix::p66, 0, 0x33}, unsigned_maximum{2, prefix::p66, 0, 0x3f},
    shift{1, prefix::p66, 0, 0x72};  // the direction is in the field of a register, the result in the second operand
inline constexpr int rightwards = 2, leftwards = 6;

// By the logarithm of the item's size.
inline constexpr encoding masked_load[] = {
    {1, prefix::pf2, 0, 0x6f}, {1, prefix::pf2, 1, 0x6f}, {1, prefix::none, 0, 0x10}, {1, prefix::p66, 1, 0x10}};
inline constexpr encoding masked_store[] = {
    {1, prefix::pf2, 0, 0x7f}, {1, prefix::pf2, 1, 0x7f}, {1, prefix::none, 0, 0x11}, {1, prefix::p66, 1, 0x11}};
inline constexpr encoding repeat[] = {
    {2, prefix::p66, 0, 0x78}, {2, prefix::p66, 0, 0x79}, {2, prefix::p66, 0, 0x18}, {2, prefix::p66, 1, 0x19, true}};

inline constexpr encoding test_bytes{2, prefix::p66, 0, 0x26}, bytes_of_mask{2, prefix::pf3, 0, 0x28},
    absolute_bytes{2, prefix::p66, 0, 0x1c};

// By the size of the elements: 4 bytes, 8 bytes, which wide() says.
inline int wide(type_id t) noexcept { return itemsize(t) == 8 ? 1 : 0; }
// The sign bit of every lane, in eight bytes.
inline std::uint64_t sign_bits(type_id t) noexcept {
    return wide(t) ? 0x8000000000000000u : t == type_id::float16 ? 0x8000800080008000u : 0x8000000080000000u;
}
// By the kind of the elements: 4 bytes, 8 bytes, float16.
inline int kind_of(type_id t) noexcept { return t == type_id::float16 ? 2 : wide(t); }
inline constexpr encoding
    blend[] = {{2, prefix::p66, 0, 0x65}, {2, prefix::p66, 1, 0x65}, {2, prefix::p66, 1, 0x66}},
    signs[] = {{2, prefix::pf3, 0, 0x39}, {2, prefix::pf3, 1, 0x39}, {2, prefix::pf3, 1, 0x29}},
    float_compare[] = {{1, prefix::none, 0, 0xc2}, {1, prefix::p66, 1, 0xc2}, {3, prefix::none, 0, 0xc2}},
    float_class[] = {{3, prefix::p66, 0, 0x66}, {3, prefix::p66, 1, 0x66}, {3, prefix::none, 0, 0x66}},
    float_round[] = {{3, prefix::p66, 0, 0x08}, {3, prefix::p66, 1, 0x09}, {3, prefix::none, 0, 0x08}},
    float_root[] = {{1, prefix::none, 0, 0x51}, {1, prefix::p66, 1, 0x51}, {5, prefix::none, 0, 0x51}};

inline constexpr encoding test[] = {{2, prefix::p66, 0, 0x27}, {2, prefix::p66, 1, 0x27}},
                          bit_and[] = {{1, prefix::p66, 0, 0xdb}, {1, prefix::p66, 1, 0xdb}},
                          bit_or[] = {{1, prefix::p66, 0, 0xeb}, {1, prefix::p66, 1, 0xeb}},
                          bit_xor[] = {{1, prefix::p66, 0, 0xef}, {1, prefix::p66, 1, 0xef}},
                          bit_choice[] = {{3, prefix::p66, 0, 0x25}, {3, prefix::p66, 1, 0x25}},  // vpternlog
    signed_compare[] = {{3, prefix::p66, 0, 0x1f}, {3, prefix::p66, 1, 0x1f}},
                          unsigned_compare[] = {{3, prefix::p66, 0, 0x1e}, {3, prefix::p66, 1, 0x1e}},
                          signed_absolute[] = {{2, prefix::p66, 0, 0x1e}, {2, prefix::p66, 1, 0x1f}};

inline constexpr encoding whole_add[] = {{1, prefix::p66, 0, 0xfe}, {1, prefix::p66, 1, 0xd4}},
                          whole_subtract[] = {{1, prefix::p66, 0, 0xfa}, {1, prefix::p66, 1, 0xfb}},
                          test_none[] = {{2, prefix::pf3, 0, 0x27}, {2, prefix::pf3, 1, 0x27}},
                          float_multiply[] = {{1, prefix::none, 0, 0x59}, {1, prefix::p66, 1, 0x59}},
                          float_divide[] = {{1, prefix::none, 0, 0x5e}, {1, prefix::p66, 1, 0x5e}},
                          // d = second * d - third, d = third - second * d
    times_minus[] = {{2, prefix::p66, 0, 0xaa}, {2, prefix::p66, 1, 0xaa}},
                          minus_times[] = {{2, prefix::p66, 0, 0xac}, {2, prefix::p66, 1, 0xac}},
                          // d = second * d + third, d = d + second * third, d = d - second * third
    times_plus[] = {{2, prefix::p66, 0, 0xa8}, {2, prefix::p66, 1, 0xa8}},
                          plus_product[] = {{2, prefix::p66, 0, 0xb8}, {2, prefix::p66, 1, 0xb8}},
                          less_product[] = {{2, prefix::p66, 0, 0xbc}, {2, prefix::p66, 1, 0xbc}},
                          approximate_reciprocal_root[] = {{2, prefix::p66, 0, 0x4e}, {2, prefix::p66, 1, 0x4e}};

// Of bytes.
inline constexpr encoding byte_blend{2, prefix::p66, 0, 0x66}, byte_signed_compare{3, prefix::p66, 0, 0x3f},
    byte_unsigned_compare{3, prefix::p66, 0, 0x3e}, byte_to_64{2, prefix::p66, 0, 0x32},
    repeat_64{2, prefix::p66, 1, 0x59, true}, words_left{1, prefix::p66, 0, 0xf1}, words_right{1, prefix::p66, 0, 0xd1},
    words_by_number{1, prefix::p66, 0, 0x71};  // the direction as with `shift`

// Of elements of 4 and 8 bytes: lanes in an order, of one vector or of two, the first of which is overwritten.
inline constexpr encoding permute[] = {{2, prefix::p66, 0, 0x16}, {2, prefix::p66, 1, 0x16}},
                          permute_two[] = {{2, prefix::p66, 0, 0x7f}, {2, prefix::p66, 1, 0x7f}},
                          join_lanes[] = {{3, prefix::p66, 0, 0x03},
                                          {3, prefix::p66, 1, 0x03}},   // the upper one comes first
    gather[] = {{2, prefix::p66, 0, 0x92}, {2, prefix::p66, 1, 0x92}},  // at offsets of 4 bytes
    widen_bytes[] = {{2, prefix::p66, 0, 0x31}, {2, prefix::p66, 0, 0x32}},
                          widen_signed_bytes{2, prefix::p66, 0, 0x21};  // to 4 bytes

// Items of two vectors among each other, of the lower halves of their quarters and of the upper ones. By the logarithm
// of the item's size.
inline constexpr encoding unpack_low[] = {{1, prefix::p66, 0, 0x60},
                                          {1, prefix::p66, 0, 0x61},
                                          {1, prefix::p66, 0, 0x62},
                                          {1, prefix::p66, 1, 0x6c, true}},
                          unpack_high[] = {{1, prefix::p66, 0, 0x68},
                                           {1, prefix::p66, 0, 0x69},
                                           {1, prefix::p66, 0, 0x6a},
                                           {1, prefix::p66, 1, 0x6d, true}};

// Integers of more bytes from such of fewer.
inline encoding widening(int from, int to, bool is_signed) noexcept {
    constexpr std::uint8_t extend[4][4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {0, 0, 0, 5}, {}};
    std::uint8_t const which = extend[size_class(from)][size_class(to)];
    bool const known = which != 0 || (from == 1 && to == 2);
    return {static_cast<std::uint8_t>(known ? 2 : 0), prefix::p66, 0,
            static_cast<std::uint8_t>((is_signed ? 0x20 : 0x30) | which)};
}

// Of masks.
inline constexpr std::uint8_t mask_and = 0x41, mask_and_not = 0x42, mask_not = 0x44, mask_or = 0x45, mask_xor = 0x47,
                              mask_move = 0x90;

// Predicates that raise nothing for NaN.
inline constexpr int float_equal = 0, float_unordered = 3, float_not_equal = 4, float_ordered = 7, float_less = 0x11,
                     float_less_equal = 0x12, float_greater_equal = 0x1d, float_greater = 0x1e;
// True where one is NaN, too.
inline constexpr int float_not_less = 0x15, float_not_less_equal = 0x16, float_not_greater_equal = 0x19,
                     float_not_greater = 0x1a;
inline constexpr int integer_equal = 0, integer_less = 1, integer_less_equal = 2, integer_not_equal = 4,
                     integer_greater_equal = 5, integer_greater = 6;
// Of primitive::equal and those behind it.
inline int comparison_number(primitive f) noexcept { return static_cast<int>(f) - static_cast<int>(primitive::equal); }
inline int float_predicate(primitive f) noexcept {
    constexpr int of[] = {float_equal,      float_not_equal, float_less,
                          float_less_equal, float_greater,   float_greater_equal};
    return of[comparison_number(f)];
}
// The comparison that chooses the first of two as the extremum, where the second is not NaN.
inline int predicate_of_extremum(primitive f) noexcept {
    return f == primitive::maximum   ? float_not_less_equal
           : f == primitive::minimum ? float_not_greater_equal
           : f == primitive::fmax    ? float_greater
                                     : float_less;
}
// Classes of float_class.
inline constexpr int infinities = 0x18, not_finite = 0x99;
// Roundings of float_round, none of which raises inexact.
inline constexpr int to_nearest = 8, downward = 9, upward = 10, to_zero = 11;
// Truth value tables of bit_choice over (first, second, third).
inline constexpr int complement_of_third = 0x55, second_where_first_else_third = 0xca;

// So many bytes of a vector, from 4 on.
inline constexpr encoding load_some[] = {{1, prefix::p66, 0, 0x6e}, {1, prefix::pf3, 1, 0x7e, true}, load, load, load},
                          store_some[] = {
                              {1, prefix::p66, 0, 0x7e}, {1, prefix::p66, 1, 0xd6, true}, store, store, store};

// Of AVX2, where masks are vectors. By the logarithm of the item's size.
inline constexpr encoding equal_lanes[] = {{1, prefix::p66, 0, 0x74},
                                           {1, prefix::p66, 0, 0x75},
                                           {1, prefix::p66, 0, 0x76},
                                           {2, prefix::p66, 0, 0x29}},
                          greater_lanes[] = {{1, prefix::p66, 0, 0x64},
                                             {1, prefix::p66, 0, 0x65},
                                             {1, prefix::p66, 0, 0x66},
                                             {2, prefix::p66, 0, 0x37}},
                          // All in memory.
    store_element[] = {
        {3, prefix::p66, 0, 0x14}, {3, prefix::p66, 0, 0x15}, {1, prefix::p66, 0, 0x7e}, {1, prefix::p66, 0, 0xd6}};
// Bytes, floats, doubles where the sign bit of a mask in the immediate operand says so.
inline constexpr encoding blend_by_vector[] = {
    {3, prefix::p66, 0, 0x4c}, {3, prefix::p66, 0, 0x4c}, {3, prefix::p66, 0, 0x4a}, {3, prefix::p66, 0, 0x4b}};
inline constexpr encoding upper_half{3, prefix::p66, 0, 0x39}, even_lanes{1, prefix::none, 0, 0xc6},
    pack_words{1, prefix::p66, 0, 0x63}, pack_doublewords{1, prefix::p66, 0, 0x6b},
    pack_unsigned_words{1, prefix::p66, 0, 0x67}, pack_unsigned_doublewords{2, prefix::p66, 0, 0x2b},
    byte_minimum{1, prefix::p66, 0, 0xda}, byte_maximum{1, prefix::p66, 0, 0xde},
    doubleword_maximum{2, prefix::p66, 0, 0x3f}, doubleword_minimum{2, prefix::p66, 0, 0x3b},
    bit_and_not{1, prefix::p66, 0, 0xdf}, none_and_all{2, prefix::p66, 0, 0x17},  // vptest
    shift_wide{1, prefix::p66, 0, 0x73},                                          // the direction as with `shift`
    shift_right_each_wide{2, prefix::p66, 1, 0x45}, multiply_low{1, prefix::p66, 0, 0xf4},
    multiply_each{2, prefix::p66, 0, 0x40}, exchange_halves{1, prefix::p66, 0, 0x70},
    choose_doublewords{3, prefix::p66, 0, 0x02}, even_wide_lanes{1, prefix::p66, 1, 0xc6},  // vshufps, vshufpd
    sign_bits_of_doubles{1, prefix::p66, 0, 0x50}, permute_quarters{3, prefix::p66, 1, 0x01},
    insert_half{3, prefix::p66, 0, 0x18}, insert_upper_double{1, prefix::p66, 1, 0x16},
    insert_doubleword{3, prefix::p66, 0, 0x22};
// Of eight doubles; permute_quarters works on each half.
inline constexpr encoding exchange_neighbours{3, prefix::p66, 1, 0x05}, join_quarters{3, prefix::p66, 1, 0x23};
inline constexpr int odd_to_even = 0x55;
inline constexpr encoding float_add[] = {{1, prefix::none, 0, 0x58}, {1, prefix::p66, 1, 0x58}},
                          float_subtract[] = {{1, prefix::none, 0, 0x5c}, {1, prefix::p66, 1, 0x5c}};
inline constexpr int with_sign = 4;  // of a shift to the right
// Orders of lanes, two bits each from the lowest; of two vectors with vshufps, half from each.
inline constexpr int first_and_third = 0x88, second_first_fourth_third = 0xb1, fourth_to_first = 0x1b,
                     third_fourth_first_second = 0x4e, first_third_second_fourth = 0xd8, first_and_second_wide = 0x0a,
                     odd_doublewords = 0xaa;

}  // namespace bascule::cpu::jit::encodings
