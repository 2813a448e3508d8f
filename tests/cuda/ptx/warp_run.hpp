// How the lanes of a warp run: those at the lowest instruction first, so that lanes that went apart meet again.
#pragma once
#include "machine.hpp"

namespace bascule::ptx {

enum class warp_end : std::uint8_t { exited, at_barrier, paused };

// Runs a warp until all its lanes have ended or wait for the block, or others have to have a turn.
warp_end run_warp(warp& w);

// Its lanes go on behind the barrier of the block; `votes` of `threads` were true.
void leave_barrier(warp& w, unsigned votes, unsigned threads);

}  // namespace bascule::ptx
