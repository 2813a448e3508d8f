// Random numbers that depend on a key and an element's index alone: Philox4x32 with ten rounds (Salmon, Moraes, Dror
// and Shaw 2011). Elements 2k and 2k+1 come from the block with counter k, 64 bits each. `pair` gives both, so that a
// kernel over contiguous elements computes each block once; `from_words` and `first_from_words` take a block a kernel
// has made in its own way. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/math.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

struct philox_block {
    std::uint32_t word[4];
};

BASCULE_HD constexpr philox_block philox(philox_block counter, std::uint32_t key0, std::uint32_t key1) {
    std::uint32_t c0 = counter.word[0], c1 = counter.word[1], c2 = counter.word[2], c3 = counter.word[3];
    for (int round = 0; round < 10; ++round) {
        std::uint64_t const p = std::uint64_t{0xd2511f53u} * c0, q = std::uint64_t{0xcd9e8d57u} * c2;
        std::uint32_t const old1 = c1, old3 = c3;
        c0 = static_cast<std::uint32_t>(q >> 32) ^ old1 ^ key0;
        c1 = static_cast<std::uint32_t>(q);
        c2 = static_cast<std::uint32_t>(p >> 32) ^ old3 ^ key1;
        c3 = static_cast<std::uint32_t>(p);
        key0 += 0x9e3779b9u;
        key1 += 0xbb67ae85u;
    }
    return {{c0, c1, c2, c3}};
}

template <class T> struct element_pair { T first, second; };

// Its first and third word are the upper halves, because the last round leaves the others in lower halves as they are.
BASCULE_HD constexpr element_pair<std::uint64_t> words_of_block(philox_block r) {
    return {r.word[1] | std::uint64_t{r.word[0]} << 32, r.word[3] | std::uint64_t{r.word[2]} << 32};
}

BASCULE_HD constexpr element_pair<std::uint64_t> random_words(std::int64_t index, std::uint64_t key) {
    std::uint64_t const block = static_cast<std::uint64_t>(index) >> 1;
    philox_block const r =
        philox({{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0u, 0u}},
               static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32));
    return words_of_block(r);
}
template <class T> BASCULE_HD constexpr T member(element_pair<T> p, std::int64_t index) {
    return (index & 1) != 0 ? p.second : p.first;
}

struct random_bits {
    static constexpr spec meta{.name = "random_bits",
                               .nin = 2,
                               .call = form::counter,
                               .types = bit(type_id::uint64),
                               .cost = 6,
                               .has_ufunc = false,
                               .doc = "Draw 64 random bits.",
                               .source = "Philox4x32-10"};
    template <class T> BASCULE_HD static element_pair<T> from_words(element_pair<std::uint64_t> words) { return words; }
    template <class T> BASCULE_HD static T first_from_words(element_pair<std::uint64_t> words) { return words.first; }
    template <class T> BASCULE_HD static element_pair<T> pair(std::int64_t index, std::uint64_t key) {
        return random_words(index, key);
    }
    template <class T> BASCULE_HD T operator()(std::int64_t index, std::uint64_t key) const {
        return member(pair<T>(index, key), index);
    }
};

inline constexpr type_set random_types = set_of(type_id::float32, type_id::float64);

// As many leading bits as the significand has, so that every value is exact and 1 is never reached.
struct random_uniform {
    static constexpr spec meta{.name = "random_uniform",
                               .nin = 2,
                               .call = form::counter,
                               .types = random_types,
                               .cost = 7,
                               .range = {0, 1},
                               .has_ufunc = false,
                               .doc = "Draw from the uniform distribution over [0, 1).",
                               .source = "Philox4x32-10"};
    template <class T> BASCULE_HD static T of_bits(std::uint64_t bits) {
        if constexpr (sizeof(T) == 8) return static_cast<double>(static_cast<std::int64_t>(bits >> 11)) * 0x1p-53;
        else return static_cast<float>(static_cast<std::int32_t>(bits >> 40)) * 0x1p-24f;
    }
    template <class T> BASCULE_HD static element_pair<T> from_words(element_pair<std::uint64_t> words) {
        return {of_bits<T>(words.first), of_bits<T>(words.second)};
    }
    template <class T> BASCULE_HD static T first_from_words(element_pair<std::uint64_t> words) {
        return of_bits<T>(words.first);
    }
    template <class T> BASCULE_HD static element_pair<T> pair(std::int64_t index, std::uint64_t key) {
        return from_words<T>(random_words(index, key));
    }
    template <class T> BASCULE_HD T operator()(std::int64_t index, std::uint64_t key) const {
        return member(pair<T>(index, key), index);
    }
};

