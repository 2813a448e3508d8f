#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

void fill_floating(kernel_table& t) {
    add_family(t, ops::floating_ops{});
    add_family(t, ops::frexp_ops{});
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
