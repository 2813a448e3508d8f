// The pending folds that run in one pass (design rule 8).
#pragma once
#include <vector>

#include "plan_builder.hpp"

namespace bascule {

struct folded_value {
    storage_ref to;
    int value;
};

// `first`, whose input is value `v` of the plan, and the pending folds near it in the graph's list that have the same
// iteration space and the same tree, share memory or a computed value with the plan, and fit into it. Their inputs are
// added to the plan. The lock is held.
std::vector<folded_value> folds_of_pass(plan_builder& b, storage* first, int v);

}  // namespace bascule
