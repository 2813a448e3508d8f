// Whole algorithms of the CPU; core/algorithms.hpp and core/array_algorithms_ordered.hpp define each. Those of the
// first allocate nothing.
#pragma once
#include "bascule/core/algorithms.hpp"
#include "bascule/core/array_algorithms_local.hpp"
#include "bascule/core/array_algorithms_ordered.hpp"

namespace bascule::cpu {

status gather(gather_args&) noexcept;
status scatter(gather_args&) noexcept;
status nonzero(nonzero_args&) noexcept;
status compress(compress_args&) noexcept;
status expand(expand_args&) noexcept;
status scan(scan_args const&) noexcept;
status reduce_segments(reduce_segments_args const&) noexcept;
status bincount(bincount_args&) noexcept;
status histogram(histogram_args const&) noexcept;
status interpolate(interpolate_args&) noexcept;
status convolve(convolve_args const&) noexcept;
status contract(contract_args const&) noexcept;
status pack_bits(pack_bits_args const&) noexcept;
status unpack_bits(pack_bits_args const&) noexcept;

}  // namespace bascule::cpu
