// The loop of histograms that is compiled for every instruction set.
#pragma once
#include <cstdint>

namespace bascule::cpu {

// Bins of equal width over [first, last]. `low` and `high` (count + 1 each) are the edges over which a guessed bin is
// left downwards and upwards; those of the last bin, which takes all values outside, are NaN.
template <class T> struct bin_limits {
    T first, last;
    double scale, margin;
    std::int32_t count;
    T const *low, *high;
};

struct bin_kernels {
    void (*of_double)(bin_limits<double> const&, double const* x, std::int64_t n, std::int32_t* out) noexcept;
    void (*of_float)(bin_limits<float> const&, float const* x, std::int64_t n, std::int32_t* out) noexcept;
};
bin_kernels const& active_bin_kernels() noexcept;

}  // namespace bascule::cpu
