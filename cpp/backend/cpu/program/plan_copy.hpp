// A plan with other operands than the one it was made from.
#pragma once
#include <algorithm>

#include "bascule/core/plan.hpp"

namespace bascule::cpu {

class plan_copy {
public:
    // change(operand) is called for every operand that is read or written, index(iota) for every iota.
    template <class Change, class Index>
    plan_copy(plan const& from, Change change, Index index) noexcept : copy_(from) {
        auto const changed = [&](plan_operand o) {
            change(o);
            return o;
        };
        std::transform(from.operands, from.operands + from.noperands, operands_, changed);
        for (int k = 0; k < from.niotas; ++k) index(iotas_[k] = from.iotas[k]);
        for (int k = 0; k < from.nstores; ++k) stores_[k] = {from.stores[k].value, changed(from.stores[k].out)};
        for (int k = 0; k < from.nreductions; ++k) {
            reductions_[k] = from.reductions[k];
            change(reductions_[k].out);
        }
        copy_.operands = operands_, copy_.iotas = iotas_, copy_.stores = stores_, copy_.reductions = reductions_;
    }
    plan_copy(plan_copy const&) = delete;
    plan_copy& operator=(plan_copy const&) = delete;
    plan const& get() const noexcept { return copy_; }
    void set_shape(std::int64_t const* shape) noexcept { copy_.shape = shape; }
    void set_reduced(std::uint8_t const* reduced) noexcept { copy_.reduced = reduced; }
    plan_operand& operand(int k) noexcept { return operands_[k]; }

private:
    plan copy_;
    plan_operand operands_[max_plan_operands];
    plan_iota iotas_[max_plan_values];
    plan_store stores_[max_plan_outputs];
    plan_reduction reductions_[max_plan_outputs];
};

}  // namespace bascule::cpu
