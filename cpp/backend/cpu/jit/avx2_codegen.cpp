#include "backend/cpu/jit/avx2_codegen.hpp"

#include <algorithm>

#include "backend/cpu/jit/encodings.hpp"

namespace bascule::cpu::jit {

using namespace encodings;

namespace {

constexpr std::uint64_t ones = ~std::uint64_t{0}, one_a_byte = 0x0101010101010101u;
constexpr std::uint64_t one_a_lane(int size) {
    return size == 8 ? 1 : size == 4 ? 0x0000000100000001u : size == 2 ? 0x0001000100010001u : one_a_byte;
}

}  // namespace

// One by one, each in all lanes, so that no condition arises from others.
void avx2_codegen::write_rest(int end) noexcept {
    int const next = to_->new_label();
    to_->compare(position, left);
    to_->jump(assembler::condition::not_below, end);
    to_->bind(next);
    body(true);
    to_->add(position, 1);
    for (int k = 0; k < nstrides_; ++k) to_->add(strides_[k].position, strides_[k].by);
    to_->compare(position, left);
    to_->jump(assembler::condition::below, next);
}

// ---- memory

void avx2_codegen::load_bytes(int reg, int size, operand from, bool) noexcept {
    if (tail_) return to_->vector(repeat[size_class(size)], width(size), reg, from);
    to_->vector(load_some[size_class(lanes_ * size) - 2], width(size), reg, from);
}

void avx2_codegen::store_bytes(int reg, int size, operand to, bool streamed) noexcept {
    int const some = size_class(lanes_ * size) - 2;
    if (!tail_) return to_->vector(streamed && some > 1 ? store_past_caches : store_some[some], width(size), reg, to);
    to_->vector(store_element[size_class(size)], 16, reg, to);
    if (size < 4) to_->immediate(0);
}

void avx2_codegen::load_bool(int slot, gpr address) noexcept {
    int const k = mask_for(slot), lane = mask_lane();
    operand const from = text_.single[slot] ? operand::at(address) : operand::at(address, position, 0);
    bool const one = tail_ || text_.single[slot];
    if (one) to_->vector(repeat[0], bytes, k, from);
    else if (lane == 1) load_bytes(k, 1, from, false);
    if (lane > 1) {
        to_->vector(widening(1, lane, false), bytes, k, one ? operand::of(k) : from);
        return to_->vector(greater_lanes[size_class(lane)], bytes, k, k, repeated(0));
    }
    to_->vector(equal_lanes[0], bytes, k, k, repeated(0));
    complement(k);
}

void avx2_codegen::load_strided(int slot, int reg, gpr address) noexcept {
    int const stride = stride_of(slot), size = itemsize(text_.type[slot]), n = width(size);
    gpr const place = strided_by(stride).position;
    auto const at = [&](int elements) { return operand::at(address, place, size_class(size), elements * size); };
    if (tail_) return to_->vector(repeat[size_class(size)], n, reg, at(0));
    if (stride == backwards) return turn(reg, size, at(1 - lanes_));
    if (stride == 2) return take_every_second(reg, size, at(0), at(lanes_ - 1));
    int const half = 16 / size;
    collect(reg, size, [&](int k) { return at(k * stride); });
    if (lanes_ == half) return;
    int const upper = new_vector(taken);
    collect(upper, size, [&](int k) { return at((half + k) * stride); });
    to_->vector(insert_half, n, reg, reg, operand::of(upper));
    to_->immediate(1);
    free_vector(upper);
}

void avx2_codegen::turn(int reg, int size, operand from) noexcept {
    int const n = width(size);
    if (size == 8) {
        to_->vector(permute_quarters, n, reg, from);
        return to_->immediate(fourth_to_first);
    }
    to_->vector(encodings::load, n, reg, from);
    to_->vector(even_lanes, n, reg, reg, operand::of(reg));
    to_->immediate(fourth_to_first);
    if (n < bytes) return;
    to_->vector(permute_quarters, n, reg, operand::of(reg));
    to_->immediate(third_fourth_first_second);
}

// Of two vectors, the second of which begins with the last element of the first: it ends where the last one is.
void avx2_codegen::take_every_second(int reg, int size, operand first, operand second) noexcept {
    int const n = width(size);
    to_->vector(encodings::load, n, reg, first);
    to_->vector(size == 8 ? even_wide_lanes : even_lanes, n, reg, reg, second);
    to_->immediate(size == 8 ? first_and_second_wide : first_third_second_fourth);
    if (n < bytes) return;
    to_->vector(permute_quarters, n, reg, operand::of(reg));
    to_->immediate(first_third_second_fourth);
}

// The elements of half a vector, one by one.
template <class At> void avx2_codegen::collect(int reg, int size, At const& at) noexcept {
    to_->vector(load_some[size == 8 ? 1 : 0], 16, reg, at(0));
    for (int k = 1; k < 16 / size; ++k) {
        to_->vector(size == 8 ? insert_upper_double : insert_doubleword, 16, reg, reg, at(k));
        if (size == 4) to_->immediate(k);
    }
}

// Lanes cut to a smaller size: of masks, or of integers, of which the lowest bits are kept.
void avx2_codegen::cut(int d, int a, int from, int to, bool booleans) noexcept {
    int n = lanes_ * from;
    if (from == 8) {
        to_->vector(upper_half, bytes, a, operand::of(d));
        to_->immediate(1);
        to_->vector(even_lanes, 16, d, a, operand::of(d));
        to_->immediate(first_and_third);
        from = 4, n = 16, a = d;
    }
    if (from == to) return;
    if (!booleans) {
        std::uint64_t const kept = to == 2     ? 0x0000ffff0000ffffu
                                   : from == 4 ? 0x000000ff000000ffu
                                               : 0x00ff00ff00ff00ffu;
        to_->vector(bit_and[0], std::max(n, 16), d, a, repeated(kept));
        a = d;
    }
    for (; from > to; from /= 2, n /= 2, a = d) {
        encoding const e = from == 4 ? (booleans ? pack_doublewords : pack_unsigned_doublewords)
                                     : (booleans ? pack_words : pack_unsigned_words);
        if (n < bytes) {
            to_->vector(e, 16, d, a, operand::of(a));
            continue;
        }
        int const upper = new_vector(taken);
        to_->vector(upper_half, bytes, a, operand::of(upper));
        to_->immediate(1);
        to_->vector(e, 16, d, a, operand::of(upper));
        free_vector(upper);
    }
}

void avx2_codegen::write_boolean(int reg, int mask) noexcept {
    if (mask_lane() > 1) cut(reg, mask, mask_lane(), 1, true), mask = reg;
    to_->vector(bit_and[0], width(1), reg, mask, repeated(one_a_byte));
}

// Four of them as bits, of which a product makes bytes.
void avx2_codegen::store_boolean(int mask, operand to, bool streamed) noexcept {
    if (lanes_ != 4 || tail_ || to.base == scratch) return codegen::store_boolean(mask, to, streamed);
    to_->vector(sign_bits_of_doubles, bytes, static_cast<int>(scratch), operand::of(mask));
    to_->multiply(scratch, 1 | 1 << 7 | 1 << 14 | 1 << 21);
    to_->keep_bits(scratch, 0x01010101);
    to_->store(to, scratch);
}

// ---- masks

void avx2_codegen::zero(int reg) noexcept { to_->vector(bit_xor[0], bytes, reg, reg, operand::of(reg)); }
void avx2_codegen::complement(int reg) noexcept { to_->vector(bit_xor[0], bytes, reg, reg, repeated(ones)); }

void avx2_codegen::widen_mask(int reg, int from) noexcept {
    if (from < mask_lane()) to_->vector(widening(from, mask_lane(), true), bytes, reg, operand::of(reg));
}

void avx2_codegen::greater(type_id t, int k, int a, int b) noexcept {
    to_->vector(greater_lanes[size_class(itemsize(t))], bytes_of(t), k, a, operand::of(b));
}

// Of integers, of which the machine knows == and, with a sign, >.
void avx2_codegen::compare_whole(primitive f, type_id t, int k, int a, int b) noexcept {
    int const n = bytes_of(t), size = itemsize(t);
    bool const swapped = f == primitive::less || f == primitive::greater_equal,
               negated = f == primitive::less_equal || f == primitive::greater_equal || f == primitive::not_equal;
    encoding const same = equal_lanes[size_class(size)];
    if (f == primitive::equal || f == primitive::not_equal) {
        to_->vector(same, n, k, a, operand::of(b));
    } else if (is_signed_integer(t)) {
        greater(t, k, swapped ? b : a, swapped ? a : b);
    } else if (size == 8) {
        int const x = new_vector(taken);
        to_->vector(bit_xor[0], n, k, a, repeated(sign_bits(t)));
        to_->vector(bit_xor[0], n, x, b, repeated(sign_bits(t)));
        greater(t, k, swapped ? x : k, swapped ? k : x);
        free_vector(x);
    } else {  // a > b where the smaller one is not a
        bool const larger = f == primitive::less || f == primitive::greater_equal;
        to_->vector(size == 1 ? (larger ? byte_maximum : byte_minimum)
                              : (larger ? doubleword_maximum : doubleword_minimum),
                    n, k, a, operand::of(b));
        to_->vector(same, n, k, k, operand::of(a));
        if (f == primitive::less || f == primitive::greater) complement(k);
        return;
    }
    if (negated) complement(k);
}

void avx2_codegen::compare(primitive f, type_id t, int k, int a, int b) noexcept {
    if (is_float(t)) {
        to_->vector(float_compare[wide(t)], bytes_of(t), k, a, operand::of(b));
        to_->immediate(float_predicate(f));
    } else {
        compare_whole(f, t, k, a, b);
    }
    widen_mask(k, itemsize(t));
}

void avx2_codegen::test(type_id t, int k, int a) noexcept {
    if (is_float(t)) {
        to_->vector(float_compare[wide(t)], bytes_of(t), k, a, repeated(0));
        to_->immediate(float_not_equal);
    } else {
        to_->vector(equal_lanes[size_class(itemsize(t))], bytes_of(t), k, a, repeated(0));
        complement(k);
    }
    widen_mask(k, itemsize(t));
}

void avx2_codegen::classify(primitive f, type_id t, int k, int a) noexcept {
    int const n = bytes_of(t), w = wide(t);
    std::uint64_t const infinity = w ? 0x7ff0000000000000u : 0x7f8000007f800000u;
    switch (f) {
        case primitive::isnan:
            to_->vector(float_compare[w], n, k, a, operand::of(a));
            to_->immediate(float_unordered);
            break;
        case primitive::signbit:
            if (w) {
                zero(k);
                greater(type_id::int64, k, k, a);
            } else {
                to_->vector(shift, n, with_sign, k, operand::of(a));
                to_->immediate(31);
            }
            break;
        default:  // as integers, of which no condition arises
            to_->vector(bit_and[w], n, k, a, repeated(~sign_bits(t)));
            if (f == primitive::isinf) {
                to_->vector(equal_lanes[2 + w], n, k, k, repeated(infinity));
            } else {
                to_->vector(greater_lanes[2 + w], n, k, k, repeated(infinity - one_a_lane(itemsize(t))));
                complement(k);
            }
    }
    widen_mask(k, itemsize(t));
}

void avx2_codegen::test_none(int k) noexcept { to_->vector(none_and_all, bytes, k, operand::of(k)); }

void avx2_codegen::combine(primitive f, int k, int a, int b) noexcept {
    switch (f) {
        case primitive::bitwise_and:
        case primitive::logical_and: return to_->vector(bit_and[0], bytes, k, a, operand::of(b));
        case primitive::bitwise_or:
        case primitive::logical_or: return to_->vector(bit_or[0], bytes, k, a, operand::of(b));
        case primitive::bitwise_xor:
        case primitive::logical_xor: return to_->vector(bit_xor[0], bytes, k, a, operand::of(b));
        case primitive::invert:
        case primitive::logical_not: return to_->vector(bit_xor[0], bytes, k, a, repeated(ones));
        default: failed_ = true;
    }
}

// Lanes of a where those of the mask, which are as wide, are ones, else of b.
void avx2_codegen::blend(int size, int d, int mask, int a, int b) noexcept {
    to_->vector(blend_by_vector[size_class(size)], width(size), d, b, operand::of(a));
    to_->immediate(mask << 4);
}

void avx2_codegen::choose(type_id t, int d, int k, int a, int b) noexcept {
    int const size = itemsize(t);
    if (size == mask_lane()) return blend(size, d, k, a, b);
    int const narrow = new_vector(taken);
    cut(narrow, k, mask_lane(), size, true);
    blend(size, d, narrow, a, b);
    free_vector(narrow);
}

// ---- numbers

void avx2_codegen::binary(primitive f, type_id t, int d, int a, int b) noexcept {
    bool const is_wide = !is_float(t) && itemsize(t) == 8;
    if (is_wide && f == primitive::multiply) return multiply_wide(d, a, b);
    if (t == type_id::int64 && f == primitive::right_shift) return shift_right_with_sign(d, a, b);
    codegen::binary(f, t, d, a, b);
}

// The product of the lower halves, and to its upper half those of halves crosswise. d may be a or b.
void avx2_codegen::multiply_wide(int d, int a, int b) noexcept {
    int const n = bytes_of(type_id::int64), cross = new_vector(taken), t = new_vector(taken);
    to_->vector(exchange_halves, n, cross, operand::of(b));
    to_->immediate(second_first_fourth_third);
    to_->vector(multiply_each, n, cross, cross, operand::of(a));
    to_->vector(shift_wide, n, leftwards, t, operand::of(cross));
    to_->immediate(32);
    to_->vector(whole_add[0], n, cross, cross, operand::of(t));
    to_->vector(multiply_low, n, t, a, operand::of(b));
    // The lower half is not needed.
    to_->vector(bit_and[0], n, cross, cross, repeated(0xffffffff00000000u));
    to_->vector(whole_add[1], n, d, t, operand::of(cross));
    free_vector(cross), free_vector(t);
}

// The complement of a negative number is shifted, so that ones move in.
void avx2_codegen::shift_right_with_sign(int d, int a, int b) noexcept {
    int const n = bytes_of(type_id::int64), negative = new_vector(taken);
    zero(negative);
    greater(type_id::int64, negative, negative, a);
    to_->vector(bit_xor[0], n, d, a, operand::of(negative));
    to_->vector(shift_right_each_wide, n, d, d, operand::of(b));
    to_->vector(bit_xor[0], n, d, d, operand::of(negative));
    free_vector(negative);
}

// ops/extrema.hpp: the first where it is NaN (fmax, fmin: where the second is) or the winner, else the second.
void avx2_codegen::extremum(primitive f, type_id t, int d, int a, int b, bool number) noexcept {
    bool const larger = f == primitive::maximum || f == primitive::fmax,
               ignores_nan = f == primitive::fmax || f == primitive::fmin;
    int const n = bytes_of(t), w = wide(t);
    if (!is_float(t) && !w) return binary(larger ? primitive::maximum : primitive::minimum, t, d, a, b);
    int const wins = new_vector(taken);
    if (is_float(t) && number) {
        to_->vector(float_compare[w], n, wins, a, operand::of(b));
        to_->immediate(predicate_of_extremum(f));
    } else if (is_float(t)) {
        int const nan = new_vector(taken), asked = ignores_nan ? b : a;
        to_->vector(float_compare[w], n, wins, a, operand::of(b));
        to_->immediate(larger ? float_greater : float_less);
        to_->vector(float_compare[w], n, nan, asked, operand::of(asked));
        to_->immediate(float_unordered);
        to_->vector(bit_or[0], n, wins, wins, operand::of(nan));
        free_vector(nan);
    } else {
        compare_whole(larger ? primitive::greater : primitive::less, t, wins, a, b);
    }
    blend(itemsize(t), d, wins, a, b);
    free_vector(wins);
}

void avx2_codegen::root(type_id t, int d, int a) noexcept {
    to_->vector(float_root[wide(t)], bytes_of(t), d, operand::of(a));
}

void avx2_codegen::invert(type_id t, int d, int a) noexcept {
    to_->vector(bit_xor[0], width(itemsize(t)), d, a, repeated(ones));
}

void avx2_codegen::absolute(type_id t, int d, int a) noexcept {
    if (!wide(t)) return to_->vector(signed_absolute[0], bytes_of(t), d, operand::of(a));
    int const n = bytes_of(t), negative = new_vector(taken);
    zero(negative);
    greater(t, negative, negative, a);
    to_->vector(bit_xor[0], n, d, a, operand::of(negative));
    to_->vector(whole_subtract[1], n, d, d, operand::of(negative));
    free_vector(negative);
}

void avx2_codegen::join_sign(type_id t, int d, int a, int b) noexcept {
    int const n = bytes_of(t), sign = new_vector(taken);
    to_->vector(bit_and[0], n, sign, b, repeated(sign_bits(t)));
    to_->vector(bit_and[0], n, d, a, repeated(~sign_bits(t)));
    to_->vector(bit_or[0], n, d, d, operand::of(sign));
    free_vector(sign);
}

void avx2_codegen::numbers_of_boolean(type_id t, int d, int k) noexcept {
    int const size = itemsize(t), one = is_float(t) ? constant_of(t, 1) : to_->constant(one_a_lane(size));
    if (size < mask_lane()) cut(d, k, mask_lane(), size, true), k = d;
    to_->vector(bit_and[0], width(size), d, k, operand::constant(one));
}

void avx2_codegen::narrow(type_id from, type_id to, int d, int a) noexcept {
    cut(d, a, itemsize(from), itemsize(to), false);
}

// Each half of the bits is put into the mantissa of a large power of two, which is subtracted again: only the sum is
// rounded, once.
bool avx2_codegen::make_real(type_id from, type_id to, int d, int a) noexcept {
    int const n = bytes_of(to);
    auto const with = [&](encoding e, std::uint64_t bits) { to_->vector(e, n, d, d, repeated(bits)); };
    if (from == type_id::uint32 && to == type_id::float64) {
        to_->vector(widening(4, 8, false), n, d, operand::of(a));
        with(bit_or[0], 0x4330000000000000u);
        with(float_subtract[1], 0x4330000000000000u);
    } else if (from == type_id::uint32 && to == type_id::float32) {
        int const lower = new_vector(taken);
        to_->vector(bit_and[0], n, lower, a, repeated(0x0000ffff0000ffffu));
        to_->vector(bit_or[0], n, lower, lower, repeated(0x4b0000004b000000u));
        to_->vector(shift, n, rightwards, d, operand::of(a));
        to_->immediate(16);
        with(bit_or[0], 0x5300000053000000u);
        with(float_subtract[0], 0x5300008053000080u);
        to_->vector(float_add[0], n, d, d, operand::of(lower));
        free_vector(lower);
    } else if (itemsize(from) == 8 && !is_float(from) && to == type_id::float64) {
        bool const is_signed = is_signed_integer(from);
        int const lower = new_vector(taken);
        to_->vector(choose_doublewords, n, lower, a, repeated(0x4330000000000000u));
        to_->immediate(odd_doublewords);
        to_->vector(shift_wide, n, rightwards, d, operand::of(a));
        to_->immediate(32);
        with(bit_xor[0], is_signed ? 0x4530000080000000u : 0x4530000000000000u);
        with(float_subtract[1], is_signed ? 0x4530000080100000u : 0x4530000000100000u);
        to_->vector(float_add[1], n, d, d, operand::of(lower));
        free_vector(lower);
    } else {
        return false;
    }
    return true;
}

// ---- quotients (loop_division.cpp)

namespace {

// Sizes less the lowest, moved by half of all there are: then those in the span are below it with a sign too.
std::uint64_t moved(type_id t, std::uint64_t low) { return low ^ encodings::sign_bits(t); }

}  // namespace

// The bound below which sizes of dividends are usual: none where the divisor is not.
int avx2_codegen::usable_divisors(type_id t, int size) noexcept {
    int const n = bytes_of(t), w = wide(t), bound = new_vector(taken), known = new_vector(taken);
    bounds const b = bounds_of(t);
    to_->vector(whole_subtract[w], n, size, size, repeated(moved(t, b.low_divisor)));
    to_->vector(repeat[2 + w], n, known, repeated(moved(t, b.span_divisor)));
    to_->vector(greater_lanes[2 + w], n, known, known, operand::of(size));
    to_->vector(repeat[2 + w], n, bound, repeated(sign_bits(t)));
    to_->vector(repeat[2 + w], n, size, repeated(moved(t, b.span)));
    blend(itemsize(t), bound, known, size, bound);
    free_vector(known);
    return bound;
}

void avx2_codegen::mark_usual(type_id t, int usual, int a, int size, int near, int bound) noexcept {
    int const n = bytes_of(t), w = wide(t);
    to_->vector(whole_add[w], n, size, a, operand::of(a));
    to_->vector(whole_subtract[w], n, near, size, repeated(moved(t, bounds_of(t).low)));
    to_->vector(greater_lanes[2 + w], n, usual, bound, operand::of(near));
}

void avx2_codegen::mark_zeros(detour const& x) noexcept {
    int const n = bytes_of(x.type), w = wide(x.type);
    to_->vector(equal_lanes[2 + w], n, x.other, x.usable, repeated(sign_bits(x.type)));
    to_->vector(equal_lanes[2 + w], n, x.u, x.t, repeated(0));
    to_->vector(bit_and_not, n, x.u, x.other, operand::of(x.u));
    to_->vector(bit_or[0], n, x.mask, x.mask, operand::of(x.u));
}

void avx2_codegen::choose_zeros(detour const& x, int from) noexcept { blend(itemsize(x.type), x.d, x.u, from, x.d); }

void avx2_codegen::test_all(type_id t, int k) noexcept { to_->vector(none_and_all, bytes_of(t), k, repeated(ones)); }

}  // namespace bascule::cpu::jit
