#include "backend/cuda/run_plan.hpp"

#include "backend/cuda/failure.hpp"

namespace bascule::cuda {
namespace {

void validate(plan const& p) {
    expects(p.abi == plan_abi, status::value_error, "run: the plan has another ABI");
    for (int v = 0; v < p.nvalues; ++v) {
        plan_value const& value = p.values[v];
        bool fits = true;
        switch (value.kind) {
            case value_kind::load:
                fits = value.operand < p.noperands && p.operands[value.operand].dtype == value.dtype;
                break;
            case value_kind::constant: fits = value.operand < p.nconstants; break;
            case value_kind::iota: fits = value.operand < p.niotas && value.dtype == type_id::int64; break;
            case value_kind::op:
                for (int k = 0; k < value.nargs; ++k) fits = fits && value.args[k] < v;
        }
        expects(fits, status::value_error, "run: a value refers to what is not there");
    }
    for (int s = 0; s < p.nstores; ++s)
        expects(p.stores[s].value < p.nvalues && p.values[p.stores[s].value].dtype == p.stores[s].out.dtype,
                status::value_error, "run: a store's value has another dtype");
    for (int r = 0; r < p.nreductions; ++r)
        expects(p.reductions[r].value < p.nvalues, status::value_error, "run: a reduction refers to what is not there");
}

}  // namespace

// Reductions first: a store may overwrite, in place, what a reduction of the same plan reads.
void run_plan(device& d, plan const& p, stream_handle stream) {
    validate(p);
    std::vector<std::unique_ptr<plan_pass>> passes;
    int const checks = p.nstores == 0 ? reduction_that_checks(p) : -1;
    for (int r = 0; r < p.nreductions; ++r)
        if (auto pass = reduction_pass(d, p, r, r == checks, stream)) passes.push_back(std::move(pass));
    if (checks < 0)
        if (auto pass = elementwise_pass(d, p, stream)) passes.push_back(std::move(pass));
    std::vector<kernel_text const*> parts;
    for (auto const& pass : passes) parts.push_back(&pass->text);
    std::string const unit = kernel_text::unit_of(parts);
    for (auto const& pass : passes) pass->launch(unit);
}

}  // namespace bascule::cuda
