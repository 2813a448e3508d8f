// Items of several arrays one after the other, and back.
#include "backend/cpu/interleaved.hpp"
#ifdef __AVX512BW__
#include <immintrin.h>
#endif

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Memory that others made may lie at any address.
template <class T> struct anywhere { typedef T type __attribute__((aligned(1), may_alias)); };
template <class T> using item = typename anywhere<T>::type;

// Four bytes of each, 64 of each at a time: how many of n. Fours of bytes are put where the unpacking within quarters
// of a vector leaves everything in its order.
inline std::int64_t interleave_bytes([[maybe_unused]] char* to, [[maybe_unused]] char const* const* from,
                                     [[maybe_unused]] std::int64_t n) {
    std::int64_t i = 0;
#ifdef __AVX512BW__
    __m512i const fours = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    for (; i + 64 <= n; i += 64) {
        __m512i v[4];
        for (int k = 0; k < 4; ++k) v[k] = _mm512_permutexvar_epi32(fours, _mm512_loadu_si512(from[k] + i));
        __m512i const a = _mm512_unpacklo_epi8(v[0], v[1]), b = _mm512_unpackhi_epi8(v[0], v[1]),
                      c = _mm512_unpacklo_epi8(v[2], v[3]), d = _mm512_unpackhi_epi8(v[2], v[3]);
        _mm512_storeu_si512(to + 4 * i, _mm512_unpacklo_epi16(a, c));
        _mm512_storeu_si512(to + 4 * i + 64, _mm512_unpackhi_epi16(a, c));
        _mm512_storeu_si512(to + 4 * i + 128, _mm512_unpacklo_epi16(b, d));
        _mm512_storeu_si512(to + 4 * i + 192, _mm512_unpackhi_epi16(b, d));
    }
#endif
    return i;
}

template <class T, int Count> void interleave(char* to_, char const* const* from, std::int64_t n) noexcept {
    std::int64_t done = 0;
    if constexpr (sizeof(T) == 1 && Count == 4) done = interleave_bytes(to_, from, n);
    auto* const to = reinterpret_cast<item<T>*>(to_);
    item<T> const* x[Count];
    for (int k = 0; k < Count; ++k) x[k] = reinterpret_cast<item<T> const*>(from[k]);
#pragma GCC ivdep
    for (std::int64_t i = done; i < n; ++i)
        for (int k = 0; k < Count; ++k) to[Count * i + k] = x[k][i];
}

// Every fourth byte, 64 of each at a time: how many of n. Those of a quarter of a vector meet in four bytes, then in
// one quarter.
inline std::int64_t separate_bytes([[maybe_unused]] char* const* to, [[maybe_unused]] char const* from,
                                   [[maybe_unused]] std::int64_t n) {
    std::int64_t i = 0;
#ifdef __AVX512BW__
    __m512i const bytes = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    __m512i const fours = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    constexpr std::int64_t ahead = 2048;  // what is not there is not fetched, so nobody asks where memory ends
    for (; i + 64 <= n; i += 64) {
        for (int k = 0; k < 4; ++k) __builtin_prefetch(from + 4 * i + 64 * k + ahead);
        __m512i v[4];
        for (int k = 0; k < 4; ++k)
            v[k] =
                _mm512_permutexvar_epi32(fours, _mm512_shuffle_epi8(_mm512_loadu_si512(from + 4 * i + 64 * k), bytes));
        __m512i const a = _mm512_shuffle_i32x4(v[0], v[1], 0x44), b = _mm512_shuffle_i32x4(v[2], v[3], 0x44),
                      c = _mm512_shuffle_i32x4(v[0], v[1], 0xee), d = _mm512_shuffle_i32x4(v[2], v[3], 0xee);
        _mm512_storeu_si512(to[0] + i, _mm512_shuffle_i32x4(a, b, 0x88));
        _mm512_storeu_si512(to[1] + i, _mm512_shuffle_i32x4(a, b, 0xdd));
        _mm512_storeu_si512(to[2] + i, _mm512_shuffle_i32x4(c, d, 0x88));
        _mm512_storeu_si512(to[3] + i, _mm512_shuffle_i32x4(c, d, 0xdd));
    }
#endif
    return i;
}

template <class T, int Count> void separate(char* const* to, char const* from_, std::int64_t n) noexcept {
    std::int64_t done = 0;
    if constexpr (sizeof(T) == 1 && Count == 4) done = separate_bytes(to, from_, n);
    auto const* const from = reinterpret_cast<item<T> const*>(from_);
    item<T>* x[Count];
    for (int k = 0; k < Count; ++k) x[k] = reinterpret_cast<item<T>*>(to[k]);
#pragma GCC ivdep
    for (std::int64_t i = done; i < n; ++i)
        for (int k = 0; k < Count; ++k) x[k][i] = from[Count * i + k];
}

template <class T, int Count> constexpr void add(interleave_kernels& k) {
    k.join[size_class(sizeof(T))][Count] = interleave<T, Count>;
    k.separate[size_class(sizeof(T))][Count] = separate<T, Count>;
}
template <class T> constexpr void add_size(interleave_kernels& k) {
    add<T, 2>(k);
    add<T, 3>(k);
    add<T, 4>(k);
    if constexpr (sizeof(T) == 1) add<T, 8>(k);
}

}  // namespace

interleave_kernels const& interleaving() noexcept {
    static constexpr interleave_kernels kernels = [] {
        interleave_kernels k{};
        add_size<std::uint8_t>(k);
        add_size<std::uint16_t>(k);
        add_size<std::uint32_t>(k);
        add_size<std::uint64_t>(k);
        return k;
    }();
    return kernels;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
