// Running plans on the CPU.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/core/backend.hpp"

namespace bascule::cpu {

status run_plan(plan const&, kernel_table const&) noexcept;
// The same on the calling thread alone.
status run_plan_on_this_thread(plan const&, kernel_table const&) noexcept;

// Plans of core/backend.hpp's run_chain.
status run_row_blocked(plan const* const* plans, int count, std::int64_t rows, kernel_table const&) noexcept;

// Runs a plan of one op over few flat elements; false: the plan is not of that kind, nothing was done.
bool run_single(plan const&, kernel_table const&) noexcept;
// The same for a plan of one reduction of few flat elements to one result.
bool reduce_single(plan const&, kernel_table const&) noexcept;

}  // namespace bascule::cpu
