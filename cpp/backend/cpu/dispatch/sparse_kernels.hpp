// Sums over the elements of a sparse row, compiled for every instruction set.
#pragma once
#include <cstdint>

namespace bascule::cpu {

// A row has `count` elements, each a value and its column.
template <class V, class I> struct sparse_kernels {
    // to[c] += the sum of values[e] * dense[columns[e] * width + c]
    void (*gather)(V const* values, I const* columns, std::int64_t count, V const* dense, std::int64_t width,
                   V* to) noexcept;
    // to[columns[e] * step + c] += values[e] * from[c], for so many c
    void (*scatter)(V const* values, I const* columns, std::int64_t count, V const* from, std::int64_t width, V* to,
                    std::int64_t step) noexcept;
};
struct sparse_kernels_of_types {
    sparse_kernels<double, std::int32_t> of_double;
    sparse_kernels<double, std::int64_t> of_double_wide;
    sparse_kernels<float, std::int32_t> of_float;
    sparse_kernels<float, std::int64_t> of_float_wide;
};
sparse_kernels_of_types const& active_sparse_kernels() noexcept;

}  // namespace bascule::cpu
