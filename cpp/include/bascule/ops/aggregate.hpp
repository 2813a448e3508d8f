// Aggregations as algebras. `A::of<T>` reduces elements of type T:
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
// order. Device-clean.
#pragma once
#include "bascule/ops/aggregate_extrema.hpp"
#include "bascule/ops/aggregate_list.hpp"
#include "bascule/ops/aggregate_sums.hpp"
#include "bascule/ops/aggregate_truth.hpp"
#include "bascule/ops/aggregate_variance.hpp"

namespace bascule::ops {

using all_aggregates = join_lists<aggregate::sum_aggregates, aggregate::extrema_aggregates, aggregate::truth_aggregates,
                                  aggregate::variance_aggregates>::type;

inline constexpr int aggregate_count = list_size<all_aggregates>;
template <class A> inline constexpr std::uint16_t aggregate_number = position<A>(all_aggregates{});
inline constexpr auto aggregate_table = aggregate_specs_of(all_aggregates{});
inline constexpr auto aggregate_result_types = result_types_of<reduce_result>(all_aggregates{});

// f(A{}) for every aggregation, in order of number.
template <class F> constexpr void for_each_aggregate(F&& f) { for_each(all_aggregates{}, f); }

constexpr type_id aggregate_result_type(int aggregate, type_id input) {
    return aggregate_result_types[aggregate][input];
}

// Number of the aggregation of this name or alias; -1: none.
constexpr int find_aggregate(char const* name) {
    for (int i = 0; i < aggregate_count; ++i)
        if (is_called(aggregate_table[i], name)) return i;
    return -1;
}

}  // namespace bascule::ops
