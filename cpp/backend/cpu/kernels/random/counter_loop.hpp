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
// The keys of the ten rounds, and the rounds. Only the low halves of lanes count: the high ones are never cleared,
// because the multiplier ignores them. Several vectors are computed together, step by step, because each step waits for
// the one before it, and the processor does not look ahead as far as the next vector's.
class philox_lanes {
public:
    static constexpr int rounds = 10, together = words_bytes == 64 ? 4 : 2, group = together * words_count;
    static constexpr std::uint64_t low_half = 0xffffffffu, multiplier0 = 0xd2511f53u, multiplier1 = 0xcd9e8d57u;
    struct counters {
        words c[4];
    };

    explicit philox_lanes(std::uint64_t key) {
        auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
        for (int r = 0; r < rounds; ++r, low += 0x9e3779b9u, high += 0xbb67ae85u)
            key0[r] = all_words(low), key1[r] = all_words(high);
        last_key0 = key0[rounds - 1] << 32, last_key1 = key1[rounds - 1] << 32;
    }
    static words times0(words c) { return low_product(c, all_words(multiplier0)); }
    static words times1(words c) { return low_product(c, all_words(multiplier1)); }

    // The rounds from `From` on. `leave(k, first, second)` takes the two words that they leave in lanes k, as
    // ops::words_of_block has them.
    template <int From, class F>
    inline __attribute__((always_inline)) void finish(counters (&x)[together], F const& leave) const {
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
        for (int k = 0; k < together; ++k)
            leave(k, times1(x[k].c[2]) ^ x[k].c[1] << 32 ^ last_key0, times0(x[k].c[0]) ^ x[k].c[3] << 32 ^ last_key1);
    }
    // The words of n blocks from `block` on, at least, in groups; all their numbers have one upper half, so half of the
    // products of the first two rounds are one number. leave(i, first, second): those of blocks i and the following.
    template <class F>
    inline __attribute__((always_inline)) void follow(std::uint64_t block, std::int64_t n, F const& leave) const {
        std::uint64_t const c0 = block >> 32 ^ key0[0][0], product = c0 * multiplier0;
        words const round2 = all_words(product >> 32) ^ key1[1], c3 = all_words(product);
        words next;  // the first product of the next block of each lane
        for (int k = 0; k < words_count; ++k)
            next[k] = ((block + static_cast<std::uint64_t>(k)) & low_half) * multiplier0;
        counters x[together];
        words p[together], q[together];
        for (std::int64_t i = 0; i < n; i += group) {
#pragma GCC unroll 4
            for (int k = 0; k < together; ++k, next += words_count * multiplier0) p[k] = next;
#pragma GCC unroll 4
            for (int k = 0; k < together; ++k) q[k] = times1((p[k] >> 32) ^ key1[0]);
#pragma GCC unroll 4
            for (int k = 0; k < together; ++k) x[k] = {(q[k] >> 32) ^ key0[1], q[k], p[k] ^ round2, c3};
            finish<2>(x, [&](int k, words first, words second) { leave(i + k * words_count, first, second); });
        }
    }

    words key0[rounds], key1[rounds], last_key0, last_key1;
};

inline bool have_one_upper_half(std::uint64_t block, std::uint64_t n) {
    return (block & philox_lanes::low_half) + n <= philox_lanes::low_half;
}
#endif

#if defined(__AVX2__)
// Values of a type as wide as a word, made where the words are: in the vectors that leave the rounds.
template <class Op, class T> inline constexpr bool has_lanes = false;
template <> inline constexpr bool has_lanes<ops::random_bits, std::uint64_t> = true;
template <> inline constexpr bool has_lanes<ops::random_uniform, double> = true;

template <class Op> inline __attribute__((always_inline)) words lanes_of_words(words w) {
    if constexpr (__is_same(Op, ops::random_uniform)) return unit_lanes(w);
    else return w;
}
#endif

// w.first[i], w.second[i]: the two words of Philox block w.block[i], as ops::random_words gives them.
void make_words(word_buffers& w, std::uint64_t key, int n) {
#if defined(__SSE2__)
    philox_lanes const lanes(key);
    philox_lanes::counters x[philox_lanes::together];
    for (int i = 0; i < n; i += philox_lanes::group) {  // whole vectors: the buffers are long enough
        for (int k = 0; k < philox_lanes::together; ++k) {
            words const c = load_words(w.block + i + k * words_count);
            x[k] = {c, c >> 32, words{}, words{}};
        }
        lanes.finish<0>(x, [&](int k, words first, words second) {
            store_words(w.first + i + k * words_count, first);
            store_words(w.second + i + k * words_count, second);
        });
    }
#else
    for (int i = 0; i < n; ++i) {
        auto const both = ops::random_words(static_cast<std::int64_t>(w.block[i] << 1), key);
        w.first[i] = both.first, w.second[i] = both.second;
    }
#endif
}

// The same of n blocks from `block` on. Half of a 64-bit position has 63 bits: behind position -1 comes block 0.
void make_words_from(word_buffers& w, std::uint64_t block, std::uint64_t key, int n) {
#if defined(__SSE2__)
    if (have_one_upper_half(block, words_at_once)) {
        philox_lanes(key).follow(block, n, [&](std::int64_t i, words first, words second) {
            store_words(w.first + i, first);
            store_words(w.second + i, second);
        });
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
#if defined(__AVX2__)
    static void run_groups(T* d, std::uint64_t block, std::uint64_t key, std::int64_t n) {
        philox_lanes const lanes(key);
        lanes.follow(block, n, [&](std::int64_t i, words first_, words second_) {
            words const first = lanes_of_words<Op>(first_), second = lanes_of_words<Op>(second_);
            store_words(d + 2 * i, front_in_turns(first, second));
            store_words(d + 2 * i + words_count, back_in_turns(first, second));
        });
    }
#endif
    static void run_pairs(T* d, std::int64_t first, std::uint64_t key, std::size_t n) {
        std::size_t i = 0;
        if (first & 1) d[i++] = Op{}.template operator()<T>(first, key);
        std::uint64_t block = (static_cast<std::uint64_t>(first) + 1) >> 1;
        std::size_t left = (n - i) / 2;
#if defined(__AVX2__)
        if constexpr (has_lanes<Op, T>)
            if (std::size_t const m = left / philox_lanes::group * philox_lanes::group; have_one_upper_half(block, m)) {
                run_groups(d + i, block, key, static_cast<std::int64_t>(m));
                i += 2 * m, left -= m, block += m;
            }
#endif
        word_buffers w;
        while (left > 0) {
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
