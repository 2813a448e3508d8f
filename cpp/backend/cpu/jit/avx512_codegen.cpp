#include "backend/cpu/jit/avx512_codegen.hpp"

#include <algorithm>

#include "backend/cpu/jit/encodings.hpp"

namespace bascule::cpu::jit {

using namespace encodings;

void avx512_codegen::begin() noexcept {
    norders_ = 0, orders_loads_ = false;
    window_offset_ = window_bit_ = no_slot;
    std::fill(std::begin(mask_owner_), std::end(mask_owner_), no_slot);
    mask_owner_[0] = mask_owner_[tail_mask] = taken;
}

// Once more, under a mask.
void avx512_codegen::write_rest(int end) noexcept {
    end_ = end;
    to_->subtract(left, position);
    to_->jump(assembler::condition::equal, end);
    to_->set(scratch, -1);
    to_->keep_low_bits(scratch, scratch, left);
    to_->mask_from(tail_mask, scratch);
    body(true);
}

int avx512_codegen::new_mask(int owner) noexcept {
    for (int k = 0; k < masks; ++k)
        if (mask_owner_[k] == no_slot) {
            mask_owner_[k] = owner;
            return k;
        }
    failed_ = true;
    return 0;
}

// ---- memory

// Lanes behind the end hold the first element of the rest, so that no condition arises from them.
void avx512_codegen::load_bytes(int reg, int size, operand from, bool floats) noexcept {
    int const k = size_class(size);
    if (tail_) {
        if (floats) to_->vector(repeat[k], width(size), reg, from);
        return to_->vector(masked_load[k], width(size), reg, from, {tail_mask, !floats});
    }
    to_->vector(load_some[size_class(lanes_ * size) - 2], width(size), reg, from);
}

void avx512_codegen::store_bytes(int reg, int size, operand to, bool streamed) noexcept {
    if (tail_) return to_->vector(masked_store[size_class(size)], width(size), reg, to, {tail_mask, false});
    int const part = size_class(lanes_ * size) - 2;
    to_->vector(streamed && part > 1 ? store_past_caches : store_some[part], width(size), reg, to);
}

bool avx512_codegen::join_lanes(int size, int d, int upper, int lower, int first) noexcept {
    if (size < 4) return false;
    to_->vector(encodings::join_lanes[size == 8], width(size), d, upper, operand::of(lower));
    to_->immediate(first);
    return true;
}

void avx512_codegen::load_bool(int slot, gpr address) noexcept {
    int const k = mask_for(slot);
    if (text_.single[slot]) {
        to_->boolean_of_byte(scratch, address);
        to_->mask_from(k, scratch);
    } else {
        int const t = new_vector(taken);
        load_bytes(t, 1, elements_at(address, 1), false);
        to_->vector(test_bytes, width(1), k, t, operand::of(t));
        free_vector(t);
    }
}

void avx512_codegen::write_boolean(int reg, int mask) noexcept {
    to_->vector(bytes_of_mask, width(1), reg, operand::of(mask));
    to_->vector(absolute_bytes, width(1), reg, operand::of(reg));
}

// ---- masks

void avx512_codegen::compare(primitive f, type_id t, int k, int a, int b) noexcept {
    int const n = bytes_of(t), w = wide(t);
    constexpr int of_integers[] = {integer_equal,      integer_not_equal, integer_less,
                                   integer_less_equal, integer_greater,   integer_greater_equal};
    encoding const of_integers_of_size = is_signed_integer(t)
                                             ? (itemsize(t) == 1 ? byte_signed_compare : signed_compare[w])
                                             : (itemsize(t) == 1 ? byte_unsigned_compare : unsigned_compare[w]);
    encoding const e = is_float(t) ? float_compare[kind_of(t)] : of_integers_of_size;
    to_->vector(e, n, k, a, operand::of(b));
    to_->immediate(is_float(t) ? float_predicate(f) : of_integers[comparison_number(f)]);
}

void avx512_codegen::test(type_id t, int k, int a) noexcept {
    int const n = bytes_of(t), w = wide(t);
    if (!is_float(t)) return to_->vector(itemsize(t) == 1 ? test_bytes : encodings::test[w], n, k, a, operand::of(a));
    int const zero = new_vector(taken);
    to_->vector(bit_xor[w], n, zero, zero, operand::of(zero));
    to_->vector(float_compare[kind_of(t)], n, k, a, operand::of(zero));
    to_->immediate(float_not_equal);
    free_vector(zero);
}

void avx512_codegen::classify(primitive f, type_id t, int k, int a) noexcept {
    int const n = bytes_of(t), w = kind_of(t);
    switch (f) {
        case primitive::isnan:
            to_->vector(float_compare[w], n, k, a, operand::of(a));
            return to_->immediate(float_unordered);
        case primitive::signbit: return to_->vector(signs[w], n, k, operand::of(a));
        default:
            to_->vector(float_class[w], n, k, operand::of(a));
            to_->immediate(f == primitive::isinf ? infinities : not_finite);
            if (f == primitive::isfinite) to_->mask(mask_not, k, 0, k);
    }
}

void avx512_codegen::test_none(int k) noexcept { to_->test_none(k); }

void avx512_codegen::combine(primitive f, int k, int a, int b) noexcept {
    switch (f) {
        case primitive::bitwise_and:
        case primitive::logical_and: return to_->mask(mask_and, k, a, b);
        case primitive::bitwise_or:
        case primitive::logical_or: return to_->mask(mask_or, k, a, b);
        case primitive::bitwise_xor:
        case primitive::logical_xor: return to_->mask(mask_xor, k, a, b);
        case primitive::invert:
        case primitive::logical_not: return to_->mask(mask_not, k, 0, a);
        default: failed_ = true;
    }
}

void avx512_codegen::choose(type_id t, int d, int k, int a, int b) noexcept {
    encoding const e = itemsize(t) == 1 ? byte_blend : blend[kind_of(t)];
    to_->vector(e, bytes_of(t), d, b, operand::of(a), {static_cast<std::uint8_t>(k), false});
}

// ---- numbers

// ops/extrema.hpp: the first where it is NaN (fmax, fmin: where the second is) or the winner, else the second.
void avx512_codegen::extremum(primitive f, type_id t, int d, int a, int b, bool number) noexcept {
    bool const larger = f == primitive::maximum || f == primitive::fmax,
               ignores_nan = f == primitive::fmax || f == primitive::fmin;
    if (!is_float(t)) return binary(larger ? primitive::maximum : primitive::minimum, t, d, a, b);
    int const mask = new_mask(taken), n = bytes_of(t), w = kind_of(t);
    masking const marked{static_cast<std::uint8_t>(mask), false};
    if (number) {
        to_->vector(float_compare[w], n, mask, a, operand::of(b));
        to_->immediate(predicate_of_extremum(f));
        to_->vector(blend[w], n, d, b, operand::of(a), marked);
    } else {  // the second where it does not lose, among numbers
        int const asked = ignores_nan ? b : a;
        to_->vector(float_compare[w], n, mask, asked, operand::of(asked));
        to_->immediate(float_ordered);
        to_->vector(float_compare[w], n, mask, a, operand::of(b), marked);
        to_->immediate(larger ? float_not_greater : float_not_less);
        to_->vector(blend[w], n, d, a, operand::of(b), marked);
    }
    free_mask(mask);
}

void avx512_codegen::invert(type_id t, int d, int a) noexcept {
    to_->vector(bit_choice[wide(t)], bytes_of(t), d, a, operand::of(a));
    to_->immediate(complement_of_third);
}

void avx512_codegen::absolute(type_id t, int d, int a) noexcept {
    to_->vector(signed_absolute[wide(t)], bytes_of(t), d, operand::of(a));
}

void avx512_codegen::join_sign(type_id t, int d, int a, int b) noexcept {
    int const bits = to_->constant(~sign_bits(t));
    to_->vector(repeat[2 + wide(t)], bytes_of(t), d, operand::constant(bits));
    to_->vector(bit_choice[wide(t)], bytes_of(t), d, a, operand::of(b));
    to_->immediate(second_where_first_else_third);
}

void avx512_codegen::numbers_of_boolean(type_id t, int d, int k) noexcept {
    int const one = is_float(t) ? constant_of(t, 1) : to_->constant(wide(t) ? 1u : 0x0000000100000001u);
    to_->vector(repeat[2 + wide(t)], bytes_of(t), d, operand::constant(one), {static_cast<std::uint8_t>(k), true});
}

void avx512_codegen::narrow(type_id from, type_id to, int d, int a) noexcept {
    constexpr std::uint8_t cut[4][4] = {{}, {}, {1, 3, 0, 0}, {2, 4, 5, 0}};
    std::uint8_t const opcode = cut[size_class(itemsize(from))][size_class(itemsize(to))];
    failed_ |= opcode == 0;
    encoding const narrowing{2, prefix::pf3, 0, static_cast<std::uint8_t>(0x30 | opcode)};
    to_->vector(narrowing, bytes_of(from), a, operand::of(d));
}

// ---- quotients (loop_division.cpp)

// The highest bit of an exponent, in every lane.
std::uint64_t avx512_codegen::exponent_window(type_id t) noexcept {
    return wide(t) ? 0x4000000000000000u : 0x4000000040000000u;
}

void avx512_codegen::keep_window(type_id t) noexcept {
    if (window_offset_ != no_slot) return;
    window_offset_ = new_vector(taken), window_bit_ = new_vector(taken), window_type_ = t;
    std::uint64_t const bit = exponent_window(t);
    to_->vector(repeat[2 + wide(t)], bytes_of(t), window_offset_, operand::constant(to_->constant(bit / 2)));
    to_->vector(repeat[2 + wide(t)], bytes_of(t), window_bit_, operand::constant(to_->constant(bit)));
}

int avx512_codegen::usable_divisors(type_id t, int size) noexcept {
    int const n = bytes_of(t), w = wide(t), usable = new_mask(taken);
    bounds const b = bounds_of(t);
    keep_window(t);
    to_->vector_repeated(whole_subtract[w], n, size, size, operand::constant(to_->constant(b.low_divisor)));
    to_->vector_repeated(unsigned_compare[w], n, usable, size, operand::constant(to_->constant(b.span_divisor)));
    to_->immediate(integer_less);
    return usable;
}

// Half of all exponents are, those in the middle: they are the ones of which another bit is set when a quarter of all
// is added.
void avx512_codegen::mark_usual(type_id t, int usual, int a, int, int near, int usable) noexcept {
    int const n = bytes_of(t), w = wide(t);
    masking const asked{static_cast<std::uint8_t>(usable), false};
    if (window_offset_ != no_slot && window_type_ == t) {
        to_->vector(whole_add[w], n, near, a, operand::of(window_offset_));
        return to_->vector(encodings::test[w], n, usual, near, operand::of(window_bit_), asked);
    }
    to_->vector_repeated(whole_add[w], n, near, a, operand::constant(to_->constant(exponent_window(t) / 2)));
    to_->vector_repeated(encodings::test[w], n, usual, near, operand::constant(to_->constant(exponent_window(t))),
                         asked);
}

void avx512_codegen::mark_zeros(detour const& x) noexcept {
    to_->vector(whole_add[wide(x.type)], bytes_of(x.type), x.t, x.a, operand::of(x.a));
    to_->vector(encodings::test_none[wide(x.type)], bytes_of(x.type), x.other, x.t, operand::of(x.t),
                {static_cast<std::uint8_t>(x.usable), false});
    to_->mask(mask_or, x.mask, x.mask, x.other);
}

void avx512_codegen::choose_zeros(detour const& x, int from) noexcept {
    to_->vector(blend[wide(x.type)], bytes_of(x.type), x.d, x.d, operand::of(from),
                {static_cast<std::uint8_t>(x.other), false});
}

void avx512_codegen::test_all(type_id, int k) noexcept { to_->test_all(k, lanes_); }

}  // namespace bascule::cpu::jit
