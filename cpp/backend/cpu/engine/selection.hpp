// Plans that see only some elements of their space (plan_selection).
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/core/backend.hpp"

namespace bascule::cpu {

// Finds the selected elements and stores or reduces them.
status run_selection(plan const&, kernel_table const&) noexcept;

}  // namespace bascule::cpu
