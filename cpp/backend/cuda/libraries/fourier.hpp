// Fourier transforms by cuFFT. Nothing is waited for.
#pragma once
#include "backend/cuda/device/device.hpp"
#include "bascule/core/array_algorithms_fourier.hpp"

namespace bascule::cuda::libraries {

void transform(device&, fourier_args const&, stream_handle);

}  // namespace bascule::cuda::libraries
