// Vectors as sorting needs them: the smaller and the larger of two, fixed permutations, and a split by a pivot.
#pragma once
#include <immintrin.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

#if defined(__AVX512F__)
inline constexpr int sort_bytes = 64, sort_registers = 16;
#else
inline constexpr int sort_bytes = 32, sort_registers = 8;
#endif

template <class T> struct sort_vector;
template <> struct sort_vector<double> {
    typedef double type __attribute__((vector_size(sort_bytes)));
    typedef double unaligned __attribute__((vector_size(sort_bytes), aligned(8), may_alias));
    typedef std::int64_t index __attribute__((vector_size(sort_bytes)));
};
template <> struct sort_vector<std::int64_t> {
    typedef std::int64_t type __attribute__((vector_size(sort_bytes)));
    typedef std::int64_t unaligned __attribute__((vector_size(sort_bytes), aligned(8), may_alias));
    typedef std::int64_t index __attribute__((vector_size(sort_bytes)));
};
template <> struct sort_vector<float> {
    typedef float type __attribute__((vector_size(sort_bytes)));
    typedef float unaligned __attribute__((vector_size(sort_bytes), aligned(4), may_alias));
    typedef std::int32_t index __attribute__((vector_size(sort_bytes)));
};
template <> struct sort_vector<std::int32_t> {
    typedef std::int32_t type __attribute__((vector_size(sort_bytes)));
    typedef std::int32_t unaligned __attribute__((vector_size(sort_bytes), aligned(4), may_alias));
    typedef std::int32_t index __attribute__((vector_size(sort_bytes)));
};

// For each mask of up to eight lanes, the lanes of the mask and behind them the others.
inline constexpr auto lanes_first = [] {
    std::array<std::array<std::uint8_t, 8>, 256> all{};
    for (unsigned mask = 0; mask < 256; ++mask) {
        int at = 0;
        for (unsigned chosen : {1u, 0u})
            for (unsigned lane = 0; lane < 8; ++lane)
                if ((mask >> lane & 1) == chosen)
                    all[mask][static_cast<std::size_t>(at++)] = static_cast<std::uint8_t>(lane);
    }
    return all;
}();

template <class T> struct sort_lanes {
    using V = typename sort_vector<T>::type;
    using index = typename sort_vector<T>::index;
    static constexpr int count = sort_bytes / static_cast<int>(sizeof(T));
    static constexpr T last = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                                   : std::numeric_limits<T>::max();

    static constexpr T first = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                                    : std::numeric_limits<T>::min();

    static V load(T const* p) { return *reinterpret_cast<typename sort_vector<T>::unaligned const*>(p); }
    static void store(T* p, V v) { *reinterpret_cast<typename sort_vector<T>::unaligned*>(p) = v; }
    static V all(T x) { return V{} + x; }
#if defined(__AVX512F__)
    // The lanes of the mask, loaded from and stored to as many consecutive positions.
    static V load_some(T const* p, unsigned mask) {
        if constexpr (sizeof(T) == 8) return (V)_mm512_maskz_loadu_epi64(static_cast<__mmask8>(mask), p);
        else return (V)_mm512_maskz_loadu_epi32(static_cast<__mmask16>(mask), p);
    }
    static V compressed(V v, unsigned mask) {
        if constexpr (sizeof(T) == 8) return (V)_mm512_maskz_compress_epi64(static_cast<__mmask8>(mask), (__m512i)v);
        else return (V)_mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), (__m512i)v);
    }
    static void store_some(T* p, V v, unsigned mask) {
        unsigned const positions = (1u << std::popcount(mask)) - 1;
        if constexpr (sizeof(T) == 8)
            _mm512_mask_storeu_epi64(p, static_cast<__mmask8>(positions),
                                     _mm512_maskz_compress_epi64(static_cast<__mmask8>(mask), (__m512i)v));
        else
            _mm512_mask_storeu_epi32(p, static_cast<__mmask16>(positions),
                                     _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), (__m512i)v));
    }
