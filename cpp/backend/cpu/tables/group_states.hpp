// What each aggregate keeps for a group: add(value) for every value in row order, then valid() and result().
#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

#include "backend/cpu/tables/group_scratch.hpp"
#include "bascule/core/table_algorithms_group.hpp"

namespace bascule::cpu::tables::grouping {

// Elements as numbers; times as their counts.
template <class T> auto number_of(T v) {
    if constexpr (std::is_arithmetic_v<T>) return v;
    else return v.count;
}
template <class T> bool is_null(T v) {
    if constexpr (std::is_floating_point_v<T>) return v != v;
    else if constexpr (std::is_arithmetic_v<T>) return false;
    else return v.count == nat;
}
template <class T> T null_value() {
    if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::quiet_NaN();
    else if constexpr (std::is_arithmetic_v<T>) return T{};
    else return T{nat};
}
template <class T> T element_from(auto v) {
    if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(v);
    else return T{static_cast<i64>(v)};
}
template <class T> using floating_of = std::conditional_t<std::is_floating_point_v<T>, T, double>;

template <group_op Op, class T> using result_of = element<group_result_type(Op, id_of<T>::value)>;

template <class F> struct compensated {
    F sum = 0, lost = 0;
    void add(F v) {
        F const y = v - lost, t = sum + y;
        F const c = (t - sum) - y;
        lost = c == c ? c : F{0};  // infinities: what was lost is no number, and must not make the sum one
        sum = t;
    }
    void add_as_is(F v) {  // pandas' running sums: after an infinity they are NaN
        F const y = v - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
};

template <group_op Op, class T> struct group_state;

template <class T> struct group_state<group_op::count, T> {
    u32 n = 0;
    void add(T) { ++n; }
    auto result(group_request const&) const { return static_cast<i64>(n); }
};

template <class T> struct group_state<group_op::sum, T> {
    static constexpr bool inexact = std::is_floating_point_v<T>;
    std::conditional_t<inexact, compensated<floating_of<T>>, u64> total{};
    u32 n = 0;
    void add(T v) {
        if constexpr (inexact) total.add(v);
        else total += static_cast<u64>(number_of(v));
        ++n;
    }
    auto result(group_request const&) const {
        if constexpr (inexact) return total.sum;
        else return element_from<result_of<group_op::sum, T>>(total);
    }
};

template <class T> struct group_state<group_op::mean, T> {
    compensated<floating_of<T>> total{};
    u32 n = 0;
    void add(T v) {
        total.add(static_cast<floating_of<T>>(number_of(v)));
        ++n;
    }
    auto result(group_request const&) const {
        return element_from<result_of<group_op::mean, T>>(total.sum / static_cast<floating_of<T>>(n));
    }
};

// Welford's recurrence.
template <class T> struct group_state<group_op::var, T> {
    floating_of<T> mean = 0, squares = 0;
    u32 n = 0;
    void add(T value) {
        auto const v = static_cast<floating_of<T>>(number_of(value));
        ++n;
        auto const before = mean;
        mean += (v - before) / static_cast<floating_of<T>>(n);
        squares += (v - mean) * (v - before);
    }
    auto result(group_request const& r) const {
        return squares / static_cast<floating_of<T>>(static_cast<i64>(n) - r.ddof);
    }
};
template <class T> struct group_state<group_op::std_, T> : group_state<group_op::var, double> {
    void add(T v) { group_state<group_op::var, double>::add(static_cast<double>(number_of(v))); }
    double result(group_request const& r) const { return std::sqrt(group_state<group_op::var, double>::result(r)); }
};

template <class T, bool Greatest> struct extremum {
    T value{};
    u32 n = 0;
    void add(T v) {  // a NaN that a bitmap calls valid gives way to any number
        if (n++ == 0 || is_null(value) ||
            (Greatest ? number_of(v) > number_of(value) : number_of(v) < number_of(value)))
            value = v;
    }
    T result(group_request const&) const { return value; }
};
template <class T> struct group_state<group_op::min, T> : extremum<T, false> {};
template <class T> struct group_state<group_op::max, T> : extremum<T, true> {};

template <class T> struct group_state<group_op::first, T> {
    T value{};
    u32 n = 0;
    void add(T v) {
        if (n++ == 0) value = v;
    }
    T result(group_request const&) const { return value; }
};
template <class T> struct group_state<group_op::last, T> {
    T value{};
    u32 n = 0;
    void add(T v) {
        value = v;
        ++n;
    }
    T result(group_request const&) const { return value; }
};

template <class T> struct group_state<group_op::prod, T> {
    std::conditional_t<std::is_floating_point_v<T>, T, u64> product = 1;
    u32 n = 0;
    void add(T v) {
        product *= static_cast<decltype(product)>(number_of(v));
        ++n;
    }
    auto result(group_request const&) const { return static_cast<result_of<group_op::prod, T>>(product); }
};

template <class T> struct group_state<group_op::any, T> {
    bool seen = false;
    u32 n = 0;
    void add(T v) {
        seen = seen || number_of(v) != 0;
        ++n;
    }
    bool result(group_request const&) const { return seen; }
};
template <class T> struct group_state<group_op::all, T> {
    bool unbroken = true;
    u32 n = 0;
    void add(T v) {
        unbroken = unbroken && number_of(v) != 0;
        ++n;
    }
    bool result(group_request const&) const { return unbroken; }
};

// Fewest values that make a result.
template <group_op Op> i64 values_needed(group_request const& r) {
    switch (Op) {
        case group_op::count:
        case group_op::any:
        case group_op::all: return 0;
        case group_op::sum:
        case group_op::prod: return r.min_count < 0 ? 0 : r.min_count;
        case group_op::var:
        case group_op::std_: return r.ddof < 0 ? 1 : r.ddof + 1;
        default: return r.min_count < 1 ? 1 : r.min_count;
    }
}

}  // namespace bascule::cpu::tables::grouping
