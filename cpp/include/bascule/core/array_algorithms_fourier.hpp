// Argument struct of backend::algorithm for Fourier transforms. Plain data.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

// algorithm_kind::fourier_transform, of devices that have their own; not scaled. `batch` blocks of values in C order,
// one after the other, each transformed along its `rank` axes. `in` and `out` are apart.
enum class fourier_kind : std::uint8_t {
    complex_forward,
    complex_backward,
    from_real,  // the last axis keeps the frequencies that are not negative: n / 2 + 1 of them
    to_real,    // the inverse of that, along one axis; `in` is overwritten
};
struct fourier_args {
    fourier_kind kind = fourier_kind::complex_forward;
    bool wide = true;                       // float64 and complex128, else float32 and complex64
    std::int32_t rank = 1;                  // 1 to 3
    std::int64_t const* lengths = nullptr;  // of the axes, as many as there are real values
    std::int64_t batch = 0;
    void* in = nullptr;
    void* out = nullptr;
};

}  // namespace bascule
