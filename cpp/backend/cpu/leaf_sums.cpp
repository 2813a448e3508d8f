#include "backend/cpu/leaf_sums.hpp"

#include "bascule/ops/pairwise.hpp"

namespace bascule::cpu {
namespace {

constexpr std::int64_t longest_leaf = ops::tree_leaf<double>;
static_assert(ops::tree_lanes<double> == leaf_sums::lanes);

}  // namespace

void leaf_sums::cut(std::int64_t start, std::int64_t n) noexcept {
    if (n < lanes) return;
    if (n <= longest_leaf) {
        ends_[nleaves_++] = start + n / lanes * lanes;
        return;
    }
    std::int64_t const left = ops::first_half(n, lanes);
    cut(start, left);
    cut(start + left, n - left);
}

double leaf_sums::join(double const* elements, std::int64_t start, std::int64_t n, int& next) const noexcept {
    if (n > longest_leaf) {
        std::int64_t const left = ops::first_half(n, lanes);
        double const earlier = join(elements, start, left, next);
        return earlier + join(elements, start + left, n - left, next);
    }
    std::int64_t i = start;
    double sum;
    if (n < lanes) {
        sum = elements[i++];
    } else {
        double const* const x = sums_[next];
        i = ends_[next++];
        sum = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
    }
    for (; i < start + n; ++i) sum += elements[i];
    return sum;
}

}  // namespace bascule::cpu
