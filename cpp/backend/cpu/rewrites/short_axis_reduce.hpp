// Reductions along a few innermost elements.
#pragma once
#include "backend/cpu/program/plan_copy.hpp"

namespace bascule::cpu {

// The same plan with its two innermost dimensions exchanged, where runs are so short that a tree adds them one by one
// and a kept dimension is the next one outwards: whole rows of results are then reduced together. Bits stay the same.
class short_axis_reduction {
public:
    static bool applies(plan const&) noexcept;
    explicit short_axis_reduction(plan const& source) noexcept;  // a possible one
    plan const& get() const noexcept { return exchanged_.get(); }

private:
    static constexpr int most_dims = 8;
    std::int64_t const* exchanged(std::int64_t const* strides, int ndim) noexcept;

    int used_ = 0;
    std::int64_t shape_[most_dims];
    std::uint8_t reduced_[most_dims];
    std::int64_t strides_[2 * max_plan_operands + 2 * max_plan_outputs][most_dims];
    plan_copy exchanged_;
};

}  // namespace bascule::cpu
