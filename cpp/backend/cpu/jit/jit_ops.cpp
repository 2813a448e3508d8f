#include "backend/cpu/jit/jit_ops.hpp"

#include "backend/cpu/program/op_traits.hpp"

namespace bascule::cpu::jit {
namespace {

// Operations on float16 come from narrow() alone.
constexpr type_set vector_floats = set_of(type_id::float16, type_id::float32, type_id::float64),
                   vector_integers = set_of(type_id::int32, type_id::uint32, type_id::int64, type_id::uint64),
                   vector_numbers = vector_floats | vector_integers, bytes = set_of(type_id::int8, type_id::uint8),
                   narrow = set_of(type_id::int8, type_id::uint8, type_id::int16, type_id::uint16);

// The types that a primitive is written for.
type_set types_of(primitive p) noexcept {
    switch (p) {
        case primitive::add:
        case primitive::subtract:
        case primitive::negative:
        case primitive::positive:
        case primitive::maximum:
        case primitive::minimum:
        case primitive::fmax:
        case primitive::fmin:
        case primitive::clip:
        case primitive::where:
        case primitive::equal:
        case primitive::not_equal:
        case primitive::less:
        case primitive::less_equal:
        case primitive::greater:
        case primitive::greater_equal: return vector_numbers | bytes;
        case primitive::logical_and:
        case primitive::logical_or:
        case primitive::logical_xor:
        case primitive::logical_not: return vector_numbers | bytes | types::boolean;
        case primitive::bitwise_and:
        case primitive::bitwise_or:
        case primitive::bitwise_xor:
        case primitive::invert: return vector_integers | bytes | types::boolean;
        case primitive::multiply:
        case primitive::square: return vector_numbers;
        case primitive::multiply_add:
        case primitive::multiply_subtract:
        case primitive::subtract_multiply: return vector_numbers & ~bit(type_id::float16);
        case primitive::divide:
        case primitive::reciprocal:
        case primitive::sqrt:
        case primitive::floor:
        case primitive::ceil:
        case primitive::trunc:
        case primitive::rint:
        case primitive::copysign:
        case primitive::isnan:
        case primitive::isinf:
        case primitive::isfinite:
        case primitive::signbit: return vector_floats;
        case primitive::absolute: return vector_floats | set_of(type_id::int32, type_id::int64);
        case primitive::left_shift: return vector_integers | bytes;
        case primitive::right_shift: return vector_integers | bit(type_id::uint8);
        default: return 0;
    }
}

bool is_cast_written(type_id from, type_id to) noexcept {
    constexpr type_set simple = vector_numbers | types::boolean;
    if (from == to) return false;
    if (from == type_id::float16) return to == type_id::float32;
    if (to == type_id::float16) return from == type_id::float32;
    if (contains(vector_floats, from)) return contains(simple, to) && to != type_id::uint32 && to != type_id::uint64;
    if (contains(bytes, from) && contains(bytes | types::boolean, to)) return true;
    if (from == type_id::bool_ && contains(bytes, to)) return true;
    if (contains(narrow, from)) return contains(vector_numbers, to);
    return contains(simple, from) && (contains(simple, to) || (contains(narrow, to) && from != type_id::bool_));
}

// The processor's status records every overflow and underflow when it rounds to float16.
bool is_noted(step const& s) noexcept { return s.from == type_id::float32 && s.to == type_id::float16; }

// AVX2 has no conversions from reals to integers of 64 bits, and of these to float32 none that rounds once.
bool is_cast_by_avx2(type_id from, type_id to) noexcept {
    constexpr type_set far = set_of(type_id::int64, type_id::uint64);
    return !(is_float(from) && contains(far, to)) && !(contains(far, from) && to == type_id::float32);
}

}  // namespace

step step_of(program const& p, instruction const& i, instruction_set set) noexcept {
    step s{primitive::none, 0, i.type, p.source->values[i.value].dtype, i.d, {i.a, i.b, i.c}};
    if (i.op == op_add_add) {
        s.is = primitive::add_add, s.ninputs = 3;
    } else if (i.op == op_other || (reads_values(i.inspect) && !(traits_of(i.op).is_cast && is_noted(s)))) {
        return s;
    } else if (traits_of(i.op).is_cast) {
        s.ninputs = 1;
        if (is_cast_written(s.from, s.to) && (set == instruction_set::avx512 || is_cast_by_avx2(s.from, s.to)))
            s.is = primitive::cast;
    } else if (op_traits const& t = traits_of(i.op); contains(types_of(t.computes), i.type)) {
        s.is = t.computes, s.ninputs = t.nin;
    }
    return s;
}

}  // namespace bascule::cpu::jit
