// Sums and squared deviations of the columns of a few rows that stay in the cache, compiled for every instruction set.
#pragma once
#include <cstdint>

namespace bascule::cpu {

// Rows are dense, of `columns` elements each; out has an element for each column.
template <class T> struct column_kernels {
    // Of all elements but NaN, and how many they are.
    void (*sums)(T const* rows, std::int64_t count, std::int64_t columns, double* known, double* out) noexcept;
    // Of what these differ from `mean` by, and of the squares of that.
    void (*deviations)(T const* rows, std::int64_t count, std::int64_t columns, double const* mean, double* out,
                       double* squares) noexcept;
    // out[r * step + c] = rows[r * columns + c] - shift[c]
    void (*centre)(T const* rows, std::int64_t count, std::int64_t columns, double const* shift, double* out,
                   std::int64_t step) noexcept;
};
struct column_kernels_of_types {
    column_kernels<double> of_double;
    column_kernels<float> of_float;
};
column_kernels_of_types const& active_column_kernels() noexcept;

}  // namespace bascule::cpu
