// Reductions along a few innermost elements.
#pragma once
#include "bascule/core/plan.hpp"

namespace bascule::cpu {

// The same plan with its two innermost dimensions exchanged, where runs are so short that a tree adds them one by one
// and a kept dimension lies around them: whole rows of results are then folded side by side. Bits stay the same.
class across_short_runs {
public:
    explicit across_short_runs(plan const& source) noexcept;
    bool possible() const noexcept { return possible_; }
    plan const& get() const noexcept { return turned_; }

private:
    static constexpr int most_dims = 8;
    std::int64_t const* exchanged(std::int64_t const* strides) noexcept;
    plan_operand exchanged(plan_operand o) noexcept {
        o.strides = exchanged(o.strides);
        return o;
    }

    bool possible_ = false;
    plan turned_;
    int used_ = 0;
    std::int64_t shape_[most_dims];
    std::uint8_t reduced_[most_dims];
    std::int64_t strides_[2 * max_plan_operands + 2 * max_plan_outputs][most_dims];
    plan_operand operands_[max_plan_operands];
    plan_iota iotas_[max_plan_operands];
    plan_store stores_[max_plan_outputs];
    plan_reduction reductions_[max_plan_outputs];
};

}  // namespace bascule::cpu
