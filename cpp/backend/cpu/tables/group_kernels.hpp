// The steps of one request for the rows of its groups: states cleared, values added in row order, results written.
#pragma once
#include "backend/cpu/tables/group_scratch.hpp"
#include "bascule/core/table_algorithms_group.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu::tables::grouping {

// Rows to add: codes, values and validity at positions [begin, end), or those that `chosen` lists.
struct rows_view {
    u32 const* codes;
    u32 first_group;
    void const* values;
    u8 const* bitmap;  // by position; null: none
    u8 const* bytes;   // the same, a byte each
    u32 const* chosen;
    i64 begin, end;
    i64 const* spans = nullptr;  // rows [spans[k], spans[k + 1]) of `lanes` parts that have no group in common
};
// Each addition to a group waits for the one before it; additions to several groups at a time wait together.
inline constexpr int lanes = 4;

struct kernel {
    i64 state_size = 0;
    void (*clear)(void* states, i64 groups) = nullptr;
    void (*add)(void* states, rows_view const&) = nullptr;
    void (*finish)(void const* states, i64 groups, i64 first_group, group_request const&) = nullptr;
    void (*run)(void* states, rows_view const&,
                group_request const&) = nullptr;  // as add, and writes the running result at each row
    // Of compensated sums of float64: takes the sum of n values that was made otherwise.
    void (*put)(void* states, i64 group, ops::compensated<double> value, u32 n) = nullptr;
    void (*leave_out)(i64 begin, i64 end, u32 const* codes,
                      group_request const&) = nullptr;  // rows in no group have no running aggregate
};

// Size counts all rows: it counts the codes themselves.
inline bool counts_rows(group_request const& r) { return r.aggregate == ops::aggregate_number<ops::aggregate::size>; }

// With `add` and `finish`, or with `run` and `leave_out` where it is running. No state_size: the aggregate does not
// exist for the column's element type.
kernel kernel_for(group_request const& r);

// Requests of one column, which is parted once for all of them.
inline bool same_column(group_request const& x, group_request const& y) {
    return !counts_rows(x) && !counts_rows(y) && x.column.data == y.column.data &&
           x.column.validity == y.column.validity && x.column.dtype == y.column.dtype;
}

}  // namespace bascule::cpu::tables::grouping
