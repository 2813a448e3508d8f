// Runs plans on a device: prints their kernels as one unit, finds or compiles it, launches them.
#pragma once
#include <memory>

#include "backend/cuda/codegen/plan_text.hpp"
#include "bascule/core/plan.hpp"

namespace bascule::cuda {

// One pass over a plan's iteration space: a reduction, or everything that is stored. Printed when it is made.
class plan_pass {
public:
    plan_pass() = default;
    plan_pass(plan_pass const&) = delete;
    plan_pass& operator=(plan_pass const&) = delete;
    virtual ~plan_pass() = default;
    virtual void launch(std::string const& unit) = 0;
    kernel_text text;
};

// Null: no result is needed. One that `checks` also checks the values, all of which its input needs.
std::unique_ptr<plan_pass> reduction_pass(device&, plan const&, int which, bool checks, stream_handle);
// The first reduction that can check by the way; -1: none.
int reduction_that_checks(plan const&);

// Every store, and every checked value even if nothing stores it; null: there are none.
std::unique_ptr<plan_pass> elementwise_pass(device&, plan const&, stream_handle);

// All passes of a plan, printed as one unit.
class plan_passes {
public:
    plan_passes(device&, plan const&, stream_handle);
    bool empty() const { return all_.empty(); }
    std::string const& unit() const { return unit_; }
    void launch() const {
        for (auto const& pass : all_) pass->launch(unit_);
    }

private:
    std::vector<std::unique_ptr<plan_pass>> all_;
    std::string unit_;
};

void run_plan(device&, plan const&, stream_handle);
// The memory that a plan without reductions reads and writes.
std::vector<memory_use> uses_of(plan const&);

}  // namespace bascule::cuda
