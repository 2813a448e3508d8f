// Sums and products of float16 over axes that are not the innermost in memory. NumPy adds row after row to its result,
// which is float16 and rounded every time; only along the innermost axes it adds in float32. Reductions of innermost
// and other axes into few results, and products over both, are still rounded once: no device reproduces their steps.
#pragma once
#include "bascule/array/elementwise.hpp"

namespace bascule::float16_sums {

// Whether a reduction of `a` over these axes is rounded more than once.
bool rounds_by_steps(std::uint16_t aggregate, array const& a, std::uint64_t reduced);
// That reduction, from `initial` on, which is a number if there is one; the result has shape `shape`.
array reduced(std::uint16_t aggregate, array const& a, std::uint64_t reduced, dims const& shape,
              argument const* initial);

}  // namespace bascule::float16_sums
