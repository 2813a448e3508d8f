// Every value of a type as an unsigned number in the order of sorting, NaN and NaT the largest of all.
#pragma once
#include "backend/cpu/sort/normal_key.hpp"

namespace bascule::cpu::sorting {

template <class T> inline constexpr std::uint64_t largest_key = ~std::uint64_t{0} >> (64 - 8 * sizeof(T));

template <class T>
inline constexpr bool has_null = std::is_same_v<T, float16> || std::is_floating_point_v<T> ||
                                 std::is_same_v<T, datetime64> || std::is_same_v<T, timedelta64>;

// Distinguishes -0.0 from 0.0; invertible except that all NaN have one key.
template <class T> std::uint64_t ordered_key(T v) noexcept {
    using normal = sorting::normal<T>;
    if constexpr (has_null<T>) return normal::is_null(v) ? largest_key<T> : normal::ordered(v);
    else return normal::ordered(v);
}
template <class T> T from_ordered_key(std::uint64_t k) noexcept {
    using normal = sorting::normal<T>;
    if constexpr (has_null<T>) return k == largest_key<T> ? normal::null() : normal::value(k);
    else return normal::value(k);
}

// Does not: equal values have equal keys.
template <class T> std::uint64_t comparison_key(T v) noexcept {
    using normal = sorting::normal<T>;
    if constexpr (std::is_same_v<T, datetime64> || std::is_same_v<T, timedelta64>)
        return normal::key(v) - 1;  // NaT wraps to the top
    else if constexpr (has_null<T>) return normal::is_null(v) ? largest_key<T> : normal::key(v);
    else return normal::key(v);
}

}  // namespace bascule::cpu::sorting
