// Ordered comparisons of complex numbers report NaN as NumPy does.
#pragma once
#include "bascule/array/elementwise.hpp"

namespace bascule::complex_order {

// Whether the op is one of <, <=, >, >=, its loop complex, and invalid values are reported by the caller's error state.
bool is_watched(std::uint16_t op, type_id loop, std::span<argument const> args);
// Reports a NaN that the comparison meets: real parts are compared first, the imaginary ones where those are equal.
// Pending operands are computed.
void report_nan(std::uint16_t op, std::span<argument const> args);

}  // namespace bascule::complex_order
