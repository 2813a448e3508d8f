// Operands that are small and read over and over in an order that is not memory's.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"
#include "backend/cpu/program/plan_copy.hpp"

namespace bascule::cpu {

// The same plan with such operands copied once into the order in which they are read, instead of block by block.
class packed_operands {
public:
    static bool applies(plan const&) noexcept;
    packed_operands(plan const&, kernel_table const&) noexcept;  // of a plan that it pays for
    ~packed_operands();
    bool ready() const noexcept { return ready_; }  // false: out of memory
    plan const& get() const noexcept { return plan_.get(); }

private:
    static constexpr int most_dims = 8, most_operands = 4;
    void pack(plan_operand&, plan const&, kernel_table const&) noexcept;

    plan_copy plan_;
    bool ready_ = true;
    int count_ = 0;
    void* memory_[most_operands];
    std::int64_t strides_[most_operands][most_dims];
};

}  // namespace bascule::cpu
