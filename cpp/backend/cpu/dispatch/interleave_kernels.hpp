// The loops that join items of several operands to dense memory, and separate them again.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"

namespace bascule::cpu {

inline constexpr int max_interleaved = 8;

// to[k + i * count] = from[k][i], items of one size.
using interleave_kernel = void (*)(char* to, char const* const* from, std::int64_t n) noexcept;
// to[k][i] = from[k + i * count]; `early` prefetches the items that follow.
using separate_kernel = void (*)(char* const* to, char const* from, std::int64_t n, bool early) noexcept;
// By the size of items and their count; null where there is none.
struct interleave_kernels {
    interleave_kernel join[size_classes][max_interleaved + 1];
    separate_kernel separate[size_classes][max_interleaved + 1];
};
interleave_kernels const& active_interleave_kernels() noexcept;

}  // namespace bascule::cpu
