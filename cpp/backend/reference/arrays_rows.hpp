// Rows of matrices against rows and centers, and spread of columns, slowly; core/array_algorithms_{rows,sparse}.hpp
// define each.
#pragma once
#include "bascule/core/array_algorithms_rows.hpp"
#include "bascule/core/array_algorithms_sparse.hpp"

namespace bascule::reference {

void nearest(nearest_args const&);
void within_radius(within_radius_args const&);
void nearest_centers(nearest_centers_args&);
void center_distances(center_distances_args const&);
void column_spread(column_spread_args const&);
void row_products(row_products_args const&);
void sparse_product(sparse_product_args const&);

}  // namespace bascule::reference
