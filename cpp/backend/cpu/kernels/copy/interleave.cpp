// Items of several arrays one after the other, and back.
#include "backend/cpu/dispatch/interleave_kernels.hpp"
#ifdef __AVX512BW__
#include <immintrin.h>
#endif

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Foreign memory may have any address.
template <class T> struct anywhere { typedef T type __attribute__((aligned(1), may_alias)); };
template <class T> using item = typename anywhere<T>::type;

// Four bytes of each, 64 of each at a time: how many of n. Fours of bytes are put where the unpacking within quarters
// of a vector leaves everything in its order.
inline std::int64_t interleave_bytes([[maybe_unused]] char* to, [[maybe_unused]] char const* const* from,
                                     [[maybe_unused]] std::int64_t n) {
    std::int64_t i = 0;
#ifdef __AVX512BW__
    __m512i const fours = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    char const* const source[] = {from[0], from[1], from[2], from[3]};
    for (; i + 64 <= n; i += 64) {
        __m512i v[4];
        for (int k = 0; k < 4; ++k) v[k] = _mm512_permutexvar_epi32(fours, _mm512_loadu_si512(source[k] + i));
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

// Every fourth byte, 64 of each at a time; returns how many of n. The bytes of a quarter of a vector are gathered in
// four bytes, those of two vectors in a half; the halves of every second result are exchanged until they are swapped.
inline std::int64_t separate_bytes([[maybe_unused]] char* const* to, [[maybe_unused]] char const* from,
                                   [[maybe_unused]] std::int64_t n, [[maybe_unused]] bool early) {
    std::int64_t i = 0;
#ifdef __AVX512BW__
    __m512i const bytes = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    __m512i const ascending = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29),
                  descending = _mm512_setr_epi32(1, 5, 9, 13, 17, 21, 25, 29, 0, 4, 8, 12, 16, 20, 24, 28),
                  two = _mm512_set1_epi32(2);
    constexpr __mmask8 second_half = 0xf0;
    constexpr std::int64_t ahead = 2048;  // prefetching an invalid address is harmless, so the end of memory is not
                                          // checked
    char* const target[] = {to[0], to[1], to[2], to[3]};
    auto const store = [&](int k, __m512i former, __m512i latter) {
        _mm512_storeu_si512(target[k] + i, _mm512_mask_blend_epi64(second_half, former, latter));
        __m512i const turned = _mm512_mask_blend_epi64(second_half, latter, former);
        _mm512_storeu_si512(target[k + 1] + i, _mm512_shuffle_i64x2(turned, turned, 0x4e));
    };
    for (; i + 64 <= n; i += 64) {
        __m512i v[4];
        for (int k = 0; k < 4; ++k) {
            if (early) __builtin_prefetch(from + 4 * i + 64 * k + ahead);
            v[k] = _mm512_shuffle_epi8(_mm512_loadu_si512(from + 4 * i + 64 * k), bytes);
        }
        store(0, _mm512_permutex2var_epi32(v[0], ascending, v[1]), _mm512_permutex2var_epi32(v[2], descending, v[3]));
        store(2, _mm512_permutex2var_epi32(v[0], _mm512_add_epi32(ascending, two), v[1]),
              _mm512_permutex2var_epi32(v[2], _mm512_add_epi32(descending, two), v[3]));
    }
#endif
    return i;
}

template <class T, int Count>
void separate(char* const* to, char const* from_, std::int64_t n, [[maybe_unused]] bool early) noexcept {
    std::int64_t done = 0;
    if constexpr (sizeof(T) == 1 && Count == 4) done = separate_bytes(to, from_, n, early);
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
