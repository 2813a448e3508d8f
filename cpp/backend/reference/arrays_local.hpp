// Values between samples, sliding products, sums by labels and bits, slowly; core/array_algorithms_local.hpp defines
// each.
#pragma once
#include "bascule/core/array_algorithms_local.hpp"

namespace bascule::reference {

void interpolate(interpolate_args&);
void convolve(convolve_args const&);
void contract(contract_args const&);
void pack_bits(pack_bits_args const&);
void unpack_bits(pack_bits_args const&);

}  // namespace bascule::reference
