// Elements that a mask selects.
#pragma once
#include "bascule/array/array.hpp"

namespace bascule {

// The elements of an array where a mask of its shape is true, in C order.
array compress(array const& a, array const& mask);

}  // namespace bascule
