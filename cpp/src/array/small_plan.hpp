// One op at once on a few elements, without a node: built on the stack, run through the device's own plan entry (rule
// 3).
#pragma once
#include <span>

#include "bascule/array/elementwise.hpp"
#include "bascule/array/graph.hpp"

namespace bascule::small_plan {

inline constexpr std::size_t most_args = 3;  // of the op in a plan

// On the CPU, fewer elements than the eager limit, or so many times that.
bool is_few(device where, dims const& shape, std::int64_t times = 1);
// The same, with every input in memory. The graph's lock is held from here to the end of run, so that nobody takes the
// inputs' memory away.
bool fits(device where, dims const& shape, std::span<operand const> args, std::int64_t times = 1);

// out must be ready or inline-able memory of a fresh storage, or any array none of the arguments overlaps unsafely.
// What it raises of what the call asks for is reported.
void run(std::uint16_t op, type_id result, std::span<operand const> args, array const& out, errstate::kind how);

// What is pending in `s`, if that is one element-wise operation on what lies in memory, and on not very many elements:
// without what larger plans need. False: it is not, and nothing was done. The graph's lock is held.
bool run_pending(storage* s, flush_reason why);

// An aggregation of a small array in memory; `result` gets memory of its own.
void fold(std::uint16_t aggregate, array const& a, type_id as, std::uint64_t folded, double ddof, type_id stored,
          array const& result);

}  // namespace bascule::small_plan
