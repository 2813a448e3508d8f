// Convolution and correlation of short lines: sums of products, tap by tap, for several positions side by side.
#include <algorithm>

#include "backend/cpu/algorithms/algorithms.hpp"
#include "backend/cpu/common/last_error.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

constexpr std::int64_t products_of_piece = std::int64_t{1} << 20;  // a quarter of a millisecond of one thread's work

// Sums over taps[first], ..., taps[last - 1] of `line`, whose position k is multiplied by taps[first + k].
template <class T> T sum_at(T const* line, T const* taps, std::int64_t count) noexcept {
    T sum = static_cast<T>(line[0] * taps[0]);
    for (std::int64_t k = 1; k < count; ++k) sum = static_cast<T>(sum + static_cast<T>(line[k] * taps[k]));
    return sum;
}

// Vectors of the size that every x86-64 has; the products and sums of a position are those of sum_at, in its order.
template <class T> struct register_of;
template <> struct register_of<double> { typedef double type __attribute__((vector_size(16), aligned(8), may_alias)); };
template <> struct register_of<float> { typedef float type __attribute__((vector_size(16), aligned(4), may_alias)); };
template <> struct register_of<std::uint64_t> {
    typedef std::uint64_t type __attribute__((vector_size(16), aligned(8), may_alias));
};
template <> struct register_of<std::uint32_t> {
    typedef std::uint32_t type __attribute__((vector_size(16), aligned(4), may_alias));
};

template <class T> void sums_inside(T const* line, T const* taps, std::int64_t m, T* out, std::int64_t n) noexcept {
    using V = typename register_of<T>::type;
    constexpr std::int64_t lanes = 16 / sizeof(T), block = 8 * lanes;
    std::int64_t i = 0;
    for (; i + block <= n; i += block) {
        V sums[8];
#pragma GCC unroll 8
        for (int r = 0; r < 8; ++r) sums[r] = *reinterpret_cast<V const*>(line + i + r * lanes) * taps[0];
        for (std::int64_t k = 1; k < m; ++k) {
#pragma GCC unroll 8
            for (int r = 0; r < 8; ++r) sums[r] += *reinterpret_cast<V const*>(line + i + k + r * lanes) * taps[k];
        }
#pragma GCC unroll 8
        for (int r = 0; r < 8; ++r) *reinterpret_cast<V*>(out + i + r * lanes) = sums[r];
    }
    for (; i < n; ++i) out[i] = sum_at(line + i, taps, m);
}

// out[i], for i from first_of_all up to n, is the sum of line[i - before], ..., as far as they are in the line of
// `size` values, times their taps.
template <class T>
void slide(T const* line, std::int64_t size, T const* taps, std::int64_t m, std::int64_t before, T* out,
           std::int64_t first_of_all, std::int64_t n) noexcept {
    auto const at_edge = [&](std::int64_t i) {
        std::int64_t const first = std::max<std::int64_t>(before - i, 0), end = std::min(m, size + before - i);
        out[i] = sum_at(line + i - before + first, taps + first, end - first);
    };
    std::int64_t const begin = std::clamp(before, first_of_all, n), inside = std::min(n, size - m + 1 + before);
    for (std::int64_t i = first_of_all; i < begin; ++i) at_edge(i);
    if (inside > begin) sums_inside(line + begin - before, taps, m, out + begin, inside - begin);
    for (std::int64_t i = std::max(begin, inside); i < n; ++i) at_edge(i);
}

template <class T> void run(convolve_args const& a) noexcept {
    T ordered[convolve_args::most_taps];
    std::copy_n(static_cast<T const*>(a.taps), a.count, ordered);
    if (a.turned) std::reverse(ordered, ordered + a.count);
    std::int64_t const piece = std::max<std::int64_t>(products_of_piece / a.count, 1);
    std::int64_t const pieces = (a.positions + piece - 1) / piece;
    sched::parallel_for(pieces, pieces > 1, [&](std::int64_t k) {
        slide(static_cast<T const*>(a.line), a.length, ordered, a.count, a.before, static_cast<T*>(a.out), k * piece,
              std::min((k + 1) * piece, a.positions));
    });
}

}  // namespace

status convolve(convolve_args const& a) noexcept {
    switch (a.dtype) {
        case type_id::float64: return run<double>(a), status::ok;
        case type_id::float32: return run<float>(a), status::ok;
        case type_id::int64: return run<std::uint64_t>(a), status::ok;
        case type_id::int32: return run<std::uint32_t>(a), status::ok;
        default: break;
    }
    set_last_error("[convolve] elements are float64, float32, int64 or int32");
    return status::not_supported;
}

}  // namespace bascule::cpu
