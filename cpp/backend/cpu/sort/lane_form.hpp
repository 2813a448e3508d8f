// The form of a type in vector registers, and sorted values there.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>

#include "backend/cpu/dispatch/kernels.hpp"
#include "backend/cpu/sort/normal_key.hpp"

namespace bascule::cpu::sorting {

// Sorting in vector registers: of the values themselves, or of signed words in the same order. NaN, which has no place
// in either, is put behind by hand; NaT is the last of its words.
template <class T> struct lane_form {
    static constexpr bool exists = sizeof(T) >= 4, keeps_null = std::is_integral_v<T> || std::is_class_v<T>,
                          is_value = std::is_floating_point_v<T> || (std::is_integral_v<T> && std::is_signed_v<T>);
    using lane = std::conditional_t<std::is_floating_point_v<T>, T,
                                    std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>>;
    static lane of(T v) noexcept {
        if constexpr (is_value) return v;
        else if constexpr (std::is_integral_v<T>) return static_cast<lane>(v ^ normal<lane>::flip);
        else return static_cast<lane>(static_cast<std::uint64_t>(v.count) - 1);
    }
    static T back(lane w) noexcept {
        if constexpr (is_value) return w;
        else if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<T>(w) ^ normal<lane>::flip);
        else return T{static_cast<std::int64_t>(static_cast<std::uint64_t>(w) + 1)};
    }

    // The kernels of the machine; null where its vectors are too narrow.
    static sort_kernels<lane> const* kernels() noexcept {
        if constexpr (!exists) return nullptr;
        auto const& k = std::get<sort_kernels<lane>>(active_kernels()->sort);
        return k.sort != nullptr ? &k : nullptr;
    }
    // Brings the values that are not null to the front; returns how many.
    static std::int64_t without_null(lane* a, std::int64_t n) noexcept {
        if constexpr (keeps_null) return n;
        std::int64_t kept = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            lane const w = a[i];
            a[kept] = w;
            kept += w == w;
        }
        return kept;
    }
    // Sorted lanes become values; the remaining ones of n are null.
    static void finish(lane const* sorted, std::int64_t kept, T* out, std::int64_t n) noexcept {
        if (!is_value || static_cast<void const*>(sorted) != out)
            for (std::int64_t i = 0; i < kept; ++i) out[i] = back(sorted[i]);
        std::fill(out + kept, out + n, normal<T>::null());
    }
    // Comparisons do not distinguish zeros of two signs, but the result is to be the same on every machine.
    static void order_zeros(T* sorted, std::int64_t n) noexcept {
        if constexpr (std::is_floating_point_v<T>) {
            auto const [begin, end] = std::equal_range(sorted, sorted + n, T{0});
            T* const middle = begin + std::count_if(begin, end, [](T v) { return std::signbit(v); });
            std::fill(begin, middle, -T{0});
            std::fill(middle, end, T{0});
        }
    }
    // A whole line in one piece; `lanes` and `spare` have room for it, and `lanes` may be its target.
    static void sort_line(sort_kernels<lane> const& k, T const* in, T* out, std::int64_t n, lane* lanes,
                          lane* spare) noexcept {
        if constexpr (is_value) std::memmove(lanes, in, static_cast<std::size_t>(n) * sizeof(T));
        else
            for (std::int64_t i = 0; i < n; ++i) lanes[i] = of(in[i]);
        lane least, most;
        bool const null = !keeps_null && k.range(lanes, n, least, most);
        std::int64_t const kept = null ? without_null(lanes, n) : n;
        k.sort(lanes, spare, kept, false);
        finish(lanes, kept, out, n);
        order_zeros(out, kept);
    }
};

}  // namespace bascule::cpu::sorting
