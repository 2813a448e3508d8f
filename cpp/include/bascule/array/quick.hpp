// The commonest calls on small arrays, decided in a few comparisons. Each gives what the general call gives, or
// declines: then nothing was done.
#pragma once
#include <span>

#include "bascule/array/elementwise.hpp"

namespace bascule {

struct quick_outcome {
    bool done = false;
    std::uint8_t conditions = 0;  // ops::fp bits that rose, of those asked for
};

// apply(op, args): small contiguous arrays in memory, of one shape and one type that the op computes in, beside them
// Python's numbers. Of what is refused for its values, nothing passes. `result` has no value yet; a storage it has is
// nobody else's and becomes the result's, and then it may have one axis.
quick_outcome quick_call(std::uint16_t op, std::span<argument const> args, std::uint8_t asked, array& result);

// What quick_call gives where there are fewer elements, as a node; arguments may be pending. What it raises is told as
// errstate asks.
bool quick_node(std::uint16_t op, std::span<argument const> args, array& result);

// quick_call into `target`, which has the result's type and shape and lies in memory as the arguments do.
quick_outcome quick_call_into(std::uint16_t op, std::span<argument const> args, array const& target,
                              std::uint8_t asked);

// astype(a, to) of a small contiguous array, in C order, where neither or both are the same time.
quick_outcome quick_cast(array const& a, dtype to, std::uint8_t asked, array& result);

// A copy of a small array in C order, where its elements lie apart but not in all too short rows.
bool quick_copy(array const& a, array& result);

// where(condition, x, y) of small contiguous truths, and arrays of their shape and one type or Python's numbers;
// nothing is raised.
bool quick_where(std::span<argument const, 3> args, array& result);

// The same in the loop of timedelta64, whatever NumPy's rules for the op say of durations; nothing is raised.
bool quick_durations(std::uint16_t op, std::span<argument const> args, array& result);

// fold(aggregate, a) of all elements of a small contiguous array in memory, as a value of the aggregate's result type.
quick_outcome quick_fold(std::uint16_t aggregate, array const& a, std::uint8_t asked, plan_constant& result);

// The op on elements of type `t` outside of arrays, which the op computes in. Declines where conditions rise, too,
// which the general call then tells.
bool quick_numbers(std::uint16_t op, std::span<plan_constant const> args, type_id t, std::uint8_t asked, device where,
                   plan_constant& result);

// A value without axes; `result` as above.
void become_value(array& result, device where, dtype t, plan_constant const& v);

// The element at byte `offset` of memory that is a's own, in host memory and at rest; false: it is not.
bool quick_read(array const& a, std::int64_t offset, plan_constant& to);
// Two values without axes, likewise, looked at once; null: there is none.
bool quick_read_both(array const* a, array const* b, plan_constant (&to)[2]);

// to[...] = v, of to's type, for one element at byte `offset` or for all elements of a small array.
bool quick_store(array const& to, std::int64_t offset, plan_constant const& v);
bool quick_fill(array const& to, plan_constant const& v);
// to[...] = from for small arrays of one type, whose shapes agree from behind, in memory apart.
bool quick_assign(array const& to, array const& from);
// The same of elements that lie one behind the other, as those of the small array do.
bool quick_overwrite(array const& to, void const* from);
// Units of so many elements of such an array, at these positions, one after the other: from units that lie one behind
// the other, or (`same`) all elements from one.
bool quick_scatter(array const& to, std::span<std::int64_t const> at, std::int64_t unit, void const* from, bool same);

// to[mask] = v, of to's type, or values one after the other of to's type, as many as the mask has true elements: of
// arrays that one thread is soon done with. What waits for nothing but such a write, and a mask that is asked for again
// (not `temporary`) or one operation away, are computed first.
bool quick_fill_selected(array const& to, array const& mask, bool temporary, plan_constant const& v);
bool quick_assign_selected(array const& to, array const& mask, bool temporary, array const& values);

// apply(op, {target, other}, out=target) where quick_call makes a result of target's type.
quick_outcome quick_in_place(std::uint16_t op, array const& target, argument const& other, std::uint8_t asked);

// product(matmul, a, b): matrices or vectors of one type that BLAS knows, in memory, so small that one thread is soon
// done; the rest as above. Counts as op errstate::product_call.
quick_outcome quick_product(array const& a, array const& b, std::uint8_t asked, array& result);

// Of what the call at hand asks for; what rose is reported.
bool quick_call(std::uint16_t op, std::span<argument const> args, array& result);
void report(quick_outcome outcome, errstate::kind how, std::uint16_t op);

}  // namespace bascule
