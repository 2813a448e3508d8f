// The numbers of ops and aggregates by their names, as compile-time constants of the bindings.
#pragma once
#include <cstdint>

#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::python {

constexpr std::uint16_t number_of(char const* name) { return static_cast<std::uint16_t>(ops::find(name)); }
constexpr std::uint16_t aggregate_of(char const* name) { return static_cast<std::uint16_t>(ops::find_aggregate(name)); }

}  // namespace bascule::python
