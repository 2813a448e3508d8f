// Runs plans on a device: prints a kernel, finds or compiles it, launches it.
#pragma once
#include "backend/cuda/device.hpp"
#include "bascule/core/plan.hpp"

namespace bascule::cuda {

void run_plan(device&, plan const&, stream_handle);
void run_reduction(device&, plan const&, int reduction, stream_handle);

}  // namespace bascule::cuda
