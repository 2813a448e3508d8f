// Reading CSV text that is in the device's memory.
#pragma once
#include "backend/cuda/algorithms/thrust/execution.hpp"
#include "bascule/core/table_algorithms_csv.hpp"

namespace bascule::cuda::algorithms {

// Where the device does not read the text, `failure` is csv_failure::left_to_cpu and `message` the reason.
void read_csv(context const&, read_csv_args&);

}  // namespace bascule::cuda::algorithms
