// Ordered comparisons of complex numbers: what NumPy says of NaN in them.
#pragma once
#include "bascule/array/elementwise.hpp"

namespace bascule::complex_order {

// The op is one of <, <=, >, >=, its loop complex, and who calls asks to hear of what is invalid.
bool is_watched(std::uint16_t op, type_id loop, std::span<argument const> args);
// Reports a NaN that the comparison meets: real parts are compared first, the imaginary ones where those are equal.
// What the operands wait for is computed.
void report_nan(std::uint16_t op, std::span<argument const> args);

}  // namespace bascule::complex_order
