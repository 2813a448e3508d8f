// Places, counts and ranks, slowly; core/array_algorithms_ordered.hpp says what each does.
#pragma once
#include "bascule/core/array_algorithms_ordered.hpp"

namespace bascule::reference {

void searchsorted(searchsorted_args const&);
void bincount(bincount_args&);
void histogram(histogram_args const&);
void select_ranks(select_ranks_args const&);

}  // namespace bascule::reference
