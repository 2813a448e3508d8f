// The instructions for each step.
#include "backend/cpu/jit/codegen.hpp"
#include "backend/cpu/jit/encodings.hpp"
#include "bascule/ops/float16_conversion.hpp"

namespace bascule::cpu::jit {
namespace {

using namespace encodings;

// Instructions of two inputs, by element type: float32, float64, integers of 32, 64 and 8 bits, signed and unsigned,
// float16.
struct binary_encodings {
    primitive is;
    encoding f32, f64, i32, i64, u32, u64, i8, u8, f16{};
};
constexpr encoding nothing{0, prefix::none, 0, 0};
constexpr encoding none(std::uint8_t w, std::uint8_t opcode) { return {1, w ? prefix::p66 : prefix::none, w, opcode}; }
constexpr encoding of_half(std::uint8_t opcode) { return {5, prefix::none, 0, opcode}; }
constexpr encoding of66(std::uint8_t map, std::uint8_t w, std::uint8_t opcode) { return {map, prefix::p66, w, opcode}; }
constexpr binary_encodings binaries[] = {
    {primitive::add, none(0, 0x58), none(1, 0x58), of66(1, 0, 0xfe), of66(1, 1, 0xd4), of66(1, 0, 0xfe),
     of66(1, 1, 0xd4), of66(1, 0, 0xfc), of66(1, 0, 0xfc), of_half(0x58)},
    {primitive::subtract, none(0, 0x5c), none(1, 0x5c), of66(1, 0, 0xfa), of66(1, 1, 0xfb), of66(1, 0, 0xfa),
     of66(1, 1, 0xfb), of66(1, 0, 0xf8), of66(1, 0, 0xf8), of_half(0x5c)},
    {primitive::multiply, none(0, 0x59), none(1, 0x59), of66(2, 0, 0x40), of66(2, 1, 0x40), of66(2, 0, 0x40),
     of66(2, 1, 0x40), nothing, nothing, of_half(0x59)},
    {primitive::divide, none(0, 0x5e), none(1, 0x5e), nothing, nothing, nothing, nothing, nothing, nothing,
     of_half(0x5e)},
    {primitive::bitwise_and, nothing, nothing, bit_and[0], bit_and[1], bit_and[0], bit_and[1], bit_and[0], bit_and[0]},
    {primitive::bitwise_or, nothing, nothing, bit_or[0], bit_or[1], bit_or[0], bit_or[1], bit_or[0], bit_or[0]},
    {primitive::bitwise_xor, nothing, nothing, bit_xor[0], bit_xor[1], bit_xor[0], bit_xor[1], bit_xor[0], bit_xor[0]},
    {primitive::left_shift, nothing, nothing, of66(2, 0, 0x47), of66(2, 1, 0x47), of66(2, 0, 0x47), of66(2, 1, 0x47),
     nothing, nothing},
    {primitive::right_shift, nothing, nothing, of66(2, 0, 0x46), of66(2, 1, 0x46), of66(2, 0, 0x45), of66(2, 1, 0x45),
     nothing, nothing},
    {primitive::maximum, nothing, nothing, of66(2, 0, 0x3d), of66(2, 1, 0x3d), of66(2, 0, 0x3f), of66(2, 1, 0x3f),
     of66(2, 0, 0x3c), of66(1, 0, 0xde)},
    {primitive::minimum, nothing, nothing, of66(2, 0, 0x39), of66(2, 1, 0x39), of66(2, 0, 0x3b), of66(2, 1, 0x3b),
     of66(2, 0, 0x38), of66(1, 0, 0xda)},
};

encoding encoding_of(primitive f, type_id t) noexcept {
    for (binary_encodings const& b : binaries) {
        if (b.is != f) continue;
        switch (t) {
            case type_id::float32: return b.f32;
            case type_id::float64: return b.f64;
            case type_id::int32: return b.i32;
            case type_id::int64: return b.i64;
            case type_id::uint32: return b.u32;
            case type_id::uint64: return b.u64;
            case type_id::int8: return b.i8;
            case type_id::uint8: return b.u8;
            case type_id::float16: return b.f16;
            default: return nothing;
        }
    }
    return nothing;
}

struct cast_encoding {
    type_id from, to;
    encoding code;
};
constexpr encoding of_f3(std::uint8_t map, std::uint8_t w, std::uint8_t opcode) {
    return {map, prefix::pf3, w, opcode};
}
constexpr encoding of_f2(std::uint8_t w, std::uint8_t opcode) { return {1, prefix::pf2, w, opcode}; }
constexpr cast_encoding casts[] = {
    {type_id::float32, type_id::float64, none(0, 0x5a)},
    {type_id::float64, type_id::float32, none(1, 0x5a)},
    {type_id::int32, type_id::float64, of_f3(1, 0, 0xe6)},
    {type_id::int32, type_id::float32, none(0, 0x5b)},
    {type_id::int64, type_id::float64, of_f3(1, 1, 0xe6)},
    {type_id::int64, type_id::float32, {1, prefix::none, 1, 0x5b}},
    {type_id::uint32, type_id::float64, of_f3(1, 0, 0x7a)},
    {type_id::uint32, type_id::float32, of_f2(0, 0x7a)},
    {type_id::uint64, type_id::float64, of_f3(1, 1, 0x7a)},
    {type_id::uint64, type_id::float32, of_f2(1, 0x7a)},
    {type_id::float64, type_id::int64, of66(1, 1, 0x7a)},
    {type_id::float32, type_id::int64, of66(1, 0, 0x7a)},
    {type_id::float64, type_id::int32, of66(1, 1, 0xe6)},
    {type_id::float32, type_id::int32, of_f3(1, 0, 0x5b)},
};

}  // namespace

void codegen::arithmetic(step const& s) noexcept {
    int a[3] = {};
    for (int k = 0; k < s.ninputs; ++k) a[k] = in_vector(s.inputs[k]);
    int const d = vector_for(s.result);
    switch (s.is) {
        case primitive::multiply_add:
            binary(primitive::multiply, s.from, d, a[0], a[1]);
            return binary(primitive::add, s.from, d, d, a[2]);
        case primitive::multiply_subtract:
            binary(primitive::multiply, s.from, d, a[0], a[1]);
            return binary(primitive::subtract, s.from, d, d, a[2]);
        case primitive::subtract_multiply:
            binary(primitive::multiply, s.from, d, a[1], a[2]);
            return binary(primitive::subtract, s.from, d, a[0], d);
        case primitive::add_add:
            binary(primitive::add, s.from, d, a[0], a[1]);
            return binary(primitive::add, s.from, d, d, a[2]);
        case primitive::clip:
            extremum(primitive::maximum, s.from, d, a[0], a[1], text_.number[s.inputs[1]]);
            return extremum(primitive::minimum, s.from, d, d, a[2], text_.number[s.inputs[2]]);
        case primitive::maximum:
        case primitive::minimum:
        case primitive::fmax:
        case primitive::fmin: return extremum(s.is, s.from, d, a[0], a[1], text_.number[s.inputs[1]]);
        default: break;
    }
    if (shifts_bytes(s)) return shift_bytes(s, d, a[0]);
    if (s.is == primitive::divide && s.from != type_id::float16) return quotient(s, d, a[0]);
    if (s.ninputs == 2 && s.is != primitive::copysign) return binary(s.is, s.from, d, a[0], a[1]);
    if (s.ninputs == 1) return unary(s, d, a[0]);
    join_sign(s.from, d, a[0], a[1]);  // copysign
}

void codegen::binary(primitive f, type_id t, int d, int a, int b) noexcept {
    encoding const e = encoding_of(f, t);
    failed_ |= e.map == 0;
    to_->vector(e, bytes_of(t), d, a, operand::of(b));
}

void codegen::unary(step const& s, int d, int a) noexcept {
    type_id const t = s.from;
    int const n = bytes_of(t), w = wide(t);
    operand const x = operand::of(a);
    auto const round = [&](int how) {
        to_->vector(float_round[kind_of(t)], n, d, x);
        to_->immediate(how);
    };
    switch (s.is) {
        case primitive::square: return binary(primitive::multiply, t, d, a, a);
        case primitive::sqrt: return root(t, d, a);
        case primitive::floor: return round(downward);
        case primitive::ceil: return round(upward);
        case primitive::trunc: return round(to_zero);
        case primitive::rint: return round(to_nearest);
        case primitive::positive: return to_->vector(w ? move_wide : move, n, d, x);
        case primitive::invert: return invert(t, d, a);
        case primitive::absolute:
            if (!is_float(t)) return absolute(t, d, a);
            return to_->vector_repeated(bit_and[w], n, d, a, operand::constant(to_->constant(~sign_bits(t))));
        case primitive::negative:
            if (is_float(t))
                return to_->vector_repeated(bit_xor[w], n, d, a, operand::constant(to_->constant(sign_bits(t))));
            to_->vector(bit_xor[w], n, d, d, operand::of(d));
            return binary(primitive::subtract, t, d, d, a);
        case primitive::reciprocal:
            to_->vector(repeat[w + 2], n, d, operand::constant(constant_of(t, 1)));
            return binary(primitive::divide, t, d, d, a);
        default: failed_ = true;
    }
}

// The bits of a number in all lanes of eight bytes.
int codegen::constant_of(type_id t, double x) noexcept {
    if (itemsize(t) == 8) return to_->constant(__builtin_bit_cast(std::uint64_t, x));
    if (t == type_id::float16) return to_->constant(ops::to_float16(x).bits * 0x0001000100010001u);
    std::uint64_t const half = __builtin_bit_cast(std::uint32_t, static_cast<float>(x));
    return to_->constant(half << 32 | half);
}

void codegen::comparison(step const& s) noexcept {
    int const a = in_vector(s.inputs[0]), b = s.ninputs == 2 ? in_vector(s.inputs[1]) : a, k = mask_for(s.result);
    if (s.ninputs == 2) compare(s.is, s.from, k, a, b);
    else classify(s.is, s.from, k, a);
}

// A mask of the nonzero elements: a boolean's own, or the given one.
int codegen::boolean(int slot, int temporary) noexcept {
    type_id const t = text_.type[slot];
    if (t == type_id::bool_) return in_mask(slot);
    test(t, temporary, in_vector(slot));
    return temporary;
}

void codegen::logic(step const& s) noexcept {
    int const k = mask_for(s.result), other = s.ninputs == 2 ? new_mask(taken) : k;
    int const a = boolean(s.inputs[0], k), b = s.ninputs == 2 ? boolean(s.inputs[1], other) : a;
    combine(s.is, k, a, b);
    if (s.ninputs == 2) free_mask(other);
}

void codegen::select(step const& s) noexcept {
    int const k = in_mask(s.inputs[0]), a = in_vector(s.inputs[1]), b = in_vector(s.inputs[2]);
    choose(s.from, vector_for(s.result), k, a, b);
}

void codegen::convert(step const& s) noexcept {
    if (s.to == type_id::bool_) {
        int const k = mask_for(s.result);
        boolean(s.inputs[0], k);
        return;
    }
    if (s.from == type_id::bool_) {
        int const k = in_mask(s.inputs[0]), d = vector_for(s.result);
        if (itemsize(s.to) == 1) write_boolean(d, k);
        else numbers_of_boolean(s.to, d, k);
        return;
    }
    int const n = bytes_of(itemsize(s.from) > itemsize(s.to) ? s.from : s.to);
    int const a = in_vector(s.inputs[0]), d = vector_for(s.result);
    if (s.to == type_id::float16) return narrow_to_half(s, d, a);
    if (s.from == type_id::float16) return widen_half(s, d, a);
    if (make_real(s.from, s.to, d, a)) return;
    for (cast_encoding const& c : casts)
        if (c.from == s.from && c.to == s.to) return to_->vector(c.code, n, d, operand::of(a));
    type_id const whole = is_float(s.to) ? type_id::int32 : s.to;  // narrow integers become real through int32
    widen(s.from, whole, d, a);
    if (!is_float(s.to)) return;
    for (cast_encoding const& c : casts)
        if (c.from == type_id::int32 && c.to == s.to) return to_->vector(c.code, n, d, operand::of(d));
    failed_ = true;
}

// Integers of one size from another: extended by the sign of their former type, or cut.
void codegen::widen(type_id from, type_id to, int d, int a) noexcept {
    if (itemsize(from) > itemsize(to)) return narrow(from, to, d, a);
    if (itemsize(from) == itemsize(to))
        return to_->vector(wide(to) ? move_wide : move, bytes_of(to), d, operand::of(a));
    encoding const e = widening(itemsize(from), itemsize(to), is_signed_integer(from));
    failed_ |= e.map == 0;
    to_->vector(e, bytes_of(to), d, operand::of(a));
}

}  // namespace bascule::cpu::jit
