// Whether two layouts over one storage can touch the same byte.
#pragma once
#include "bascule/core/dims.hpp"

namespace bascule::overlap {

struct layout {
    std::int64_t offset;
    dims const& shape;
    dims const& strides;
    std::int64_t itemsize;
};

// False only when no byte is shared: bounds first, then the residues the strides can reach (a bounded linear
// Diophantine equation with its bounds relaxed, so that a "true" may be a false alarm that costs a copy).
[[nodiscard]] bool may_share(layout const& a, layout const& b);
// Whether two of its own elements share memory.
[[nodiscard]] bool overlaps_itself(layout const& a);

}  // namespace bascule::overlap
