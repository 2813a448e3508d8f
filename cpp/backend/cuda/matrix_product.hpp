// Products of stacks of matrices, by a kernel of our own for every type.
#pragma once
#include "backend/cuda/device.hpp"
#include "bascule/core/array_algorithms_linear.hpp"

namespace bascule::cuda {

void matrix_product(device&, matrix_product_args const&, stream_handle);

}  // namespace bascule::cuda
