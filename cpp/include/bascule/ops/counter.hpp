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

BASCULE_HD constexpr element_pair<std::uint64_t> random_words(std::int64_t index, std::uint64_t key) {
    std::uint64_t const block = static_cast<std::uint64_t>(index) >> 1;
    philox_block const r =
        philox({{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0u, 0u}},
               static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32));
    return {r.word[0] | std::uint64_t{r.word[1]} << 32, r.word[2] | std::uint64_t{r.word[3]} << 32};
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

// Box and Muller: a radius from the first word, an angle from the second. The radius takes a number in (0, 1], with 53
// or 31 bits, which decides how far the tails reach.
struct random_normal {
    static constexpr spec meta{.name = "random_normal",
                               .nin = 2,
                               .call = form::counter,
                               .types = random_types,
                               .cost = 20,
                               .has_ufunc = false,
                               .doc = "Draw from the standard normal distribution.",
                               .source = "Philox4x32-10, Box and Muller 1958"};
    template <class T> BASCULE_HD static element_pair<T> from_words(element_pair<std::uint64_t> words) {
        auto const around = math::fast::sincos(angle<T>(words));
        T const out = radius<T>(words);
        return {out * around.cos, out * around.sin};
    }
    template <class T> BASCULE_HD static T first_from_words(element_pair<std::uint64_t> words) {
        return radius<T>(words) * math::fast::cos(angle<T>(words));
    }
    template <class T> BASCULE_HD static element_pair<T> pair(std::int64_t index, std::uint64_t key) {
        return from_words<T>(random_words(index, key));
    }
    template <class T> BASCULE_HD T operator()(std::int64_t index, std::uint64_t key) const {
        return member(pair<T>(index, key), index);
    }

private:
    template <class T> BASCULE_HD static T radius(element_pair<std::uint64_t> words) {
        return math::sqrt(T(-2) * math::log(above_zero<T>(words.first)));
    }
    template <class T> BASCULE_HD static T angle(element_pair<std::uint64_t> words) {
        return static_cast<T>(6.283185307179586476925) * random_uniform::of_bits<T>(words.second);
    }
    template <class T> BASCULE_HD static T above_zero(std::uint64_t bits) {
        if constexpr (sizeof(T) == 8) return static_cast<double>(static_cast<std::int64_t>(bits >> 11) + 1) * 0x1p-53;
        else return (static_cast<float>(static_cast<std::int32_t>(bits >> 33)) + 1.0f) * 0x1p-31f;
    }
};

using counter_ops = op_list<random_bits, random_uniform, random_normal>;

}  // namespace bascule::ops
