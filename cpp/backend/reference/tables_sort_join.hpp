// Sorting and joining table columns, slowly; core/table_algorithms_sort_join.hpp defines each.
#pragma once
#include "bascule/core/table_algorithms_sort_join.hpp"

namespace bascule::reference {

void argsort(argsort_args const&);
void sort_values(sort_args const&);
void join_pairs(join_pairs_args&);
void join_nearest(join_nearest_args const&);

}  // namespace bascule::reference
