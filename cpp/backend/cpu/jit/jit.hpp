// All that the rest of the CPU device asks of the just-in-time compiler. It joins the cheap instructions of a program
// into machine code of their own, which keeps what lies between them in registers instead of blocks; instructions that
// are not cheap stay calls of their kernels. README.md beside this file says when it fires and what it is worth. In a
// library built without it (BASCULE_JIT=OFF, or a processor that is not an x86-64) absent.cpp answers.
#pragma once
#include <bitset>

#include "backend/cpu/program/program.hpp"

namespace bascule::cpu::jit {

bool is_built() noexcept;

enum class policy : std::uint8_t { off, automatic, always };

// What BASCULE_JIT asks for (off, auto, always); `auto` writes code where there are elements enough to repay it.
policy current() noexcept;
void use(policy) noexcept;  // for tests

using slot_set = std::bitset<max_slots>;

// Replaces what it can of a program's instructions. `registers`: how many are in use, counted on. Returns the slots
// that the last instruction computes, if it is machine code.
slot_set fuse(program&, int& registers) noexcept;
// Whether machine code for a program reads such elements, so many bytes apart, without a copy.
bool reads_strided(program const&, std::int64_t bytes, int itemsize) noexcept;
// Whether fuse() probably leaves nothing but machine code.
bool fuses_all(program const&, int registers) noexcept;

}  // namespace bascule::cpu::jit
