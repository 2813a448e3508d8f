#include <thrust/sort.h>

#include "backend/cuda/algorithms/thrust/radix_sort.hpp"

namespace bascule::cuda::algorithms {

template <class K> void sort_keys(context const& c, K* keys, std::int64_t n) {
    c.queue([=](auto const& policy) { thrust::stable_sort(policy, keys, keys + n); });
}

template void sort_keys(context const&, std::uint8_t*, std::int64_t);
template void sort_keys(context const&, std::uint16_t*, std::int64_t);
template void sort_keys(context const&, std::uint32_t*, std::int64_t);
template void sort_keys(context const&, std::uint64_t*, std::int64_t);

}  // namespace bascule::cuda::algorithms
