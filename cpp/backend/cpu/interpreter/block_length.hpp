// How many elements a program computes at a time.
#pragma once
#include "backend/cpu/program/program.hpp"

namespace bascule::cpu {

// Of a program that has all its instructions, so many registers, and elements no wider than that.
int length_of_blocks(program const&, int registers, int widest, bool careful) noexcept;

}  // namespace bascule::cpu
