// The commonest calls on small arrays, decided in a few comparisons. Each gives what the general call gives, or
// declines: then nothing was done.
#pragma once
#include "bascule/array/array.hpp"

namespace bascule {

// fold(aggregate, a) of all elements of a small contiguous array in memory.
bool quick_fold(std::uint16_t aggregate, array const& a, array& result);

}  // namespace bascule
