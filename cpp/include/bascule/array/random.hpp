// Random values as leaves of the graph: what depends on a key and a position alone, and what parameters make of it.
#pragma once
#include <span>

#include "bascule/array/elementwise.hpp"

namespace bascule {

// The draw `op` for elements at the positions first, first + 1, ... in C order, from parameters that broadcast to
// `shape` and lie on the same device. Lazy.
array draw(device where, dims const& shape, std::uint16_t op, std::uint64_t key, std::uint64_t first,
           std::span<argument const> parameters);

}  // namespace bascule
