// Sorting of bare values in the cache with vectors: quicksort whose splits and last steps work on whole registers.
#include <algorithm>
#include <cstring>

#include "backend/cpu/kernels/parts.hpp"
#ifdef __AVX2__
#include "backend/cpu/kernels/algorithms/sort_lanes.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// At most R registers of values. Every lane is a column of R values; columns are sorted by one network for all lanes,
// merged two by two, as bitonic sequences, and read one after the other at the end.
template <class T, int R> class register_sorter {
    using lanes = sort_lanes<T>;
    using V = typename lanes::V;
    static constexpr int L = lanes::count;

public:
    static void run(T const* from, T* to, std::int64_t n) {
        V r[R];
        read(from, n, r);
        repeat<network.size()>([&](auto k) __attribute__((always_inline)) {
            constexpr auto p = network[static_cast<std::size_t>(k)];
            exchange(r[p.first], r[p.second]);
        });
        merge<1>(r);
        write(to, n, r);
    }

private:
    static constexpr auto network = sorting_network<R>();

    static void exchange(V& a, V& b) {
        V const low = lanes::smaller(a, b);
        b = lanes::larger(b, a);
        a = low;
    }
    // Columns of W lanes each, ascending, become columns of twice as many.
    template <int W> static inline __attribute__((always_inline)) void merge(V (&r)[R]) {
        if constexpr (W < L) {
            repeat<R / 2>([&](auto i) __attribute__((always_inline)) {
                V const a = r[i], b = r[R - 1 - i];
                V const from_b = lanes::template reversed<2 * W>(b), from_a = lanes::template reversed<2 * W>(a);
                r[i] = lanes::template joined<W>(lanes::smaller(a, from_b), lanes::larger(a, from_b));
                r[R - 1 - i] = lanes::template joined<W>(lanes::smaller(b, from_a), lanes::larger(b, from_a));
            });
            merge_lanes<W / 2>(r);
            merge_registers<R / 2>(r);
            merge<2 * W>(r);
        }
    }
    template <int D> static inline __attribute__((always_inline)) void merge_lanes(V (&r)[R]) {
        if constexpr (D > 0) {
            repeat<R>([&](auto i) __attribute__((always_inline)) {
                V const other = lanes::template exchanged<D>(r[i]);
                r[i] = lanes::template joined<D>(lanes::smaller(r[i], other), lanes::larger(r[i], other));
            });
            merge_lanes<D / 2>(r);
        }
    }
    template <int D> static inline __attribute__((always_inline)) void merge_registers(V (&r)[R]) {
        if constexpr (D > 0) {
            repeat<R>([&](auto i) __attribute__((always_inline)) {
                if constexpr ((i & D) == 0) exchange(r[i], r[i + D]);
            });
            merge_registers<D / 2>(r);
        }
    }
    static inline __attribute__((always_inline)) void read(T const* from, std::int64_t n, V (&r)[R]) {
        repeat<R>([&](auto i) __attribute__((always_inline)) {
            std::int64_t const left = n - i * L;
            if (left >= L) {
                r[i] = lanes::load(from + i * L);
            } else {
                T some[L];
                for (int k = 0; k < L; ++k) some[k] = k < left ? from[i * L + k] : lanes::last;
                r[i] = lanes::load(some);
            }
        });
    }
    // Interleaving the two halves of the registers again and again puts one column after the other.
    static inline __attribute__((always_inline)) void write(T* to, std::int64_t n, V (&r)[R]) {
        repeat<std::bit_width(unsigned{R}) - 1>([&](auto) __attribute__((always_inline)) {
            V before[R];
            repeat<R>([&](auto i) __attribute__((always_inline)) { before[i] = r[i]; });
            repeat<R / 2>([&](auto i) __attribute__((always_inline)) {
                r[2 * i] = lanes::first_halves(before[i], before[i + R / 2]);
                r[2 * i + 1] = lanes::second_halves(before[i], before[i + R / 2]);
            });
        });
        repeat<R>([&](auto i) __attribute__((always_inline)) {
            std::int64_t const left = n - i * L;
            if (left >= L) {
                lanes::store(to + i * L, r[i]);
            } else if (left > 0) {
                T some[L];
                lanes::store(some, r[i]);
                std::memcpy(to + i * L, some, static_cast<std::size_t>(left) * sizeof(T));
            }
        });
    }
};

