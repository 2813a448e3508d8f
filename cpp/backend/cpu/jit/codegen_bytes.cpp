// Bytes shifted by one count, as 16-bit words, which the processor can shift: bits that come from a neighbour are
// masked.
#include "backend/cpu/jit/codegen.hpp"
#include "backend/cpu/jit/encodings.hpp"

namespace bascule::cpu::jit {

using namespace encodings;

void codegen::prepare_byte_shifts() noexcept {
    for (int k = 0; k < text_.nsteps && nbyte_shifts_ < max_byte_shifts; ++k) {
        step const& s = text_.steps[k];
        if (!shifts_bytes(s) || !state_[s.inputs[1]].hoisted) continue;
        bool const left = s.is == primitive::left_shift;
        int const n = width(1), count = new_vector(taken), kept = new_vector(taken), upper = new_vector(taken);
        operand const low_bytes = operand::constant(to_->constant(0x00ff00ff00ff00ffu));
        to_->vector(byte_to_64, 16, count, operand::of(state_[s.inputs[1]].reg));
        to_->vector(repeat_64, n, kept, low_bytes);
        to_->vector(left ? words_left : words_right, n, kept, kept, operand::of(count));
        to_->vector_repeated(bit_and[1], n, kept, kept, low_bytes);
        to_->vector(words_by_number, n, leftwards, upper, operand::of(kept));
        to_->immediate(8);
        to_->vector(bit_or[0], n, kept, kept, operand::of(upper));
        free_vector(upper);
        byte_shifts_[nbyte_shifts_++] = {s.inputs[1], s.is, static_cast<std::uint8_t>(count),
                                         static_cast<std::uint8_t>(kept)};
    }
}

void codegen::shift_bytes(step const& s, int d, int a) noexcept {
    for (int k = 0; k < nbyte_shifts_; ++k) {
        byte_shift const& x = byte_shifts_[k];
        if (x.slot != s.inputs[1] || x.direction != s.is) continue;
        to_->vector(s.is == primitive::left_shift ? words_left : words_right, width(1), d, a, operand::of(x.count));
        return to_->vector(bit_and[0], width(1), d, d, operand::of(x.kept));
    }
    failed_ = true;  // counts that differ from byte to byte
}

}  // namespace bascule::cpu::jit
