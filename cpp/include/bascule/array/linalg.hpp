// Linear algebra on the last two axes, over stacks of the axes before them. Each runs at the call and reads its inputs
// as they are then; the device's own library does the work (core/array_algorithms_linear.hpp).
#pragma once
#include <optional>
#include <vector>

#include "bascule/array/array.hpp"
#include "bascule/core/array_algorithms_linear.hpp"

namespace bascule {

// Which axes of its operands a product sums over; `vecmat` and `vecdot` conjugate the first.
enum class product_form : std::uint8_t { matmul, matvec, vecmat, vecdot };

// The product of operands of any shapes, in their common type or `type`, into `out` if there is one. Throws
// value_error, with NumPy's text, where shapes do not fit, type_error where the types have no product.
array product(product_form form, array const& a, array const& b, std::optional<type_id> type = {},
              array const* out = nullptr);

// The request to apply a task (see matrix_task) to each matrix of `a`, and `b` where it has right-hand sides; both of
// one inexact type but float16, with at least two axes and equal, or broadcast, axes before them.
struct factor_request {
    matrix_task task = matrix_task::solve;
    bool wide = true, vectors = true, full = false, upper = false;
    double tolerance = -1;
};
struct factorization_result {
    std::vector<array> out;
    std::int64_t failed = 0;
};
factorization_result factor(factor_request const& request, array const& a, array const* b = nullptr);

}  // namespace bascule
