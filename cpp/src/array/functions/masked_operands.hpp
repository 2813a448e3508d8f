// Operands of calls with where=: NumPy computes nothing where the mask is false, so nothing is raised there either.
#pragma once
#include "bascule/array/elementwise.hpp"

namespace bascule::masked_operands {

// Writes to `to` the operands with the value at the first selected position wherever the mask is false, so that
// unselected elements raise no error that the selected ones do not; `held` keeps them alive. False: the mask selects
// nothing. A device that the host does not wait for finds the position itself, and fills with a number that raises
// nothing in `op` if the mask selects nothing; only if the last operand is a number does the host wait.
bool replace(std::uint16_t op, std::span<argument const> args, array const& mask, std::span<array> held,
             std::span<argument> to);

}  // namespace bascule::masked_operands
