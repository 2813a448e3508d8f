// What several instructions compute of rows that follow each other, as stencils written with slices do: of the next
// row, all but the last of it is there already.
#pragma once
#include "backend/cpu/program.hpp"

namespace bascule::cpu {

// Looks for such instructions, the longest series of them. Their slots are `rolling`, in order of rows; all but the
// last's come first in the code and roll, and their results stay in registers of their own, counted on.
void find_rolling(program&, int& registers) noexcept;

}  // namespace bascule::cpu
