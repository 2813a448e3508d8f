#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

void fill_hyperbolic(kernel_table& t) { add_family(t, ops::hyperbolic_ops{}); }

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
