// Arguments of callers are checked here before anything is computed: extents, layouts, axes and positions.
#pragma once
#include <span>

#include "bascule/array/array.hpp"

namespace bascule {

// numpy.exceptions.AxisError
struct axis_error : value_error {
    axis_error(std::int64_t given, int of)
        : value_error("axis " + std::to_string(given) + " is out of bounds for array of dimension " +
                      std::to_string(of)),
          axis(given), ndim(of) {}
    std::int64_t axis;
    int ndim;
};

namespace arguments {

// Bytes of an array of a shape. Throws value_error, with NumPy's text, for extents that are negative, too many or too
// large together, and memory_error for more bytes than any machine addresses.
std::int64_t bytes_of(dims const& shape, dtype t);
// "Unable to allocate 3.55 PiB for an array with shape (1000, 500000000000) and data type float64"
std::string no_memory_for(dims const& shape, dtype t);

// The axis, counted from the front; throws axis_error.
int axis(std::int64_t given, int ndim);
// Each axis once; throws value_error or axis_error.
void permutation(std::span<int const> axes, int ndim);

// A layout of elements of `itemsize` bytes lies in the memory; throws value_error.
void layout(dims const& shape, dims const& strides, std::int64_t offset, std::int64_t itemsize, storage const& memory);
[[nodiscard]] bool lies_in_storage(array const& a);

// int64 or other integers of one axis, all of them at least `least` and below `end`; throws type_error, value_error or
// index_error. Evaluates.
void positions(array const& p, std::int64_t least, std::int64_t end, char const* who);

// As many axes as expected, and of a type of the set; throws value_error or type_error.
void rank(array const& a, int ndim, char const* who);
void type(array const& a, type_set allowed, char const* who);
void same_device(array const& a, array const& b, char const* who);

}  // namespace arguments

}  // namespace bascule
