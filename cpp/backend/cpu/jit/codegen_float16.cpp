// float16 to and from float32, rounded by the machine. It would make signalling NaN quiet, so vectors with NaN take a
// detour that moves their bits as ops/float16_conversion.hpp does, unless NaN are quiet already, or arithmetic would
// make them so; the error of a signalling one is recorded either way.
#include <algorithm>

#include "backend/cpu/jit/codegen.hpp"
#include "backend/cpu/jit/encodings.hpp"

namespace bascule::cpu::jit {

using namespace encodings;

namespace {

constexpr std::uint64_t in_both_halves(std::uint32_t x) { return std::uint64_t{x} << 32 | x; }

// Whose NaN are quiet, with the bits of an input's.
bool quietens(primitive f) noexcept {
    switch (f) {
        case primitive::add:
        case primitive::subtract:
        case primitive::multiply:
        case primitive::divide:
        case primitive::square:
        case primitive::sqrt:
        case primitive::reciprocal:
        case primitive::multiply_add:
        case primitive::multiply_subtract:
        case primitive::subtract_multiply:
        case primitive::add_add: return true;
        default: return false;
    }
}
bool quietens(step const& s) noexcept { return is_float(s.to) && quietens(s.is); }

}  // namespace

void codegen::widen_half(step const& s, int d, int a) noexcept {
    to_->vector(single_from_half, width(4), d, operand::of(a));
    if (!is_quiet(s.inputs[0]) && !is_read_by_arithmetic(s.result)) expect_numbers(type_id::float32, d, a, d);
}

void codegen::narrow_to_half(step const& s, int d, int a) noexcept {
    to_->vector(half_from_single, width(4), a, operand::of(d));
    to_->immediate(0);
    if (!is_quiet(s.inputs[0])) expect_numbers(type_id::float16, d, a, a);
}

// Computed by arithmetic, and maybe converted since.
bool codegen::is_quiet(int slot) const noexcept {
    for (int k = at_step_ - 1; k >= 0; --k) {
        step const& s = text_.steps[k];
        if (s.result != slot) continue;
        if (s.is != primitive::cast) return quietens(s);
        slot = s.inputs[0];
    }
    return false;
}

bool codegen::is_read_by_arithmetic(int slot) const noexcept {
    if (text_.stored[slot]) return false;
    for (int k = at_step_ + 1; k < text_.nsteps; ++k) {
        step const& s = text_.steps[k];
        if (std::find(s.inputs, s.inputs + s.ninputs, slot) != s.inputs + s.ninputs && !quietens(s)) return false;
    }
    return true;
}

// A detour where the float32 vector `looked_at` has NaN.
void codegen::expect_numbers(type_id to, int d, int a, int looked_at) noexcept {
    int const nan = new_mask(taken), t = new_vector(taken), u = new_vector(taken), spare = new_vector(taken);
    int const slow = to_->new_label(), back = to_->new_label();
    classify(primitive::isnan, type_id::float32, nan, looked_at);
    test_none(nan);
    to_->jump(assembler::condition::not_equal, slow);
    to_->bind(back);
    add_detour({slow, back, primitive::cast, to, d, a, 0, 0, nan, 0, t, u, spare});
    free_mask(nan), free_vector(t), free_vector(u), free_vector(spare);
}

void codegen::not_numbers_of_half(detour const& x) noexcept {
    int const n = width(4);
    auto const with = [&](encoding e, int reg, std::uint32_t bits) {
        to_->vector_repeated(e, n, reg, reg, operand::constant(to_->constant(in_both_halves(bits))));
    };
    to_->vector(widen_words, n, x.t, operand::of(x.a));
    to_->vector(shift, n, leftwards, x.u, operand::of(x.t));
    to_->immediate(13);
    with(bit_and[0], x.u, 0x007fe000u);
    with(bit_or[0], x.u, 0x7f800000u);
    to_->vector(shift, n, leftwards, x.t, operand::of(x.t));
    to_->immediate(16);
    with(bit_and[0], x.t, 0x80000000u);
    to_->vector(bit_or[0], n, x.t, x.t, operand::of(x.u));
    choose(type_id::float32, x.d, x.mask, x.t, x.d);
}

// A payload that is lost would leave infinity: it becomes 1.
void codegen::not_numbers_to_half(detour const& x) noexcept {
    int const n = width(4);
    auto const repeated = [&](std::uint32_t bits) { return operand::constant(to_->constant(in_both_halves(bits))); };
    to_->vector(shift, n, rightwards, x.t, operand::of(x.a));
    to_->immediate(13);
    to_->vector_repeated(bit_and[0], n, x.t, x.t, repeated(0x3ffu));
    to_->vector_repeated(unsigned_maximum, n, x.t, x.t, repeated(1));
    to_->vector_repeated(bit_or[0], n, x.t, x.t, repeated(0x7c00u));
    to_->vector(shift, n, rightwards, x.u, operand::of(x.a));
    to_->immediate(16);
    to_->vector_repeated(bit_and[0], n, x.u, x.u, repeated(0x8000u));
    to_->vector(bit_or[0], n, x.t, x.t, operand::of(x.u));
    narrow(type_id::uint32, type_id::uint16, x.u, x.t);
    free_vector(x.t);
    choose(type_id::float16, x.d, x.mask, x.u, x.d);
}

}  // namespace bascule::cpu::jit
