// The parts of every draw: the stream of random words that an element's own 64 bits begin, uniform numbers from words,
// and the loop that repeats attempts until one is accepted. Device-clean.
//
// A method is a distribution with its parameters worked in:
//   static constexpr int words        how many words an attempt reads, up to 4
//   static constexpr bool from_seed   the first attempt reads one word, which is the seed itself
//   bool attempt(stream_words const& w, R& out) const
// and, where most attempts are decided without logarithms, a `quick` of the same form that accepts a subset of what
// `attempt` accepts, with the same result. Attempts have no loops where possible, so that compilers make vectors of
// them.
#pragma once
#include "bascule/ops/counter.hpp"

namespace bascule::ops::distributions {

struct stream_words {
    std::uint64_t a, b, c, d;
};

// Philox keyed by the seed: words 2 * lane and 2 * lane + 1 of an attempt.
BASCULE_HD element_pair<std::uint64_t> words_of(std::uint64_t seed, std::uint32_t attempt, std::uint32_t lane) {
    return words_of_block(
        philox({{attempt, 0u, lane, 0u}}, static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)));
}

template <class M> BASCULE_HD stream_words attempt_words(std::uint64_t seed, std::uint32_t attempt) {
    if constexpr (M::from_seed)
        if (attempt == 0) return {seed, 0, 0, 0};
    element_pair<std::uint64_t> const first = words_of(seed, attempt, 0);
    if constexpr (M::words <= 2) return {first.first, first.second, 0, 0};
    else {
        element_pair<std::uint64_t> const second = words_of(seed, attempt, 1);
        return {first.first, first.second, second.first, second.second};
    }
}

// Every distribution accepts at least one attempt in five for every legal parameter; the bound is for others.
inline constexpr std::uint32_t most_attempts = 500;

template <class R, class M> BASCULE_HD R first_accepted(M const& m, std::uint64_t seed, std::uint32_t attempt = 0) {
    R out{};
    for (; attempt < most_attempts; ++attempt)
        if (m.attempt(attempt_words<M>(seed, attempt), out)) break;
    return out;
}

// ---- uniform numbers: over [0, 1), (0, 1] and (0, 1)
BASCULE_HD double unit(std::uint64_t word) {
    return static_cast<double>(static_cast<std::int64_t>(word >> 11)) * 0x1p-53;
}
BASCULE_HD double above_zero(std::uint64_t word) {
    return static_cast<double>(static_cast<std::int64_t>(word >> 11) + 1) * 0x1p-53;
}
BASCULE_HD double inside(std::uint64_t word) {
    return (static_cast<double>(static_cast<std::int64_t>(word >> 12)) + 0.5) * 0x1p-52;
}
// From 32 bits, over (0, 1) and [0, 1).
BASCULE_HD double inside_half(std::uint64_t half_word) {
    return (static_cast<double>(static_cast<std::int64_t>(half_word)) + 0.5) * 0x1p-32;
}
BASCULE_HD double unit_half(std::uint64_t half_word) {
    return static_cast<double>(static_cast<std::int64_t>(half_word)) * 0x1p-32;
}
// With scale 1, by inversion.
BASCULE_HD double exponential(std::uint64_t word) { return -math::log(above_zero(word)); }

inline constexpr double two_pi = 6.283185307179586476925;

// Box and Muller's normal number; 32 bits decide the angle.
BASCULE_HD double normal(std::uint64_t radius_word, std::uint64_t angle_half_word) {
    return math::sqrt(-2.0 * math::log(above_zero(radius_word))) * math::fast::cos(two_pi * unit_half(angle_half_word));
}

// A double as an integer, zero unless it is wanted: a rejected value may be out of range.
BASCULE_HD std::int64_t whole(double x, bool wanted) { return static_cast<std::int64_t>(wanted ? x : 0.0); }
// Values from 2**63 on become the largest integer.
BASCULE_HD std::int64_t whole_or_most(double x) {
    return x >= 0x1p63 ? 0x7fffffffffffffff : static_cast<std::int64_t>(x);
}

// Always the same value.
template <class R> struct constant {
    static constexpr int words = 1;
    static constexpr bool from_seed = true;
    R value;
    BASCULE_HD bool attempt(stream_words const&, R& out) const {
        out = value;
        return true;
    }
};

}  // namespace bascule::ops::distributions
