#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

void fill_counter(kernel_table& t) { add_family(t, ops::counter_ops{}); }

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
