// Moments of rows of real numbers that follow one another, each asked for by itself: while one is gone through the
// second time, the next is added up, so that memory is read all the time.
#pragma once
#include <cstdint>

namespace bascule::cpu {

struct row_moments {
    static constexpr int turn_size = 8;  // bytes of what is known of the next row
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
