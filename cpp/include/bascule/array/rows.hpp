// Computations on the rows of matrices of float64, which are finite: what learning needs more than ufuncs and products.
// All of them run at the call.
#pragma once
#include <optional>
#include <utility>

#include "bascule/array/array.hpp"

namespace bascule {

// For each query the `count` rows at the least Euclidean distance, as int64, and these distances, both of shape
// (queries, count), ascending; of equal distances the lower row comes first.
std::pair<array, array> nearest(array const& rows, array const& queries, std::int64_t count);

// For each query the rows within a radius, in ascending order: where those of a query begin (one more than queries),
// all of them one behind the other, and their distances.
struct rows_within {
    array offsets, indices;
    std::optional<array> distances;
};
rows_within within_radius(array const& rows, array const& queries, double radius, bool distances);

// Rows less `shift` (null: as they are), with weights (null: ones).
struct weighted_rows {
    array const &rows, *shift = nullptr, *weights = nullptr;
};

// The state of an iteration of k-means, which the next one writes over.
struct center_state {
    array labels;                 // int32: of each row
    array sums, totals, members;  // of the rows of each center, of their weights, and how many have one
    array upper, lower;           // of each row: the most that it is from its center, the least from any other
};
struct nearest_center {
    array labels;                  // int32: of each row
    std::optional<array> squares;  // of its distance
    std::optional<center_state> state;
    std::int64_t changed = 0;  // labels that are not those before
};
nearest_center nearest_centers(weighted_rows const& rows, array const& centers, bool squares);
// The same with a state, which `before` (null: there is none) becomes; centers have moved so far since. Squared
// distances only where there is none before.
nearest_center next_centers(weighted_rows const& rows, array const& centers, center_state const* before,
                            array const* moved, bool squares);

// Distances of shape (rows, centers).
array center_distances(array const& rows, array const& centers);
// Squared distances of shape (centers, rows), at most those of `closest`, and their weighted sums.
std::pair<array, array> closer_distances(weighted_rows const& rows, array const& centers, array const* closest);

// Of the numbers in each column how many they are, their mean and the sum of their squared deviations; rows of float64
// or float32, NaN being no number.
struct spread_of_columns {
    array counts, means, squares;
};
spread_of_columns column_spread(array const& rows);

// The means, and the products of columns, of rows that have the columns of two matrices of one type.
std::pair<array, array> row_products(array const& rows, array const* targets, bool centred);

// A sparse matrix by its compressed rows: the elements of row i are those from starts[i] to starts[i + 1]. Values are
// float64 or float32, indices of columns and starts int32 or int64.
struct sparse_rows {
    array const &values, &indices, &starts;
    std::int64_t columns;
};
// The product of a sparse matrix, or of its transpose, with a dense one of the same type.
array sparse_product(sparse_rows const& rows, array const& dense, bool transposed);
// The product of two sparse matrices, dense.
array sparse_product(sparse_rows const& rows, sparse_rows const& other);

}  // namespace bascule
