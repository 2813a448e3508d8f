// Whole algorithms by their number.
#pragma once
#include "bascule/core/algorithms.hpp"

namespace bascule::cpu {

// The functions behind backend::algorithm and backend::supports.
status run_algorithm(algorithm_kind, void* args) noexcept;
bool has_algorithm(algorithm_kind) noexcept;

}  // namespace bascule::cpu
