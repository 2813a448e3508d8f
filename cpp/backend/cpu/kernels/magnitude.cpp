#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"
#include "backend/cpu/kernels/power_loop.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class Op> void add_power(kernel_table& t) {
    auto& to = t.op[ops::number<Op>][static_cast<int>(type_id::float64)];
    to[vv] = power_loop<vv>::run, to[vs] = power_loop<vs>::run, to[sv] = power_loop<sv>::run;
}

}  // namespace

void fill_magnitude(kernel_table& t) {
    add_family(t, ops::magnitude_ops{});
    add_power<ops::power>(t);
    add_power<ops::float_power>(t);
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
