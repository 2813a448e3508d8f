// Algorithms of libbascule_cuda_algorithms.so, whose sources are in algorithms/thrust/. It is in the folder of this
// library where the build found nvcc, else $BASCULE_CUDA_ALGORITHMS names it; it is opened at first use.
#pragma once
#include <string>

#include "backend/cuda/device/device.hpp"

namespace bascule::cuda {

// Said once, before the first use.
void algorithms_lie_in(std::string directory, int driver_version);

// Whether the library is there and has the algorithm.
bool library_runs(algorithm_kind);
// Throws where it is not there.
void run_library_algorithm(device&, algorithm_kind, void* args, stream_handle);

// A line for users: the library of the algorithms, or why there is none.
std::string describe_algorithms();

}  // namespace bascule::cuda
