#include "backend/cpu/jit/forms.hpp"

#include <cstring>

#include "bascule/ops/table.hpp"

namespace bascule::cpu::jit {
namespace {

// Operations on float16 come from narrow() alone.
constexpr type_set vector_floats = set_of(type_id::float16, type_id::float32, type_id::float64),
                   vector_integers = set_of(type_id::int32, type_id::uint32, type_id::int64, type_id::uint64),
                   vector_numbers = vector_floats | vector_integers, bytes = set_of(type_id::int8, type_id::uint8),
                   narrow = set_of(type_id::int8, type_id::uint8, type_id::int16, type_id::uint16);

struct named_form {
    char const* name;
    form is;
    std::uint8_t ninputs;
    type_set types;  // that it is written for
};
constexpr named_form forms[] = {
    {"add", form::add, 2, vector_numbers | bytes},
    {"subtract", form::subtract, 2, vector_numbers | bytes},
    {"multiply", form::multiply, 2, vector_numbers},
    {"divide", form::divide, 2, vector_floats},
    {"bitwise_and", form::bitwise_and, 2, vector_integers | bytes | types::boolean},
    {"bitwise_or", form::bitwise_or, 2, vector_integers | bytes | types::boolean},
    {"bitwise_xor", form::bitwise_xor, 2, vector_integers | bytes | types::boolean},
    {"left_shift", form::left_shift, 2, vector_integers | bytes},
    {"right_shift", form::right_shift, 2, vector_integers | bit(type_id::uint8)},
    {"sqrt", form::square_root, 1, vector_floats},
    {"absolute", form::absolute, 1, vector_floats | set_of(type_id::int32, type_id::int64)},
    {"fabs", form::absolute, 1, vector_floats},
    {"negative", form::negative, 1, vector_numbers | bytes},
    {"square", form::square, 1, vector_numbers},
    {"reciprocal", form::reciprocal, 1, vector_floats},
    {"floor", form::floor, 1, vector_floats},
    {"ceil", form::ceil, 1, vector_floats},
    {"trunc", form::trunc, 1, vector_floats},
    {"rint", form::rint, 1, vector_floats},
    {"positive", form::positive, 1, vector_numbers | bytes},
    {"invert", form::invert, 1, vector_integers | bytes | types::boolean},
    {"copysign", form::copysign, 2, vector_floats},
    {"maximum", form::maximum, 2, vector_numbers | bytes},
    {"minimum", form::minimum, 2, vector_numbers | bytes},
    {"fmax", form::fmax, 2, vector_numbers | bytes},
    {"fmin", form::fmin, 2, vector_numbers | bytes},
    {"clip", form::clip, 3, vector_numbers | bytes},
    {"where", form::where, 3, vector_numbers | bytes},
    {"equal", form::equal, 2, vector_numbers | bytes},
    {"not_equal", form::not_equal, 2, vector_numbers | bytes},
    {"less", form::less, 2, vector_numbers | bytes},
    {"less_equal", form::less_equal, 2, vector_numbers | bytes},
    {"greater", form::greater, 2, vector_numbers | bytes},
    {"greater_equal", form::greater_equal, 2, vector_numbers | bytes},
    {"logical_and", form::logical_and, 2, vector_numbers | bytes | types::boolean},
    {"logical_or", form::logical_or, 2, vector_numbers | bytes | types::boolean},
    {"logical_xor", form::logical_xor, 2, vector_numbers | bytes | types::boolean},
    {"logical_not", form::logical_not, 1, vector_numbers | bytes | types::boolean},
    {"isnan", form::isnan, 1, vector_floats},
    {"isinf", form::isinf, 1, vector_floats},
    {"isfinite", form::isfinite, 1, vector_floats},
    {"signbit", form::signbit, 1, vector_floats},
    {"muladd", form::multiply_add, 3, vector_numbers & ~bit(type_id::float16)},
    {"mulsub", form::multiply_subtract, 3, vector_numbers & ~bit(type_id::float16)},
    {"submul", form::subtract_multiply, 3, vector_numbers & ~bit(type_id::float16)},
};

struct all_forms {
    named_form const* of[max_ops] = {};
    all_forms() noexcept {
        for (int op = 0; op < ops::op_count; ++op)
            for (named_form const& f : forms)
                if (std::strcmp(f.name, ops::table[op].name) == 0) of[op] = &f;
    }
};
all_forms const known;

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

// The machine notes all that is too large, or inexact and too small, when it rounds to float16.
bool is_noted(step const& s) noexcept { return s.from == type_id::float32 && s.to == type_id::float16; }

// AVX2 has no conversions from reals to integers of 64 bits, and of these to float32 none that rounds once.
bool is_cast_by_avx2(type_id from, type_id to) noexcept {
    constexpr type_set far = set_of(type_id::int64, type_id::uint64);
    return !(is_float(from) && contains(far, to)) && !(contains(far, from) && to == type_id::float32);
}

}  // namespace

step step_of(program const& p, instruction const& i, instruction_set set) noexcept {
    step s{form::none, 0, i.type, p.source->values[i.value].dtype, i.d, {i.a, i.b, i.c}};
    if (i.op == op_sum_of_three) {
        s.is = form::sum_of_three, s.ninputs = 3;
    } else if (i.op == op_other || (reads_values(i.inspect) && !(traits_of(i.op).is_cast && is_noted(s)))) {
        return s;
    } else if (traits_of(i.op).is_cast) {
        s.ninputs = 1;
        if (is_cast_written(s.from, s.to) && (set == instruction_set::avx512 || is_cast_by_avx2(s.from, s.to)))
            s.is = form::cast;
    } else if (named_form const* const f = known.of[i.op]; f && contains(f->types, i.type)) {
        s.is = f->is, s.ninputs = f->ninputs;
    }
    return s;
}

}  // namespace bascule::cpu::jit
