// Sums whose leaves are added up by the code that computes their elements, eight lanes each, so that no element but the
// last few passes through memory. What is left are the lanes' sums and the tree above the leaves (ops/pairwise.hpp).
#pragma once
#include <cstdint>

namespace bascule::cpu {

class leaf_sums {
public:
    static constexpr int most_elements = 1024, lanes = 8;

    explicit leaf_sums(std::int64_t n) noexcept : n_(n) {
        cut(0, n);
        ends_[nleaves_] = 0, ends_[nleaves_ + 1] = n;
    }
    // For the code: where the whole vectors of each leaf end, zero, the number of elements; and where the leaves' lanes
    // go. The elements behind the last whole vector are stored instead.
    std::int64_t* ends() noexcept { return ends_; }
    double* sums() noexcept { return &sums_[0][0]; }
    // Of all; `elements` holds the last ones in their places.
    double total(double const* elements) const noexcept {
        int next = 0;
        return join(elements, 0, n_, next);
    }

private:
    static constexpr int most_leaves = most_elements / 32;
    void cut(std::int64_t start, std::int64_t n) noexcept;
    double join(double const* elements, std::int64_t start, std::int64_t n, int& next) const noexcept;

    std::int64_t const n_;
    int nleaves_ = 0;
    std::int64_t ends_[most_leaves + 2];
    alignas(64) double sums_[most_leaves][lanes];
};

}  // namespace bascule::cpu
