// Moving windows, obviously: every window is computed from its own rows.
#pragma once
#include "bascule/core/table_algorithms_window.hpp"

namespace bascule::reference {

void window_bounds(window_bounds_args const&);
void window_aggregate(window_aggregate_args const&);
void window_exponential(window_exponential_args const&);

}  // namespace bascule::reference
