// Copies put together from parts. Every one of them is a few assignments to views of a new array.
#pragma once
#include <span>

#include "bascule/array/array.hpp"

namespace bascule {

// Concatenates arrays of one type on one device whose shapes differ at most along `axis`, in their order of axes in
// memory. Throws value_error where shapes differ.
array concatenate(std::span<array const> parts, int axis);
// Arrays of one type and shape along a new axis.
array stack(std::span<array const> parts, int axis);
// Elements along an axis moved by `shift`, those that leave at one end entering at the other.
array roll(array const& a, std::int64_t shift, int axis);
// A copy with values, of its type and but for the axis of its shape, before position `at` of the axis.
array insert(array const& a, std::int64_t at, array const& values, int axis);
// Each element along an axis so many times, one after the other; C order.
array repeat(array const& a, std::int64_t times, int axis);
// The array side by side, as often as `times` says along each of its axes; C order.
array tile(array const& a, dims const& times);
// The matrix with this diagonal k; all other elements are zero.
array diagonal_matrix(array const& diagonal, std::int64_t k);
// Matrices in the last two axes with zeros below their diagonal k (`upper`), or above it.
array triangle(array const& a, std::int64_t k, bool upper);

}  // namespace bascule
