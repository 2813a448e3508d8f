// Gathering, joining, comparing and searching string columns, and null bitmaps; core/table_algorithms_strings.hpp
// defines each.
#pragma once
#include "bascule/core/table_algorithms_texts.hpp"

namespace bascule::cpu::strings {

status gather_strings(gather_strings_args&) noexcept;
status concat_strings(concat_strings_args&) noexcept;
status compare_strings(compare_strings_args const&) noexcept;
status find_strings(find_strings_args const&) noexcept;
status validity_bits(validity_bits_args&) noexcept;

}  // namespace bascule::cpu::strings
