#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"
#include "backend/cpu/kernels/table_loop.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

void fill_exponential(kernel_table& t) {
    add_family(t, ops::exponential_ops{});
#if defined(__AVX512F__)
    constexpr int wide = static_cast<int>(type_id::float64);
    t.op[ops::number<ops::exp>][wide][vv] = table_loop<ops::math::exp_by_table, 0>::run;
    t.op[ops::number<ops::log>][wide][vv] = table_loop<ops::math::log_by_table, 2048>::run;
#endif
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
