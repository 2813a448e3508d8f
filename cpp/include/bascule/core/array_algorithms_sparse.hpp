// Argument structs of algorithms that compute with sparse matrices. Plain data.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

// A matrix by its compressed rows: row i has the elements from starts[i] to starts[i + 1], each a value and its column.
// Columns may come in any order and repeatedly, and then their values add up.
struct compressed_rows {
    void const* values = nullptr;
    void const* indices = nullptr;
    void const* starts = nullptr;  // length + 1
    std::int64_t length = 0, columns = 0, elements = 0;
};

// algorithm_kind::sparse_product. The product of a sparse matrix, or of its transpose, with a dense matrix, or of a
// sparse one with a sparse one; the result is dense, in C order. An element of the result is the sum in the order of
// the elements of its row; of a transpose the order of sums depends on the shapes and the number of elements alone. On
// CUDA, where cuSPARSE is there, the order is its own, the same in every run; there are no transposes and no products
// of two sparse matrices.
struct sparse_product_args {
    type_id type{};        // of all values: float64 or float32
    type_id index_type{};  // of indices and starts: int32 or int64
    compressed_rows matrix;
    bool transposed = false;
    void const* dense = nullptr;  // columns by count, for a transpose length by count; null: `other` is the factor
    compressed_rows other;        // of `columns` rows and `count` columns; not for a transpose
    std::int64_t count = 0;
    void* result = nullptr;  // length by count, for a transpose columns by count
};

}  // namespace bascule
