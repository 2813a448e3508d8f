// Python's numbers where they become elements of a narrower type.
#pragma once
#include "bascule/array/elementwise.hpp"

namespace bascule::python_numbers {

// One beyond the range of `to` is infinite there; NumPy says so at the call, of no elements too.
void report_overflow(argument const& a, type_id to);

}  // namespace bascule::python_numbers
