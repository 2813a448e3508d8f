// Products and sums that name no rounding: the assembler is free to make one instruction of both, with one rounding,
// and here it always does, so that results that depend on it differ from those of separate roundings.
#pragma once
#include "machine.hpp"

#include <map>

namespace bascule::ptx {

class contraction {
public:
    void forget() { products_.clear(); }  // at a label or a branch
    // Turns a sum into a fused one where an operand is a product, and remembers a product.
    void look_at(statement const& s, instruction& i, std::vector<std::uint32_t> const& lists);

private:
    struct product {
        std::uint32_t a, b;
        ptx::type type;
    };
    void forget_uses_of(std::uint32_t slot);
    std::map<std::uint32_t, product> products_{};  // by the slot of the result
};

// Of a * b + c, a * b - c and c - a * b.
handler find_fused(type t, bool subtracts, bool product_is_second);

}  // namespace bascule::ptx
