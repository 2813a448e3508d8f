// The bin of each value: a guess by multiplication, then, if any value may be beyond an edge, one step as the edges
// require.
#include "backend/cpu/dispatch/bin_kernels.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class T> void find_bins(bin_limits<T> const& b, T const* x, std::int64_t n, std::int32_t* out) noexcept {
    T const first_value = b.first, last_value = b.last;
    T const *const low = b.low, *const high = b.high;
    double const first = static_cast<double>(b.first), scale = b.scale, all = b.count;
    double const near = b.margin, far = 1 - b.margin;
    std::int32_t const outside = b.count, top = b.count - 1;
    std::int32_t doubtful = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        double y = (static_cast<double>(x[i]) - first) * scale;
        y = y < all ? y : all;
        y = y > 0 ? y : 0;
        auto guess = static_cast<std::int32_t>(y);
        guess = guess < top ? guess : top;
        double const within = y - guess;
        bool const inside = (x[i] >= first_value) & (x[i] <= last_value);
        doubtful |= inside & !((within >= near) & (within <= far)) ? 1 : 0;
        out[i] = inside ? guess : outside;
    }
    if (doubtful == 0) return;
    for (std::int64_t i = 0; i < n; ++i) {
        std::int32_t const at = out[i];
        out[i] = at + (x[i] >= high[at] ? 1 : 0) - (x[i] < low[at] ? 1 : 0);
    }
}

}  // namespace

bin_kernels const& histogram_bins() noexcept {
    static constexpr bin_kernels kernels{find_bins<double>, find_bins<float>};
    return kernels;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
