// The methods of a binary op other than its call: reduce, accumulate, reduceat, outer and at, with NumPy's types,
// identities and errors. Sums, products, extremes and booleans go to the aggregations (array/reduce.hpp); every other
// op is applied one by one along the axis by its own kernel.
#pragma once
#include <optional>
#include <span>

#include "bascule/array/elementwise.hpp"

namespace bascule {

struct reduce_options {
    std::uint64_t axes = 1;  // one bit an axis
    bool keepdims = false;
    std::optional<type_id> type;        // the loop; found from the input and `out` otherwise
    array const* out = nullptr;         // written, and considered when the loop is chosen
    argument const* initial = nullptr;  // of size one
    bool no_initial = false;            // initial=None: not even the op's identity
    array const* where = nullptr;       // bool, broadcast against the input
};

// The type that a reduction computes in: `wanted`, or found from the input's and the output's.
type_id running_type(std::uint16_t op, type_id input, std::optional<type_id> wanted, array const* out);

// Throws type_error where op has no loop T, T -> T, value_error for an empty axis without identity, for a mask without
// a value to start with, and for several axes of an op whose result depends on their order.
array reduce(std::uint16_t op, array const& a, reduce_options const& options = {});
array accumulate(std::uint16_t op, array const& a, int axis, std::optional<type_id> type = {},
                 array const* out = nullptr);
// One result for each of `starts`: the elements from there to the next start, or the one element where that is no
// later.
array reduceat(std::uint16_t op, array const& a, std::span<std::int64_t const> starts, int axis,
               std::optional<type_id> type = {}, array const* out = nullptr);
array outer(std::uint16_t op, array const& a, array const& b, call_options const& options = {});

// target[positions[k]] = op(target[positions[k]], values[k]) for k = 0, 1, ... in this order, cast back between any
// types; without values a unary op. `target`, `positions` (int64, within bounds) and `values` have one axis. `by_name`:
// messages name the op, if NumPy's has an indexed loop; else "at".
void apply_at(std::uint16_t op, array const& target, array const& positions, array const* values = nullptr,
              bool by_name = true);

}  // namespace bascule
