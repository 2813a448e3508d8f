// Kahan's addition: `lost` is what rounding has added to the sum. Device-clean.
#pragma once
#include "bascule/core/host_device.hpp"

namespace bascule::ops {

template <class F> struct compensated { F sum, lost; };

template <class F> BASCULE_HD compensated<F> add_compensated(F x, F sum, F lost) {
    F const y = x - lost, t = sum + y;
    return {t, (t - sum) - y};
}

// Of an infinite sum nothing is lost, else the next value would make it NaN; pandas' running sums are NaN after it.
template <class F, bool finite_loss = true> struct compensated_algebra {
    using input = F;
    using state = compensated<F>;
    using result = F;
    BASCULE_HD static state identity() { return {0, 0}; }
    BASCULE_HD static void update(state& s, F x, std::int64_t) {
        auto next = add_compensated(x, s.sum, s.lost);
        if constexpr (finite_loss) next.lost = next.lost - next.lost == 0 ? next.lost : F{0};
        s = next;
    }
    BASCULE_HD static state merge(state earlier, state later) {
        update(earlier, later.sum, 0);
        update(earlier, -later.lost, 0);
        return earlier;
    }
    BASCULE_HD static result finish(state s, std::int64_t, double) { return s.sum; }
};

template <class F> struct compensated_mean : compensated_algebra<F> {
    BASCULE_HD static F finish(compensated<F> s, std::int64_t n, double) { return s.sum / static_cast<F>(n); }
};

}  // namespace bascule::ops
