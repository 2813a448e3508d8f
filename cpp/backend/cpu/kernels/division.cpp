#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/integer_division.hpp"
#include "backend/cpu/kernels/parts.hpp"
#include "backend/cpu/kernels/scalar_division.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <type_id... Id> void add_integers(kernel_table& t) {
    (add_integer_divisions<element<Id>>(t, Id), ...);
    (add_scalar_divisions<element<Id>>(t, Id), ...);
}

}  // namespace

void fill_division(kernel_table& t) {
    using enum type_id;
    add_family(t, ops::division_ops{});
    add_integers<int8, uint8, int16, uint16, int32, uint32, int64, uint64>(t);
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
