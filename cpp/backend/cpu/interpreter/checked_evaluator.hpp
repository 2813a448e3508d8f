// An evaluator that gathers floating-point errors.
#pragma once
#include "backend/cpu/interpreter/evaluator.hpp"
#include "backend/cpu/program/pairwise_sums.hpp"

namespace bascule::cpu {

// Evaluates blocks and collects the errors of checked values. Where a product and a sum are one instruction, a careful
// program, compiled when it is first needed, finds which of them raised an error.
class checked_evaluator {
public:
    explicit checked_evaluator(program const& p, int arena = 0) noexcept : fast_(p, arena), program_(p) {
        if (p.inspects) __builtin_memset(flags_, 0, p.source->nvalues);
    }
    bool ready() const noexcept { return fast_.ready(); }
    evaluator& block(std::int64_t i, std::int64_t n) noexcept {
        if (fast_.block(i, n, flags_)) find_fp_errors(i, n);
        return fast_;
    }
    // Computes without looking for errors.
    evaluator& unchecked(std::int64_t i, std::int64_t n) noexcept {
        fast_.compute(i, n);
        return fast_;
    }
    // The sum of a block's values of a program whose code sums its own results: the errors of the sum are not
    // collected.
    double sum(std::int64_t i, std::int64_t n, std::uint16_t value) noexcept {
        leaves_.cut_for(n);
        fast_.at[program_.leaf_ends] = reinterpret_cast<char*>(leaves_.ends());
        fast_.at[program_.pairwise_sums] = reinterpret_cast<char*>(leaves_.sums());
        fast_.reduce(i, n);
        return leaves_.total(reinterpret_cast<double const*>(fast_.at[value]));
    }
    // Collects the errors of the values of a block, one after the other, and shows the values; false: there is no
    // memory for it.
    using viewer = void (*)(void const* with, evaluator const&) noexcept;
    bool find_fp_errors(std::int64_t i, std::int64_t n, viewer = nullptr, void const* with = nullptr) noexcept;
    void report() const noexcept;  // or-s the flags into the plan's

private:
    evaluator fast_;
    program const& program_;
    std::uint8_t flags_[max_plan_values];
    pairwise_sums leaves_;
};

}  // namespace bascule::cpu
