// A plan op by op, each by a kernel that is there, for the time in which its own kernel is compiled. The bits are the
// same: in a fused kernel, too, every value is rounded to its dtype.
#pragma once
#include "backend/cuda/engine/run_plan.hpp"

namespace bascule::cuda {

// False, and nothing was done, where a kernel of an op is missing, or the intermediates need much memory.
bool run_by_ops(device&, plan const&, stream_handle);

}  // namespace bascule::cuda
