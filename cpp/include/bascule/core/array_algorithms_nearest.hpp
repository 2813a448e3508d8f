// Argument struct of the search for nearest rows. Plain data.
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

}  // namespace bascule
