// Products of matrices by cuBLAS. Operands whose rows or columns are contiguous are read in place, with any distance
// between them; others are copied first.
#pragma once
#include "backend/cuda/device/device.hpp"
#include "bascule/core/array_algorithms_linear.hpp"

namespace bascule::cuda::libraries {

// Whether the library is there and multiplies such elements.
bool multiplies(type_id);
// m, n, k and the stack are not empty.
void multiply(device&, matrix_product_args const&, stream_handle);

}  // namespace bascule::cuda::libraries
