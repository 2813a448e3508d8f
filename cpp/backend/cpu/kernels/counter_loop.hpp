// Random values over a block of positions. Philox blocks are made in vectors first.
#pragma once
#include "backend/cpu/kernels/word_lanes.hpp"
#include "bascule/ops/counter.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

inline constexpr int words_at_once = 256;
struct word_buffers {
    alignas(64) std::uint64_t block[words_at_once];
    alignas(64) std::uint64_t first[words_at_once], second[words_at_once];
};

// w.first[i], w.second[i]: the two words of Philox block w.block[i], as ops::random_words gives them.
void make_words(word_buffers& w, std::uint64_t key, int n) {
#if defined(__SSE2__)
    constexpr std::uint64_t step0 = 0x9e3779b9u, step1 = 0xbb67ae85u, low_half = 0xffffffffu;
    words const m0 = all_words(0xd2511f53u), m1 = all_words(0xcd9e8d57u);
    for (int i = 0; i < n; i += words_count) {  // whole vectors: the buffers are long enough
        // Only the low halves count: what lies above is never cleared, because the multiplier does not look at it.
        words c0 = load_words(w.block + i), c1 = c0 >> 32, c2{}, c3{};
        std::uint64_t key0 = key & low_half, key1 = key >> 32;
        for (int round = 0; round < 10; ++round) {
            words const p = low_product(c0, m0), q = low_product(c2, m1);
            c0 = (q >> 32) ^ c1 ^ key0;
            c2 = (p >> 32) ^ c3 ^ key1;
            c1 = q, c3 = p;
            key0 = (key0 + step0) & low_half, key1 = (key1 + step1) & low_half;
        }
        store_words(w.first + i, (c0 & low_half) ^ (c1 << 32));
        store_words(w.second + i, (c2 & low_half) ^ (c3 << 32));
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
            i += 2 * static_cast<std::size_t>(m), left -= static_cast<std::size_t>(m),
                block += static_cast<std::uint64_t>(m);
        }
        if (i < n) d[i] = Op{}.template operator()<T>(first + static_cast<std::int64_t>(i), key);
    }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
