// String columns and null bitmaps, slowly; core/table_algorithms_strings.hpp says what each does.
#pragma once
#include "bascule/core/table_algorithms_strings.hpp"

namespace bascule::reference {

void gather_strings(gather_strings_args&);
void concat_strings(concat_strings_args&);
void compare_strings(compare_strings_args const&);
void validity_bits(validity_bits_args&);

}  // namespace bascule::reference
