// Elements where a mask is true: found at once, because their number is a shape, and moved when they are read. A
// reduction that is their only reader takes them from where they are.
#pragma once
#include <optional>

#include "bascule/array/graph.hpp"

namespace bascule::selection {

// a[mask], pending; none where that is not possible or would gain nothing. A mask that is `temporary` is not stored.
std::optional<array> wait(array const& a, array const& mask, bool temporary);

// The storage of a selection whose only reader is this reduction of all of it; null where there is none.
storage* reduced_alone(pending_operation const& reduction);

}  // namespace bascule::selection
