// The state of each aggregate for a group: add(value) for every value in row order, merge(state) of the rows that
// follow, then result(). All devices share this source.
#pragma once
#include <type_traits>

#include "bascule/core/table_algorithms_group.hpp"

namespace bascule::grouping {

using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Elements as numbers; times as their counts.
template <class T> BASCULE_HD auto number_of(T v) {
    if constexpr (std::is_arithmetic_v<T>) return v;
    else return v.count;
}
template <class T> BASCULE_HD bool is_null(T v) {
    if constexpr (std::is_floating_point_v<T>) return v != v;
    else if constexpr (std::is_arithmetic_v<T>) return false;
    else return v.count == nat;
}
template <class T> BASCULE_HD T null_value() {
    if constexpr (std::is_floating_point_v<T>) return static_cast<T>(__builtin_nan(""));
    else if constexpr (std::is_arithmetic_v<T>) return T{};
    else return T{nat};
}
template <class T> BASCULE_HD T element_from(auto v) {
    if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(v);
    else return T{static_cast<i64>(v)};
}
template <class T> using floating_of = std::conditional_t<std::is_floating_point_v<T>, T, double>;

template <group_op Op, class T> using result_of = element<group_result_type(Op, id_of<T>::value)>;

template <class F> struct compensated {
    F sum = 0, lost = 0;
    BASCULE_HD void add(F v) {
        F const y = v - lost, t = sum + y;
        F const c = (t - sum) - y;
        lost = c - c == 0 ? c : F{0};  // of an infinite sum nothing is lost, else the next value would make it NaN
        sum = t;
    }
    BASCULE_HD void add_as_is(F v) {  // pandas' running sums: after an infinity they are NaN
        F const y = v - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    BASCULE_HD void merge(compensated const& later) {
        add(later.sum);
        add(-later.lost);
    }
};

template <group_op Op, class T> struct group_state;

template <class T> struct group_state<group_op::count, T> {
    u32 n = 0;
    BASCULE_HD void add(T) { ++n; }
    BASCULE_HD void merge(group_state const& later) { n += later.n; }
    BASCULE_HD auto result(group_request const&) const { return static_cast<i64>(n); }
};

template <class T> struct group_state<group_op::sum, T> {
    static constexpr bool inexact = std::is_floating_point_v<T>;
    std::conditional_t<inexact, compensated<floating_of<T>>, u64> total{};
    u32 n = 0;
    BASCULE_HD void add(T v) {
        if constexpr (inexact) total.add(v);
        else total += static_cast<u64>(number_of(v));
        ++n;
    }
    BASCULE_HD void merge(group_state const& later) {
        if constexpr (inexact) total.merge(later.total);
        else total += later.total;
        n += later.n;
    }
    BASCULE_HD auto result(group_request const&) const {
        if constexpr (inexact) return total.sum;
        else return element_from<result_of<group_op::sum, T>>(total);
    }
};

template <class T> struct group_state<group_op::mean, T> {
    compensated<floating_of<T>> total{};
    u32 n = 0;
    BASCULE_HD void add(T v) {
        total.add(static_cast<floating_of<T>>(number_of(v)));
        ++n;
    }
    BASCULE_HD void merge(group_state const& later) {
        total.merge(later.total);
        n += later.n;
    }
    BASCULE_HD auto result(group_request const&) const {
        return element_from<result_of<group_op::mean, T>>(total.sum / static_cast<floating_of<T>>(n));
    }
};

// Welford's recurrence.
template <class T> struct group_state<group_op::var, T> {
    floating_of<T> mean = 0, squares = 0;
    u32 n = 0;
    BASCULE_HD void add(T value) {
        auto const v = static_cast<floating_of<T>>(number_of(value));
        ++n;
        auto const before = mean;
        mean += (v - before) / static_cast<floating_of<T>>(n);
        squares += (v - mean) * (v - before);
    }
    BASCULE_HD void merge(group_state const& later) {  // Chan's
        if (later.n == 0) return;
        if (n == 0) return void(*this = later);
        auto const ours = static_cast<floating_of<T>>(n), theirs = static_cast<floating_of<T>>(later.n);
        auto const apart = later.mean - mean;
        mean += apart * (theirs / (ours + theirs));
        squares += later.squares + apart * apart * (ours * theirs / (ours + theirs));
        n += later.n;
    }
    BASCULE_HD auto result(group_request const& r) const {
        return squares / static_cast<floating_of<T>>(static_cast<i64>(n) - r.ddof);
    }
};
template <class T> struct group_state<group_op::std_, T> : group_state<group_op::var, double> {
    BASCULE_HD void add(T v) { group_state<group_op::var, double>::add(static_cast<double>(number_of(v))); }
    BASCULE_HD void merge(group_state const& later) { group_state<group_op::var, double>::merge(later); }
    BASCULE_HD double result(group_request const& r) const {
        return __builtin_sqrt(group_state<group_op::var, double>::result(r));
    }
};

template <class T, bool Greatest> struct extremum {
    T value{};
    u32 n = 0;
    BASCULE_HD void add(T v) {  // a NaN that a bitmap marks as valid is replaced by any number
        if (n++ == 0 || is_null(value) ||
            (Greatest ? number_of(v) > number_of(value) : number_of(v) < number_of(value)))
            value = v;
    }
    BASCULE_HD void merge(extremum const& later) {
        if (later.n == 0) return;
        auto const values = n + later.n;
        add(later.value);
        n = values;
    }
    BASCULE_HD T result(group_request const&) const { return value; }
};
template <class T> struct group_state<group_op::min, T> : extremum<T, false> {};
template <class T> struct group_state<group_op::max, T> : extremum<T, true> {};

template <class T> struct group_state<group_op::first, T> {
    T value{};
    u32 n = 0;
    BASCULE_HD void add(T v) {
        if (n++ == 0) value = v;
    }
    BASCULE_HD void merge(group_state const& later) {
        if (n == 0) value = later.value;
        n += later.n;
    }
    BASCULE_HD T result(group_request const&) const { return value; }
};
template <class T> struct group_state<group_op::last, T> {
    T value{};
    u32 n = 0;
    BASCULE_HD void add(T v) {
        value = v;
        ++n;
    }
    BASCULE_HD void merge(group_state const& later) {
        if (later.n != 0) value = later.value;
        n += later.n;
    }
    BASCULE_HD T result(group_request const&) const { return value; }
};

template <class T> struct group_state<group_op::prod, T> {
    std::conditional_t<std::is_floating_point_v<T>, T, u64> product = 1;
    u32 n = 0;
    BASCULE_HD void add(T v) {
        product *= static_cast<decltype(product)>(number_of(v));
        ++n;
    }
    BASCULE_HD void merge(group_state const& later) {
        product *= later.product;
        n += later.n;
    }
    BASCULE_HD auto result(group_request const&) const { return static_cast<result_of<group_op::prod, T>>(product); }
};

template <class T> struct group_state<group_op::any, T> {
    bool seen = false;
    u32 n = 0;
    BASCULE_HD void add(T v) {
        seen = seen || number_of(v) != 0;
        ++n;
    }
    BASCULE_HD void merge(group_state const& later) {
        seen = seen || later.seen;
        n += later.n;
    }
    BASCULE_HD bool result(group_request const&) const { return seen; }
};
template <class T> struct group_state<group_op::all, T> {
    bool unbroken = true;
    u32 n = 0;
    BASCULE_HD void add(T v) {
        unbroken = unbroken && number_of(v) != 0;
        ++n;
    }
    BASCULE_HD void merge(group_state const& later) {
        unbroken = unbroken && later.unbroken;
        n += later.n;
    }
    BASCULE_HD bool result(group_request const&) const { return unbroken; }
};

// Of a running sum in a group: pandas' addition.
template <class F> struct running_sum {
    compensated<F> total{};
    BASCULE_HD void add(F v) { total.add_as_is(v); }
    BASCULE_HD void merge(running_sum const& later) {
        total.add_as_is(later.total.sum);
        total.add_as_is(-later.total.lost);
    }
    BASCULE_HD F result(group_request const&) const { return total.sum; }
};

// Fewest values that make a result.
template <group_op Op> BASCULE_HD i64 values_needed(group_request const& r) {
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

}  // namespace bascule::grouping
