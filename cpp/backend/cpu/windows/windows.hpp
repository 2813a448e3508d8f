// Moving windows on the CPU; core/table_algorithms_window.hpp defines each.
#pragma once
#include "bascule/core/table_algorithms_window.hpp"

namespace bascule::cpu::windows {

status window_bounds(window_bounds_args const&) noexcept;
status window_aggregate(window_aggregate_args const&) noexcept;
status window_exponential(window_exponential_args const&) noexcept;

}  // namespace bascule::cpu::windows
