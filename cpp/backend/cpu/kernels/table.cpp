#include "bascule/ops/table.hpp"
#include "backend/cpu/kernels/parts.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

static_assert(ops::op_count <= max_ops);
static_assert(ops::op_count == ops::list_size<ops::arithmetic_ops> + ops::list_size<ops::extrema_ops> +
                                   ops::list_size<ops::divisor_ops> + ops::list_size<ops::comparison_ops> +
                                   ops::list_size<ops::logical_ops> + ops::list_size<ops::bitwise_ops> +
                                   ops::list_size<ops::select_ops> + ops::list_size<ops::cast_ops> +
                                   ops::list_size<ops::division_ops> + ops::list_size<ops::magnitude_ops> +
                                   ops::list_size<ops::rounding_ops> + ops::list_size<ops::exponential_ops> +
                                   ops::list_size<ops::trigonometric_ops> + ops::list_size<ops::hyperbolic_ops> +
                                   ops::list_size<ops::floating_ops> + ops::list_size<ops::complex_ops> +
                                   ops::list_size<ops::special_ops> + ops::list_size<ops::logistic_ops> +
                                   ops::list_size<ops::gamma_ops> + ops::list_size<ops::counter_ops> +
                                   ops::list_size<ops::distribution_ops> + ops::list_size<ops::calendar_ops> +
                                   ops::list_size<ops::frexp_ops>,
              "a family of the op table has no kernels: add a file for it here and to parts.hpp");

static_assert(ops::aggregate_count <= max_aggregates);
static_assert(ops::aggregate_count == ops::list_size<ops::aggregate::sum_aggregates> +
                                          ops::list_size<ops::aggregate::extrema_aggregates> +
                                          ops::list_size<ops::aggregate::boolean_aggregates> +
                                          ops::list_size<ops::aggregate::variance_aggregates> +
                                          ops::list_size<ops::aggregate::row_aggregates> +
                                          ops::list_size<ops::aggregate::window_aggregates>,
              "a family of aggregations has no kernels: add a file for it here and to parts.hpp, if it is of arrays");

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
        fill_division(t);
        fill_magnitude(t);
        fill_rounding(t);
        fill_exponential(t);
        fill_trigonometric(t);
        fill_hyperbolic(t);
        fill_floating(t);
        fill_complex(t);
        fill_special(t);
        fill_logistic(t);
        fill_gamma(t);
        fill_counter(t);
        fill_distributions(t);
        fill_calendar(t);
        fill_memory(t);
        fill_fp_errors(t);
        fill_aggregate_sums(t);
        fill_aggregate_extrema(t);
        fill_aggregate_any_all(t);
        fill_aggregate_variance(t);
        fill_sort(t);
        return &t;
    }();
    return filled;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
