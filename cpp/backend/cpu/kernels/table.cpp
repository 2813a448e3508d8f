#include "backend/cpu/kernels/parts.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

static_assert(ops::op_count <= max_ops);
static_assert(ops::op_count == ops::list_size<ops::arithmetic_ops> + ops::list_size<ops::extrema_ops> + ops::list_size<ops::divisor_ops> +
                                   ops::list_size<ops::comparison_ops> + ops::list_size<ops::logical_ops> + ops::list_size<ops::bitwise_ops> +
                                   ops::list_size<ops::select_ops> + ops::list_size<ops::cast_ops>,
              "a family of the op table has no kernels: add a file for it here and to parts.hpp");

kernel_table const* table() noexcept {
    static kernel_table const* const filled = [] {
        static kernel_table t;
        fill_arithmetic(t);
        fill_extrema(t);
        fill_divisors(t);
        fill_comparison(t);
        fill_logical(t);
        fill_bitwise(t);
        fill_select(t);
        fill_cast(t);
        fill_memory(t);
        fill_conditions(t);
        return &t;
    }();
    return filled;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
