// How the floating-point errors of a result are found.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/core/plan.hpp"

namespace bascule::cpu {

// How the floating-point errors of a result are found. `hardware`: the kernel computes nothing but the operation,
// so the processor's status says it. `values`: found from inputs and results, where a result is not finite.
// `values_if_noted`: so too, but only where there are flags, which the kernel raises for unusual arguments.
enum class inspection : std::uint8_t { none, hardware, values, values_if_noted };
constexpr bool reads_values(inspection i) { return i >= inspection::values; }
inspection inspection_of(plan_value const&, type_id first_input, kernel_table const&) noexcept;

// The errors that an operation raised, as ops::fp bits; d, a, b, c are the operands its kernel was called with.
// By reference: copying a struct right after its members were written makes the processor wait until all earlier stores
// have reached the cache, the block's results among them.
std::uint8_t fp_errors_of(plan_value const&, type_id first_input, fp_error_args const&, kernel_table const&) noexcept;

}  // namespace bascule::cpu
