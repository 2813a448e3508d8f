#include "backend/cpu/kernels/parts.hpp"
#include "backend/cpu/kernels/random/sample_loop.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class Op> void add_distribution(kernel_table& t) {
    using R = typename ops::distribution_rule<Op>::result;
    static_assert(Op::meta.types == bit(id_of<R>::value));
    auto& to = t.op[ops::number<Op>][static_cast<int>(id_of<R>::value)];
    to[vv] = sample_loop<Op, vv>::run;
    to[vs] = sample_loop<Op, vs>::run;
    to[sv] = sample_loop<Op, sv>::run;
    if constexpr (Op::meta.nin == 3) to[ss] = sample_loop<Op, ss>::run;
}

template <class... Op> void add_distributions(kernel_table& t, ops::op_list<Op...>) { (add_distribution<Op>(t), ...); }

}  // namespace

void fill_distributions(kernel_table& t) { add_distributions(t, ops::distribution_ops{}); }

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
