// Whole algorithms of the CPU; core/algorithms.hpp says what each does. They allocate nothing.
#pragma once
#include "bascule/core/algorithms.hpp"

namespace bascule::cpu {

status gather(gather_args&) noexcept;
status scatter(gather_args&) noexcept;
status nonzero(nonzero_args&) noexcept;
status compress(compress_args&) noexcept;
status scan(scan_args const&) noexcept;

// What backend::algorithm and backend::supports ask.
status run_algorithm(algorithm_kind, void* args) noexcept;
bool has_algorithm(algorithm_kind) noexcept;

}  // namespace bascule::cpu
