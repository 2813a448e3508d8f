// A plan brought into the form that runs fastest.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"
#include "backend/cpu/program/program.hpp"
#include "bascule/core/backend.hpp"

namespace bascule::cpu {

struct run_options {
    kernel_table const& kernels;
    bool alone;  // on the calling thread
};

// Runs a plan by the first rewrite that applies; as it is, if none does.
status run_rewritten(plan const&, run_options const&) noexcept;

}  // namespace bascule::cpu
