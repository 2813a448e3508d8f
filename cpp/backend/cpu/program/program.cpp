#include "backend/cpu/program/program.hpp"

#include <algorithm>

namespace bascule::cpu {

bool overwrites_input(plan const& source, plan_operand const& out) noexcept {
    return std::any_of(source.operands, source.operands + source.noperands,
                       [&](plan_operand const& o) { return o.base == out.base; });
}

}  // namespace bascule::cpu