// Box and Muller: a radius from the first word, an angle from the second. The range of the arguments is known, so log,
// sin and cos cost half as much as those of ops/math.hpp; errors are below 2^-50. A float is a rounded double.
struct random_normal {
    static constexpr spec meta{.name = "random_normal",
                               .nin = 2,
                               .call = form::counter,
                               .types = random_types,
                               .cost = 12,
                               .has_ufunc = false,
                               .doc = "Draw from the standard normal distribution.",
                               .source = "Philox4x32-10, Box and Muller 1958"};
    template <class T> BASCULE_HD static element_pair<T> from_words(element_pair<std::uint64_t> words) {
        double const r = signed_radius(words), g = half_turns(words.second), z = g * g;
        return {static_cast<T>(r * cosine(z)), static_cast<T>(r * (g * sine(z)))};
    }
    template <class T> BASCULE_HD static T first_from_words(element_pair<std::uint64_t> words) {
        double const g = half_turns(words.second);
        return static_cast<T>(signed_radius(words) * cosine(g * g));
    }
    template <class T> BASCULE_HD static element_pair<T> pair(std::int64_t index, std::uint64_t key) {
        return from_words<T>(random_words(index, key));
    }
    template <class T> BASCULE_HD T operator()(std::int64_t index, std::uint64_t key) const {
        return member(pair<T>(index, key), index);
    }

private:
    static constexpr std::uint64_t significand = 0xfffffffffffffu, one = 0x3ff0000000000000u;

    // From the lowest 52 bits, over [1, 2).
    BASCULE_HD static double above_one(std::uint64_t bits) { return math::from_bits((bits & significand) | one); }
    // The angle over [-1/2, 1/2); the other half of the circle are radii below zero.
    BASCULE_HD static double half_turns(std::uint64_t bits) { return above_one(bits) - 1.5; }
    BASCULE_HD static double signed_radius(element_pair<std::uint64_t> words) {
        double const r = math::sqrt(minus_two_logarithms(2.0 - above_one(words.first)));
        return math::from_bits(math::bits(r) | (words.second & std::uint64_t{1} << 63));
    }
    // -2 log(u) for 2^-52 <= u <= 1. With u = 2^k m, m from sqrt(1/2) on, and s = (m - 1) / (m + 1), a series in s^2.
    BASCULE_HD static double minus_two_logarithms(double u) {
        constexpr std::uint64_t least = 0x3fe6a09e667f3bcdu, two_to_52 = 0x4330000000000000u;
        std::uint64_t const above = math::bits(u) + (std::uint64_t{64} << 52) - least;
        double const m = math::from_bits((above & significand) + least);
        double const k = math::from_bits(above >> 52 | two_to_52) - (0x1p52 + 64), s = (m - 1.0) / (m + 1.0);
        double const series = math::horner(s * s, -4.000000000000001, -1.3333333333310584, -0.8000000012348323,
                                           -0.5714283204221534, -0.4444686909503581, -0.3624386886243043,
                                           -0.33675319941360976);
        return math::fma(k, -1.3862943611198906, s * series);
    }
    // cos(pi g) and sin(pi g) / g, of z = g^2 up to 1/4.
    BASCULE_HD static double cosine(double z) {
        return math::horner(z, 1.0, -4.934802200544676, 4.058712126416497, -1.335262768843447, 0.23533063012953284,
                            -0.025806888737002202, 0.0019295562724817132, -0.00010456655338748738,
                            4.149564353942586e-06);
    }
    BASCULE_HD static double sine(double z) {
        return math::horner(z, 3.1415926535897927, -5.1677127800497855, 2.5501640398618677, -0.599264528825224,
                            0.08214587881631043, -0.0073703643265304155, 0.0004659870158043378, -2.113362735205297e-05);
    }
};

using counter_ops = op_list<random_bits, random_uniform, random_normal>;

}  // namespace bascule::ops
