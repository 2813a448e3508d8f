// Result types as NumPy 2 finds them (NEP 50): promotion, safe casts, weak Python scalars, and the loop of an op.
#pragma once
#include <span>

#include "bascule/core/dtype.hpp"
#include "bascule/core/plan.hpp"

namespace bascule {

enum class casting : std::uint8_t { no, equiv, safe, same_kind, unsafe };

// A Python scalar has no type of its own, only a kind.
enum class weak_kind : std::uint8_t { strong, boolean, integer, floating, complex_ };

[[nodiscard]] type_id promote(type_id a, type_id b);
[[nodiscard]] bool can_cast(type_id from, type_id to, casting rule);
[[nodiscard]] char const* type_name(type_id t);     // "float64"
[[nodiscard]] char const* casting_name(casting c);  // "same_kind"

struct promoted {
    type_id type;
    weak_kind weak;  // strong: `type` counts
};
// Common type of arrays and Python scalars.
[[nodiscard]] type_id common_type(std::span<promoted const> in);

// The type op `op` computes in for inputs of this common type; throws type_error with NumPy's text when there is no
// loop.
[[nodiscard]] type_id loop_type(std::uint16_t op, type_id common);

}  // namespace bascule
