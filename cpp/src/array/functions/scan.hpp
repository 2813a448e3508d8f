// A binary op applied one by one along an axis, by the device.
#pragma once
#include <algorithm>
#include <string_view>

#include "bascule/array/elementwise.hpp"
#include "bascule/ops/table.hpp"

namespace bascule {

inline bool is_one_of(std::uint16_t op, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), ops::table[op].name) != names.end();
}

}  // namespace bascule

namespace bascule::scan {

// Element k is the op of element k - 1 and the input's k; the type is the input's and must be a loop's.
array all(std::uint16_t op, array const& a, int axis);
// The last of these alone, along the last axis, which goes; it is not empty.
array last(std::uint16_t op, array const& a);
// A reduction over `axes`, one element after the other in the order of memory, from `first` on; the result has shape
// `shape`.
array reduced(std::uint16_t op, array const& a, std::uint64_t axes, dims const& shape, argument const* first = nullptr);

}  // namespace bascule::scan
