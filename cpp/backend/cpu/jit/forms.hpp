// The operations that machine code is written for, each a few instructions that compute what the op's kernel does, bit
// for bit.
#pragma once
#include "backend/cpu/program.hpp"

namespace bascule::cpu::jit {

enum class form : std::uint8_t {
    none,
    add,
    subtract,
    multiply,
    divide,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    left_shift,
    right_shift,
    square_root,
    absolute,
    negative,
    square,
    reciprocal,
    floor,
    ceil,
    trunc,
    rint,
    positive,
    invert,
    copysign,
    maximum,
    minimum,
    fmax,
    fmin,
    clip,
    where,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    logical_and,
    logical_or,
    logical_xor,
    logical_not,
    isnan,
    isinf,
    isfinite,
    signbit,
    multiply_add,
    multiply_subtract,
    subtract_multiply,
    sum_of_three,
    cast,
};

enum class instruction_set : std::uint8_t { avx2, avx512 };

// One operation of a fused loop. All inputs have the type `from`, but for the condition of a selection. Room for many
// is left as it is until they are known.
struct step {
    form is;
    std::uint8_t ninputs;
    type_id from, to;
    std::uint16_t result, inputs[3];

    type_id input_type(int k) const noexcept { return is == form::where && k == 0 ? type_id::bool_ : from; }
};

// No machine shifts bytes one by one.
inline bool shifts_bytes(step const& s) noexcept {
    return (s.is == form::left_shift || s.is == form::right_shift) && itemsize(s.from) == 1;
}

// What an instruction of a program does; form::none where only its kernel knows, or does it as well.
step step_of(program const&, instruction const&, instruction_set) noexcept;

}  // namespace bascule::cpu::jit
