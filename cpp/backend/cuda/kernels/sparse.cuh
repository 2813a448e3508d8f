// Products of compressed rows with a dense matrix. Words: 0 number of items; 1 rows and columns of the result; then the
// addresses of values, indices, starts, the dense matrix and the result.
#pragma once
#include "backend/cuda/kernels/indexed.cuh"

namespace bascule::cuda {

// An element of the result is one thread's, which adds up the products of its row in their order.
template <class T, class I, class P> __device__ inline void sparse_product(P const& p) {
    T const* const values = at<T>(p[3], 0);
    I const* const indices = at<I>(p[4], 0);
    I const* const starts = at<I>(p[5], 0);
    T const* const dense = at<T>(p[6], 0);
    T* const result = at<T>(p[7], 0);
    std::uint64_t const count = p[2];
    each_item(p[0], [&](std::uint64_t item) {
        std::uint64_t const row = item / count, column = item % count;
        T sum = 0;
        for (I e = starts[row]; e < starts[row + 1]; ++e)
            sum = sum + values[e] * dense[static_cast<std::uint64_t>(indices[e]) * count + column];
        result[item] = sum;
    });
}

}  // namespace bascule::cuda
