// Waiting for a device where the program asks for it, and nowhere else.
#pragma once
#include "bascule/core/device.hpp"

namespace bascule {

// Waits until the device has done what it was given, and tells what its kernels found meanwhile: floating-point errors
// are reported (array/errstate.hpp), a bad index is thrown.
void wait_for(device where);

}  // namespace bascule
