// Sums of a few computed elements each.
#pragma once
#include "bascule/core/plan.hpp"

namespace bascule::cpu {

// A plan that adds up its innermost dimension, one element after the other, unrolled: every element is a value of its
// own, in a plan without a reduction, which stores the sums. Bits and floating-point errors stay the same.
class unrolled_reduction {
public:
    static bool applies(plan const&) noexcept;
    explicit unrolled_reduction(plan const& source) noexcept;  // a possible one
    plan const& get() const noexcept { return plan_; }
    void report() const noexcept;  // or-s the floating-point errors into the source's

private:
    using numbers = std::uint16_t[max_plan_values];
    void unroll(int v) noexcept;
    std::uint16_t put(plan_value const&, int from) noexcept;
    std::uint16_t add(std::uint16_t a, std::uint16_t b) noexcept;

    plan const& source_;
    std::int64_t const run_;
    plan plan_;
    plan_operand operands_[max_plan_operands];
    plan_iota iotas_[max_plan_operands];
    plan_constant constants_[max_plan_values];
    plan_value values_[max_plan_values];
    plan_store store_;
    std::uint16_t from_[max_plan_values];  // of each value, in the source; its number of values: the sum
    std::uint32_t flags_[max_plan_values] = {};
    static constexpr int longest_run = 7;  // the tree adds these one by one
    numbers at_[longest_run];              // the value that replaces one of the source at each element of a run
};

}  // namespace bascule::cpu
