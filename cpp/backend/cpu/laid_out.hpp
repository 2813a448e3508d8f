// Operands that are small and read over and over in an order that is not memory's.
#pragma once
#include "backend/cpu/kernels.hpp"
#include "backend/cpu/plan_copy.hpp"

namespace bascule::cpu {

// The same plan with such operands copied once into the order in which they are read, instead of block by block.
class laid_out {
public:
    static bool pays(plan const&) noexcept;
    laid_out(plan const&, kernel_table const&) noexcept;  // of a plan that it pays for
    ~laid_out();
    bool ready() const noexcept { return ready_; }  // false: out of memory
    plan const& get() const noexcept { return plan_.get(); }

private:
    static constexpr int most_dims = 8, most_operands = 4;
    void lay_out(plan_operand&, plan const&, kernel_table const&) noexcept;

    plan_copy plan_;
    bool ready_ = true;
    int count_ = 0;
    void* memory_[most_operands];
    std::int64_t strides_[most_operands][most_dims];
};

}  // namespace bascule::cpu
