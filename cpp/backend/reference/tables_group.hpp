// factorize, aggregate_by_id and group_ranks, obviously: rows are sorted by comparing them, groups are lists of rows.
#pragma once
#include "bascule/core/table_algorithms_group.hpp"

namespace bascule::reference {

void factorize(factorize_args&);
void aggregate_by_id(aggregate_by_id_args const&);
void group_ranks(group_ranks_args const&);

}  // namespace bascule::reference
