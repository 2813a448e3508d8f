#include "backend/cpu/kernels/parts.hpp"
#include "backend/cpu/kernels/reduce/aggregates.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

void fill_aggregate_any_all(kernel_table& t) { add_aggregates(t, ops::aggregate::boolean_aggregates{}); }

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
