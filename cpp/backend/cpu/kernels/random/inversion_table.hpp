// The partial sums of a distribution over few integers, with a guide table to the position of a uniform number among
// them.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/ops/distributions/discrete.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

class inversion_table {
public:
    template <class Steps> explicit inversion_table(Steps const& steps) {
        double p = steps.first, sum = p;
        sums_[0] = sum;
        for (int k = 1; k <= steps.last && sum < 1; ++k) {
            p = steps.next(p, k);
            if (sum + p == sum && p < 0x1p-60) break;  // no later sum is any larger
            sums_[count_++] = sum += p;
        }
        for (int i = count_; i < size; ++i) sums_[i] = 2;
        for (int g = 0, at = 0; g < guides; ++g) {
            while (at < count_ && static_cast<double>(g) / guides >= sums_[at]) ++at;
            guide_[g] = static_cast<std::uint8_t>(at);
        }
    }
    // The first k whose sum is above u.
    int find(double u) const {
        int k = guide_[static_cast<int>(u * guides)];
        while (u >= sums_[k]) ++k;
        return k;
    }
    // Whether the sums reach as far as k; else the search itself must say.
    bool settles(int k) const { return k < count_; }

private:
    static constexpr int guides = 256, size = ops::distributions::most_steps + 2;
    double sums_[size];
    std::uint8_t guide_[guides];
    int count_ = 1;
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
