// The loops that turn columns of items into rows.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"

namespace bascule::cpu {

// to[i][k] = from[k][i], items of one size side by side: for all k of one line of memory, and i < rows.
struct transpose_line {
    char* to;
    char const* from;
    std::int64_t rows, to_row, from_column;
};
using transpose_kernel = void (*)(transpose_line const&) noexcept;
// By the size of items. `streamed` writes past the caches, to where a line starts.
struct transpose_kernels {
    transpose_kernel stored[size_classes], streamed[size_classes];
};
transpose_kernels const& active_transpose_kernels() noexcept;
// For tests: those of one instruction set, or null where the machine lacks it.
transpose_kernels const* transpose_kernels_of(char const* isa) noexcept;

}  // namespace bascule::cpu
