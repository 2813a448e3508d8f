// Products of stacks of matrices: floats and complex numbers by cuBLAS where it is there, all others by a kernel of our
// own.
#pragma once
#include "backend/cuda/device/device.hpp"
#include "bascule/core/array_algorithms_linear.hpp"

namespace bascule::cuda {

void matrix_product(device&, matrix_product_args const&, stream_handle);

}  // namespace bascule::cuda
