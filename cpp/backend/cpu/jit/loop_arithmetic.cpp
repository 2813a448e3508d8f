// What each step becomes.
#include "backend/cpu/jit/encodings.hpp"
#include "backend/cpu/jit/loop_writer.hpp"
#include "bascule/ops/float16_conversion.hpp"

namespace bascule::cpu::jit {
namespace {

using namespace encodings;

// Instructions of two inputs, by element type: float32, float64, integers of 32, 64 and 8 bits, signed and unsigned,
// float16.
struct binary_encodings {
    form is;
    encoding f32, f64, i32, i64, u32, u64, i8, u8, f16{};
};
constexpr encoding nothing{0, prefix::none, 0, 0};
constexpr encoding none(std::uint8_t w, std::uint8_t opcode) { return {1, w ? prefix::p66 : prefix::none, w, opcode}; }
constexpr encoding of_half(std::uint8_t opcode) { return {5, prefix::none, 0, opcode}; }
constexpr encoding of66(std::uint8_t map, std::uint8_t w, std::uint8_t opcode) { return {map, prefix::p66, w, opcode}; }
constexpr binary_encodings binaries[] = {
    {form::add, none(0, 0x58), none(1, 0x58), of66(1, 0, 0xfe), of66(1, 1, 0xd4), of66(1, 0, 0xfe), of66(1, 1, 0xd4),
     of66(1, 0, 0xfc), of66(1, 0, 0xfc), of_half(0x58)},
    {form::subtract, none(0, 0x5c), none(1, 0x5c), of66(1, 0, 0xfa), of66(1, 1, 0xfb), of66(1, 0, 0xfa),
     of66(1, 1, 0xfb), of66(1, 0, 0xf8), of66(1, 0, 0xf8), of_half(0x5c)},
    {form::multiply, none(0, 0x59), none(1, 0x59), of66(2, 0, 0x40), of66(2, 1, 0x40), of66(2, 0, 0x40),
     of66(2, 1, 0x40), nothing, nothing, of_half(0x59)},
    {form::divide, none(0, 0x5e), none(1, 0x5e), nothing, nothing, nothing, nothing, nothing, nothing, of_half(0x5e)},
    {form::bitwise_and, nothing, nothing, bit_and[0], bit_and[1], bit_and[0], bit_and[1], bit_and[0], bit_and[0]},
    {form::bitwise_or, nothing, nothing, bit_or[0], bit_or[1], bit_or[0], bit_or[1], bit_or[0], bit_or[0]},
    {form::bitwise_xor, nothing, nothing, bit_xor[0], bit_xor[1], bit_xor[0], bit_xor[1], bit_xor[0], bit_xor[0]},
    {form::left_shift, nothing, nothing, of66(2, 0, 0x47), of66(2, 1, 0x47), of66(2, 0, 0x47), of66(2, 1, 0x47),
     nothing, nothing},
    {form::right_shift, nothing, nothing, of66(2, 0, 0x46), of66(2, 1, 0x46), of66(2, 0, 0x45), of66(2, 1, 0x45),
     nothing, nothing},
    {form::maximum, nothing, nothing, of66(2, 0, 0x3d), of66(2, 1, 0x3d), of66(2, 0, 0x3f), of66(2, 1, 0x3f),
     of66(2, 0, 0x3c), of66(1, 0, 0xde)},
    {form::minimum, nothing, nothing, of66(2, 0, 0x39), of66(2, 1, 0x39), of66(2, 0, 0x3b), of66(2, 1, 0x3b),
     of66(2, 0, 0x38), of66(1, 0, 0xda)},
};

encoding encoding_of(form f, type_id t) noexcept {
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

void loop_writer::arithmetic(step const& s) noexcept {
    int a[3] = {};
    for (int k = 0; k < s.ninputs; ++k) a[k] = in_vector(s.inputs[k]);
    int const d = vector_for(s.result);
    switch (s.is) {
        case form::multiply_add:
            binary(form::multiply, s.from, d, a[0], a[1]);
            return binary(form::add, s.from, d, d, a[2]);
        case form::multiply_subtract:
            binary(form::multiply, s.from, d, a[0], a[1]);
            return binary(form::subtract, s.from, d, d, a[2]);
        case form::subtract_multiply:
            binary(form::multiply, s.from, d, a[1], a[2]);
            return binary(form::subtract, s.from, d, a[0], d);
        case form::sum_of_three: binary(form::add, s.from, d, a[0], a[1]); return binary(form::add, s.from, d, d, a[2]);
        case form::clip:
            extremum(form::maximum, s.from, d, a[0], a[1]);
            return extremum(form::minimum, s.from, d, d, a[2]);
        case form::maximum:
        case form::minimum:
        case form::fmax:
        case form::fmin: return extremum(s.is, s.from, d, a[0], a[1]);
        default: break;
    }
    if (shifts_bytes(s)) return shift_bytes(s, d, a[0]);
    if (s.is == form::divide && s.from != type_id::float16) return quotient(s, d, a[0]);
    if (s.ninputs == 2 && s.is != form::copysign) return binary(s.is, s.from, d, a[0], a[1]);
    if (s.ninputs == 1) return unary(s, d, a[0]);
    // copysign: the size of the first under the sign of the second
    int const bits = to_->constant(~sign_bits(s.from));
    to_->vector(repeat[2 + wide(s.from)], bytes_of(s.from), d, operand::constant(bits));
    to_->vector(bit_choice[wide(s.from)], bytes_of(s.from), d, a[0], operand::of(a[1]));
    to_->immediate(second_where_first_else_third);
}

void loop_writer::binary(form f, type_id t, int d, int a, int b) noexcept {
    encoding const e = encoding_of(f, t);
    failed_ |= e.map == 0;
    to_->vector(e, bytes_of(t), d, a, operand::of(b));
}

void loop_writer::unary(step const& s, int d, int a) noexcept {
    type_id const t = s.from;
    int const n = bytes_of(t), w = wide(t);
    operand const x = operand::of(a);
    auto const round = [&](int how) {
        to_->vector(float_round[kind_of(t)], n, d, x);
        to_->immediate(how);
    };
    switch (s.is) {
        case form::square: return binary(form::multiply, t, d, a, a);
        case form::square_root: return root(t, d, a);
        case form::floor: return round(downward);
        case form::ceil: return round(upward);
        case form::trunc: return round(to_zero);
        case form::rint: return round(to_nearest);
        case form::positive: return to_->vector(w ? move_wide : move, n, d, x);
        case form::invert: to_->vector(bit_choice[w], n, d, a, x); return to_->immediate(complement_of_third);
        case form::absolute:
            if (!is_float(t)) return to_->vector(signed_absolute[w], n, d, x);
            return to_->vector_repeated(bit_and[w], n, d, a, operand::constant(to_->constant(~sign_bits(t))));
        case form::negative:
            if (is_float(t))
                return to_->vector_repeated(bit_xor[w], n, d, a, operand::constant(to_->constant(sign_bits(t))));
            to_->vector(bit_xor[w], n, d, d, operand::of(d));
            return binary(form::subtract, t, d, d, a);
        case form::reciprocal:
            to_->vector(repeat[w + 2], n, d, operand::constant(constant_of(t, 1)));
            return binary(form::divide, t, d, d, a);
        default: failed_ = true;
    }
}

// The bits of a number in all lanes of eight bytes.
int loop_writer::constant_of(type_id t, double x) noexcept {
    if (itemsize(t) == 8) return to_->constant(__builtin_bit_cast(std::uint64_t, x));
    if (t == type_id::float16) return to_->constant(ops::to_float16(x).bits * 0x0001000100010001u);
    std::uint64_t const half = __builtin_bit_cast(std::uint32_t, static_cast<float>(x));
    return to_->constant(half << 32 | half);
}

// ops/extrema.hpp: the first where it is NaN (fmax, fmin: where the second is) or the winner, else the second.
void loop_writer::extremum(form f, type_id t, int d, int a, int b) noexcept {
    bool const larger = f == form::maximum || f == form::fmax, ignores_nan = f == form::fmax || f == form::fmin;
    if (!is_float(t)) return binary(larger ? form::maximum : form::minimum, t, d, a, b);
    int const wins = new_mask(taken), nan = new_mask(taken), n = bytes_of(t), w = kind_of(t);
    to_->vector(float_compare[w], n, wins, a, operand::of(b));
    to_->immediate(larger ? float_greater : float_less);
    int const asked = ignores_nan ? b : a;
    to_->vector(float_compare[w], n, nan, asked, operand::of(asked));
    to_->immediate(float_unordered);
    to_->mask(mask_or, wins, wins, nan);
    to_->vector(blend[w], n, d, b, operand::of(a), {static_cast<std::uint8_t>(wins), false});
    free_mask(wins), free_mask(nan);
}

void loop_writer::compare(form f, type_id t, int k, int a, int b) noexcept {
    int const n = bytes_of(t), w = wide(t), which = static_cast<int>(f) - static_cast<int>(form::equal);
    constexpr int of_floats[] = {float_equal,      float_not_equal, float_less,
                                 float_less_equal, float_greater,   float_greater_equal};
    constexpr int of_integers[] = {integer_equal,      integer_not_equal, integer_less,
                                   integer_less_equal, integer_greater,   integer_greater_equal};
    encoding const of_integers_of_size = is_signed_integer(t)
                                             ? (itemsize(t) == 1 ? byte_signed_compare : signed_compare[w])
                                             : (itemsize(t) == 1 ? byte_unsigned_compare : unsigned_compare[w]);
    encoding const e = is_float(t) ? float_compare[kind_of(t)] : of_integers_of_size;
    to_->vector(e, n, k, a, operand::of(b));
    to_->immediate(is_float(t) ? of_floats[which] : of_integers[which]);
}

void loop_writer::comparison(step const& s) noexcept {
    int const a = in_vector(s.inputs[0]), b = in_vector(s.inputs[1]), k = mask_for(s.result);
    compare(s.is, s.from, k, a, b);
}

void loop_writer::classify(step const& s) noexcept {
    int const a = in_vector(s.inputs[0]), k = mask_for(s.result), n = bytes_of(s.from), w = kind_of(s.from);
    switch (s.is) {
        case form::isnan:
            to_->vector(float_compare[w], n, k, a, operand::of(a));
            to_->immediate(float_unordered);
            break;
        case form::signbit: to_->vector(signs[w], n, k, operand::of(a)); break;
        default:
            to_->vector(float_class[w], n, k, operand::of(a));
            to_->immediate(s.is == form::isinf ? infinities : not_finite);
            if (s.is == form::isfinite) to_->mask(mask_not, k, 0, k);
    }
}

// What is not zero, in a mask: a boolean's own, or the given one.
int loop_writer::truth(int slot, int temporary) noexcept {
    type_id const t = text_.type[slot];
    if (t == type_id::bool_) return in_mask(slot);
    int const a = in_vector(slot), n = bytes_of(t), w = wide(t);
    if (!is_float(t)) {
        to_->vector(itemsize(t) == 1 ? test_bytes : test[w], n, temporary, a, operand::of(a));
        return temporary;
    }
    int const zero = new_vector(taken);
    to_->vector(bit_xor[w], n, zero, zero, operand::of(zero));
    to_->vector(float_compare[kind_of(t)], n, temporary, a, operand::of(zero));
    to_->immediate(float_not_equal);
    free_vector(zero);
    return temporary;
}

void loop_writer::logic(step const& s) noexcept {
    int const k = mask_for(s.result), other = s.ninputs == 2 ? new_mask(taken) : k;
    int const a = truth(s.inputs[0], k), b = s.ninputs == 2 ? truth(s.inputs[1], other) : a;
    switch (s.is) {
        case form::bitwise_and:
        case form::logical_and: to_->mask(mask_and, k, a, b); break;
        case form::bitwise_or:
        case form::logical_or: to_->mask(mask_or, k, a, b); break;
        case form::bitwise_xor:
        case form::logical_xor: to_->mask(mask_xor, k, a, b); break;
        case form::invert:
        case form::logical_not: to_->mask(mask_not, k, 0, a); break;
        default: failed_ = true;
    }
    if (s.ninputs == 2) free_mask(other);
}

void loop_writer::select(step const& s) noexcept {
    int const k = in_mask(s.inputs[0]), a = in_vector(s.inputs[1]), b = in_vector(s.inputs[2]);
    int const d = vector_for(s.result);
    encoding const e = itemsize(s.from) == 1 ? byte_blend : blend[kind_of(s.from)];
    to_->vector(e, bytes_of(s.from), d, b, operand::of(a), {static_cast<std::uint8_t>(k), false});
}

void loop_writer::convert(step const& s) noexcept {
    if (s.to == type_id::bool_) {
        int const k = mask_for(s.result);
        truth(s.inputs[0], k);
        return;
    }
    int const n = bytes_of(itemsize(s.from) > itemsize(s.to) ? s.from : s.to);
    if (s.from == type_id::bool_) {
        int const k = in_mask(s.inputs[0]), d = vector_for(s.result);
        if (itemsize(s.to) == 1) {
            write_truth(d, k);
            return;
        }
        int const one = is_float(s.to) ? constant_of(s.to, 1) : to_->constant(wide(s.to) ? 1u : 0x0000000100000001u);
        to_->vector(repeat[2 + wide(s.to)], n, d, operand::constant(one), {static_cast<std::uint8_t>(k), true});
        return;
    }
    int const a = in_vector(s.inputs[0]), d = vector_for(s.result);
    if (s.to == type_id::float16) return narrow_to_half(d, a);
    if (s.from == type_id::float16) return widen_half(d, a);
    for (cast_encoding const& c : casts)
        if (c.from == s.from && c.to == s.to) return to_->vector(c.code, n, d, operand::of(a));
    type_id const whole = is_float(s.to) ? type_id::int32 : s.to;  // narrow integers become real through int32
    widen_or_narrow(s.from, whole, d, a);
    if (!is_float(s.to)) return;
    for (cast_encoding const& c : casts)
        if (c.from == type_id::int32 && c.to == s.to) return to_->vector(c.code, n, d, operand::of(d));
    failed_ = true;
}

// Integers of one size from another: extended by the sign of what they were, or cut.
void loop_writer::widen_or_narrow(type_id from, type_id to, int d, int a) noexcept {
    int const f = itemsize(from), t = itemsize(to), n = lanes_ * (f > t ? f : t);
    if (f == t) return to_->vector(t == 8 ? move_wide : move, n, d, operand::of(a));
    constexpr std::uint8_t extend[4][4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {0, 0, 0, 5}, {}};
    constexpr std::uint8_t cut[4][4] = {{}, {}, {1, 3, 0, 0}, {2, 4, 5, 0}};
    int const from_log = __builtin_ctz(static_cast<unsigned>(f)), to_log = __builtin_ctz(static_cast<unsigned>(t));
    std::uint8_t const opcode = f < t ? extend[from_log][to_log] : cut[from_log][to_log];
    failed_ |= opcode == 0;
    if (f > t) {
        encoding const narrowing{2, prefix::pf3, 0, static_cast<std::uint8_t>(0x30 | opcode)};
        return to_->vector(narrowing, n, a, operand::of(d));
    }
    int const base = is_signed_integer(from) ? 0x20 : 0x30;
    encoding const widening{2, prefix::p66, 0, static_cast<std::uint8_t>(base | opcode)};
    to_->vector(widening, n, d, operand::of(a));
}

}  // namespace bascule::cpu::jit
