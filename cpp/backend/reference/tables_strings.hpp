// String columns and null bitmaps, slowly; core/table_algorithms_strings.hpp defines each.
#pragma once
#include "bascule/core/table_algorithms_string_search.hpp"
#include "bascule/core/table_algorithms_strings.hpp"
#include "bascule/core/table_algorithms_tokens.hpp"

namespace bascule::reference {

void gather_strings(gather_strings_args&);
void concat_strings(concat_strings_args&);
void compare_strings(compare_strings_args const&);
void find_strings(find_strings_args const&);
void parse_times(parse_times_args const&);
void assemble_strings(assemble_strings_args&);
void replace_strings(replace_strings_args&);
void count_tokens(count_tokens_args&);
void validity_bits(validity_bits_args&);

}  // namespace bascule::reference
