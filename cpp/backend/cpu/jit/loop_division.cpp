// Quotients by one divisor for all elements, as kernels/float_division.hpp computes them: the product with the
// reciprocal, corrected by the exact remainder, where all lanes are zeros or of a usual size, else a division.
#include <algorithm>

#include "backend/cpu/division_range.hpp"
#include "backend/cpu/jit/encodings.hpp"
#include "backend/cpu/jit/loop_writer.hpp"

namespace bascule::cpu::jit {
namespace {

using namespace encodings;

template <class T> constexpr std::uint64_t doubled(T x) {
    if constexpr (sizeof(T) == 8) return 2 * __builtin_bit_cast(std::uint64_t, x);
    else return std::uint64_t{2 * __builtin_bit_cast(std::uint32_t, x)} * 0x0000000100000001u;
}
template <class Bounds, class T> constexpr Bounds of() {
    using range = division_range<T>;
    constexpr std::uint64_t unit = sizeof(T) == 8 ? 1 : 0x0000000100000001u;
    return {doubled(range::low), doubled(range::high) - doubled(range::low), doubled(range::low_divisor) + unit,
            doubled(range::high_divisor) - doubled(range::low_divisor) - unit};
}

}  // namespace

// Sizes are compared as bits without their sign: [low, low + span) twice over, in both halves of a constant.
loop_writer::bounds loop_writer::bounds_of(type_id t) noexcept {
    return itemsize(t) == 8 ? of<bounds, double>() : of<bounds, float>();
}

void loop_writer::prepare_divisors() noexcept {
    for (int k = 0; k < text_.nsteps && ndivisors_ < max_divisors; ++k) {
        step const& s = text_.steps[k];
        if (s.is != form::divide || s.from == type_id::float16 || !state_[s.inputs[1]].hoisted) continue;
        int const slot = s.inputs[1], by = state_[slot].reg, n = bytes_of(s.from), w = wide(s.from);
        bool known = false;
        for (int d = 0; d < ndivisors_; ++d) known |= divisors_[d].slot == slot;
        if (known) continue;
        std::uint64_t const signs = sign_bits(s.from);
        int const size = new_vector(taken), reciprocal = new_vector(taken), sign = new_vector(taken);
        to_->vector(whole_add[w], n, size, by, operand::of(by));
        int const usable = usable_divisors(s.from, size);
        to_->vector_repeated(bit_and[w], n, sign, by, operand::constant(to_->constant(signs)));
        to_->vector_repeated(bit_and[w], n, size, by, operand::constant(to_->constant(~signs)));
        to_->vector(repeat[w + 2], n, reciprocal, operand::constant(constant_of(s.from, 1)));
        to_->vector(float_divide[w], n, reciprocal, reciprocal, operand::of(size));
        divisors_[ndivisors_++] = {slot, static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(reciprocal),
                                   static_cast<std::uint8_t>(sign), static_cast<std::uint8_t>(usable)};
    }
}

void loop_writer::quotient(step const& s, int d, int a) noexcept {
    int const n = bytes_of(s.from), w = wide(s.from), by = in_vector(s.inputs[1]);
    divisor const* x = nullptr;
    for (int k = 0; k < ndivisors_; ++k)
        if (divisors_[k].slot == s.inputs[1]) x = &divisors_[k];
    if (!x || !has_room_for_detour()) return to_->vector(float_divide[w], n, d, a, operand::of(by));
    int const near = new_vector(taken), size = new_vector(taken), usual = new_mask(taken), zero = new_mask(taken);
    int const slow = to_->new_label(), back = to_->new_label(), end = to_->new_label();
    to_->vector(whole_add[w], n, size, a, operand::of(a));
    mark_usual(s.from, usual, size, near, x->usable);
    test_all(s.from, usual);
    to_->jump(assembler::condition::not_below, slow);
    to_->bind(back);
    to_->vector(bit_xor[w], n, size, a, operand::of(x->sign));
    to_->vector(float_multiply[w], n, near, size, operand::of(x->reciprocal));
    // The remainder is taken with the sign that leaves the quotient of a zero its own.
    to_->vector(w ? move_wide : move, n, d, operand::of(near));
    to_->vector(times_minus[w], n, d, x->size, operand::of(size));
    to_->vector(minus_times[w], n, d, x->reciprocal, operand::of(near));
    to_->bind(end);
    add_detour({slow, back, end, form::divide, s.from, d, a, by, x->usable, usual, zero, size, near});
    free_vector(near), free_vector(size), free_mask(usual), free_mask(zero);
}

// Zeros are as good as usual sizes; else all lanes are divided.
void loop_writer::divide_unusual(detour const& x) noexcept {
    int const n = bytes_of(x.type), w = wide(x.type);
    mark_zeros(x);
    test_all(x.type, x.mask);
    to_->jump(assembler::condition::below, x.back);
    to_->vector(float_divide[w], n, x.d, x.a, operand::of(x.by));
}

void loop_writer::add_detour(detour const& x) noexcept {
    if (!has_room_for_detour()) failed_ = true;
    else detours_[ndetours_++] = x;
}

void loop_writer::write_detours() noexcept {
    for (int k = 0; k < ndetours_; ++k) {
        detour const& x = detours_[k];
        to_->bind(x.from);
        std::fill(std::begin(vector_owner_), std::end(vector_owner_), taken);
        if (x.spare != no_slot) free_vector(x.spare);
        if (x.is == form::divide) divide_unusual(x);
        else if (x.is == form::square_root) write_root(x);
        else if (x.type == type_id::float16) not_numbers_to_half(x);
        else not_numbers_of_half(x);
        to_->jump(x.end);
    }
}

}  // namespace bascule::cpu::jit
