#include "bascule/ops/cast.hpp"
#include "backend/cpu/kernels/loops.hpp"
#include "backend/cpu/kernels/parts.hpp"
#ifdef __F16C__
#include <immintrin.h>
#endif

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class To, class From> struct cast_loop {
    static void run(void* d_, void const* a_, void const*, void const*, std::size_t n) {
        auto* d = static_cast<stored_t<To>*>(d_);
        auto const* a = static_cast<stored_t<From> const*>(a_);
        // Forwards is right for d == a too: where the result is wider they are apart (registers are as wide as the
        // widest type, and outputs that share memory with an input have its layout).
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) {
            // As a number: of a choice between two the compiler makes slow code.
            if constexpr (__is_same(From, bool) && ops::is_float_type<To>) d[i] = static_cast<To>(a[i] < 1 ? a[i] : 1);
            else d[i] = ops::cast{}.template operator()<To>(load<From>(a, i));
        }
    }
};

#ifdef __F16C__
// The machine's own conversions, which round as ours; signalling NaN, which they would make quiet, are left to ours.
template <> struct cast_loop<float, float16> {
    static void run(void* d_, void const* a_, void const*, void const*, std::size_t n) {
        auto* d = static_cast<float*>(d_);
        auto const* a = static_cast<float16 const*>(a_);
        std::size_t i = 0;
#ifdef __AVX512BW__
        for (; i + 32 <= n; i += 32) {
            __m512i const magnitudes = _mm512_and_si512(_mm512_loadu_si512(a + i), _mm512_set1_epi16(0x7fff));
            if (_mm512_cmpgt_epi16_mask(magnitudes, _mm512_set1_epi16(0x7c00)) != 0) {
                for (std::size_t k = 0; k < 32; ++k) d[i + k] = ops::to_float32(a[i + k]);
                continue;
            }
            auto const* const source = reinterpret_cast<__m256i const*>(a + i);
            _mm512_storeu_ps(d + i, _mm512_cvtph_ps(_mm256_loadu_si256(source)));
            _mm512_storeu_ps(d + i + 16, _mm512_cvtph_ps(_mm256_loadu_si256(source + 1)));
        }
#endif
        for (; i + 8 <= n; i += 8) {
            __m128i const h = _mm_loadu_si128(reinterpret_cast<__m128i const*>(a + i));
            __m128i const magnitude = _mm_and_si128(h, _mm_set1_epi16(0x7fff));
            if (_mm_movemask_epi8(_mm_cmpgt_epi16(magnitude, _mm_set1_epi16(0x7c00)))) {
                for (std::size_t k = 0; k < 8; ++k) d[i + k] = ops::to_float32(a[i + k]);
                continue;
            }
            _mm256_storeu_ps(d + i, _mm256_cvtph_ps(h));
        }
        for (; i < n; ++i) d[i] = ops::to_float32(a[i]);
    }
};
template <> struct cast_loop<float16, float> {
    static void run(void* d_, void const* a_, void const*, void const*, std::size_t n) {
        auto* d = static_cast<float16*>(d_);
        auto const* a = static_cast<float const*>(a_);
        std::size_t i = 0;
#ifdef __AVX512F__
        for (; i + 32 <= n; i += 32) {
            __m512 const x = _mm512_loadu_ps(a + i), y = _mm512_loadu_ps(a + i + 16);
            if (_mm512_cmp_ps_mask(x, y, _CMP_UNORD_Q) != 0) {
                for (std::size_t k = 0; k < 32; ++k) d[i + k] = ops::to_float16(a[i + k]);
                continue;
            }
            auto* const source = reinterpret_cast<__m256i*>(d + i);
            _mm256_storeu_si256(source, _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
            _mm256_storeu_si256(source + 1, _mm512_cvtps_ph(y, _MM_FROUND_TO_NEAREST_INT));
        }
#endif
        for (; i + 8 <= n; i += 8) {
            __m256 const x = _mm256_loadu_ps(a + i);
            if (_mm256_movemask_ps(_mm256_cmp_ps(x, x, _CMP_UNORD_Q))) {
                for (std::size_t k = 0; k < 8; ++k) d[i + k] = ops::to_float16(a[i + k]);
                continue;
            }
            _mm_storeu_si128(reinterpret_cast<__m128i*>(d + i), _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
        }
        for (; i < n; ++i) d[i] = ops::to_float16(a[i]);
    }
};
#endif

template <type_id From, int... To> void add_from(kernel_table& t) {
    ((t.cast[static_cast<int>(From)][To] = cast_loop<element<static_cast<type_id>(To)>, element<From>>::run), ...);
}
template <int... From> void add_all(kernel_table& t) {
    (add_from<static_cast<type_id>(From), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>(t), ...);
}

}  // namespace

void fill_cast(kernel_table& t) { add_all<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>(t); }

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
