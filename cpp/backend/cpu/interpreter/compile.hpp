// From a plan to a program of kernel calls over blocks.
#pragma once
#include "backend/cpu/program/program.hpp"
#include "bascule/core/backend.hpp"

namespace bascule::cpu {

// `careful` programs do not join several operations, so that each checked value has an instruction of its own. False:
// `fault` says why.
bool compile(program&, plan const&, kernel_table const&, bool careful) noexcept;
// Makes that the last error, for the caller to return.
status refuse(program const&) noexcept;

}  // namespace bascule::cpu
