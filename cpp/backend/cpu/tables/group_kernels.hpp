// The steps of one request for the rows of its groups: states cleared, values added in row order, results written.
#pragma once
#include "backend/cpu/tables/group_scratch.hpp"
#include "bascule/core/table_algorithms_group.hpp"

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
};

struct kernel {
    i64 state_size = 0;
    void (*clear)(void* states, i64 groups) = nullptr;
    void (*add)(void* states, rows_view const&) = nullptr;
    void (*finish)(void const* states, i64 groups, i64 first_group, group_request const&) = nullptr;
    void (*run)(void* states, rows_view const&,
                group_request const&) = nullptr;  // as add, and writes the running result at each row
    void (*leave_out)(i64 begin, i64 end, u32 const* codes,
                      group_request const&) = nullptr;  // rows in no group have no running aggregate
};

// Without `add`: the aggregate does not exist for the column's element type. Size counts all rows: it counts the codes
// themselves.
kernel kernel_for(group_request const& r);

// Requests of one column, which is parted once for all of them.
inline bool same_column(group_request const& x, group_request const& y) {
    return x.op != group_op::size && y.op != group_op::size && x.column.data == y.column.data &&
           x.column.validity == y.column.validity && x.column.dtype == y.column.dtype;
}

// States of this many groups stay in the caches two cores share; above, parting the rows first is cheaper.
inline constexpr i64 direct_groups = 200000;

}  // namespace bascule::cpu::tables::grouping
