// Waiting for a device, only where the program requests it.
#pragma once
#include "bascule/core/device.hpp"

namespace bascule {

// Waits until the device has finished its work, and reports errors its kernels found meanwhile: floating-point errors
// as a warning (array/errstate.hpp), a bad index as an exception.
void wait_for(device where);

}  // namespace bascule
