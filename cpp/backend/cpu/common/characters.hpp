// Characters of ASCII.
#pragma once

namespace bascule::cpu {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr char in_lower_case(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace bascule::cpu
