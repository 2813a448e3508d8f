// Sums whose leaves are computed by the code that computes their elements, so that only the last few elements pass
// through memory. The tree above the leaves remains (ops/pairwise.hpp).
#pragma once
#include <cstdint>

namespace bascule::cpu {

class pairwise_sums {
public:
    static constexpr int most_elements = 16384, lanes = 8;

    // Where the leaves of n elements end and which of them are joined. The last lengths are remembered by the thread:
    // those of a long run's parts differ by a few elements, in all of its tasks.
    void cut_for(std::int64_t n) noexcept {
        cut_ = &cuts_[n / lanes % most_cuts];
        if (cut_->n != n) cut_->make(n);
    }
    // For the code: where the whole vectors of each leaf end, zero, the number of elements; and where the leaves' sums
    // go. The elements behind the last whole vector are stored instead.
    std::int64_t* ends() noexcept { return cut_->ends; }
    double* sums() noexcept { return sums_; }
    // Of all; `elements` holds the last ones at their positions. The leaves' sums are overwritten.
    double total(double const* elements) noexcept;

private:
    static constexpr int most_leaves = most_elements / 64, most_cuts = 4;
    struct cut {
        std::int64_t n = -1;
        int nleaves;
        std::int64_t ends[most_leaves + 2];
        std::uint8_t joins[most_leaves];  // how many sums end with each leaf
        bool even;                        // all leaves are the same number of halvings deep

        void make(std::int64_t length) noexcept;
        int part(std::int64_t start, std::int64_t length) noexcept;
    };
    static cut* known_cuts() noexcept;

    cut* const cuts_ = known_cuts();
    cut* cut_ = cuts_;
    double sums_[most_leaves];
};

}  // namespace bascule::cpu
