// Compensated sums of few groups, of several columns at once. The sum of a group is a chain of additions that wait for
// one another, so chains of other groups and of other columns go on in the meantime: rows of a block are listed by
// group, and each lane of some vectors follows a chain. Each chain is in row order, as everywhere.
#pragma once
#include <span>

#include "backend/cpu/tables/group_scratch.hpp"
#include "bascule/core/table_algorithms_group.hpp"
#include "bascule/ops/compensated.hpp"

namespace bascule::cpu::tables::grouping {

struct chained_sum {
    ops::compensated<double> value{0, 0};
    u32 n = 0;
};

struct summed_column {
    group_column values;  // float64, integers or booleans
    chained_sum* sums;    // one a group
};
inline bool sums_in_chains(type_id t) { return t == type_id::float64 || is_integer(t) || is_boolean(t); }

// Lists of rows by group pay for so few groups.
inline constexpr i64 most_chained_groups = 256;

// Adds all rows to the sums of their groups; `share` is the part of the rows that each group has, about.
void sum_in_chains(u32 const* codes, i64 rows, i64 groups, std::span<double const> share,
                   std::span<summed_column const> columns);

}  // namespace bascule::cpu::tables::grouping
