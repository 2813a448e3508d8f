// Parting values by a pivot, and sorting many short rows side by side.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "backend/cpu/dispatch/partition_kernels.hpp"
#ifdef __AVX2__
#include "backend/cpu/kernels/algorithms/sort_lanes.hpp"
#endif

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// 0 before the pivot, 1 at it, 2 behind it.
template <class T> int side_of(T x, T pivot) { return (x < pivot ? 0 : 1) + (x <= pivot ? 0 : 1); }

#if defined(__AVX512F__)
// Which lanes of the first n are less than the pivot, and which equal it.
template <class T> struct sides {
    using lanes = sort_lanes<T>;
    unsigned less, equal, rest;
    sides(typename lanes::V v, typename lanes::V pivots, unsigned all = (1u << lanes::count) - 1)
        : less(lanes::template in_front<false>(v, pivots) & all),
          equal(lanes::template in_front<true>(v, pivots) & all & ~less), rest(all & ~(less | equal)) {}
};

// f(values, sides, position) for every vector of values.
template <class T, class F>
inline __attribute__((always_inline)) void each_vector(T const* in, std::int64_t n, T pivot, F const& f) {
    using lanes = sort_lanes<T>;
    auto const pivots = lanes::all(pivot);
    std::int64_t i = 0;
    for (; i + lanes::count <= n; i += lanes::count) {
        auto const v = lanes::load(in + i);
        f(v, sides<T>(v, pivots), i);
    }
    if (i < n) {
        unsigned const all = (1u << (n - i)) - 1;
        auto const v = lanes::load_some(in + i, all);
        f(v, sides<T>(v, pivots, all), i);
    }
}

template <class T> typename partition_kernels_of_type<T>::counted count(T const* in, std::int64_t n, T pivot) noexcept {
    typename partition_kernels_of_type<T>::counted c{0, 0};
    each_vector(
        in, n, pivot, [&](auto, sides<T> s, std::int64_t) __attribute__((always_inline)) {
            c.less += std::popcount(s.less);
            c.equal += std::popcount(s.equal);
        });
    return c;
}

template <class T> void part(T const* in, std::int64_t n, T pivot, T* less, T* equal, T* rest) noexcept {
    each_vector(
        in, n, pivot, [&](auto v, sides<T> s, std::int64_t) __attribute__((always_inline)) {
            sort_lanes<T>::store_some(less, v, s.less);
            sort_lanes<T>::store_some(rest, v, s.rest);
            less += std::popcount(s.less);
            rest += std::popcount(s.rest);
            if (s.equal != 0) {
                sort_lanes<T>::store_some(equal, v, s.equal);
                equal += std::popcount(s.equal);
            }
        });
}

template <class T>
void part_positions(T const* in, std::int64_t n, T pivot, std::int64_t* less, std::int64_t* equal,
                    std::int64_t* rest) noexcept {
    using positions = sort_lanes<std::int64_t>;
    constexpr int L = positions::count;
    auto const first = positions::lanes([](int i) { return i; });
    each_vector(
        in, n, pivot, [&](auto, sides<T> s, std::int64_t i) __attribute__((always_inline)) {
            for (int k = 0; k < sort_lanes<T>::count; k += L) {
                constexpr unsigned some = (1u << L) - 1;
                auto const at = first + (i + k);
                unsigned const before = s.less >> k & some, behind = s.rest >> k & some, same = s.equal >> k & some;
                positions::store_some(less, at, before);
                positions::store_some(rest, at, behind);
                less += std::popcount(before);
                rest += std::popcount(behind);
                if (same != 0) {
                    positions::store_some(equal, at, same);
                    equal += std::popcount(same);
                }
            }
        });
}

template <class T>
typename partition_kernels_of_type<T>::taken take_between(T const* in, std::int64_t n, T low, T high, T* out) noexcept {
    using lanes = sort_lanes<T>;
    auto const lows = lanes::all(low), highs = lanes::all(high);
    std::int64_t below = 0, i = 0;
    T* to = out;
    for (; i + lanes::count <= n; i += lanes::count) {
        auto const v = lanes::load(in + i);
        unsigned const less = lanes::template in_front<false>(v, lows),
                       kept = lanes::template in_front<true>(v, highs) & lanes::template in_front<true>(lows, v);
        lanes::store(to, lanes::compressed(v, kept));
        to += std::popcount(kept);
        below += std::popcount(less);
    }
    for (; i < n; ++i) {
        if (in[i] >= low && in[i] <= high) *to++ = in[i];
        below += in[i] < low;
    }
    return {to - out, below};
}
#else
template <class T>
typename partition_kernels_of_type<T>::taken take_between(T const* in, std::int64_t n, T low, T high, T* out) noexcept {
    std::int64_t below = 0, kept = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        T const x = in[i];
        out[kept] = x;
        kept += (x >= low) & (x <= high);
        below += x < low;
    }
    return {kept, below};
}

