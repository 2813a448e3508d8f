// Items a few items apart, to and from contiguous memory: every second, third, fourth or eighth. A store writes only
// its items: other threads may write those in between at the same time.
#pragma once
#include <cstdint>
#include <type_traits>
#ifdef __SSE4_1__
#include <immintrin.h>
#endif

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// move(i) for groups of items behind which another item follows, so that their vectors do not reach beyond the space
// between two items; the last group overlaps the one before it. Returns how many items were moved.
template <std::int64_t Items, class Move> std::int64_t in_groups(std::int64_t n, Move const& move) {
    if (n <= Items) return 0;
    std::int64_t i = 0;
    for (; i + Items < n; i += Items) move(i);
    if (i != n - 1) move(n - 1 - Items);
    return n - 1;
}

#ifdef __SSE4_1__

#ifdef __AVX512BW__
using wide_bits = __m512i;
inline wide_bits load_bits(void const* p) { return _mm512_loadu_si512(p); }
inline void store_bits(void* p, wide_bits v) { _mm512_storeu_si512(p, v); }
inline wide_bits every_word(std::uint64_t w) { return _mm512_set1_epi64(static_cast<std::int64_t>(w)); }
inline wide_bits and_bits(wide_bits a, wide_bits b) { return _mm512_and_si512(a, b); }
inline wide_bits pack_halves(wide_bits a, wide_bits b) { return _mm512_packus_epi32(a, b); }
inline wide_bits pack_bytes(wide_bits a, wide_bits b) { return _mm512_packus_epi16(a, b); }
// Each quarter of `v` is the same quarter of `Packed` vectors, one after the other: these one after the other instead.
template <int Packed> wide_bits in_order(wide_bits v) {
    if constexpr (Packed == 2) return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), v);
    else if constexpr (Packed == 4)
        return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), v);
    else {
        alignas(64) static constexpr std::uint16_t at[32] = {0,  8,  16, 24, 1,  9,  17, 25, 2,  10, 18,
                                                             26, 3,  11, 19, 27, 4,  12, 20, 28, 5,  13,
                                                             21, 29, 6,  14, 22, 30, 7,  15, 23, 31};
        return _mm512_permutexvar_epi16(_mm512_load_si512(at), v);
    }
}
#else
using wide_bits = __m128i;
inline wide_bits load_bits(void const* p) { return _mm_loadu_si128(static_cast<__m128i const*>(p)); }
inline void store_bits(void* p, wide_bits v) { _mm_storeu_si128(static_cast<__m128i*>(p), v); }
inline wide_bits every_word(std::uint64_t w) { return _mm_set1_epi64x(static_cast<std::int64_t>(w)); }
inline wide_bits and_bits(wide_bits a, wide_bits b) { return _mm_and_si128(a, b); }
inline wide_bits pack_halves(wide_bits a, wide_bits b) { return _mm_packus_epi32(a, b); }
inline wide_bits pack_bytes(wide_bits a, wide_bits b) { return _mm_packus_epi16(a, b); }
template <int> wide_bits in_order(wide_bits v) { return v; }
#endif

// One vector of items of Size bytes out of Step of them, at every power of two.
template <int Size, int Step> struct packed_items {
    static constexpr int bytes = sizeof(wide_bits);
    // Of `Count` vectors from p on; Lane: bytes from an item to the next.
    template <int Count, int Lane> static wide_bits of(char const* p) {
        if constexpr (Count == 1) {
            constexpr std::uint64_t item = ~std::uint64_t{0} >> (64 - 8 * Size);
            constexpr std::uint64_t repeated = Size * Step == 8   ? item
                                               : Size * Step == 4 ? item * 0x0000000100000001u
                                                                  : item * 0x0001000100010001u;
            return and_bits(load_bits(p), every_word(repeated));
        } else {
            wide_bits const a = of<Count / 2, 2 * Lane>(p), b = of<Count / 2, 2 * Lane>(p + Count / 2 * bytes);
            return Lane == 1 ? pack_bytes(a, b) : pack_halves(a, b);
        }
    }
};
template <int Size, int Step> std::int64_t load_packed(char* to, char const* from, std::int64_t n) {
    return in_groups<static_cast<int>(sizeof(wide_bits)) / Size>(n, [&](std::int64_t i) {
        store_bits(to + i * Size,
                   in_order<Step>(packed_items<Size, Step>::template of<Step, Size>(from + i * Size * Step)));
    });
}