#endif

    // Of equal ones (zeros of two signs) both give the second, so that two lanes that exchange lose neither.
    static V smaller(V a, V b) {
#if defined(__AVX512F__)
        if constexpr (std::is_same_v<T, double>) return _mm512_min_pd(a, b);
        else if constexpr (std::is_same_v<T, float>) return _mm512_min_ps(a, b);
#else
        if constexpr (std::is_same_v<T, double>) return _mm256_min_pd(a, b);
        else if constexpr (std::is_same_v<T, float>) return _mm256_min_ps(a, b);
#endif
        else return a < b ? a : b;
    }
    static V larger(V a, V b) {
#if defined(__AVX512F__)
        if constexpr (std::is_same_v<T, double>) return _mm512_max_pd(a, b);
        else if constexpr (std::is_same_v<T, float>) return _mm512_max_ps(a, b);
#else
        if constexpr (std::is_same_v<T, double>) return _mm256_max_pd(a, b);
        else if constexpr (std::is_same_v<T, float>) return _mm256_max_ps(a, b);
#endif
        else return a > b ? a : b;
    }

    // Lane i of the result is lane of(i) of the vectors, those of the second counted on from the first's.
    template <class F> static constexpr index lanes(F of) {
        index r{};
        for (int i = 0; i < count; ++i) r[i] = of(i);
        return r;
    }
    template <int Distance> static V exchanged(V v) {
        return __builtin_shuffle(v, lanes([](int i) { return i ^ Distance; }));
    }
    template <int Group> static V reversed(V v) {
        return __builtin_shuffle(v, lanes([](int i) { return i ^ (Group - 1); }));
    }
    // The lanes with this bit in their number from b, the others from a.
    template <int Bit> static V joined(V a, V b) {
        return __builtin_shuffle(a, b, lanes([](int i) { return (i & Bit) != 0 ? count + i : i; }));
    }
    static V first_halves(V a, V b) {
        return __builtin_shuffle(a, b, lanes([](int i) { return i / 2 + i % 2 * count; }));
    }
    static V second_halves(V a, V b) {
        return __builtin_shuffle(a, b, lanes([](int i) { return count / 2 + i / 2 + i % 2 * count; }));
    }

    // Which lanes go in front: those before the pivot or, OrEqual, not behind it.
    template <bool OrEqual> static unsigned in_front(V v, V pivot) {
#if defined(__AVX512F__)
        constexpr int how = OrEqual ? _CMP_LE_OQ : _CMP_LT_OQ, how_int = OrEqual ? _MM_CMPINT_LE : _MM_CMPINT_LT;
        if constexpr (std::is_same_v<T, double>) return _mm512_cmp_pd_mask(v, pivot, how);
        else if constexpr (std::is_same_v<T, float>) return _mm512_cmp_ps_mask(v, pivot, how);
        else if constexpr (sizeof(T) == 8) return _mm512_cmp_epi64_mask((__m512i)v, (__m512i)pivot, how_int);
        else return _mm512_cmp_epi32_mask((__m512i)v, (__m512i)pivot, how_int);
#else
        index const yes = OrEqual ? v <= pivot : v < pivot;
        if constexpr (sizeof(T) == 8) return static_cast<unsigned>(_mm256_movemask_pd((__m256d)yes));
        else return static_cast<unsigned>(_mm256_movemask_ps((__m256)yes));
#endif
    }
    // The lanes of the mask, then the others, each group in its order.
    static V split(V v, unsigned mask) {
#if defined(__AVX512F__)
        if constexpr (sizeof(T) == 8) {
            auto const at = _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(&lanes_first[mask])));
            return (V)_mm512_permutexvar_epi64(at, (__m512i)v);
        } else {
            auto const m = static_cast<__mmask16>(mask);
            auto const front = _mm512_maskz_compress_epi32(m, (__m512i)v),
                       back = _mm512_maskz_compress_epi32(static_cast<__mmask16>(~mask), (__m512i)v);
            auto const behind = static_cast<__mmask16>(0xffffu << std::popcount(mask));
            return (V)_mm512_mask_expand_epi32(front, behind, back);
        }
#else
        if constexpr (sizeof(T) == 8) {
            // Lanes of eight bytes are pairs of lanes of four.
            static constexpr auto pairs = [] {
                std::array<std::array<std::uint8_t, 8>, 16> all{};
                for (unsigned k = 0; k < 16; ++k)
                    for (std::size_t i = 0, at = 0; i < 8; ++i)
                        if (lanes_first[k][i] < 4) {
                            all[k][at++] = static_cast<std::uint8_t>(2 * lanes_first[k][i]);
                            all[k][at++] = static_cast<std::uint8_t>(2 * lanes_first[k][i] + 1);
                        }
                return all;
            }();
            auto const at = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(&pairs[mask])));
            return (V)_mm256_permutevar8x32_epi32((__m256i)v, at);
        } else {
            auto const at = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(&lanes_first[mask])));
            return (V)_mm256_permutevar8x32_epi32((__m256i)v, at);
        }
#endif
    }
};

// ---- networks over registers

struct exchange_pair {
    int first, second;
};
// Batcher's odd-even merge sort of N values.
template <int N> constexpr auto sorting_network() {
    constexpr auto walk = [](auto const& visit) {
        for (int p = 1; p < N; p *= 2)
            for (int k = p; k >= 1; k /= 2)
                for (int j = k % p; j <= N - 1 - k; j += 2 * k)
                    for (int i = 0; i < k && i + j + k < N; ++i)
                        if ((i + j) / (2 * p) == (i + j + k) / (2 * p)) visit(exchange_pair{i + j, i + j + k});
    };
    constexpr std::size_t n = [&] {
        std::size_t count = 0;
        walk([&](exchange_pair) { ++count; });
        return count;
    }();
    std::array<exchange_pair, n> all{};
    std::size_t at = 0;
    walk([&](exchange_pair p) { all[at++] = p; });
    return all;
}

// f(integral_constant) for 0 ... N - 1, unrolled: registers cannot be indexed at run time.
template <int N, class F> inline __attribute__((always_inline)) void repeat(F&& f) {
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
        (f(std::integral_constant<int, I>{}), ...);
    }
    (std::make_integer_sequence<int, N>{});
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
