// Products of sparse matrices with dense ones: by cuSPARSE where it is there, else by a kernel of our own.
#pragma once
#include "backend/cuda/device/device.hpp"
#include "bascule/core/array_algorithms_sparse.hpp"

namespace bascule::cuda {

void sparse_product(device&, sparse_product_args const&, stream_handle);

}  // namespace bascule::cuda
