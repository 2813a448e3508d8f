// Integer calls that are more than a loop: powers with negative exponents, int64 compared with uint64.
#pragma once
#include "bascule/array/elementwise.hpp"

namespace bascule::exact_integers {

[[nodiscard]] bool is_integer_power(std::uint16_t op, std::span<argument const> args, call_options const& o);
// Throws value_error when an exponent is negative, which must be known at the call.
void refuse_negative_exponents(argument const& exponent, call_options const& o);

// No integer type holds both int64 and uint64; NumPy compares them exactly all the same.
[[nodiscard]] bool compares_signs(std::uint16_t op, std::span<argument const> args);
array compare_signs(std::uint16_t op, std::span<argument const> args, call_options const& o);

}  // namespace bascule::exact_integers
