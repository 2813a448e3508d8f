// Joins the cheap instructions of a program into machine code of their own, which keeps what lies between them in
// registers instead of blocks. Instructions that are not cheap stay calls of their kernels.
#pragma once
#include <bitset>

#include "backend/cpu/program.hpp"

namespace bascule::cpu::jit {

enum class policy : std::uint8_t { off, automatic, always };

// What BASCULE_JIT asks for (off, auto, always); `auto` writes code where there are elements enough to repay it.
policy current() noexcept;
void use(policy) noexcept;  // for tests

// Whether long code computes two vectors in turns, where AVX-512 has the registers for it: on processors that see fewer
// instructions ahead than wait for each other in it.
bool pairs_vectors() noexcept;
void pair_vectors(bool) noexcept;  // for tests

// Whether AVX-512's code for what is quickly computed and stored takes vectors of 32 bytes, on processors that make two
// of each larger one.
bool narrows_vectors() noexcept;
void narrow_vectors(bool) noexcept;  // for tests

using slot_set = std::bitset<max_slots>;

// `registers`: how many are in use, counted on. Returns the slots that the last instruction computes, if it is a fused
// one.
slot_set fuse(program&, int& registers) noexcept;
// Whether code for a program reads such elements, so many bytes apart, where they lie in a row.
bool reads_apart(program const&, std::int64_t bytes, int itemsize) noexcept;
// Whether that probably leaves nothing but fused code.
bool fuses_all(program const&, int registers) noexcept;

}  // namespace bascule::cpu::jit