template <class T> typename partition_kernels_of_type<T>::counted count(T const* in, std::int64_t n, T pivot) noexcept {
    std::int64_t less = 0, equal = 0;
    for (std::int64_t i = 0; i < n; ++i) less += in[i] < pivot, equal += in[i] == pivot;
    return {less, equal};
}

template <class T> void part(T const* in, std::int64_t n, T pivot, T* less, T* equal, T* rest) noexcept {
    T* to[] = {less, equal, rest};
    for (std::int64_t i = 0; i < n; ++i) *to[side_of(in[i], pivot)]++ = in[i];
}

template <class T>
void part_positions(T const* in, std::int64_t n, T pivot, std::int64_t* less, std::int64_t* equal,
                    std::int64_t* rest) noexcept {
    std::int64_t* to[] = {less, equal, rest};
    for (std::int64_t i = 0; i < n; ++i) *to[side_of(in[i], pivot)]++ = i;
}
#endif

#if defined(__AVX2__)
// As many rows as a vector has lanes, each in a lane of its own: one network of exchanges sorts all of them.
template <class T, int N> class side_by_side {
    using lanes = sort_lanes<T>;
    using V = typename lanes::V;
    using index = typename lanes::index;
    static constexpr int L = lanes::count;
    static constexpr auto network = sorting_network<N>();

public:
    static void run(T const* in, T* out, std::int64_t rows, std::int64_t n) noexcept {
        for (std::int64_t r = 0; r < rows; r += L)
            group(in + r * n, out + r * n, std::min<std::int64_t>(L, rows - r), n);
    }

private:
    static void group(T const* in, T* out, std::int64_t rows, std::int64_t n) noexcept {
        alignas(64) T turned[N * L];
        for (int k = 0; k < L; ++k) {
            T const* const row = in + std::min<std::int64_t>(k, rows - 1) * n;
            for (std::int64_t j = 0; j < n; ++j) turned[j * L + k] = row[j];
        }
        V r[N];
        index nulls{}, odd_zeros{};
        repeat<N>([&](auto j) __attribute__((always_inline)) {
            r[j] = j < n ? lanes::load(turned + j * L) : lanes::all(lanes::last);
            if constexpr (std::is_floating_point_v<T>) {
                index const null = r[j] != r[j];
                nulls -= null;
                odd_zeros |= (index)r[j] == (index)lanes::all(-T{0});
                r[j] = null ? lanes::all(lanes::last) : r[j];
            }
        });
        repeat<network.size()>([&](auto k) __attribute__((always_inline)) {
            constexpr auto p = network[static_cast<std::size_t>(k)];
            V const low = lanes::smaller(r[p.first], r[p.second]);
            r[p.second] = lanes::larger(r[p.second], r[p.first]);
            r[p.first] = low;
        });
        repeat<N>([&](auto j) __attribute__((always_inline)) { lanes::store(turned + j * L, r[j]); });
        for (int k = 0; k < rows; ++k)
            for (std::int64_t j = 0; j < n; ++j) out[k * n + j] = turned[j * L + k];
        if constexpr (std::is_floating_point_v<T>) {
            bool usual = true;
            for (int k = 0; k < L; ++k) usual &= nulls[k] == 0 && odd_zeros[k] == 0;
            if (usual) return;
            for (int k = 0; k < rows; ++k) {
                std::fill_n(out + (k + 1) * n - nulls[k], nulls[k], std::numeric_limits<T>::quiet_NaN());
                if (odd_zeros[k] != 0) order_zeros(out + k * n, n - nulls[k]);
            }
        }
    }
    static void order_zeros(T* sorted, std::int64_t n) noexcept {
        std::int64_t begin = 0, negative = 0;
        while (sorted[begin] < T{0}) ++begin;
        std::int64_t end = begin;
        for (; end < n && sorted[end] == T{0}; ++end) negative += std::signbit(sorted[end]);
        std::fill(sorted + begin, sorted + begin + negative, -T{0});
        std::fill(sorted + begin + negative, sorted + end, T{0});
    }
};

// Lengths between two networks take the longer.
template <class T, int N = 2> void sort_rows(T const* in, T* out, std::int64_t rows, std::int64_t n) noexcept {
    constexpr int next = N < 16 ? N + 1 : N + 4;
    if constexpr (N < most_lanes_length)
        if (n > N) return sort_rows<T, next>(in, out, rows, n);
    side_by_side<T, N>::run(in, out, rows, n);
}
template <class T> constexpr auto row_sorter = sort_rows<T>;
#else
template <class T> constexpr decltype(partition_kernels_of_type<T>::sort_rows) row_sorter = nullptr;
#endif

template <class T>
constexpr partition_kernels_of_type<T> kernels_for{count<T>, part<T>, part_positions<T>, take_between<T>,
                                                   row_sorter<T>};

}  // namespace

partition_kernels const& ordering() noexcept {
    static constexpr partition_kernels kernels{kernels_for<double>, kernels_for<float>, kernels_for<std::int64_t>,
                                               kernels_for<std::int32_t>};
    return kernels;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
