// Outputs that lie between each other item by item: together they are dense memory, which is written in whole lines.
#pragma once
#include "backend/cpu/program.hpp"

namespace bascule::cpu {

inline constexpr int most_interleaved = 8;

// to[k + i * outputs] = from[k][i], items of one size; null where there is no such kernel.
using interleave_kernel = void (*)(char* to, char const* const* from, std::int64_t n) noexcept;
struct interleave_kernels {
    interleave_kernel of[size_classes][most_interleaved + 1];
};

// Whether the outputs of a program that has been compiled are such, put in order of memory.
bool order_interleaved(program&) noexcept;
// Stores a block of them; `at` as in the evaluator.
void store_interleaved(program const&, char* const* at, std::int64_t i, std::int64_t n) noexcept;

}  // namespace bascule::cpu