// The source and target of each of 16 bytes, if items of Size bytes are Step apart in Step vectors; 0x80: none.
template <int Size, int Step> struct byte_positions {
    alignas(16) std::uint8_t gathered[Step][16] = {}, spread[Step][16] = {};
    std::uint16_t written[Step] = {};
    constexpr byte_positions() {
        for (int k = 0; k < Step; ++k)
            for (int b = 0; b < 16; ++b) {
                int const from = b / Size * Size * Step + b % Size, here = 16 * k + b;
                gathered[k][b] = from / 16 == k ? static_cast<std::uint8_t>(from % 16) : 0x80;
                bool const item = here / Size % Step == 0;
                spread[k][b] = item ? static_cast<std::uint8_t>(here / Size / Step * Size + b % Size) : 0x80;
                if (item) written[k] = static_cast<std::uint16_t>(written[k] | 1 << b);
            }
    }
};
template <int Size, int Step> inline constexpr byte_positions<Size, Step> positions_of{};

inline __m128i load_half_line(void const* p) { return _mm_loadu_si128(static_cast<__m128i const*>(p)); }

template <int Size, int Step> std::int64_t load_shuffled(char* to, char const* from, std::int64_t n) {
    constexpr std::int64_t items = 16 / Size;
    auto const& positions = positions_of<Size, Step>;
    return in_groups<items>(n, [&](std::int64_t i) {
        __m128i all = _mm_setzero_si128();
        for (int k = 0; k < Step; ++k)
            all = _mm_or_si128(all, _mm_shuffle_epi8(load_half_line(from + i * Size * Step + 16 * k),
                                                     load_half_line(positions.gathered[k])));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i * Size), all);
    });
}
#endif  // __SSE4_1__

#ifdef __AVX512BW__
template <int Size, int Step> std::int64_t store_shuffled(char* to, char const* from, std::int64_t n) {
    constexpr std::int64_t items = 16 / Size;
    auto const& positions = positions_of<Size, Step>;
    return in_groups<items>(n, [&](std::int64_t i) {
        __m128i const all = load_half_line(from + i * Size);
        for (int k = 0; k < Step; ++k)
            _mm_mask_storeu_epi8(to + i * Size * Step + 16 * k, positions.written[k],
                                 _mm_shuffle_epi8(all, load_half_line(positions.spread[k])));
    });
}

// Items of 1, 2 and 4 bytes widened to 2, 4 and 8.
template <int Size, int Step> std::int64_t store_widened(char* to, char const* from, std::int64_t n) {
    constexpr std::int64_t items = 64 / (Size * Step);
    constexpr std::uint64_t item = ~std::uint64_t{0} >> (64 - Size);
    constexpr std::uint64_t written = Size * Step == 8   ? item * 0x0101010101010101u
                                      : Size * Step == 4 ? item * 0x1111111111111111u
                                                         : item * 0x5555555555555555u;
    return in_groups<items>(n, [&](std::int64_t i) {
        char const* const p = from + i * Size;
        __m512i wide;
        if constexpr (Size == 1 && Step == 2)
            wide = _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(p)));
        else if constexpr (Size == 1 && Step == 4) wide = _mm512_cvtepu8_epi32(load_half_line(p));
        else if constexpr (Size == 1) wide = _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(p)));
        else if constexpr (Size == 2 && Step == 2)
            wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(p)));
        else if constexpr (Size == 2) wide = _mm512_cvtepu16_epi64(load_half_line(p));
        else wide = _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(p)));
        _mm512_mask_storeu_epi8(to + i * Size * Step, written, wide);
    });
}

// Lanes of 4 and 8 bytes: which lane of which of Step vectors.
template <int Size, int Step> struct lane_positions {
    static constexpr int lanes = 64 / Size;
    using number = std::conditional_t<Size == 8, std::uint64_t, std::uint32_t>;
    // Item k after vector v has joined those before it, the first vector being all there is at first.
    alignas(64) number gathered[Step][lanes] = {}, spread[Step][lanes] = {};
    std::uint16_t written[Step] = {};
    constexpr lane_positions() {
        for (int v = 0; v < Step; ++v)
            for (int k = 0; k < lanes; ++k) {
                int const lane = k * Step % lanes, vector = k * Step / lanes, here = v * lanes + k;
                gathered[v][k] = static_cast<number>(vector == v ? lanes + lane : v == 1 && vector == 0 ? lane : k);
                spread[v][k] = static_cast<number>(here / Step);
                if (here % Step == 0) written[v] = static_cast<std::uint16_t>(written[v] | 1 << k);
            }
    }
};
template <int Size, int Step> inline constexpr lane_positions<Size, Step> lanes_at{};

