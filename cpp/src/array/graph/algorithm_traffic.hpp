// The number of bytes of operands and results that calls of devices read and write, each counted once, for recorded
// calls.
#pragma once
#include <cstdint>

#include "bascule/core/backend.hpp"

namespace bascule::traffic {

std::int64_t elements(std::int32_t ndim, std::int64_t const* shape);
// Elements of an operand over a space: those along which it does not move are one.
std::int64_t touched(std::int32_t ndim, std::int64_t const* shape, std::int64_t const* strides);

// Of an algorithm that has run. The bytes of text are counted where the host can read its offsets.
std::int64_t of(algorithm_kind kind, void const* args, bool host_memory);

}  // namespace bascule::traffic
