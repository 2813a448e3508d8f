// Calls on small arrays in the host's memory, run as they are made: no node, no plan on the heap, only the result is
// allocated. The device's `run` computes them, as it computes pending operations. Each has the result of the lazy call,
// or declines: then nothing was done.
#pragma once
#include <span>

#include "bascule/array/elementwise.hpp"

namespace bascule::eager {

bool is_small(std::int64_t n);             // so few elements, and some
bool is_contiguous_ready(array const& a);  // in memory, not being written, booleans only 0 or 1, and contiguous

struct outcome {
    bool done = false;
    std::uint8_t fp_errors = 0;  // ops::fp bits that were raised, of those checked
};

// apply(op, args): contiguous arrays of one shape and of one type that the op computes in, and numbers of that type or
// converted to it (NEP 50). `result` has no value yet; if it has a storage, no other array shares it: it is reused for
// the result, and then it may have one axis.
outcome apply(std::uint16_t op, std::span<argument const> args, std::uint8_t asked, array& result);
// The same in the loop of timedelta64, without NumPy's rules for durations in the op; nothing is raised.
bool apply_to_durations(std::uint16_t op, std::span<argument const> args, array& result);
// The same into `out`, of the result's type and shape, which shares memory with arguments element for element or not.
outcome apply_into(std::uint16_t op, std::span<argument const> args, array const& out, std::uint8_t asked);
// The same with the numbers alone, elements of type `t` that the op computes in. Declines if an error is raised, too.
bool apply_to_numbers(std::uint16_t op, std::span<plan_constant const> args, type_id t, std::uint8_t asked,
                      device where, plan_constant& result);
// astype(a, to) of a contiguous array, where neither or both are the same time.
outcome cast(array const& a, dtype to, std::uint8_t asked, array& result);
// reduce_with(aggregate, a) of all elements of a contiguous array, as a value of the aggregate's result type.
outcome reduce(std::uint16_t aggregate, array const& a, std::uint8_t asked, plan_constant& result);
// product(matmul, a, b) of matrices or vectors of one type that BLAS knows, so small that one thread is soon done.
// Counts as op errstate::product_call.
outcome matmul(array const& a, array const& b, std::uint8_t asked, array& result);

// Reports the floating-point errors that were raised, under the name of the current call.
void report(outcome o, errstate::kind how, std::uint16_t op);

// A value without axes; `result` as above.
void set_scalar(array& result, device where, dtype t, plan_constant const& v);

// The element at byte `offset` of a's own memory, if no kernel is writing it; false: it cannot be read now.
bool read(array const& a, std::int64_t offset, plan_constant& to);
// Two values without axes, likewise, read together; null: there is none.
bool read_both(array const* a, array const* b, plan_constant (&to)[2]);

// to[...] = v, of to's type, for one element at byte `offset` or for all elements.
bool store(array const& to, std::int64_t offset, plan_constant const& v);
bool fill(array const& to, plan_constant const& v);
// to[...] = from of one type, whose shapes agree from behind.
bool assign(array const& to, array const& from);
// Sorts the elements along the last axis, contiguous and of a type with an order.
bool sort(array const& a);
// to[positions] = element, or values of to's type and of that shape; int64 positions along the first axis.
bool scatter(array const& to, array const& positions, plan_constant const* element, array const* values);

// to[mask] = v, of to's type, or as many consecutive values of to's type as the mask has true elements: for arrays
// small enough for one thread. A target with only such a write pending, and a mask that is used again (not `temporary`)
// or one operation away from memory, are computed first.
bool fill_selected(array const& to, array const& mask, bool temporary, plan_constant const& v);
bool assign_selected(array const& to, array const& mask, bool temporary, array const& values);

}  // namespace bascule::eager

namespace bascule {

// The general form of apply(), for the calls that eager::apply declines.
array apply_by_rules(std::uint16_t op, std::span<argument const> args, call_options const& options = {});

}  // namespace bascule
