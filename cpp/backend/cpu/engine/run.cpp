#include "backend/cpu/engine/run.hpp"

#include "backend/cpu/engine/rewrites.hpp"
#include "backend/cpu/engine/selection.hpp"

namespace bascule::cpu {

status run_plan(plan const& source, kernel_table const& kernels) noexcept {
    if (source.selection) return run_selection(source, kernels);
    if (source.nreductions ? reduce_single(source, kernels) : run_single(source, kernels)) return status::ok;
    return run_rewritten(source, {kernels, false});
}

status run_plan_on_this_thread(plan const& source, kernel_table const& kernels) noexcept {
    return run_rewritten(source, {kernels, true});
}

}  // namespace bascule::cpu
