// gather and scatter: elements found through index arrays. Words of the kernels, for R dimensions and K index arrays:
//   0 number of items; 1 extents (R); then operands, each a base and R strides: the array, the other side, the indices;
//   then for each index its step in bytes and its extent; then the words named below.
#pragma once
#include "backend/cuda/kernels/element.cuh"

namespace bascule::cuda {

struct sixteen_bytes {
    std::uint64_t low, high;
};
template <int Bytes> struct unit_of;
template <> struct unit_of<1> { using type = std::uint8_t; };
template <> struct unit_of<2> { using type = std::uint16_t; };
template <> struct unit_of<4> { using type = std::uint32_t; };
template <> struct unit_of<8> { using type = std::uint64_t; };
template <> struct unit_of<16> { using type = sixteen_bytes; };

template <int R> struct coordinates {
    std::int64_t i[R > 0 ? R : 1];
    template <class P> __device__ coordinates(P const& p, std::uint64_t item) {
        for (int d = R - 1; d > 0; --d) {
            std::uint64_t const extent = p[1 + d];
            i[d] = static_cast<std::int64_t>(item % extent);
            item /= extent;
        }
        i[0] = static_cast<std::int64_t>(item);
    }
    // Bytes from the base of the operand whose words start at `first`.
    template <class P> __device__ std::int64_t offset(P const& p, int first) const {
        std::int64_t bytes = 0;
        for (int d = 0; d < R; ++d) bytes += i[d] * static_cast<std::int64_t>(p[first + 1 + d]);
        return bytes;
    }
};

// The index of the first word of operand k.
template <int R> constexpr int operand_words(int k) { return 1 + R + k * (1 + R); }

template <int R, int K, class P> struct indexed_item {
    static constexpr int array = operand_words<R>(0), other = operand_words<R>(1), indices = operand_words<R>(2);
    static constexpr int steps = operand_words<R>(2 + K), last = steps + 2 * K;

    P const& p;
    coordinates<R> at_item;
    __device__ indexed_item(P const& words, std::uint64_t item) : p(words), at_item(words, item) {}

    __device__ std::int64_t index(int k) const {
        int const first = indices + k * (1 + R);
        return *at<std::int64_t>(p[first], at_item.offset(p, first));
    }
    __device__ bool legal() const {
        bool all = true;
        for (int k = 0; k < K; ++k) {
            std::int64_t const i = index(k), size = static_cast<std::int64_t>(p[steps + 2 * k + 1]);
            all = all && i >= -size && i < size;
        }
        return all;
    }
    __device__ std::int64_t array_offset() const {
        std::int64_t bytes = at_item.offset(p, array);
        for (int k = 0; k < K; ++k) {
            std::int64_t const i = index(k), size = static_cast<std::int64_t>(p[steps + 2 * k + 1]);
            bytes += (i < 0 ? i + size : i) * static_cast<std::int64_t>(p[steps + 2 * k]);
        }
        return bytes;
    }
    template <class T> __device__ T* other_element() const { return at<T>(p[other], at_item.offset(p, other)); }
};

template <class F> __device__ inline void each_item(std::uint64_t count, F&& f) {
    for (std::uint64_t item = first_item<std::uint64_t>(); item < count; item += item_step<std::uint64_t>()) f(item);
}

// The word at `last` is the address of the number of the first item with an illegal index, all bits set if there is
// none.
template <int R, int K, class P> __device__ inline void check_indices(P const& p) {
    each_item(p[0], [&](std::uint64_t item) {
        indexed_item<R, K, P> const here(p, item);
        if (!here.legal()) atomicMin(at<unsigned long long>(p[here.last], 0), static_cast<unsigned long long>(item));
    });
}

// Where an illegal index was found, three more words follow its item's: the index, its axis and that axis' extent. The
// axes are the words after the four that scatter uses. One thread does it.
template <int R, int K, class P> __device__ inline void describe_bad_index(P const& p) {
    if (first_item<std::uint64_t>() != 0) return;
    constexpr int last = indexed_item<R, K, P>::last;
    std::int64_t* const found = at<std::int64_t>(p[last], 0);
    if (found[0] < 0) return;
    indexed_item<R, K, P> const here(p, static_cast<std::uint64_t>(found[0]));
    for (int k = K - 1; k >= 0; --k) {
        std::int64_t const i = here.index(k), size = static_cast<std::int64_t>(p[here.steps + 2 * k + 1]);
        if (i >= -size && i < size) continue;
        found[1] = i, found[2] = static_cast<std::int64_t>(p[last + 4 + k]), found[3] = size;
    }
}

// Items with an illegal index become 0.
template <int R, int K, class T, class P> __device__ inline void gather(P const& p) {
    each_item(p[0], [&](std::uint64_t item) {
        indexed_item<R, K, P> const here(p, item);
        *here.template other_element<T>() = here.legal() ? *at<T>(p[here.array], here.array_offset()) : T{};
    });
}

// Several items may have one target: the last in C order wins. First every item claims its target, then the winners
// write. Words from `last` on: as for check_indices (no item is touched where one is illegal), address of the 64-bit
// claims, least offset of a target, mask of the table. Without a mask each target has a claim. Otherwise claims are in
// a table of pairs, a target's number + 1 and its claim, with room for twice the items: the first pair that is free or
// the target's own, from the one that its hash names on.
template <int R, int K, class P> __device__ inline bool all_legal(P const& p) {
    return *at<std::int64_t>(p[indexed_item<R, K, P>::last], 0) < 0;
}
template <int R, int K, class T, class P>
__device__ inline unsigned long long* claim_of(indexed_item<R, K, P> const& here, std::int64_t offset, bool may_add) {
    auto const number = static_cast<unsigned long long>((offset - static_cast<std::int64_t>(here.p[here.last + 2])) /
                                                        static_cast<std::int64_t>(sizeof(T)));
    auto* const claims = at<unsigned long long>(here.p[here.last + 1], 0);
    unsigned long long const mask = here.p[here.last + 3], key = number + 1, hash = key * 0x9e3779b97f4a7c15ull;
    if (mask == 0) return claims + number;
    for (unsigned long long k = (hash ^ hash >> 32) & mask;; k = (k + 1) & mask) {
        unsigned long long* const pair = claims + 2 * k;
        unsigned long long const found = may_add ? atomicCAS(pair, 0ull, key) : *pair;
        if (found == key || (may_add && found == 0)) return pair + 1;
    }
}
template <int R, int K, class T, class P> __device__ inline void claim_targets(P const& p) {
    if (!all_legal<R, K>(p)) return;
    each_item(p[0], [&](std::uint64_t item) {
        indexed_item<R, K, P> const here(p, item);
        atomicMax(claim_of<R, K, T>(here, here.array_offset(), true), static_cast<unsigned long long>(item + 1));
    });
}
template <int R, int K, class T, class P> __device__ inline void scatter(P const& p) {
    if (!all_legal<R, K>(p)) return;
    each_item(p[0], [&](std::uint64_t item) {
        indexed_item<R, K, P> const here(p, item);
        std::int64_t const offset = here.array_offset();
        if (*claim_of<R, K, T>(here, offset, false) == item + 1)
            *at<T>(p[here.array], offset) = *here.template other_element<T>();
    });
}

}  // namespace bascule::cuda
