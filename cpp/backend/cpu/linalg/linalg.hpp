// Linear algebra of the CPU; core/array_algorithms_{linear,rows,sparse}.hpp define each.
#pragma once
#include "bascule/core/array_algorithms_linear.hpp"
#include "bascule/core/array_algorithms_rows.hpp"
#include "bascule/core/array_algorithms_sparse.hpp"

namespace bascule::cpu::linalg {

status product(matrix_product_args const&) noexcept;
status factor(matrix_factor_args&) noexcept;
status nearest(nearest_args const&) noexcept;
status within_radius(within_radius_args const&) noexcept;
status nearest_centers(nearest_centers_args&) noexcept;
status center_distances(center_distances_args const&) noexcept;
status column_spread(column_spread_args const&) noexcept;
status row_products(row_products_args const&) noexcept;
status sparse_product(sparse_product_args const&) noexcept;

// Products of types that BLAS does not know: bool, integers, float16.
status product_without_blas(matrix_product_args const&) noexcept;

// Reports the errors that `fp_flags` is to receive for a finished product, from its values.
status note_fp_errors(matrix_product_args const&) noexcept;

}  // namespace bascule::cpu::linalg
