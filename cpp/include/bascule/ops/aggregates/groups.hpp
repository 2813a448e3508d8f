// States of groups' values: add(x) for each in row order, merge(state) of the rows that follow, result(ddof) if there
// are at least values_needed. Missing values are left out before; `n` counts the others. Values may be converted to
// `input` first, which changes nothing, so that a device can do with the states of few types. Where arrays have the
// same rule the state is of their algebra. Device-clean.
#pragma once
#include "bascule/ops/aggregates/list.hpp"

namespace bascule::ops::aggregate {

inline constexpr type_set groupable_types = types::boolean | types::integers |
                                            set_of(type_id::float32, type_id::float64) | types::times;

// Elements as numbers; times as their counts.
template <class T> BASCULE_HD constexpr auto number_of(T v) {
    if constexpr (is_time_type<T>) return v.count;
    else return v;
}
template <class T> using number = choose<is_time_type<T>, std::int64_t, T>;
template <class T> using real_number = choose<is_float_type<T>, T, double>;
template <class T, class From> BASCULE_HD constexpr T element_from(From v) {
    if constexpr (is_time_type<T>) return {static_cast<std::int64_t>(v)};
    else return static_cast<T>(v);
}
// Of a group without enough values.
template <class T> BASCULE_HD constexpr T missing_value() {
    if constexpr (is_float_type<T>) return constants<T>::nan();
    else if constexpr (is_time_type<T>) return {nat};
    else return T{};
}

template <class T, class Algebra> inline constexpr bool keeps_type = same_type<typename Algebra::result, number<T>>;

// A result of the elements' own kind is a time where they are.
template <class T, class Algebra, class Result = choose<keeps_type<T, Algebra>, T, typename Algebra::result>>
struct counted {
    using input = typename Algebra::input;
    using result_type = Result;
    typename Algebra::state value = Algebra::identity();
    std::uint32_t n = 0;
    BASCULE_HD void add(T x) {
        Algebra::update(value, static_cast<input>(number_of(x)), n);
        ++n;
    }
    BASCULE_HD void merge(counted const& later) {
        value = Algebra::merge(value, later.value);
        n += later.n;
    }
    BASCULE_HD Result result(std::int64_t ddof) const {
        return element_from<Result>(Algebra::finish(value, n, static_cast<double>(ddof)));
    }
};

// Whether rows without a value have a result: that of the rows before them.
template <class Running> inline constexpr bool has_result_at_missing = requires { Running::at_missing; };

template <class A> BASCULE_HD std::int64_t values_needed(std::int64_t ddof, std::int64_t min_count) {
    constexpr std::int64_t least = A::meta.identity >= 0 ? 0 : 1;
    if constexpr (A::meta.counts_rows) return 0;
    else if constexpr (A::meta.uses_ddof) return ddof < 0 ? 1 : ddof + 1;
    else return min_count < least ? least : min_count;
}

}  // namespace bascule::ops::aggregate
