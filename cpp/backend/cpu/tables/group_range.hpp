// Numbering integers of a small range directly.
#pragma once
#include "backend/cpu/tables/group_codes.hpp"

namespace bascule::cpu::tables::grouping {

// Numbers the rows of one column of integers within the plan's range as factorize does: null_group where in no group.
// Fills count and first of the groups. False where a value is outside the range: nothing is known then.
bool number_small_range(factorize_args const&, u32* codes, key_groups&);

}  // namespace bascule::cpu::tables::grouping
