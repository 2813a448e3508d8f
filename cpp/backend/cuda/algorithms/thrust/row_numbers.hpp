// The row numbers 0, 1, 2, ...
#pragma once
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>

#include "backend/cuda/algorithms/thrust/execution.hpp"

namespace bascule::cuda::algorithms {

using counting = thrust::counting_iterator<std::int64_t>;

struct row_number {
    BASCULE_HD std::uint32_t operator()(std::int64_t i) const { return static_cast<std::uint32_t>(i); }
};

// f(0), f(1), ..., f(n - 1), in any order. A kernel of its own: nvcc takes far longer over one of Thrust's.
#if defined(BASCULE_EMULATED_ALGORITHMS)
template <class F> void for_each_index(context const& c, std::int64_t n, F f) {
    if (n > 0) c.queue([=](auto const& policy) { thrust::for_each(policy, counting(0), counting(n), f); });
}
#else
template <class F> __global__ void run_indices(std::int64_t n, F f) {
    std::int64_t const step = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) f(i);
}
template <class F> void for_each_index(context const& c, std::int64_t n, F f) {
    constexpr std::int64_t threads = 256, most_blocks = std::int64_t{1} << 20;
    if (n <= 0) return;
    auto const blocks = static_cast<unsigned>(std::min((n + threads - 1) / threads, most_blocks));
    run_indices<<<blocks, static_cast<unsigned>(threads), 0, static_cast<cudaStream_t>(c.stream())>>>(n, f);
    if (auto const failed = cudaGetLastError(); failed != cudaSuccess) throw device_failed{cudaGetErrorString(failed)};
}
#endif

template <class U> struct element_at {
    U const* data;
    BASCULE_HD U operator()(std::int64_t at) const { return data[at]; }
};

// f of the row at a place in an order.
template <class F> struct of_rows {
    std::uint32_t const* order;
    F f;
    BASCULE_HD auto operator()(std::int64_t i) const { return f(order[i]); }
};

// out[i] = f(i).
template <class T, class F> struct write_each {
    T* out;
    F f;
    BASCULE_HD void operator()(std::int64_t i) const { out[i] = static_cast<T>(f(i)); }
};
template <class T, class F> void fill_by_index(context const& c, T* out, std::int64_t n, F f) {
    for_each_index(c, n, write_each<T, F>{out, f});
}

}  // namespace bascule::cuda::algorithms
