// Operands that lie between each other item by item: together they are dense memory, which is read, or written, in
// whole lines.
#pragma once
#include "backend/cpu/program.hpp"

namespace bascule::cpu {

// to[k + i * count] = from[k][i], items of one size.
using interleave_kernel = void (*)(char* to, char const* const* from, std::int64_t n) noexcept;
// to[k][i] = from[k + i * count]; `early` asks for what is read later.
using separate_kernel = void (*)(char* const* to, char const* from, std::int64_t n, bool early) noexcept;
// By the size of items and their count; null where there is none.
struct interleave_kernels {
    interleave_kernel join[size_classes][most_neighbours + 1];
    separate_kernel separate[size_classes][most_neighbours + 1];
};
interleave_kernels const& active_interleave_kernels() noexcept;

// Whether the outputs of a program that has been compiled are such, put in order of memory.
bool order_interleaved(program&) noexcept;
// Stores a block of them; `at` as in the evaluator.
void store_interleaved(program const&, char* const* at, std::int64_t i, std::int64_t n) noexcept;

// Finds packed loads that are such: they become place::beside.
void find_neighbours(program&) noexcept;
// Fills their registers.
void load_neighbours(program const&, char* const* at, std::int64_t i, std::int64_t n) noexcept;

}  // namespace bascule::cpu
