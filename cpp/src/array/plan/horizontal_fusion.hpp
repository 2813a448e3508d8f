// Pending operations that are independent of the requested result and run in the same pass (design rules 8 and 9).
#pragma once
#include <vector>

#include "plan_builder.hpp"

namespace bascule {

struct reduced_value {
    storage_ref to;
    int value;
};

// `first`, whose input is value `v` of the plan, and the pending reductions near it in the graph's list that have the
// same iteration space and the same tree, share memory or a computed value with the plan, and fit into it. Their inputs
// are added to the plan. The lock is held.
std::vector<reduced_value> fused_reductions(plan_builder& b, storage* first, int v);

// Adds to the plan pending results that are still referenced, have the layout of `root`, and read values that its plan
// computes, so that nothing is computed or stored twice. The lock is held.
void fuse_results(plan_builder& b, storage* root);

}  // namespace bascule
