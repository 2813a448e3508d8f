// The properties of an op that the CPU's compilers look up by its number: columns of the op table (ops/spec.hpp).
#pragma once
#include "bascule/ops/spec.hpp"

namespace bascule::cpu {

struct op_traits {
    ops::primitive computes;
    std::uint8_t nin;
    bool is_cast, is_counter;
    bool is_distribution;        // its kernels are found by the type of the result
    std::uint8_t status_covers;  // as the next, of ops::spec
    type_set exact_status;
    std::uint8_t raises, complex_raises, integers_raise;
    float cost;
};
op_traits const& traits_of(std::uint16_t op) noexcept;
std::uint16_t op_that_computes(ops::primitive) noexcept;

}  // namespace bascule::cpu
