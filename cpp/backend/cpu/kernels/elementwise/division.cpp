#include "backend/cpu/kernels/elementwise/integer_division.hpp"
#include "backend/cpu/kernels/elementwise/scalar_division.hpp"
#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <type_id... Id> void add_integers(kernel_table& t) {
    (add_integer_divisions<element<Id>>(t, Id), ...);
    (add_scalar_divisions<element<Id>>(t, Id), ...);
}

// Of floating-point numbers whose quotient a double holds to the last digit before the point.
struct usual_division {
    template <class T> static bool in_fast_range(T a, T b) { return ops::math::fast::fmod_holds(a, b); }
};
struct usual_floor_divide : ops::floor_divide, usual_division {
    template <class T> static T fast(T a, T b) { return ops::math::fast::floor_divide(a, b); }
};
struct usual_remainder : ops::remainder, usual_division {
    template <class T> static T fast(T a, T b) { return ops::math::fast::remainder(a, b); }
};
struct usual_fmod : ops::fmod, usual_division {
    template <class T> static T fast(T a, T b) { return ops::math::fast::fmod(a, b); }
};

template <class Op, class Usual> void add_usual(kernel_table& t) {
    add_fast_binary<Usual, float>(t.op[ops::number<Op>][static_cast<int>(type_id::float32)]);
    add_fast_binary<Usual, double>(t.op[ops::number<Op>][static_cast<int>(type_id::float64)]);
}

}  // namespace

void fill_division(kernel_table& t) {
    using enum type_id;
    add_family(t, ops::division_ops{});
    add_usual<ops::floor_divide, usual_floor_divide>(t);
    add_usual<ops::remainder, usual_remainder>(t);
    add_usual<ops::fmod, usual_fmod>(t);
    add_integers<int8, uint8, int16, uint16, int32, uint32, int64, uint64>(t);
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
