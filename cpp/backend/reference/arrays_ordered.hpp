// Insertion points, counts and ranks, slowly; core/array_algorithms_ordered.hpp defines each.
#pragma once
#include "bascule/core/array_algorithms_ordered.hpp"

namespace bascule::reference {

void searchsorted(searchsorted_args const&);
void bincount(bincount_args&);
void histogram(histogram_args const&);
void select_ranks(select_ranks_args const&);

}  // namespace bascule::reference
