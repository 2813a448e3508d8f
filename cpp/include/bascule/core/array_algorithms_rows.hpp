// Argument structs of algorithms that compute with the rows of dense matrices. Plain data.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

// algorithm_kind::nearest. For each query the `count` rows at the least Euclidean distance, ascending; of equal
// distances the lower row comes first. Matrices are dense and finite, of float64. Distances are the roots of sums of
// squared differences, in the order of columns.
struct nearest_args {
    double const* rows = nullptr;  // length by columns
    std::int64_t length = 0;
    double const* queries = nullptr;  // nqueries by columns
    std::int64_t nqueries = 0, columns = 0;
    std::int64_t count = 0;           // 1 to length
    std::int64_t* indices = nullptr;  // nqueries by count
    double* distances = nullptr;      // of the same shape; null: not wanted
};

// algorithm_kind::within_radius. For each query the rows at no more than this distance, in ascending order; distances
// as above.
struct within_radius_args {
    double const* rows = nullptr;  // length by columns
    std::int64_t length = 0;
    double const* queries = nullptr;  // nqueries by columns
    std::int64_t nqueries = 0, columns = 0;
    double radius = 0;
    bool with_distances = false;
    std::int64_t* offsets = nullptr;  // nqueries + 1: where those of a query begin
    // For results whose size the call finds out: first the indices, then, where they are wanted, the distances.
    void* owner = nullptr;
    void* (*allocate)(void* owner, std::int64_t bytes) = nullptr;
};

// Rows, less `shift`, against centers of such rows: dense and finite, of float64. A distance is computed from the sums
// of products of row and center, and so is exact for a row that is a center.
struct center_rows {
    double const* rows = nullptr;  // length by columns
    std::int64_t length = 0, columns = 0;
    double const* shift = nullptr;    // columns; null: zeros
    double const* weights = nullptr;  // length; null: ones
    double const* centers = nullptr;  // count by columns
    std::int64_t count = 0;           // at least 1
};

// algorithm_kind::nearest_centers. Of equal distances the lower center is the nearest. The order of sums depends on the
// shapes, and with bounds on the values, alone.
struct nearest_centers_args : center_rows {
    std::int32_t const* before = nullptr;  // length: labels to compare with; null: none
    std::int32_t* labels = nullptr;        // length: the nearest center
    double* squares = nullptr;             // length: sums of squared differences from it; null: not wanted
    double* sums = nullptr;                // count by columns: of the weighted rows of each center; null: not wanted,
    double* totals = nullptr;              // count: and neither are the sums of their weights
    std::int64_t* members = nullptr;       // count: and how many have a weight
    std::int64_t changed = 0;              // labels that are not those before
    // The most that a row is from its center, and the least that it is from any other; null: not wanted.
    double *upper = nullptr, *lower = nullptr;  // length
    // How far centers have moved since bounds, labels before and sums were computed, all of which are given; then rows
    // whose bounds exclude another center are not looked at. Null: they are not known.
    double const* moved = nullptr;  // count
};

// algorithm_kind::center_distances.
struct center_distances_args : center_rows {
    double const* closest = nullptr;             // length: the most that a squared distance can be; null: no limit
    double* distances = nullptr;                 // squared, or (`roots`) as they are
    std::int64_t row_step = 0, center_step = 0;  // between its elements
    bool roots = false;
    double* sums = nullptr;  // count: of the weighted distances; null: not wanted
};

// algorithm_kind::column_spread. Of the numbers in each column, NaN being none: how many they are, their mean (0 of
// none) and the sum of their squared deviations from it. The order of sums depends on the shape alone.
struct column_spread_args {
    void const* rows = nullptr;  // length by columns, of float64 or float32
    type_id type{};
    std::int64_t length = 0, columns = 0;
    double *counts = nullptr, *means = nullptr, *squares = nullptr;
};

// algorithm_kind::row_products. The sums of products of two columns, of rows that have the columns of two matrices.
// The order of sums depends on the shapes alone.
struct row_products_args {
    void const* rows = nullptr;     // length by columns, of float64 or float32
    void const* targets = nullptr;  // length by ntargets, of the same type
    type_id type{};
    std::int64_t length = 0, columns = 0, ntargets = 0;
    bool centred = false;        // of deviations from the means
    double* means = nullptr;     // columns + ntargets; zeros where not centred
    double* products = nullptr;  // a square of so many
};

}  // namespace bascule
