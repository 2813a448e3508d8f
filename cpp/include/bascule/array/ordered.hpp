// Order: sorting, positions that sort, insertion points in a sorted array, elements by rank, counts and sums by number.
// Each runs at the call and reads its inputs as they are then.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "bascule/array/array.hpp"
#include "bascule/core/array_algorithms_ordered.hpp"

namespace bascule {

// Sorted along an axis, NaN and NaT last; the result has the layout of `a`.
// Throws not_supported for complex types.
array sort(array const& a, int axis);

// Positions (int64, C order) that sort along an axis; equal elements keep their order.
array argsort(array const& a, int axis);

// A partial sort along an axis: the elements at `kth`, ascending positions, are those that sorting would put there,
// with nothing greater before them and nothing less behind them; and the positions (int64, C order) of such a partial
// sort.
array partition(array const& a, int axis, std::span<std::int64_t const> kth);
array argpartition(array const& a, int axis, std::span<std::int64_t const> kth);

// Positions that sort by keys[0], then keys[1], ... (arrays of one length with one axis each); equal rows keep their
// order.
array argsort_by(std::span<array const> keys);

// For each of `values` how many elements of `sorted` (one axis, of the same type) come before it.
array searchsorted(array const& sorted, array const& values, bool right);

// The elements of each row of the last axis that sorting it would put at `ranks`, which ascend.
array select_ranks(array const& a, std::span<std::int64_t const> ranks);

// For each of x the number of the bin between edges, one axis that ascends or descends, of real numbers; `right`: bins
// hold their right edge rather than the left one. Empty: the edges do neither.
std::optional<array> digitize(array const& x, array const& edges, bool right);

// How often each number from 0 on occurs in `index` (int64, not empty), or the sum of its weights (float64); at least
// `least` of them. Throws value_error where one is negative.
array count_numbers(array const& index, array const* weights, std::int64_t least);

// How often each of 0 ... bins - 1 occurs in `index` (int64, all in that range).
array bincount(array const& index, std::int64_t bins);

// to[index[i]] += values[i] in order of i; `to` and `values` have one axis and the same type, one that bincount_args
// knows.
void scatter_add(array const& to, array const& index, array const& values);

// The same of a dense array of float64 or int64 with any number of axes and int64 positions along each, counted from
// either end, by add, subtract, maximum or minimum. False: a position is out of bounds, or maximum and minimum meet
// NaN; nothing was done.
bool combine_at(std::uint16_t op, array const& to, std::span<array const> positions, array const& values);

// Counts or, with weights (float64), sums over bins of equal width; see histogram_args.
array histogram(array const& a, array const& edges, double width, bool wide, array const* weights,
                sum_rounding rounding);

}  // namespace bascule
