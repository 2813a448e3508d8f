// Plans that see only some elements of their space (plan_selection).
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/core/backend.hpp"

namespace bascule::cpu {

// Finds what is selected, stores it, or reduces it.
status run_selection(plan const&, kernel_table const&) noexcept;

}  // namespace bascule::cpu
