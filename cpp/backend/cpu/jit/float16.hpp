// float16 in arithmetic of its own, where the machine has it (AVX512-FP16).
#pragma once
#include "backend/cpu/program/program.hpp"

namespace bascule::cpu::jit {

bool has_float16_arithmetic() noexcept;
void use_float16_arithmetic(bool) noexcept;  // for tests: no more than the machine can

// Whether one of the instructions widens float16.
bool widens_float16(program const&) noexcept;

// Of `count` instructions, which follow the first `nfront` of the program: those that widen float16, compute in float32
// and round to float16 become one on float16. That has no kernel: its `run` is null. Two roundings, of which the first
// keeps twice the digits and two more, are one. Returns how many instructions are left; `registers` as in fuse().
int narrow(program&, int nfront, instruction* code, int count, int& registers) noexcept;

}  // namespace bascule::cpu::jit
