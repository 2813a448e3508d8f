// Table algorithms of the CPU for sorting and joining; core/table_algorithms_sort_join.hpp says what each does.
#pragma once
#include "bascule/core/table_algorithms_sort_join.hpp"

namespace bascule::cpu::tables::ordering {

status argsort(argsort_args const&) noexcept;
status sort_values(sort_args const&) noexcept;
// Those with `kth` that are worth it: lines long enough, and few positions.
bool is_partition(std::int64_t length, std::int64_t const* kth, std::int32_t nkth) noexcept;
status partition(sort_args const&) noexcept;
status argpartition(argsort_args const&) noexcept;
status join_pairs(join_pairs_args&) noexcept;

// Tests lower this to send few rows down the paths of many; 0: the measured limits.
void set_path_limit_for_tests(std::int64_t rows) noexcept;

}  // namespace bascule::cpu::tables::ordering
