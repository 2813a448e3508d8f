// Algorithms on a device: gather, scatter, nonzero, compress and scan by kernels, those that sort and search by the
// library of algorithm_library.hpp, products, factors and transforms by NVIDIA's (libraries/). They wait where a bad
// index, a count or a failure must be known when they return.
#pragma once
#include "backend/cuda/device/device.hpp"
#include "bascule/core/algorithms.hpp"

namespace bascule::cuda {

void run_algorithm(device&, algorithm_kind, void* args, stream_handle);
bool supports_algorithm(algorithm_kind, type_id);

}  // namespace bascule::cuda
