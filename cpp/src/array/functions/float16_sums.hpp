// Sums and products of float16 over axes that are not the innermost in memory. NumPy adds row after row to its result,
// which is float16 and rounded every time; only along the innermost axes it adds in float32. What reduces innermost
// axes and others into few results, and products of both, are rounded once all the same: no device has their steps.
#pragma once
#include "bascule/array/elementwise.hpp"

namespace bascule::float16_sums {

// Whether a reduction of `a` over these axes is rounded more than once.
bool rounds_by_steps(std::uint16_t aggregate, array const& a, std::uint64_t reduced);
// That reduction, from `initial` on, which is a number if there is one; the result has shape `shape`.
array reduced(std::uint16_t aggregate, array const& a, std::uint64_t reduced, dims const& shape,
              argument const* initial);

}  // namespace bascule::float16_sums
