// Running aggregates: long rows in tiles of a fixed tree, many or short ones a thread each.
#pragma once
#include "backend/cuda/device/device.hpp"
#include "bascule/core/algorithms.hpp"

namespace bascule::cuda {

void run_scan(device& d, scan_args const& a, stream_handle stream);

}  // namespace bascule::cuda
