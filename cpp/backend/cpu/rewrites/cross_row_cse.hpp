// Common subexpressions of neighbouring rows, computed once.
#pragma once
#include "bascule/core/plan.hpp"

namespace bascule::cpu {

struct program;

// A plan in which values computed for one row serve the rows that follow, as in stencils written with slices: a few
// rows become values of one plan, in which such a value occurs once. Bits and floating-point errors stay the same.
class cross_row_cse {
public:
    static constexpr int rows = 8;

    static bool applies(plan const&) noexcept;
    explicit cross_row_cse(plan const& source) noexcept;  // a possible one
    // Whether so many values are shared that it is worth it; else there is no plan.
    bool pays() const noexcept { return pays_; }
    // Of all rows, except the last few if their number is not a multiple: then, once it ran, of as many rows at the
    // end.
    plan const& get() const noexcept { return plan_; }
    bool move_to_last() noexcept;                // false: there are none
    void move_to_last(program&) const noexcept;  // the same for the program that was compiled from the plan
    void report() const noexcept;                // or-s the floating-point errors into the source's

private:
    void find_below() noexcept;
    bool is_below(int v, int w) const noexcept;
    bool shares_enough() const noexcept;
    bool build_rows() noexcept;
    bool put(int row, int v) noexcept;
    plan_operand moved(plan_operand const&, int row, std::int64_t* strides) const noexcept;

    static constexpr std::int16_t nowhere = -1;
    plan const& source_;
    plan plan_;
    bool pays_;
    std::int64_t shape_[2];
    std::int16_t below_[max_plan_values];  // of each value of the source, the one that is the same of the next row
    std::uint16_t at_[rows][max_plan_values];
    plan_operand operands_[max_plan_operands];
    plan_value values_[max_plan_values];
    plan_store stores_[max_plan_outputs];
    std::int64_t strides_[max_plan_operands + max_plan_outputs][2];
    std::uint32_t flags_[max_plan_values] = {};
};

}  // namespace bascule::cpu
