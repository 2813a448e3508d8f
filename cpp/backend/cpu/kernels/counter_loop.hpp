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

#if defined(__SSE2__)
// The keys of the ten rounds, and the rounds. Only the low halves of lanes count: what lies above is never cleared,
// because the multiplier does not look at it. Several vectors go side by side, step by step, because each step waits
// for the one before it, and the processor does not look ahead as far as the next vector's.
class philox_lanes {
public:
    static constexpr int rounds = 10, together = words_bytes == 64 ? 4 : 2;
    static constexpr std::uint64_t multiplier0 = 0xd2511f53u, multiplier1 = 0xcd9e8d57u;
    struct counters {
        words c[4];
    };

    explicit philox_lanes(std::uint64_t key) {
        auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
        for (int r = 0; r < rounds; ++r, low += 0x9e3779b9u, high += 0xbb67ae85u)
            key0[r] = all_words(low), key1[r] = all_words(high);
    }
    static words times0(words c) { return low_product(c, all_words(multiplier0)); }
    static words times1(words c) { return low_product(c, all_words(multiplier1)); }

    // The rounds from `From` on, and the two words that they leave, as ops::words_of_block has them.
    template <int From>
    inline __attribute__((always_inline)) void finish(counters (&x)[together], std::uint64_t* first,
                                                      std::uint64_t* second) const {
        words p[together], q[together];
#pragma GCC unroll 10
        for (int r = From; r < rounds - 1; ++r) {
#pragma GCC unroll 4
            for (int k = 0; k < together; ++k) p[k] = times0(x[k].c[0]), q[k] = times1(x[k].c[2]);
#pragma GCC unroll 4
            for (int k = 0; k < together; ++k)
                x[k] = {(q[k] >> 32) ^ x[k].c[1] ^ key0[r], q[k], (p[k] >> 32) ^ x[k].c[3] ^ key1[r], p[k]};
        }
#pragma GCC unroll 4
        for (int k = 0; k < together; ++k) {
            store_words(first + k * words_count, times1(x[k].c[2]) ^ (x[k].c[1] ^ key0[rounds - 1]) << 32);
            store_words(second + k * words_count, times0(x[k].c[0]) ^ (x[k].c[3] ^ key1[rounds - 1]) << 32);
        }
    }

    words key0[rounds], key1[rounds];
};
#endif

// w.first[i], w.second[i]: the two words of Philox block w.block[i], as ops::random_words gives them.
void make_words(word_buffers& w, std::uint64_t key, int n) {
#if defined(__SSE2__)
    philox_lanes const lanes(key);
    philox_lanes::counters x[philox_lanes::together];
    for (int i = 0; i < n; i += philox_lanes::together * words_count) {  // whole vectors: the buffers are long enough
        for (int k = 0; k < philox_lanes::together; ++k) {
            words const c = load_words(w.block + i + k * words_count);
            x[k] = {c, c >> 32, words{}, words{}};
        }
        lanes.finish<0>(x, w.first + i, w.second + i);
    }
#else
    for (int i = 0; i < n; ++i) {
        auto const both = ops::random_words(static_cast<std::int64_t>(w.block[i] << 1), key);
        w.first[i] = both.first, w.second[i] = both.second;
    }
#endif
}

// The same of n blocks from `block` on. Halves of 64-bit positions have 63 bits: behind position -1 comes block 0.
void make_words_from(word_buffers& w, std::uint64_t block, std::uint64_t key, int n) {
#if defined(__SSE2__)
    constexpr std::uint64_t low_half = 0xffffffffu;
    if ((block & low_half) + words_at_once <= low_half) {
        // All blocks have one upper half, so half of the products of the first two rounds are one number.
        constexpr int together = philox_lanes::together;
        philox_lanes const lanes(key);
        std::uint64_t const c0 = block >> 32 ^ lanes.key0[0][0], product = c0 * philox_lanes::multiplier0;
        words const round2 = all_words(product >> 32) ^ lanes.key1[1], c3 = all_words(product);
        words c = all_words(block);
        for (int k = 0; k < words_count; ++k) c[k] += static_cast<std::uint64_t>(k);
        philox_lanes::counters x[together];
        words p[together], q[together];
        for (int i = 0; i < n; i += together * words_count) {
#pragma GCC unroll 4
            for (int k = 0; k < together; ++k, c += words_count) p[k] = philox_lanes::times0(c);
#pragma GCC unroll 4
            for (int k = 0; k < together; ++k) q[k] = philox_lanes::times1((p[k] >> 32) ^ lanes.key1[0]);
#pragma GCC unroll 4
            for (int k = 0; k < together; ++k) x[k] = {(q[k] >> 32) ^ lanes.key0[1], q[k], p[k] ^ round2, c3};
            lanes.finish<2>(x, w.first + i, w.second + i);
        }
        return;
    }
#endif
    for (int i = 0; i < n; ++i) w.block[i] = (block + static_cast<std::uint64_t>(i)) & (~std::uint64_t{0} >> 1);
    make_words(w, key, n);
}

// a is a block of positions or, for run_from_first, the first of some that follow each other; b is the key. Where they
// do two values come from one Philox block.
template <class Op, class T> struct counter_loop {
    static void run_from_first(void* d, void const* first, void const* key, void const*, std::size_t n) {
        run_pairs(static_cast<T*>(d), *static_cast<std::int64_t const*>(first), *static_cast<std::uint64_t const*>(key),
                  n);
    }
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
        auto const first = static_cast<std::uint64_t>(a[0]);  // the last position has a successor too
        if (static_cast<std::uint64_t>(a[1]) != first + 1) return false;
        std::uint64_t differs = 0;
        for (std::size_t i = 0; i < n; ++i) differs |= static_cast<std::uint64_t>(a[i]) ^ (first + i);
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
        std::uint64_t block = (static_cast<std::uint64_t>(first) + 1) >> 1;
        word_buffers w;
        for (std::size_t left = (n - i) / 2; left > 0;) {
            int const m = static_cast<int>(left < words_at_once ? left : words_at_once);
            make_words_from(w, block & (~std::uint64_t{0} >> 1), key, m);
            T* const to = d + i;
            for (int k = 0; k < m; ++k) {
                auto const both = Op::template from_words<T>({w.first[k], w.second[k]});
                to[2 * k] = both.first;
                to[2 * k + 1] = both.second;
            }
            i += 2 * static_cast<std::size_t>(m), left -= static_cast<std::size_t>(m),
                block += static_cast<std::uint64_t>(m);
        }
        if (i < n)
            d[i] = Op{}.template operator()<T>(static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + i), key);
    }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
