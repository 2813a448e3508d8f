// The properties of an aggregation that the host needs to run it: the name of its type, and for an input type the size
// of its state and the leaves of its tree.
#pragma once
#include <cstdint>
#include <string>

#include "bascule/core/dtype.hpp"
#include "bascule/ops/aggregates/list.hpp"

namespace bascule::cuda {

struct aggregate_entry {
    std::string type;    // "bascule::ops::aggregate::sum"
    std::string header;  // that it needs
    ops::aggregate_spec const* meta = nullptr;
    std::int64_t state_bytes = 0, leaf_size = 0, granule = 0;
    bool merges_stripes = false;  // pieces of a column may be reduced by themselves
    bool raises = false;          // floating-point errors of its own
    bool decides = false;         // an element may decide the result, so that later ones do not matter
    bool reads_once = false;      // each element; variances go through their leaves several times
};

// Throws not_supported if the table has no such aggregation, or none for this input.
aggregate_entry find_aggregate(int number, type_id input);

// How many times a run of n elements is halved at most before its pieces are leaves.
int tree_depth(aggregate_entry const&, std::int64_t n);

}  // namespace bascule::cuda
