#include "backend/cpu/program/op_traits.hpp"

#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::cpu {
namespace {

struct all_traits {
    op_traits of[max_ops];
    std::uint16_t number[static_cast<int>(ops::primitive::count)];

    all_traits() noexcept : of{}, number{} {
        for (int op = ops::op_count; op-- > 0;) describe(op, ops::table[op]);
    }

    void describe(int op, ops::spec const& s) noexcept {
        of[op] = {s.computes,
                  static_cast<std::uint8_t>(s.nin),
                  s.call == ops::form::cast,
                  s.call == ops::form::counter,
                  s.call == ops::form::sample,
                  s.status_covers,
                  s.exact_status,
                  s.raises,
                  ops::raised_by(s, true),
                  s.integers_raise,
                  s.cost};
        number[static_cast<int>(s.computes)] = static_cast<std::uint16_t>(op);
    }
};

all_traits const traits;

}  // namespace

op_traits const& traits_of(std::uint16_t op) noexcept { return traits.of[op]; }
std::uint16_t op_that_computes(ops::primitive p) noexcept { return traits.number[static_cast<int>(p)]; }

}  // namespace bascule::cpu
