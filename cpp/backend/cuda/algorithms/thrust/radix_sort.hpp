// The sorts that all others are made of, each in a file of its own.
#pragma once
#include "backend/cuda/algorithms/thrust/execution.hpp"

namespace bascule::cuda::algorithms {

// Ascending keys; the sort is stable, so that the values of equal keys keep their order.
template <class K> void sort_keys(context const&, K* keys, std::int64_t n);
template <class K> void sort_pairs(context const&, K* keys, std::uint32_t* with, std::int64_t n);

extern template void sort_keys(context const&, std::uint8_t*, std::int64_t);
extern template void sort_keys(context const&, std::uint16_t*, std::int64_t);
extern template void sort_keys(context const&, std::uint32_t*, std::int64_t);
extern template void sort_keys(context const&, std::uint64_t*, std::int64_t);
extern template void sort_pairs(context const&, std::uint8_t*, std::uint32_t*, std::int64_t);
extern template void sort_pairs(context const&, std::uint16_t*, std::uint32_t*, std::int64_t);
extern template void sort_pairs(context const&, std::uint32_t*, std::uint32_t*, std::int64_t);
extern template void sort_pairs(context const&, std::uint64_t*, std::uint32_t*, std::int64_t);

// A positions' count: below 2^32, so that positions take four bytes.
inline constexpr std::int64_t most_positions = (std::int64_t{1} << 32) - 1;

// The stable order of rows 0 ... n - 1 by keys[0], then keys[1], ..., into `order`.
void order_rows(context const&, sort_key const* keys, std::int32_t nkeys, std::int64_t n, bool nulls_first,
                std::uint32_t* order);

}  // namespace bascule::cuda::algorithms
