// The commonest calls on small arrays, decided in a few comparisons. Each gives what the general call gives, or
// declines: then nothing was done.
#pragma once
#include <span>

#include "bascule/array/elementwise.hpp"

namespace bascule {

// apply(op, args): small contiguous arrays in memory, of one shape and one type that the op computes in, beside them
// Python's numbers. Of what is refused for its values, nothing passes.
bool quick_call(std::uint16_t op, std::span<argument const> args, array& result);

// fold(aggregate, a) of all elements of a small contiguous array in memory.
bool quick_fold(std::uint16_t aggregate, array const& a, array& result);

}  // namespace bascule
