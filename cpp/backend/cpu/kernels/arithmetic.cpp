#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/float_division.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

void fill_arithmetic(kernel_table& t) {
    add_family(t, ops::arithmetic_ops{});
#ifdef __FMA__
    auto& quotients = t.op[ops::number<ops::divide>];
    quotients[static_cast<int>(type_id::float64)][vs] = divide_by_scalar<double>::run;
    quotients[static_cast<int>(type_id::float32)][vs] = divide_by_scalar<float>::run;
#endif
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
