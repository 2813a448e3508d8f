// Fourier transforms along the last axes, on devices that have their own; nothing is scaled.
#pragma once
#include "bascule/array/array.hpp"
#include "bascule/core/array_algorithms_fourier.hpp"

namespace bascule {

// Of float32, float64, complex64 or complex128, along the last `rank` axes (1 to 3; to_real: 1), in their precision. Of
// to_real `n` real values. Throws not_supported on devices that have no transforms.
array fourier(array const& a, fourier_kind kind, int rank, std::int64_t n = 0);

}  // namespace bascule
