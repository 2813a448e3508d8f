// Quotients by one divisor for all elements, as kernels/float_division.hpp computes them: the product with the
// reciprocal, corrected by the exact remainder, where all lanes are zeros or of a usual size, else a division.
#include <algorithm>

#include "backend/cpu/dispatch/division_range.hpp"
#include "backend/cpu/jit/codegen.hpp"
#include "backend/cpu/jit/encodings.hpp"

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
codegen::bounds codegen::bounds_of(type_id t) noexcept {
    return itemsize(t) == 8 ? of<bounds, double>() : of<bounds, float>();
}

void codegen::prepare_divisors() noexcept {
    for (int k = 0; k < text_.nsteps && ndivisors_ < max_divisors; ++k) {
        step const& s = text_.steps[k];
        if (s.is != primitive::divide || s.from == type_id::float16 || !state_[s.inputs[1]].hoisted) continue;
        int const slot = s.inputs[1], by = state_[slot].reg, n = bytes_of(s.from), w = wide(s.from);
        bool known = false;
        for (int d = 0; d < ndivisors_; ++d) known |= divisors_[d].slot == slot;
        if (known) continue;
        int const size = new_vector(taken), reciprocal = new_vector(taken);
        to_->vector(whole_add[w], n, size, by, operand::of(by));
        int const usable = usable_divisors(s.from, size);
        free_vector(size);
        to_->vector(repeat[w + 2], n, reciprocal, operand::constant(constant_of(s.from, 1)));
        to_->vector(float_divide[w], n, reciprocal, reciprocal, operand::of(by));
        divisors_[ndivisors_++] = {slot, static_cast<std::uint8_t>(reciprocal), static_cast<std::uint8_t>(usable)};
    }
}

void codegen::quotient(step const& s, int d, int a) noexcept {
    int const n = bytes_of(s.from), by = in_vector(s.inputs[1]);
    divisor const* x = nullptr;
    for (int k = 0; k < ndivisors_; ++k)
        if (divisors_[k].slot == s.inputs[1]) x = &divisors_[k];
    if (!x || !has_room_for_detour()) return to_->vector(float_divide[wide(s.from)], n, d, a, operand::of(by));
    int const near = new_vector(taken), size = new_vector(taken), usual = new_mask(taken), zero = new_mask(taken);
    int const slow = to_->new_label(), end = to_->new_label();
    mark_usual(s.from, usual, a, size, near, x->usable);
    test_all(s.from, usual);
    to_->jump(assembler::condition::not_below, slow);
    write_quotient(s.from, d, a, by, x->reciprocal, near);
    to_->bind(end);
    add_detour(
        {slow, end, primitive::divide, s.from, d, a, by, x->usable, usual, zero, size, near, no_slot, x->reciprocal});
    free_vector(near), free_vector(size), free_mask(usual), free_mask(zero);
}

// The product, less the error by which it is too large.
void codegen::write_quotient(type_id t, int d, int a, int by, int reciprocal, int near) noexcept {
    int const n = bytes_of(t), w = wide(t);
    to_->vector(float_multiply[w], n, near, a, operand::of(reciprocal));
    to_->vector(w ? move_wide : move, n, d, operand::of(near));
    to_->vector(times_minus[w], n, d, by, operand::of(a));
    to_->vector(minus_times[w], n, d, reciprocal, operand::of(near));
}

// Zeros are as good as usual sizes, but that the correction might lose their sign; else all lanes are divided.
void codegen::divide_unusual(detour const& x) noexcept {
    int const divides = to_->new_label();
    mark_zeros(x);
    test_all(x.type, x.mask);
    to_->jump(assembler::condition::not_below, divides);
    write_quotient(x.type, x.d, x.a, x.by, x.reciprocal, x.t);
    choose_zeros(x, x.t);
    to_->jump(x.end);
    to_->bind(divides);
    to_->vector(float_divide[wide(x.type)], bytes_of(x.type), x.d, x.a, operand::of(x.by));
}

void codegen::add_detour(detour const& x) noexcept {
    if (!has_room_for_detour()) failed_ = true;
    else detours_[ndetours_++] = x;
}

void codegen::write_detours() noexcept {
    for (int k = 0; k < ndetours_; ++k) {
        detour const& x = detours_[k];
        to_->bind(x.from);
        std::fill(std::begin(vector_owner_), std::end(vector_owner_), taken);
        if (x.spare != no_slot) free_vector(x.spare);
        if (x.is == primitive::divide) divide_unusual(x);
        else if (x.is == primitive::sqrt) write_root(x);
        else if (x.type == type_id::float16) not_numbers_to_half(x);
        else not_numbers_of_half(x);
        to_->jump(x.end);
    }
}

}  // namespace bascule::cpu::jit
