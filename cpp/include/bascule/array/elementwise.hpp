// Calling an op of the table on arrays and scalars, with NumPy's rules for types, broadcasting, `out`, `where` and
// casting.
#pragma once
#include <optional>
#include <span>

#include "bascule/array/array.hpp"
#include "bascule/array/promote.hpp"

namespace bascule {

// An array, or a scalar that came from Python without a type of its own (weak) or as a NumPy scalar (strong, 0-d).
struct argument {
    array const* a = nullptr;
    plan_constant value{};            // scalar: of type `type`
    type_id type = type_id::float64;  // scalar: bool, int64, uint64, float64 or complex128
    weak_kind weak = weak_kind::strong;
};

struct call_options {
    array const* out = nullptr;
    array const* where = nullptr;  // bool
    casting rule = casting::same_kind;
    std::optional<type_id> type;  // forces the loop
    device at{};                  // for calls without arrays; a null api means the cpu
};

// The op on its arguments: lazy when large, at once when small (design rules 1 to 3).
array apply(std::uint16_t op, std::span<argument const> args, call_options const& options = {});
array apply(std::uint16_t op, array const& a);
array apply(std::uint16_t op, array const& a, array const& b);
array apply(std::uint16_t op, array const& a, argument const& b);

// `a`; or, where its booleans may be stored as other bytes than 0 and 1 because its memory is read as other types too,
// an array of the same booleans that are not.
array plain_booleans(array const& a);

// Values as another type; a view of the same array where nothing changes and `copy` is false.
array astype(array const& a, dtype to, bool copy = true, char order = 'K');
array copy(array const& a, char order = 'K');

// Whether each element is aligned for its type, as NumPy's flag reports.
[[nodiscard]] bool is_aligned(array const& a);
// `a`; or, where a device that cannot read such memory holds elements that are not aligned, a read-only copy that is.
array aligned(array const& a);

// to[...] = from, cast between any types, broadcast as NumPy's assignments do; overlap is handled as by NumPy. Throws
// value_error when the shapes do not fit.
void assign(array const& to, argument const& from);
void assign(array const& to, array const& from);
void assign_operand(array const& to, operand from);  // already laid over to.shape

bool fits_python_integer(argument const& a, type_id as);
// Throws overflow_error when a Python integer does not fit the type it is used as (NEP 50).
void check_python_integer(argument const& a, type_id as);

// Throws type_error with NumPy's text when a result of type `from` may not be written to `to`.
void check_output_cast(char const* op, type_id from, type_id to, casting rule);

}  // namespace bascule
