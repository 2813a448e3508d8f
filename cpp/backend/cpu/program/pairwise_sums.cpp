#include "backend/cpu/program/pairwise_sums.hpp"

#include "bascule/ops/pairwise.hpp"

namespace bascule::cpu {
namespace {

constexpr std::int64_t longest_leaf = ops::tree_leaf<double>;
constexpr int uneven = -1;
static_assert(ops::tree_lanes<double> == pairwise_sums::lanes);

}  // namespace

pairwise_sums::cut* pairwise_sums::known_cuts() noexcept {
    static thread_local cut cuts[most_cuts];
    return cuts;
}

void pairwise_sums::cut::make(std::int64_t length) noexcept {
    n = length;
    nleaves = 0;
    even = part(0, length) != uneven;
    ends[nleaves] = 0, ends[nleaves + 1] = length;
}

// The number of halvings from the run to its leaves, if it is the same for all.
int pairwise_sums::cut::part(std::int64_t start, std::int64_t length) noexcept {
    if (length < lanes) return 0;
    if (length <= longest_leaf) {
        ends[nleaves] = start + length / lanes * lanes;
        joins[nleaves++] = 0;
        return 0;
    }
    std::int64_t const left = ops::first_half(length, lanes);
    int const earlier = part(start, left), later = part(start + left, length - left);
    ++joins[nleaves - 1];
    return earlier == later && later != uneven ? later + 1 : uneven;
}

// Only the last leaf has elements behind its last vector: all others begin where one would end.
double pairwise_sums::total(double const* elements) noexcept {
    cut const& c = *cut_;
    double* const sums = sums_;
    if (c.nleaves == 0) {
        double sum = elements[0];
        for (std::int64_t i = 1; i < c.n; ++i) sum += elements[i];
        return sum;
    }
    double& last = sums[c.nleaves - 1];
    for (std::int64_t i = c.ends[c.nleaves - 1]; i < c.n; ++i) last += elements[i];
    if (c.even) {
        for (int pairs = c.nleaves / 2; pairs > 0; pairs /= 2)
            for (int k = 0; k < pairs; ++k) sums[k] = sums[2 * k] + sums[2 * k + 1];
        return sums[0];
    }
    int depth = 0;  // of the stack of pending sums, stored over the leaves' sums
    for (int leaf = 0; leaf < c.nleaves; ++leaf) {
        double sum = sums[leaf];
        for (int k = c.joins[leaf]; k > 0; --k) sum = sums[--depth] + sum;
        sums[depth++] = sum;
    }
    return sums[0];
}

}  // namespace bascule::cpu
