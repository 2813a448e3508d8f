// Numbering rows of several columns of integers of small ranges directly.
#pragma once
#include "backend/cpu/tables/group_codes.hpp"

namespace bascule::cpu::tables::grouping {

// Numbers rows by the cells of a grid that has a dimension for each key's range, as factorize does: null_group where in
// no group. Fills count and first of the groups. False where the grid would be too large: nothing is known then.
bool number_in_grid(factorize_args const&, u32* codes, key_groups&);

}  // namespace bascule::cpu::tables::grouping
