// Moments of consecutive rows of real numbers, called for one row at a time: during the second pass over one row, the
// next is summed, so that memory is read all the time.
#pragma once
#include <cstdint>

namespace bascule::cpu {

struct row_moments {
    static constexpr int turn_size = 8;  // bytes of the state of the next row
    void (*begin)(void* turn, void const* row, std::int64_t n) = nullptr;
    // `later`: as many elements make up the next row; 0: there is none. State of ops::variance_algebra.
    void (*reduce)(void* state, void* turn, void const* row, std::int64_t n, std::int64_t later) = nullptr;
};
// Without functions where rows are reduced no other way than any.
struct row_moments_kernels {
    row_moments of_float, of_double;
};
row_moments_kernels const& active_row_moments() noexcept;

// So many elements a row.
inline constexpr std::int64_t shortest_row_of_moments = 64, longest_row_of_moments = 1024;

}  // namespace bascule::cpu
