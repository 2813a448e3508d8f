// Random values over a block of positions. Philox blocks are made in vectors first: left to itself the compiler multiplies
// 64 by 64 bits where 32 by 32 are meant, which costs three times as much.
#pragma once
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "backend/cpu/kernels.hpp"
#include "bascule/ops/counter.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// One number in each 64-bit lane, of which the low 32 bits count: what lies above is never cleared, because the multiplier
// does not look at it.
#if defined(__AVX512F__)
struct lanes {
    __m512i v;
    static constexpr int count = 8;
    static lanes load(std::uint64_t const* p) { return {_mm512_loadu_si512(p)}; }
    static lanes all(std::uint64_t x) { return {_mm512_set1_epi64(static_cast<long long>(x))}; }
    void store(std::uint64_t* p) const { _mm512_storeu_si512(p, v); }
    lanes times(lanes o) const { return {_mm512_mul_epu32(v, o.v)}; }
    lanes high() const { return {_mm512_srli_epi64(v, 32)}; }
    lanes raised() const { return {_mm512_slli_epi64(v, 32)}; }
    lanes low() const { return {_mm512_and_si512(v, _mm512_set1_epi64(0xffffffffLL))}; }
    friend lanes operator^(lanes a, lanes b) { return {_mm512_xor_si512(a.v, b.v)}; }
};
#elif defined(__AVX2__)
struct lanes {
    __m256i v;
    static constexpr int count = 4;
    static lanes load(std::uint64_t const* p) { return {_mm256_loadu_si256(reinterpret_cast<__m256i const*>(p))}; }
    static lanes all(std::uint64_t x) { return {_mm256_set1_epi64x(static_cast<long long>(x))}; }
    void store(std::uint64_t* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
    lanes times(lanes o) const { return {_mm256_mul_epu32(v, o.v)}; }
    lanes high() const { return {_mm256_srli_epi64(v, 32)}; }
    lanes raised() const { return {_mm256_slli_epi64(v, 32)}; }
    lanes low() const { return {_mm256_and_si256(v, _mm256_set1_epi64x(0xffffffffLL))}; }
    friend lanes operator^(lanes a, lanes b) { return {_mm256_xor_si256(a.v, b.v)}; }
};
#elif defined(__SSE2__)
struct lanes {
    __m128i v;
    static constexpr int count = 2;
    static lanes load(std::uint64_t const* p) { return {_mm_loadu_si128(reinterpret_cast<__m128i const*>(p))}; }
    static lanes all(std::uint64_t x) { return {_mm_set1_epi64x(static_cast<long long>(x))}; }
    void store(std::uint64_t* p) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v); }
    lanes times(lanes o) const { return {_mm_mul_epu32(v, o.v)}; }
    lanes high() const { return {_mm_srli_epi64(v, 32)}; }
    lanes raised() const { return {_mm_slli_epi64(v, 32)}; }
    lanes low() const { return {_mm_and_si128(v, _mm_set1_epi64x(0xffffffffLL))}; }
    friend lanes operator^(lanes a, lanes b) { return {_mm_xor_si128(a.v, b.v)}; }
};
#endif

inline constexpr int words_at_once = 256;
struct word_buffers {
    alignas(64) std::uint64_t block[words_at_once];
    alignas(64) std::uint64_t first[words_at_once], second[words_at_once];
};

