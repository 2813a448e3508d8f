// Programs without reductions: every block computed and stored.
#pragma once
#include "backend/cpu/program/program.hpp"
#include "bascule/core/backend.hpp"

namespace bascule::cpu {

status run_elements(program const&) noexcept;

}  // namespace bascule::cpu
