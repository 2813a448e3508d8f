// Running plans on the CPU.
#pragma once
#include "backend/cpu/leaf_sums.hpp"
#include "backend/cpu/program.hpp"
#include "bascule/core/backend.hpp"

namespace bascule::cpu {

status run_plan(plan const&, kernel_table const&) noexcept;
// The same on the calling thread alone.
status run_plan_here(plan const&, kernel_table const&) noexcept;

// Plans of core/backend.hpp's run_chain.
status run_by_rows(plan const* const* plans, int count, std::int64_t rows, kernel_table const&) noexcept;

// Runs a plan of one op over few flat elements; false: the plan is not of that kind, nothing was done.
bool run_single(plan const&, kernel_table const&) noexcept;
// The same for a plan of one reduction of few flat elements to one result.
bool fold_single(plan const&, kernel_table const&) noexcept;

// The part of run_plan for plans with reductions; stores in the same plan are written in the same pass.
status run_reductions(program const&) noexcept;

// Evaluates blocks and gathers what checked values raise. Where a product and a sum are one instruction, a careful
// program, compiled when it is first needed, tells which of them it was.
class checked_evaluator {
public:
    explicit checked_evaluator(program const& p, int arena = 0) noexcept : fast_(p, arena), program_(p) {
        if (p.inspects) __builtin_memset(flags_, 0, p.source->nvalues);
    }
    bool ready() const noexcept { return fast_.ready(); }
    evaluator& block(std::int64_t i, std::int64_t n) noexcept {
        if (fast_.block(i, n, flags_)) find_conditions(i, n);
        return fast_;
    }
    // Whatever that raises.
    evaluator& unchecked(std::int64_t i, std::int64_t n) noexcept {
        fast_.compute(i, n);
        return fast_;
    }
    // The sum of a block's values of a program whose code adds up what it computes: what that raises is not gathered.
    double sum(std::int64_t i, std::int64_t n, std::uint16_t value) noexcept {
        leaves_.cut_for(n);
        fast_.at[program_.leaf_ends] = reinterpret_cast<char*>(leaves_.ends());
        fast_.at[program_.leaf_sums] = reinterpret_cast<char*>(leaves_.sums());
        fast_.fold(i, n);
        return leaves_.total(reinterpret_cast<double const*>(fast_.at[value]));
    }
    // Gathers what the values of a block raise, one after the other, and shows them; false: there is no memory for it.
    using viewer = void (*)(void const* with, evaluator const&) noexcept;
    bool find_conditions(std::int64_t i, std::int64_t n, viewer = nullptr, void const* with = nullptr) noexcept;
    void report() const noexcept;  // or-s the flags into the plan's

private:
    evaluator fast_;
    program const& program_;
    std::uint8_t flags_[max_plan_values];
    leaf_sums leaves_;
};

void set_last_error(char const* text) noexcept;
char const* last_error_text() noexcept;

}  // namespace bascule::cpu
