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

// fold(aggregate, a) of all elements of a small contiguous array in memory; the rest as above.
quick_outcome quick_fold(std::uint16_t aggregate, array const& a, std::uint8_t asked, array& result);

// The element at byte `offset` of a's memory as a value of its own; `result` as above.
bool quick_item(array const& a, std::int64_t offset, array& result);

// product(matmul, a, b): matrices or vectors of one type that BLAS knows, in memory, so small that one thread is soon
// done; the rest as above. Counts as op errstate::product_call.
quick_outcome quick_product(array const& a, array const& b, std::uint8_t asked, array& result);

// Of what the call at hand asks for; what rose is reported.
bool quick_call(std::uint16_t op, std::span<argument const> args, array& result);
void report(quick_outcome outcome, errstate::kind how, std::uint16_t op);

}  // namespace bascule