// w.first[i], w.second[i]: the two words of Philox block w.block[i], as ops::random_words gives them.
void make_words(word_buffers& w, std::uint64_t key, int n) {
#if defined(__SSE2__)
    constexpr std::uint64_t step0 = 0x9e3779b9u, step1 = 0xbb67ae85u;
    lanes const m0 = lanes::all(0xd2511f53u), m1 = lanes::all(0xcd9e8d57u);
    for (int i = 0; i < n; i += lanes::count) {  // whole vectors: the buffers are long enough
        lanes const counter = lanes::load(w.block + i);
        lanes c0 = counter, c1 = counter.high(), c2 = lanes::all(0), c3 = lanes::all(0);
        std::uint64_t key0 = key & 0xffffffffu, key1 = key >> 32;
        for (int round = 0; round < 10; ++round) {
            lanes const p = c0.times(m0), q = c2.times(m1);
            c0 = q.high() ^ c1 ^ lanes::all(key0);
            c2 = p.high() ^ c3 ^ lanes::all(key1);
            c1 = q, c3 = p;
            key0 = (key0 + step0) & 0xffffffffu, key1 = (key1 + step1) & 0xffffffffu;
        }
        (c0.low() ^ c1.raised()).store(w.first + i);
        (c2.low() ^ c3.raised()).store(w.second + i);
    }
#else
    for (int i = 0; i < n; ++i) {
        auto const both = ops::random_words(static_cast<std::int64_t>(w.block[i] << 1), key);
        w.first[i] = both.first, w.second[i] = both.second;
    }
#endif
}

// a is a block of positions, b the key. Where positions follow each other two values come from one Philox block.
template <class Op, class T> struct counter_loop {
    static void run(void* d_, void const* a_, void const* b_, void const*, std::size_t n) {
        auto* d = static_cast<T*>(d_);
        auto const* a = static_cast<std::int64_t const*>(a_);
        std::uint64_t const key = *static_cast<std::uint64_t const*>(b_);
        if (n > 1 && consecutive(a, n)) return run_pairs(d, a[0], key, n);
        word_buffers w;
        for (std::size_t i = 0; i < n; i += words_at_once) {
            int const m = static_cast<int>(n - i < words_at_once ? n - i : words_at_once);
            run_scattered(w, d + i, a + i, key, m);
        }
    }
    static bool consecutive(std::int64_t const* a, std::size_t n) {
        if (a[1] != a[0] + 1) return false;
        std::int64_t differs = 0;
        for (std::size_t i = 0; i < n; ++i) differs |= a[i] ^ (a[0] + static_cast<std::int64_t>(i));
        return differs == 0;
    }
    static void run_scattered(word_buffers& w, T* d, std::int64_t const* a, std::uint64_t key, int n) {
        std::int64_t odd = 0;
        for (int i = 0; i < n; ++i) w.block[i] = static_cast<std::uint64_t>(a[i]) >> 1, odd |= a[i] & 1;
        make_words(w, key, n);
        if (odd == 0) {
#pragma GCC ivdep
            for (int i = 0; i < n; ++i) d[i] = Op::template first_from_words<T>({w.first[i], w.second[i]});
        } else {
#pragma GCC ivdep
            for (int i = 0; i < n; ++i) d[i] = ops::member(Op::template from_words<T>({w.first[i], w.second[i]}), a[i]);
        }
    }
    static void run_pairs(T* d, std::int64_t first, std::uint64_t key, std::size_t n) {
        std::size_t i = 0;
        if (first & 1) d[i++] = Op{}.template operator()<T>(first, key);
        std::uint64_t block = static_cast<std::uint64_t>(first + 1) >> 1;
        word_buffers w;
        for (std::size_t left = (n - i) / 2; left > 0;) {
            int const m = static_cast<int>(left < words_at_once ? left : words_at_once);
            // Halves of 64-bit positions have 63 bits: behind position -1 comes block 0.
            for (int k = 0; k < m; ++k) w.block[k] = (block + static_cast<std::uint64_t>(k)) & (~std::uint64_t{0} >> 1);
            make_words(w, key, m);
            T* const to = d + i;
            for (int k = 0; k < m; ++k) {
                auto const both = Op::template from_words<T>({w.first[k], w.second[k]});
                to[2 * k] = both.first;
                to[2 * k + 1] = both.second;
            }
            i += 2 * static_cast<std::size_t>(m), left -= static_cast<std::size_t>(m), block += static_cast<std::uint64_t>(m);
        }
        if (i < n) d[i] = Op{}.template operator()<T>(first + static_cast<std::int64_t>(i), key);
    }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
