// Runs emulated kernels. $BASCULE_EMULATION_ORDER is the order in which the threads of a block take their turns:
// "forward", "reverse" or a number, the seed of a shuffle. A kernel whose result depends on it lacks a barrier.
#pragma once
#include <stdexcept>

#include "backend/emulation/cuda_emulation.hpp"

namespace bascule::emulation {

struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

runtime* shared_runtime();  // the state that kernels are bound to
void run(launch const&);    // throws error where a device would hang or be undefined; one caller at a time

}  // namespace bascule::emulation
