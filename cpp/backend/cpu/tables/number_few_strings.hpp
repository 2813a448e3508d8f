// Numbering text directly.
#pragma once
#include "backend/cpu/tables/group_codes.hpp"

namespace bascule::cpu::tables::grouping {

// Numbers the rows of one text column of few short strings as factorize does: null_group where in no group. Fills count
// and first of the groups. False where the column turns out to be of another kind: nothing is known then.
bool number_few_strings(factorize_args const&, u32* codes, key_groups&);

}  // namespace bascule::cpu::tables::grouping
