#include "backend/cpu/leaf_sums.hpp"

#include "bascule/ops/pairwise.hpp"

namespace bascule::cpu {
namespace {

constexpr std::int64_t longest_leaf = ops::tree_leaf<double>;
static_assert(ops::tree_lanes<double> == leaf_sums::lanes);

}  // namespace

leaf_sums::cut* leaf_sums::known_cuts() noexcept {
    static thread_local cut cuts[most_cuts];
    return cuts;
}

void leaf_sums::cut::make(std::int64_t length) noexcept {
    n = length;
    nleaves = 0;
    part(0, length);
    ends[nleaves] = 0, ends[nleaves + 1] = length;
}

void leaf_sums::cut::part(std::int64_t start, std::int64_t length) noexcept {
    if (length < lanes) return;
    if (length <= longest_leaf) {
        ends[nleaves] = start + length / lanes * lanes;
        joins[nleaves++] = 0;
        return;
    }
    std::int64_t const left = ops::first_half(length, lanes);
    part(start, left);
    part(start + left, length - left);
    ++joins[nleaves - 1];
}

// Only the last leaf has elements behind its last vector: all others begin where one would end.
double leaf_sums::total(double const* elements) const noexcept {
    cut const& c = *cut_;
    double waiting[most_leaves];
    int depth = 0;
    for (int leaf = 0; leaf < c.nleaves; ++leaf) {
        double const* const x = sums_[leaf];
        double sum = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
        if (leaf == c.nleaves - 1)
            for (std::int64_t i = c.ends[leaf]; i < c.n; ++i) sum += elements[i];
        for (int k = c.joins[leaf]; k > 0; --k) sum = waiting[--depth] + sum;
        waiting[depth++] = sum;
    }
    if (depth > 0) return waiting[0];
    double sum = elements[0];
    for (std::int64_t i = 1; i < c.n; ++i) sum += elements[i];
    return sum;
}

}  // namespace bascule::cpu
