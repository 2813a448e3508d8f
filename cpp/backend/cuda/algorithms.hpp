// Algorithms on a device: gather, scatter, nonzero, compress and scan by kernels, those that sort and search by the
// library of algorithm_library.hpp. They wait where a bad index or a count must be known when they return.
#pragma once
#include "backend/cuda/device.hpp"
#include "bascule/core/algorithms.hpp"

namespace bascule::cuda {

void run_algorithm(device&, algorithm_kind, void* args, stream_handle);
bool supports_algorithm(algorithm_kind, type_id);

}  // namespace bascule::cuda
