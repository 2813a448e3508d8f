// Operands that are interleaved item by item: together they are dense memory, which is read, or written, in
// whole lines.
#pragma once
#include "backend/cpu/program/program.hpp"

namespace bascule::cpu {

// Whether the outputs of a program that has been compiled are such, put in order of memory.
bool order_interleaved(program&) noexcept;
// Stores a block of them; `at` as in the evaluator.
void store_interleaved(program const&, char* const* at, std::int64_t i, std::int64_t n) noexcept;

// Finds packed loads that are such: they become place::interleaved.
void find_interleaved_loads(program&) noexcept;
// Fills their registers.
void load_interleaved(program const&, char* const* at, std::int64_t i, std::int64_t n) noexcept;

}  // namespace bascule::cpu
