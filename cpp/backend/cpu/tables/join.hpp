// Joining by key columns on the CPU; core/table_algorithms_sort_join.hpp defines the result.
#pragma once
#include "bascule/core/table_algorithms_sort_join.hpp"

namespace bascule::cpu::tables::joining {

status join_pairs(join_pairs_args&) noexcept;
status join_nearest(join_nearest_args const&) noexcept;

}  // namespace bascule::cpu::tables::joining
