// The starting value of a reduction: initial=.
#pragma once
#include "array_object.hpp"

namespace bascule::python {

// Reads `given` into an element of an array of the loop's type, as NumPy does.
void read_initial(PyObject* given, dtype loop, device where, held_argument& to);

}  // namespace bascule::python
