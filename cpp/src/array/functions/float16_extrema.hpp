// Extrema of float16. Of two equals NumPy's loops of this type, and of no other, keep the first: of zeros of either
// sign the one that came first. Kernels keep the second.
#pragma once
#include "bascule/array/elementwise.hpp"

namespace bascule::float16_extrema {

// Whether the operands of a call in loop `loop` must be swapped for the first of two equals to be kept.
bool keeps_first(std::uint16_t op, type_id loop, std::span<argument const> args);
// The result of a call whose operands were swapped, with the first operand's NaN where both are NaN.
array with_first_nan(std::uint16_t op, argument const& first, argument const& second, array const& result);

// An extremum of float16: the reduction's order, in lanes and pieces, may show in the sign of zero.
bool may_mix_zeros(std::uint16_t aggregate, type_id t);
// Whether it does, of `r` reduced from `a`. Waits for the result.
bool mixes_zeros(array const& a, array const& r);

}  // namespace bascule::float16_extrema