template <class T> class quicksort {
    using lanes = sort_lanes<T>;
    using V = typename lanes::V;
    static constexpr int L = lanes::count, R = sort_registers, batch = 8 * L;
    static constexpr std::int64_t least_in_place = 8 * batch, prefetched_ahead = 8 * batch,
                                  prefetched_from = std::int64_t{1} << 19;  // bytes

public:
    static void run(T* from, T* other, std::int64_t n, bool to_other) {
        sort(from, other, n, to_other, 2 * std::bit_width(static_cast<std::uint64_t>(n)));
    }

    static std::int64_t halve(T const* from, T* to, std::int64_t n, T pivot) {
        if (from == to && n >= 4 * batch) return split<false>(to, n, pivot);
        if (from == to) return std::partition(to, to + n, [pivot](T x) { return x < pivot; }) - to;
        gap g{to, to + n, pivot};
        std::int64_t i = 0;
        for (; n - i >= 2 * L; i += L) g.template put<false>(lanes::load(from + i));
        for (; i < n; i += L) g.template put<false>(from + i, std::min<std::int64_t>(n - i, L));
        return g.front - to;
    }

private:
    static void sort_few(T* from, T* to, std::int64_t n) {
        if (n <= R / 4 * L) register_sorter<T, R / 4>::run(from, to, n);
        else if (n <= R / 2 * L) register_sorter<T, R / 2>::run(from, to, n);
        else register_sorter<T, R>::run(from, to, n);
    }
    static T middle(T a, T b, T c) {
        T const low = b < a ? b : a, high = b < a ? a : b, rest = c < high ? c : high;
        return rest < low ? low : rest;
    }
    // Of nine values all over the range, the middle of the middles of three.
    static T pivot_of(T const* a, std::int64_t n) {
        std::int64_t const step = (n - 1) / 8;
        return middle(middle(a[0], a[step], a[2 * step]), middle(a[3 * step], a[4 * step], a[5 * step]),
                      middle(a[6 * step], a[7 * step], a[8 * step]));
    }
    // The free space between two ends: values before the pivot go to the front, the others to the back. A vector is
    // stored whole at both ends; its surplus lanes overwrite free space.
    struct gap {
        T *front, *back, pivot;
        V pivots = lanes::all(pivot);

        template <bool OrEqual> void put(V v) {
            unsigned const mask = lanes::template in_front<OrEqual>(v, pivots);
            V const parted = lanes::split(v, mask);
            int const before = std::popcount(mask);
            lanes::store(front, parted);
            lanes::store(back - L, parted);
            front += before;
            back -= L - before;
        }
        // A vector's values or fewer; nothing is written but they.
        template <bool OrEqual> void put(T const* x, std::int64_t n) {
#if defined(__AVX512F__)
            unsigned const all = (1u << n) - 1;
            V const v = lanes::load_some(x, all);
            unsigned const mask = lanes::template in_front<OrEqual>(v, pivots) & all;
            lanes::store_some(front, v, mask);
            front += std::popcount(mask);
            back -= n - std::popcount(mask);
            lanes::store_some(back, v, all & ~mask);
#else
            for (std::int64_t i = 0; i < n; ++i) {
                bool const before = OrEqual ? x[i] <= pivot : x[i] < pivot;
                *front = x[i], back[-1] = x[i];
                front += before;
                back -= !before;
            }
#endif
        }
    };
    // To the beginning of `from` and the end of `other`.
    template <bool OrEqual> static std::int64_t split_apart(T* from, T* other, std::int64_t n, T pivot) {
        gap g{from, other + n, pivot};
        std::int64_t i = 0;
        for (; i + L <= n; i += L) g.template put<OrEqual>(lanes::load(from + i));
        g.template put<OrEqual>(from + i, n - i);
        return g.front - from;
    }
    // In place, many vectors at a time: so many are set aside from both ends at first, and more are taken where there
    // is less room, so that there is always room for as many at both. Memory beyond the second cache is prefetched:
    // since values are taken from either end, the processor cannot predict which come next.
    template <bool OrEqual> static std::int64_t split(T* a, std::int64_t n, T pivot) {
        T aside[3 * batch];
        std::copy_n(a, batch, aside);
        std::copy_n(a + n - batch, batch, aside + batch);
        gap g{a, a + n, pivot};
        T *left = a + batch, *right = a + n - batch;
        bool const far = n * static_cast<std::int64_t>(sizeof(T)) > prefetched_from;
        while (right - left >= batch) {
            bool const from_right = g.back - right < left - g.front;
            T const* const next = from_right ? right - batch : left;
            right -= from_right ? batch : 0;
            left += from_right ? 0 : batch;
            V taken[batch / L];
            repeat<batch / L>([&](auto k) __attribute__((always_inline)) { taken[k] = lanes::load(next + k * L); });
            if (far) {
                T const* const later = from_right ? next - prefetched_ahead : next + prefetched_ahead;
                repeat<batch / L>([&](auto k) __attribute__((always_inline)) { __builtin_prefetch(later + k * L, 1); });
            }
            repeat<batch / L>([&](auto k) __attribute__((always_inline)) { g.template put<OrEqual>(taken[k]); });
        }
        std::copy(left, right, aside + 2 * batch);
        std::int64_t const waiting = 2 * batch + (right - left);
        std::int64_t i = 0;
        for (; waiting - i >= 2 * L; i += L) g.template put<OrEqual>(lanes::load(aside + i));
        for (; i < waiting; i += L) g.template put<OrEqual>(aside + i, std::min<std::int64_t>(waiting - i, L));
        return g.front - a;
    }
    static void sort(T* from, T* other, std::int64_t n, bool to_other, int depth) {
        while (n >= least_in_place) {
            if (depth-- == 0) return give_up(from, other, n, to_other);
            T const pivot = pivot_of(from, n);
            std::int64_t before = split<false>(from, n, pivot);
            if (before == 0) {  // the pivot is the least: all that equal it are in place
                before = split<true>(from, n, pivot);
                if (to_other) std::memcpy(other, from, static_cast<std::size_t>(before) * sizeof(T));
            } else {
                sort(from, other, before, to_other, depth);
            }
            from += before, other += before, n -= before;
        }
        if (to_other) sort_apart(from, other, n, true, depth);
        else sort_near(from, n, depth);
    }
    // Values that end up in `from` take a small array on the stack as the other memory, because a large one may be far
    // out of the caches. Not inlined into `sort`, which has many frames.
    static __attribute__((noinline)) void sort_near(T* from, std::int64_t n, int depth) {
        alignas(64) T near[least_in_place];
        sort_apart(from, near, n, false, depth);
    }
    // Parts go to and fro between `from` and `other`.
    static void sort_apart(T* from, T* other, std::int64_t n, bool to_other, int depth) {
        while (n > R * L) {
            if (depth-- == 0) return give_up(from, other, n, to_other);
            T const pivot = pivot_of(from, n);
            std::int64_t before = split_apart<false>(from, other, n, pivot);
            if (before == 0) {
                std::swap(from, other), to_other = !to_other;
                before = split_apart<true>(from, other, n, pivot);
                if (to_other) std::memcpy(other, from, static_cast<std::size_t>(before) * sizeof(T));
            } else {
                sort_apart(from, other, before, to_other, depth);
            }
            from += before, other += before, n -= before;
            std::swap(from, other), to_other = !to_other;
        }
        if (n > 0) sort_few(from, to_other ? other : from, n);
    }
    static void give_up(T* from, T* other, std::int64_t n, bool to_other) {
        std::sort(from, from + n);
        if (to_other) std::memcpy(other, from, static_cast<std::size_t>(n) * sizeof(T));
    }
};

template <class T> bool range(T const* a, std::int64_t n, T& least, T& most) {
    using lanes = sort_lanes<T>;
    constexpr int L = lanes::count;
    auto low = lanes::all(lanes::last), high = lanes::all(lanes::first);
    typename lanes::index nan{};
    std::int64_t i = 0;
    for (; i + L <= n; i += L) {
        auto const v = lanes::load(a + i);
        low = lanes::smaller(v, low);
        high = lanes::larger(v, high);
        nan |= v != v;
    }
    bool found = false;
    least = lanes::last, most = lanes::first;
    auto const look = [&](T x) {
        if (x < least) least = x;
        if (x > most) most = x;
        found |= x != x;
    };
    for (int k = 0; k < L; ++k) look(low[k]), look(high[k]), found |= nan[k] != 0;
    for (; i < n; ++i) look(a[i]);
    return found;
}

template <class T> constexpr sort_kernels<T> kernels_for{quicksort<T>::run, quicksort<T>::halve, range<T>};

}  // namespace

void fill_sort(kernel_table& t) {
    t.sort = {kernels_for<double>, kernels_for<float>, kernels_for<std::int64_t>, kernels_for<std::int32_t>};
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

#else
namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
void fill_sort(kernel_table&) {}
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
#endif
