#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

void fill_logistic(kernel_table& t) { add_family(t, ops::logistic_ops{}); }

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
