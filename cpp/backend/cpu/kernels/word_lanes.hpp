// Vectors of 64-bit words and the one product that the compiler does not find by itself: left to it, 32 by 32 bits are
// multiplied as 64 by 64, which costs three times as much.
#pragma once
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "backend/cpu/dispatch/kernels.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

#if defined(__AVX512F__)
inline constexpr int words_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int words_bytes = 32;
#else
inline constexpr int words_bytes = 16;
#endif
typedef std::uint64_t words __attribute__((vector_size(words_bytes)));
typedef std::uint64_t words_in_memory __attribute__((vector_size(words_bytes), aligned(8), may_alias));
typedef std::int64_t signed_words __attribute__((vector_size(words_bytes)));
inline constexpr int words_count = words_bytes / 8;

inline words load_words(void const* p) { return *static_cast<words_in_memory const*>(p); }
inline void store_words(void* p, words v) { *static_cast<words_in_memory*>(p) = v; }
inline words all_words(std::uint64_t x) { return words{} + x; }

// The product of the low halves, ignoring the high halves.
inline words low_product(words a, words b) {
#if defined(__AVX512F__)
    // Without the mask's form the compiler's own header reads a value that it never set, and g++ 12 says so.
    return reinterpret_cast<words>(
        _mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
    return reinterpret_cast<words>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__)
    return reinterpret_cast<words>(_mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    return (a & 0xffffffffu) * (b & 0xffffffffu);
#endif
}

#if defined(__AVX2__)
// The elements of two vectors alternately: those of the front halves, and those of the back halves.
inline words front_in_turns(words a, words b) {
#if defined(__AVX512F__)
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
#else
    return __builtin_shufflevector(a, b, 0, 4, 1, 5);
#endif
}
inline words back_in_turns(words a, words b) {
#if defined(__AVX512F__)
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
#else
    return __builtin_shufflevector(a, b, 2, 6, 3, 7);
#endif
}

// The upper 53 bits of words times 2^-53, as the bits of doubles.
inline words unit_lanes(words x) {
    typedef double doubles __attribute__((vector_size(words_bytes)));
#if defined(__AVX512DQ__)
    doubles const d = __builtin_convertvector(reinterpret_cast<signed_words>(x >> 11), doubles) * 0x1p-53;
#else
    // Without an instruction for it: 32 and 21 bits as the ends of significands, whose exponents make them numbers.
    constexpr std::uint64_t two_to_20 = 0x4130000000000000u, one_half = 0x3fe0000000000000u, lower_bits = 0x1fffffu;
    doubles const upper = reinterpret_cast<doubles>((x >> 32) | two_to_20),
                  lower = reinterpret_cast<doubles>(((x >> 11) & lower_bits) | one_half),
                  d = (upper - (0x1p20 + 0.5)) + lower;
#endif
    return reinterpret_cast<words>(d);
}
#endif

// The upper 64 bits of a product of 128, schoolbook.
inline words high_product(words a, words b) {
    words const a1 = a >> 32, b1 = b >> 32;
    words const middle = low_product(a1, b) + (low_product(a, b) >> 32);  // below 2^64
    words const lower = low_product(a, b1) + (middle & 0xffffffffu);
    return low_product(a1, b1) + (middle >> 32) + (lower >> 32);
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
