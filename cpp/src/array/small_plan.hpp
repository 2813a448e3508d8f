// One op at once on a few elements, without a node: built on the stack, run through the device's own plan entry (rule 3).
#pragma once
#include <span>

#include "bascule/array/array.hpp"

namespace bascule::small_plan {

// On the CPU, below the eager limit, with every input in memory.
bool fits(device where, dims const& shape, std::span<operand const> args);

// out must be ready or inline-able memory of a fresh storage, or any array none of the arguments overlaps unsafely.
void run(std::uint16_t op, type_id result, std::span<operand const> args, array const& out);

}  // namespace bascule::small_plan
