// The loop over a function that looks up tables of sixteen doubles (ops/math/exp_log_by_table.hpp), which AVX-512 holds
// in registers: the compiler would load each entry.
#pragma once
#include "backend/cpu/kernels/loops.hpp"
#include "bascule/ops/math/exp_log_by_table.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Eight words, and eight doubles, with the operators of one.
struct word_vector {
    __m512i v;
    friend word_vector operator+(word_vector a, word_vector b) { return {_mm512_add_epi64(a.v, b.v)}; }
    friend word_vector operator+(word_vector a, std::uint64_t b) { return {_mm512_add_epi64(a.v, all(b))}; }
    friend word_vector operator-(word_vector a, word_vector b) { return {_mm512_sub_epi64(a.v, b.v)}; }
    friend word_vector operator-(word_vector a, std::uint64_t b) { return {_mm512_sub_epi64(a.v, all(b))}; }
    friend word_vector operator-(std::uint64_t a, word_vector b) { return {_mm512_sub_epi64(all(a), b.v)}; }
    friend word_vector operator&(word_vector a, std::uint64_t b) { return {_mm512_and_si512(a.v, all(b))}; }
    friend word_vector operator<<(word_vector a, unsigned n) { return {_mm512_maskz_slli_epi64(0xff, a.v, n)}; }
    friend word_vector operator>>(word_vector a, unsigned n) { return {_mm512_maskz_srli_epi64(0xff, a.v, n)}; }
    friend __mmask8 operator<(word_vector a, std::uint64_t b) { return _mm512_cmplt_epu64_mask(a.v, all(b)); }

private:
    static __m512i all(std::uint64_t b) { return _mm512_set1_epi64(static_cast<long long>(b)); }
};

struct double_vector {
    __m512d v;
    double_vector(__m512d x) : v(x) {}
    explicit double_vector(double x) : v(_mm512_set1_pd(x)) {}
    friend double_vector operator+(double_vector a, double_vector b) { return a.v + b.v; }
    friend double_vector operator-(double_vector a, double_vector b) { return a.v - b.v; }
    friend double_vector operator*(double_vector a, double_vector b) { return a.v * b.v; }
    friend double_vector operator-(double_vector a) { return -a.v; }
    friend __mmask8 operator<=(double_vector a, double_vector b) { return _mm512_cmp_pd_mask(a.v, b.v, _CMP_LE_OQ); }
    friend __mmask8 operator<(double_vector a, double_vector b) { return _mm512_cmp_pd_mask(a.v, b.v, _CMP_LT_OQ); }
    friend __mmask8 operator>(double_vector a, double_vector b) { return _mm512_cmp_pd_mask(a.v, b.v, _CMP_GT_OQ); }
    friend __mmask8 operator==(double_vector a, double_vector b) { return _mm512_cmp_pd_mask(a.v, b.v, _CMP_EQ_OQ); }
    friend __mmask8 operator!=(double_vector a, double_vector b) { return _mm512_cmp_pd_mask(a.v, b.v, _CMP_NEQ_UQ); }
    friend double_vector choose(__mmask8 which, double_vector a, double_vector b) {
        return _mm512_mask_blend_pd(which, b.v, a.v);
    }
    friend double_vector fma(double_vector a, double_vector b, double_vector c) {
        return _mm512_fmadd_pd(a.v, b.v, c.v);
    }
};
inline word_vector bits(double_vector a) { return {_mm512_castpd_si512(a.v)}; }
inline double_vector from_bits(word_vector a) { return _mm512_castsi512_pd(a.v); }
inline double_vector abs(double_vector a) { return from_bits(bits(a) & 0x7fffffffffffffffu); }

struct table_of_16 {
    __m512d front, back;
    explicit table_of_16(double const* t) : front(_mm512_loadu_pd(t)), back(_mm512_loadu_pd(t + 8)) {}
    double_vector operator[](word_vector at) const { return _mm512_permutex2var_pd(front, at.v, back); }
};

// F is such a function. Where computing takes about as long as loading its arguments from the last cache, they are
// prefetched so many bytes ahead; a function that mostly waits for memory gains nothing by that. Unusual arguments are
// rare: pieces are computed as if there were none, and again if there are.
template <class F, int Ahead> struct table_loop {
    static constexpr std::size_t piece = 128, width = 8;
    static void run(void* d_, void const* a_, void const*, void const*, std::size_t n) {
        table_of_16 const first(F::first()), second(F::second());
        auto* const d = static_cast<double*>(d_);
        auto const* const a = static_cast<double const*>(a_);
        alignas(64) double kept[piece];  // the result may overwrite the arguments
        for (std::size_t begin = 0; begin < n; begin += piece) {
            std::size_t const m = n - begin < piece ? n - begin : piece;
            __mmask8 usual = 0xff;
            if constexpr (Ahead > 0)  // prefetching an invalid address is harmless
                for (std::size_t k = 0; k < m; k += 64 / sizeof(double)) __builtin_prefetch(a + begin + k + Ahead / 8);
            auto const step = [&](std::size_t i, __mmask8 which) {
                double_vector const x(_mm512_mask_loadu_pd(_mm512_set1_pd(1.0), which, a + begin + i));
                _mm512_store_pd(kept + i, x.v);
                usual &= F::in_range(x);
                word_vector const at = F::place(x);
                _mm512_mask_storeu_pd(d + begin + i, which, F::finish(x, first[at], second[at]).v);
            };
            std::size_t i = 0;
            for (; i + width <= m; i += width) step(i, 0xff);
            if (i < m) step(i, lanes_before(m - i));
            if (usual == 0xff) continue;
            note_unusual();
            for (i = 0; i < m; i += width)
                _mm512_mask_storeu_pd(d + begin + i, lanes_before(m - i),
                                      F::any(double_vector(_mm512_load_pd(kept + i)), first, second).v);
        }
    }
    static __mmask8 lanes_before(std::size_t n) { return n < width ? static_cast<__mmask8>((1u << n) - 1) : 0xff; }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
#endif
