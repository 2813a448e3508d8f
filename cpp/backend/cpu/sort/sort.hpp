// Sorting, partitioning and searching on the CPU; core/array_algorithms_ordered.hpp and
// core/table_algorithms_sort_join.hpp define each.
#pragma once
#include "bascule/core/algorithms.hpp"
#include "bascule/core/array_algorithms_ordered.hpp"
#include "bascule/core/table_algorithms_sort_join.hpp"

namespace bascule::cpu::sorting {

status argsort(argsort_args const&) noexcept;
status sort_values(sort_args const&) noexcept;
// Those with `kth` that are worth it: lines long enough, and few positions.
bool is_partition(std::int64_t length, std::int64_t const* kth, std::int32_t nkth) noexcept;
status partition(sort_args const&) noexcept;
status argpartition(argsort_args const&) noexcept;
status searchsorted(searchsorted_args const&) noexcept;
status select_ranks(select_ranks_args const&) noexcept;

// Tests lower this to send few rows down the paths of many; 0: the measured limits.
void set_path_limit_for_tests(std::int64_t rows) noexcept;

}  // namespace bascule::cpu::sorting
