// Numbering integers of a small range directly.
#pragma once
#include "backend/cpu/tables/group_codes.hpp"

namespace bascule::cpu::tables::grouping {

// Numbers the rows of one column of integers that are close together as factorize does: null_group where in no group.
// Fills count and first of the groups. False where the column turns out to be of another kind: nothing is known then.
bool number_small_range(factorize_args const&, u32* codes, key_groups&);

}  // namespace bascule::cpu::tables::grouping
