// Helpers shared by the sources of moving windows.
#pragma once
#include "backend/cuda/algorithms/thrust/group_by_number.hpp"
#include "bascule/core/window_rows.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cuda::algorithms {

using windows::rows;

// The span of a request, whichever it is.
struct any_span {
    windows::fixed_span fixed;
    windows::listed_span listed;
    explicit any_span(window_request const& r) : fixed(r), listed(r) {}
    BASCULE_HD rows operator()(std::int64_t i) const { return listed.start ? listed(i) : fixed(i); }
};

// Aggregates with a state that rows enter and leave.
void window_states(context const&, window_request const&);
// Aggregates by values in order: median, quantile, rank, nunique.
void window_ranks(context const&, window_request const&);

}  // namespace bascule::cuda::algorithms
