// Shared by the bindings of tables: columns and labels out of Python's objects.
#pragma once
#include "array_object.hpp"
#include "bascule/table/labels.hpp"

namespace bascule::python {

bool add_lookup_type(PyObject* module);
bool add_elements_type(PyObject* module);
bool add_shown_labels(PyObject* module);
// Of bascule.Labels and bascule.Column; throw type_error for other objects.
table::labels_ref labels_from(PyObject* o);
table::column_ref column_from(PyObject* o);

}  // namespace bascule::python