template <int Size, int Step> std::int64_t load_lanes(char* to, char const* from, std::int64_t n) {
    using positions = lane_positions<Size, Step>;
    auto const& at = lanes_at<Size, Step>;
    return in_groups<positions::lanes>(n, [&](std::int64_t i) {
        char const* const p = from + i * Size * Step;
        __m512i all = _mm512_loadu_si512(p);
        for (int v = 1; v < Step; ++v) {
            __m512i const more = _mm512_loadu_si512(p + 64 * v), which = _mm512_load_si512(at.gathered[v]);
            all = Size == 8 ? _mm512_permutex2var_epi64(all, which, more) : _mm512_permutex2var_epi32(all, which, more);
        }
        _mm512_storeu_si512(to + i * Size, all);
    });
}
template <int Size, int Step> std::int64_t store_lanes(char* to, char const* from, std::int64_t n) {
    using positions = lane_positions<Size, Step>;
    auto const& at = lanes_at<Size, Step>;
    return in_groups<positions::lanes>(n, [&](std::int64_t i) {
        __m512i const all = _mm512_loadu_si512(from + i * Size);
        for (int v = 0; v < Step; ++v) {
            __m512i const which = _mm512_load_si512(at.spread[v]);
            char* const p = to + i * Size * Step + 64 * v;
            if constexpr (Size == 8)
                _mm512_mask_storeu_epi64(p, static_cast<__mmask8>(at.written[v]), _mm512_permutexvar_epi64(which, all));
            else _mm512_mask_storeu_epi32(p, at.written[v], _mm512_permutexvar_epi32(which, all));
        }
    });
}
#endif  // __AVX512BW__

// How many of n items vectors have moved.
template <int Size, int Step>
std::int64_t load_by_vectors([[maybe_unused]] char* to, [[maybe_unused]] char const* from,
                             [[maybe_unused]] std::int64_t n) {
#ifdef __SSE4_1__
    if constexpr (Size * Step <= 8 && Size <= 2 && Step != 3) return load_packed<Size, Step>(to, from, n);
    else if constexpr (Size <= 2 && Step == 3) return load_shuffled<Size, Step>(to, from, n);
#ifdef __AVX512BW__
    else if constexpr ((Size == 4 || Size == 8) && Step <= 4) return load_lanes<Size, Step>(to, from, n);
#endif
#endif
    return 0;
}
template <int Size, int Step>
std::int64_t store_by_vectors([[maybe_unused]] char* to, [[maybe_unused]] char const* from,
                              [[maybe_unused]] std::int64_t n) {
#ifdef __AVX512BW__
    if constexpr (Size * Step <= 8 && Step != 3) return store_widened<Size, Step>(to, from, n);
    else if constexpr (Size <= 2 && Step == 3) return store_shuffled<Size, Step>(to, from, n);
    else if constexpr ((Size == 4 || Size == 8) && Step <= 4) return store_lanes<Size, Step>(to, from, n);
#endif
    return 0;
}

// to[i] = from[Step * i] and to[Step * i] = from[i].
template <class T, int Step> void load_every(T* to, T const* from, std::int64_t n) {
    auto const done =
        load_by_vectors<sizeof(T), Step>(reinterpret_cast<char*>(to), reinterpret_cast<char const*>(from), n);
#pragma GCC ivdep
    for (std::int64_t i = done; i < n; ++i) to[i] = from[Step * i];
}
template <class T, int Step> void store_every(T* to, T const* from, std::int64_t n) {
    auto const done =
        store_by_vectors<sizeof(T), Step>(reinterpret_cast<char*>(to), reinterpret_cast<char const*>(from), n);
    for (std::int64_t i = done; i < n; ++i) to[Step * i] = from[i];
}

// Whether the step, in bytes, was one of those above.
template <class T> bool load_apart(T* to, T const* from, std::int64_t n, std::int64_t step) {
    constexpr std::int64_t size = sizeof(T);
    switch (step) {
        case 2 * size: return load_every<T, 2>(to, from, n), true;
        case 3 * size: return load_every<T, 3>(to, from, n), true;
        case 4 * size: return load_every<T, 4>(to, from, n), true;
        case 8 * size: return load_every<T, 8>(to, from, n), true;
        default: return false;
    }
}
template <class T> bool store_apart(T* to, T const* from, std::int64_t n, std::int64_t step) {
    constexpr std::int64_t size = sizeof(T);
    switch (step) {
        case 2 * size: return store_every<T, 2>(to, from, n), true;
        case 3 * size: return store_every<T, 3>(to, from, n), true;
        case 4 * size: return store_every<T, 4>(to, from, n), true;
        case 8 * size: return store_every<T, 8>(to, from, n), true;
        default: return false;
    }
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
