#include "backend/cpu/kernels/aggregates.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

void fill_aggregate_truth(kernel_table& t) { add_aggregates(t, ops::aggregate::truth_aggregates{}); }

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
