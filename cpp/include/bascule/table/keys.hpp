// Rows by the values of key columns: ordering and joining them. Each is one call of the device.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "bascule/core/table_algorithms_sort_join.hpp"
#include "bascule/table/column.hpp"

namespace bascule::table {

// Positions of the rows in the stable order of the keys; missing keys last, or first, in either direction.
array order(std::span<column const* const> keys, std::span<bool const> ascending, bool missing_first = false);

struct ordered {
    array rows;                       // as `order` gives them
    column_ref key;                   // in that order
    std::vector<column_ref> carried;  // one for each requested
};
// The order, and those columns that are cheaper to move while sorting than to gather afterwards: the rows of the one
// key, and those of some of the other columns. Null where it is not cheaper.
ordered sort_rows(std::span<column const* const> keys, std::span<bool const> ascending, bool missing_first,
                  std::span<column_ref const> others);

struct pairs {
    array left, right;  // int64 row numbers, -1: no row
};
// Rows of equal keys in pandas' order. Missing equals missing. Keys of the two sides are of one kind each. Where keys
// give the order, missing times come first unless `missing_last`.
pairs join(std::span<column_ref const> left, std::span<column_ref const> right, join_how how, bool sorted = false,
           bool missing_last = false);

// For each left row the last right row of its group before a bound, or the first from it on; -1: none. Bounds, int64,
// ascend; groups are uint32 below `count`. Nothing where the device has no algorithm for it.
std::optional<array> join_nearest(array const& bounds, array const& left, array const& right, std::int64_t count,
                                  bool backward);

}  // namespace bascule::table
