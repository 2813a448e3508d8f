// minimum, maximum and where they are. In arrays NaN and NaT win; groups and windows leave missing values out, and a
// NaN that a bitmap marks as valid is replaced by any number. Device-clean.
#pragma once
#include "bascule/ops/aggregates/groups.hpp"
#include "bascule/ops/extrema.hpp"
#include "bascule/ops/windows/order.hpp"

namespace bascule::ops::aggregate {

// The value no element is beyond: Sign +1 the greatest, -1 the least that is a number.
template <class T, int Sign> BASCULE_HD constexpr T end_of_range() {
    if constexpr (is_bool_type<T>) return Sign > 0;
    else if constexpr (is_float_type<T>) return Sign * constants<T>::infinity();
    else if constexpr (is_complex_type<T>) {
        using R = real_type<T>;
        return {Sign * constants<R>::infinity(), Sign * constants<R>::infinity()};
    } else if constexpr (is_time_type<T>) return {Sign > 0 ? -(nat + 1) : nat + 1};
    else if constexpr (is_signed_type<T>) return static_cast<T>(Sign > 0 ? sign_bit<T> - 1 : sign_bit<T>);
    else return static_cast<T>(Sign > 0 ? ~T(0) : T(0));
}

// Better{}(a, b) is minimum or maximum; Sign is the end of the range where its identity lies.
template <class T, class Better, int Sign> struct extremum_algebra {
    using input = T;
    using state = T;
    using result = T;
    static constexpr int leaf_size = 1024;
    static constexpr int granule = 8;
    BASCULE_HD static state identity() { return end_of_range<T, Sign>(); }
    BASCULE_HD static void update(state& s, T x, std::int64_t) { s = Better{}(s, x); }
    BASCULE_HD static state merge(state earlier, state later) { return Better{}(earlier, later); }
    BASCULE_HD static result finish(state s, std::int64_t, double) { return s; }
    BASCULE_HD static state leaf(T const* x, std::int64_t n, std::int64_t = 0) { return reduce(x, n); }
    BASCULE_HD static state reduce(T const* x, std::int64_t n, std::int64_t = 0) {
        // As many lanes as fill two vector registers. Complex numbers are taken in order: of several NaN the first is
        // the result.
        constexpr int lanes = is_complex_type<T> ? 1 : static_cast<int>(128 / sizeof(T));
        T lane[lanes];
        for (int j = 0; j < lanes; ++j) lane[j] = identity();
        std::int64_t i = 0;
        for (; i <= n - lanes; i += lanes)
            for (int j = 0; j < lanes; ++j) lane[j] = Better{}(lane[j], x[i + j]);
        state s = identity();
        for (int j = 0; j < lanes; ++j) s = Better{}(s, lane[j]);
        for (; i < n; ++i) s = Better{}(s, x[i]);
        return s;
    }
};

// Better is fmin or fmax; of equals, the first.
template <class T, class Better, int Sign> struct known_extremum {
    using input = T;
    using state = T;
    using result = T;
    BASCULE_HD static state identity() {
        if constexpr (is_float_type<T>) return constants<T>::nan();
        else return end_of_range<T, Sign>();
    }
    BASCULE_HD static void update(state& s, T x, std::int64_t) { s = Better{}(x, s); }
    BASCULE_HD static state merge(state earlier, state later) { return Better{}(later, earlier); }
    BASCULE_HD static result finish(state s, std::int64_t, double) { return s; }
};

struct minimum {
    static constexpr aggregate_spec meta{
        .name = "min",
        .aliases = "amin",
        .types = comparable_types,
        .group_types = groupable_types,
        .empty_error = "zero-size array to reduction operation minimum which has no identity",
        .doc = "Return the minimum of an array or minimum along an axis."};
    template <class T> using of = extremum_algebra<T, ops::minimum, 1>;
    template <class T> using in_groups = counted<T, known_extremum<number<T>, fmin, 1>>;
    template <class T> using running = in_groups<T>;
    using in_windows = window::extremum<1>;
};

struct maximum {
    static constexpr aggregate_spec meta{
        .name = "max",
        .aliases = "amax",
        .types = comparable_types,
        .group_types = groupable_types,
        .empty_error = "zero-size array to reduction operation maximum which has no identity",
        .doc = "Return the maximum of an array or maximum along an axis."};
    template <class T> using of = extremum_algebra<T, ops::maximum, -1>;
    template <class T> using in_groups = counted<T, known_extremum<number<T>, fmax, -1>>;
    template <class T> using running = in_groups<T>;
    using in_windows = window::extremum<-1>;
};

// index is -1 while nothing was reduced.
template <class T> struct indexed {
    T value;
    std::int64_t index;
};

// Before{}(a, b): a is strictly better than b, both numbers. Ties go to the smaller position, so merges may come in any
// order.
template <class T, class Before, class Extremum> struct argument_algebra {
    using input = T;
    using state = indexed<T>;
    using result = std::int64_t;
    static constexpr int leaf_size = 1024;
    static constexpr int granule = 8;
    BASCULE_HD static state identity() { return {Extremum::identity(), -1}; }
    BASCULE_HD static void update(state& s, T x, std::int64_t position) { s = merge(s, {x, position}); }
    BASCULE_HD static state merge(state a, state b) {
        bool const take_b = b.index >= 0 &&
                            (a.index < 0 || wins(b.value, a.value) || (!wins(a.value, b.value) && b.index < a.index));
        return take_b ? b : a;
    }
    BASCULE_HD static result finish(state s, std::int64_t, double) { return s.index; }
    BASCULE_HD static state leaf(T const* x, std::int64_t n, std::int64_t position) { return reduce(x, n, position); }
    // Two passes: the extremum vectorises, and then its first place is looked for.
    BASCULE_HD static state reduce(T const* x, std::int64_t n, std::int64_t position) {
        if (n == 0) return identity();
        T const best = Extremum::reduce(x, n);
        std::int64_t i = 0;
        while (i < n - 1 && (wins(best, x[i]) || wins(x[i], best))) ++i;
        return {x[i], position + i};
    }

private:
    BASCULE_HD static bool wins(T a, T b) { return is_nan(b) ? false : is_nan(a) ? true : Before{}(a, b); }
};

struct argmin {
    static constexpr aggregate_spec meta{.name = "argmin",
                                         .types = comparable_types,
                                         .empty_error = "attempt to get argmin of an empty sequence",
                                         .doc = "Returns the indices of the minimum values along an axis."};
    template <class T> using of = argument_algebra<T, less, minimum::of<T>>;
};

struct argmax {
    static constexpr aggregate_spec meta{.name = "argmax",
                                         .types = comparable_types,
                                         .empty_error = "attempt to get argmax of an empty sequence",
                                         .doc = "Returns the indices of the maximum values along an axis."};
    template <class T> using of = argument_algebra<T, greater, maximum::of<T>>;
};

using extrema_aggregates = op_list<minimum, maximum, argmin, argmax>;

}  // namespace bascule::ops::aggregate
