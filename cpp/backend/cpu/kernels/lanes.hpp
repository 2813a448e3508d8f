// Eight lanes of a floating-point type in vector registers, as the leaves of the summation tree need them. They are
// concrete vectors because two arrays of lanes that are added to side by side go through memory with every element.
#pragma once
#include "backend/cpu/common/cpu_tuning.hpp"
#include "backend/cpu/kernels/loops.hpp"
#include "bascule/ops/pairwise.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Prefetching an invalid address is harmless, so the end of memory need not be checked.
template <class T> void fetch_between(T const* from, T const* to) {
    if (!prefetches_streams) return;
    for (; from < to; from += 64 / sizeof(T)) __builtin_prefetch(from, 0, 3);
}

// At most N elements as numbers of type A.
template <class A, int N> struct widened_leaf {
    alignas(64) A of[N];
    template <class T> widened_leaf(T const* x, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) of[i] = static_cast<A>(x[i]);
    }
};

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

// Eight lanes of a type in as few registers as hold them. The attribute needs sizes that depend on no template.
template <class A> struct eight_lanes;
template <> struct eight_lanes<double> {
    static constexpr int size = vector_bytes;
    typedef double vector __attribute__((vector_size(size)));
    typedef double unaligned __attribute__((vector_size(size), aligned(8), may_alias));
};
template <> struct eight_lanes<float> {
    static constexpr int size = vector_bytes < 32 ? vector_bytes : 32;
    typedef float vector __attribute__((vector_size(size)));
    typedef float unaligned __attribute__((vector_size(size), aligned(4), may_alias));
};

template <class A> struct lanes_of {
    using vector = typename eight_lanes<A>::vector;
    using unaligned = typename eight_lanes<A>::unaligned;
    static constexpr int count = 8, width = eight_lanes<A>::size / static_cast<int>(sizeof(A)), parts = count / width;
    vector part[parts];

    static lanes_of load(A const* x) {
        lanes_of r;
        for (int k = 0; k < parts; ++k) r.part[k] = *reinterpret_cast<unaligned const*>(x + k * width);
        return r;
    }
    lanes_of operator-(A s) const {
        lanes_of r;
        for (int k = 0; k < parts; ++k) r.part[k] = part[k] - s;
        return r;
    }
    lanes_of squared() const {
        lanes_of r;
        for (int k = 0; k < parts; ++k) r.part[k] = part[k] * part[k];
        return r;
    }
    void operator+=(lanes_of const& o) {
        for (int k = 0; k < parts; ++k) part[k] += o.part[k];
    }
    // Neighbours first, as in ops::tree_reduce.
    A sum() const {
        A lane[count];
        __builtin_memcpy(lane, part, sizeof lane);
        return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    }
};

// Calls f(i) at each of a leaf's vectors but the first; returns where the last one ends. A leaf of a longer run has at
// least half the longest leaf's length, and this part has no branch: the lengths of leaves differ by a vector or two
// without a pattern, and a mispredicted branch takes as long as a dozen additions. So the additions of several leaves
// overlap, though those of each leaf depend on one another.
template <class A, class F> std::int64_t for_later_vectors(std::int64_t n, F&& f) {
    constexpr int step = lanes_of<A>::count, half = ops::tree_leaf<A> / 2;
    std::int64_t i = step;
    if (n >= half) {
#pragma GCC unroll 8
        for (int j = step; j < half; j += step) f(j);
        i = half;
    }
    for (; i <= n - step; i += step) f(i);
    return i;
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
