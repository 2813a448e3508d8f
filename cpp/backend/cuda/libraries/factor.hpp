// Factors of matrices by cuSOLVER. A call waits once, for the word that says whether there is an answer, where an
// answer may be missing.
#pragma once
#include "backend/cuda/device/device.hpp"
#include "bascule/core/array_algorithms_linear.hpp"

namespace bascule::cuda::libraries {

void factor(device&, matrix_factor_args&, stream_handle);

}  // namespace bascule::cuda::libraries
