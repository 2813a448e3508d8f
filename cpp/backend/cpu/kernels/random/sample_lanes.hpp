// A piece of a block of draws: the seeds of its elements, the words of an attempt for all of them, the rejected
// elements.
#pragma once
#include "backend/cpu/kernels/word_lanes.hpp"
#include "bascule/ops/distribution_rules.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

inline constexpr int samples_at_once = 256;
struct sample_lanes {
    alignas(64) std::uint64_t seed[samples_at_once];
    alignas(64) std::uint64_t word[4][samples_at_once];
    alignas(64) std::int64_t rejected[samples_at_once];
    std::int32_t place[samples_at_once];
    int count = 0;
};

// The words of an attempt for every seed: ops::distributions::words_of.
inline void make_lane_words(sample_lanes& l, std::uint32_t attempt, std::uint32_t lane) {
#if defined(__SSE2__)
    constexpr std::uint64_t step0 = 0x9e3779b9u, step1 = 0xbb67ae85u, low_half = 0xffffffffu;
    words const m0 = all_words(0xd2511f53u), m1 = all_words(0xcd9e8d57u);
    for (int i = 0; i < l.count; i += words_count) {  // whole vectors: the arrays are long enough
        words const seed = load_words(l.seed + i);
        words c0 = all_words(attempt), c1{}, c2 = all_words(lane), c3{};
        words key0 = seed & low_half, key1 = seed >> 32;
        for (int round = 0; round < 9; ++round) {
            words const p = low_product(c0, m0), q = low_product(c2, m1);
            c0 = (q >> 32) ^ c1 ^ key0;
            c2 = (p >> 32) ^ c3 ^ key1;
            c1 = q, c3 = p;
            key0 = (key0 + step0) & low_half, key1 = (key1 + step1) & low_half;
        }
        store_words(l.word[2 * lane] + i, low_product(c2, m1) ^ (c1 ^ key0) << 32);
        store_words(l.word[2 * lane + 1] + i, low_product(c0, m0) ^ (c3 ^ key1) << 32);
    }
#else
    for (int i = 0; i < l.count; ++i) {
        auto const both = ops::distributions::words_of(l.seed[i], attempt, lane);
        l.word[2 * lane][i] = both.first, l.word[2 * lane + 1][i] = both.second;
    }
#endif
}

template <class M> void make_attempt_words(sample_lanes& l, std::uint32_t attempt) {
    if (M::from_seed && attempt == 0) return;
    make_lane_words(l, attempt, 0);
    if constexpr (M::words > 2) make_lane_words(l, attempt, 1);
}
template <class M>
inline __attribute__((always_inline)) ops::distributions::stream_words lane_words(sample_lanes const& l, int i,
                                                                                  bool seed_is_word) {
    if (M::from_seed && seed_is_word) return {l.seed[i], 0, 0, 0};
    if constexpr (M::words > 2) return {l.word[0][i], l.word[1][i], l.word[2][i], l.word[3][i]};
    else return {l.word[0][i], l.word[1][i], 0, 0};
}

// The test that most elements pass.
template <class M, class R>
inline __attribute__((always_inline)) bool try_quickly(M const& m, ops::distributions::stream_words const& w, R& out) {
    if constexpr (requires { m.fast_path(w, out); }) return m.fast_path(w, out);
    else return m.attempt(w, out);
}
template <class M> inline constexpr bool has_fast = requires { &M::fast_path; };

// One element, out of line: it is long, and rarely needed.
template <class R, class M>
__attribute__((noinline)) R sample_alone(M const& m, std::uint64_t seed, std::uint32_t attempt) {
    return ops::distributions::first_accepted<R>(m, seed, attempt);
}
template <class Op, class... P> __attribute__((noinline)) auto sample_alone_with(std::uint64_t seed, P... parameters) {
    return ops::sampled<Op>(seed, parameters...);
}

// Keeps the rejected lanes alone. Without branches: which they are is random.
inline void keep_rejected(sample_lanes& l, bool with_words) {
    int kept = 0;
    for (int i = 0; i < l.count; ++i) {
        l.seed[kept] = l.seed[i], l.place[kept] = l.place[i];
        if (with_words)
            for (auto& w : l.word) w[kept] = w[i];
        kept += static_cast<int>(l.rejected[i]);
    }
    l.count = kept;
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
