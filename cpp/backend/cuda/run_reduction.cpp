#include "backend/cuda/failure.hpp"
#include "backend/cuda/run_plan.hpp"

namespace bascule::cuda {

void run_reduction(device&, plan const&, int, stream_handle) { throw failure{status::not_supported, "[cuda] no reduction yet"}; }

}  // namespace bascule::cuda
