// Rows by the values of key columns: numbering, aggregating, ordering and joining them. Each is one call of the device.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "bascule/core/table_algorithms_group.hpp"
#include "bascule/core/table_algorithms_sort_join.hpp"
#include "bascule/table/column.hpp"

namespace bascule::table {

struct numbering {
    array codes;             // uint32: the group of each row, null_group where in none
    array first;             // int64: first row of each group, if requested
    std::int64_t count = 0;  // of groups
};

// Gives equal rows equal numbers: in the order of the keys if `sorted`, else in that of first appearance. Rows with a
// missing key are in no group unless `keep_missing`, which puts them last.
numbering factorize(std::span<column const* const> keys, bool sorted, bool keep_missing, bool want_first);

struct aggregation {
    column_ref of;  // null for group_op::size
    group_op op = group_op::sum;
    std::int64_t ddof = 1, min_count = -1;
    bool running = false;  // sum, prod, min, max: a row for each row, the aggregate of its group so far
};
// One column of `groups` rows for each aggregation, in pandas' numbers. Groups without a value are missing: as NaN and
// NaT where the type has them, else by `valid`.
std::vector<column> aggregate(array const& codes, std::int64_t groups, std::span<aggregation const> what);

struct ranked {
    array counts;     // int64: values of each group that are not missing
    array low, high;  // a row a share: the value at the rank floor(share * (count - 1)), and the next or the last
    array distinct;   // int64: number of distinct values, if requested
};
// Order statistics of the values of each group, without sorting the rows. Numbers and times only; 0 where a group has
// no value.
ranked group_ranks(array const& codes, std::int64_t groups, column const& of, std::span<double const> shares,
                   bool want_distinct = false);

struct keyed {
    column keys;
    std::vector<column> results;
};
// factorize by one key, in its order, and aggregate in one pass over the rows; nothing where the two calls are as good.
std::optional<keyed> aggregate_by_key(column const& key, std::span<aggregation const> what);

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

}  // namespace bascule::table
