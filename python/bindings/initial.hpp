// What a reduction starts with: initial=.
#pragma once
#include "array_object.hpp"

namespace bascule::python {

// An element of an array of the loop's type that is set to what is given, as NumPy makes it.
void read_initial(PyObject* given, dtype loop, device where, held_argument& to);

}  // namespace bascule::python
