// The interface of the just-in-time compiler to the rest of the CPU device. It joins the cheap instructions of a
// program into machine code of their own, which keeps the intermediates in registers instead of blocks; instructions
// that are not cheap stay calls of their kernels. README.md in this folder says when it is used and how much it gains.
// In a library built without it (BASCULE_JIT=OFF, or a processor that is not an x86-64) absent.cpp takes its place.
#pragma once
#include <bitset>

#include "backend/cpu/program/program.hpp"

namespace bascule::cpu::jit {

bool is_built() noexcept;

enum class policy : std::uint8_t { off, automatic, always };

// The setting of BASCULE_JIT (off, auto, always); `auto` writes code where there are enough elements to repay it.
policy current() noexcept;
void use(policy) noexcept;  // for tests

using slot_set = std::bitset<max_slots>;

// Replaces as many of a program's instructions as it can. `registers`: how many are in use, counted on. Returns the
// slots that the last instruction computes, if it is machine code.
slot_set fuse(program&, int& registers) noexcept;
// Whether machine code for a program reads such elements, so many bytes apart, without a copy.
bool reads_strided(program const&, std::int64_t bytes, int itemsize) noexcept;
// Whether fuse() probably leaves nothing but machine code.
bool fuses_all(program const&, int registers) noexcept;

}  // namespace bascule::cpu::jit
