// Operands of calls with where=: NumPy computes nothing where the mask is false, so nothing is raised there either.
#pragma once
#include "bascule/array/elementwise.hpp"

namespace bascule::masked_operands {

// Gives in `to` the operands with what stands at the first selected place wherever the mask is false; `held` keeps
// them. False: the mask selects nothing. On a device nobody waits to know, and a number of which `op` has nothing to
// tell stands everywhere then; beside a number as the last operand it is waited for.
bool replace(std::uint16_t op, std::span<argument const> args, array const& mask, std::span<array> held,
             std::span<argument> to);

}  // namespace bascule::masked_operands
