// Choices between two ways to write the same loop, which depend on the processor (common/cpu_tuning.hpp); tests take
// both.
#pragma once

namespace bascule::cpu::jit {

// Whether long code computes two vectors alternately, where AVX-512 has the registers for it: on processors that see
// fewer instructions ahead than wait for each other in it.
bool pairs_vectors() noexcept;
void pair_vectors(bool) noexcept;  // for tests

// Whether AVX-512's code that computes and stores little takes vectors of 32 bytes, on processors that split each
// larger one in two.
bool narrows_vectors() noexcept;
void narrow_vectors(bool) noexcept;  // for tests

}  // namespace bascule::cpu::jit
