#include "backend/cuda/engine/run_plan.hpp"

#include <cstdlib>
#include <string_view>

#include "backend/cuda/driver/failure.hpp"
#include "backend/cuda/engine/run_by_ops.hpp"

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

// Reads $BASCULE_CUDA_COMPILE at the first plan: whether the program waits for the compiler even where it need not.
bool compiles_in_background() {
    static bool const does = [] {
        char const* const asked = std::getenv("BASCULE_CUDA_COMPILE");
        return !asked || std::string_view(asked) != "wait";
    }();
    return does;
}

}  // namespace

// Reductions first: a store may overwrite, in place, an operand of a reduction of the same plan.
plan_passes::plan_passes(device& d, plan const& p, stream_handle stream) {
    int const checks = p.nstores == 0 ? reduction_that_checks(p) : -1;
    for (int r = 0; r < p.nreductions; ++r)
        if (auto pass = reduction_pass(d, p, r, r == checks, stream)) all_.push_back(std::move(pass));
    if (checks < 0)
        if (auto pass = elementwise_pass(d, p, stream)) all_.push_back(std::move(pass));
    std::vector<kernel_text const*> parts;
    for (auto const& pass : all_) parts.push_back(&pass->text);
    unit_ = kernel_text::unit_of(parts);
}

std::vector<memory_use> uses_of(plan const& p) {
    std::vector<memory_use> all;
    bool empty = false;
    for (int k = 0; k < p.ndim; ++k) empty = empty || p.shape[k] == 0;
    if (empty) return all;
    auto const add = [&](plan_operand const& o, use_kind kind) {
        auto const base = reinterpret_cast<device_ptr>(o.base);
        memory_use u{base, base + static_cast<device_ptr>(itemsize(o.dtype)), kind};
        for (int k = 0; k < p.ndim; ++k) {
            std::int64_t const reach = (p.shape[k] - 1) * o.strides[k];
            (reach < 0 ? u.begin : u.end) += static_cast<device_ptr>(reach);
        }
        all.push_back(u);
    };
    for (int k = 0; k < p.noperands; ++k) add(p.operands[k], use_kind::read);
    for (int k = 0; k < p.nstores; ++k) add(p.stores[k].out, use_kind::write);
    if (p.fp_flags) all.push_back(used(p.fp_flags, 4 * std::int64_t{p.nvalues}, use_kind::add));
    return all;
}

void run_plan(device& d, plan const& p, stream_handle stream) {
    validate(p);
    plan_passes const passes(d, p, stream);
    if (passes.empty()) return;
    bool const waits = !compiles_in_background() || d.kernels().is_there(passes.unit());
    if (!waits && run_by_ops(d, p, stream)) return d.kernels().begin(passes.unit());
    passes.launch();
}

}  // namespace bascule::cuda
