// Aggregations as algebras: one struct each, for arrays, groups and moving windows. `A::of<T>` reduces elements of type
// T of an array:
//   state identity()                          nothing reduced yet
//   state leaf(T const* x, n, position)       the state of n <= leaf_size contiguous elements; x[0] is element
//                                             `position` of the run
//   void update(state&, T x, position)        adds one element
//   state merge(state earlier, state later)   the state of both together
//   result finish(state, n, ddof)             n: the number of all elements that were reduced
// and reduce(x, n, position) takes a contiguous run of any length along the fixed tree.
//
// A CPU block kernel calls reduce where a whole run is contiguous, else leaf on the pieces that the tree names
// (first_half in pairwise.hpp) and merge; rows reduced element by element (a kept innermost dimension) call update. A
// CUDA thread calls update for the elements it reads and merge across threads; where meta.ordered is set, the pieces
// are the tree's leaves and merge follows the tree. A result of several runs starts at identity() and merges them in
// order.
//
// `A::in_groups<T>` is the state of a group (aggregates/groups.hpp), for types of meta.group_types; `A::running<T>`
// that of an aggregate so far, where there is one. `A::in_windows` is the state of a moving window of float64:
// enter(x), leave(x), result(least, ddof), of two columns enter(x, y); where it has worn(), that says when the window
// has to be computed again. Windows that are one of their values, or go by rank, are described instead
// (windows/order.hpp).
//
// The rules agree for any, all, products, sums of integers, and counts. They differ, as NumPy and pandas do, in missing
// values (arrays: NaN and NaT are results; groups and windows leave them out, windows infinities, too), in sums of
// floats (pairwise; compensated; compensated, of each direction by itself) and in variances (two passes over leaves;
// Welford's recurrence; the same with its inverse, about a value of the window). Device-clean.
#pragma once
#include "bascule/ops/aggregates/any_all.hpp"
#include "bascule/ops/aggregates/extrema.hpp"
#include "bascule/ops/aggregates/list.hpp"
#include "bascule/ops/aggregates/rows.hpp"
#include "bascule/ops/aggregates/sums.hpp"
#include "bascule/ops/aggregates/variance.hpp"
#include "bascule/ops/aggregates/windows.hpp"

namespace bascule::ops {

using all_aggregates =
    join_lists<aggregate::sum_aggregates, aggregate::extrema_aggregates, aggregate::boolean_aggregates,
               aggregate::variance_aggregates, aggregate::row_aggregates, aggregate::window_aggregates>::type;

inline constexpr int aggregate_count = list_size<all_aggregates>;
template <class A> inline constexpr std::uint16_t aggregate_number = position<A>(all_aggregates{});
inline constexpr auto aggregate_table = aggregate_specs_of(all_aggregates{});
inline constexpr auto aggregate_result_types = result_types_of<reduce_result>(all_aggregates{});

// f(A{}) for every aggregation, in order of number.
template <class F> constexpr void for_each_aggregate(F&& f) { for_each(all_aggregates{}, f); }
// f(A{}) for the aggregation of a number.
template <class F> constexpr void with_aggregate(int number, F&& f) {
    for_each_aggregate([&]<class A>(A a) {
        if (aggregate_number<A> == number) f(a);
    });
}

constexpr type_id aggregate_result_type(int aggregate, type_id input) {
    return aggregate_result_types[aggregate][input];
}

template <class A> inline constexpr bool has_windows = requires { typename A::in_windows; };
template <class A> inline constexpr bool has_running = requires { typename A::template running<double>; };

template <class A, type_id Id> struct group_result {
    static constexpr type_id value = [] {
        if constexpr (!contains(A::meta.group_types, Id)) return Id;
        else return id_of<typename A::template in_groups<element<Id>>::result_type>::value;
    }();
};
inline constexpr auto group_result_types = result_types_of<group_result>(all_aggregates{});
constexpr type_id group_result_type(int aggregate, type_id values) { return group_result_types[aggregate][values]; }

// f(A{}) for the aggregation of a number if it has windows; false where it has none.
template <class F> constexpr bool with_window_aggregate(int number, F&& f) {
    bool found = false;
    with_aggregate(number, [&]<class A>(A a) {
        if constexpr (has_windows<A>) found = true, f(a);
    });
    return found;
}
constexpr bool is_window_aggregate(int number) {
    return with_window_aggregate(number, [](auto) {});
}

// Number of the aggregation of this name or alias; -1: none.
constexpr int find_aggregate(char const* name) {
    for (int i = 0; i < aggregate_count; ++i)
        if (is_called(aggregate_table[i], name)) return i;
    return -1;
}

}  // namespace bascule::ops
