// What is pending beside the result that is asked for, and runs in the same pass (design rules 8 and 9).
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

// Pending results that others hold, laid out as `root` is, and that need what its plan computes: added to the plan, so
// that nothing is computed or stored for them apart. The lock is held.
void fuse_results(plan_builder& b, storage* root);

}  // namespace bascule
