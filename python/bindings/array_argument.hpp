// The array that an argument must be.
#pragma once
#include "array_object.hpp"
#include "bascule/array/arguments.hpp"

namespace bascule::python {

array const& array_argument(PyObject* o);  // throws type_error for what is no array

}  // namespace bascule::python
