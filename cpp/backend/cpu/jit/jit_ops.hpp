// The operations that machine code is written for, each a few instructions whose results equal those of the op's
// kernel, bit for bit.
#pragma once
#include "backend/cpu/program/program.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::cpu::jit {

using ops::primitive;

enum class instruction_set : std::uint8_t { avx2, avx512 };

// One operation of a fused loop. All inputs have the type `from`, but for the condition of a selection. Room for many
// is left as it is until they are known.
struct step {
    primitive is;
    std::uint8_t ninputs;
    type_id from, to;
    std::uint16_t result, inputs[3];

    type_id input_type(int k) const noexcept { return is == primitive::where && k == 0 ? type_id::bool_ : from; }
};

// No machine shifts bytes one by one.
inline bool shifts_bytes(step const& s) noexcept {
    return (s.is == primitive::left_shift || s.is == primitive::right_shift) && itemsize(s.from) == 1;
}

// The step for an instruction of a program; primitive::none where only its kernel can compute it, or is as fast.
step step_of(program const&, instruction const&, instruction_set) noexcept;

}  // namespace bascule::cpu::jit
