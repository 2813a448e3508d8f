// From key columns to one order-preserving 64-bit key a row.
#pragma once
#include "backend/cpu/tables/group_codes.hpp"

namespace bascule::cpu::tables::grouping {

// One column's keys: 0 .. greatest for values, greatest + 1 for null rows.
struct column_keys {
    key_view view;
    scratch<u64> owned;  // the memory of the view, unless that is the column's own
    u64 greatest = 0;
    bool has_null = false;
    bool partitioned = false;  // the plan's way to number it by itself
};

inline bool is_valid(u8 const* validity, i64 i) {
    return validity == nullptr || ((validity[i >> 3] >> (i & 7)) & 1) != 0;
}

struct key_options {
    group_order order = group_order::sorted;
    u64 hash_mask = ~u64{0};
    factorize_plan plan;  // of this column by itself
    bool short_strings = true;
};

// False: an element type that cannot be a key. A column that uses all 64 bits and has nulls comes as two: high half,
// low half.
bool column_to_keys(group_column const& column, key_options const& options, column_keys* out, int* made);
void string_to_keys(group_column const& column, key_options const& options, column_keys& out);

// Some rows of a column. `order`: as the values are ordered, null rows last; of strings only their beginnings are.
struct sampled_rows {
    i64 const* rows;
    i64 count;
    u64 *order, *hash;
};
// Statistics of one column: all but `distinct` and `ascending`. Fills order and hash.
key_statistics sample_column(group_column const& column, sampled_rows const& sample);
key_statistics sample_strings(group_column const& column, sampled_rows const& sample);

}  // namespace bascule::cpu::tables::grouping
