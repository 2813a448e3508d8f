// Gathering, joining, comparing, searching and parsing string columns, counting their tokens, and null bitmaps;
// core/table_algorithms_*.hpp define each.
#pragma once
#include "bascule/core/table_algorithms_string_search.hpp"
#include "bascule/core/table_algorithms_tokens.hpp"

namespace bascule::cpu::strings {

status gather_strings(gather_strings_args&) noexcept;
status concat_strings(concat_strings_args&) noexcept;
status compare_strings(compare_strings_args const&) noexcept;
status find_strings(find_strings_args const&) noexcept;
status parse_times(parse_times_args const&) noexcept;
status count_tokens(count_tokens_args&) noexcept;
status validity_bits(validity_bits_args&) noexcept;

}  // namespace bascule::cpu::strings
