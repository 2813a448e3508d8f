// Random values as leaves of the graph: words that depend on a key and a position alone, and samples made of them and
// parameters.
#pragma once
#include <span>

#include "bascule/array/elementwise.hpp"

namespace bascule {

// The draw `op` for elements at the positions first, first + 1, ... in C order, from parameters that broadcast to
// `shape` and are on the same device. Lazy.
array sample(device where, dims const& shape, std::uint16_t op, std::uint64_t key, std::uint64_t first,
             std::span<argument const> parameters);

// n values of float64 by a counter op, times `scale`, plus `shift`.
array counter_line(device where, std::int64_t n, std::uint16_t op, std::uint64_t key, std::uint64_t first, double shift,
                   double scale);
// The order of n positions (int64) that sorts random bits, of few so that the lowest bits can hold the positions.
array random_order(device where, std::int64_t n, std::uint64_t key, std::uint64_t first);

}  // namespace bascule
