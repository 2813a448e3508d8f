// The parts of one instruction set's table, each filled by the file of its name.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

void fill_arithmetic(kernel_table&);
void fill_extrema(kernel_table&);
void fill_divisors(kernel_table&);
void fill_comparison(kernel_table&);
void fill_logical(kernel_table&);
void fill_bitwise(kernel_table&);
void fill_select(kernel_table&);
void fill_cast(kernel_table&);
void fill_division(kernel_table&);
void fill_magnitude(kernel_table&);
void fill_rounding(kernel_table&);
void fill_exponential(kernel_table&);
void fill_trigonometric(kernel_table&);
void fill_hyperbolic(kernel_table&);
void fill_floating(kernel_table&);
void fill_complex(kernel_table&);
void fill_special(kernel_table&);
void fill_logistic(kernel_table&);
void fill_gamma(kernel_table&);
void fill_counter(kernel_table&);
void fill_distributions(kernel_table&);
void fill_calendar(kernel_table&);
void fill_memory(kernel_table&);
void fill_fp_errors(kernel_table&);
void fill_aggregate_sums(kernel_table&);
void fill_aggregate_extrema(kernel_table&);
void fill_aggregate_any_all(kernel_table&);
void fill_aggregate_variance(kernel_table&);
void fill_sort(kernel_table&);

kernel_table const* table() noexcept;

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
