// What `isinstance(x, ndarray)` asks. A program that says so means NumPy's arrays, too: those that SciPy, pandas and
// modules of NumPy's own users hand it are arrays, not numbers or lists. The type of an array stays what it is.
#include "array_object.hpp"

namespace bascule::python {
namespace {

PyObject* is_instance(PyObject* type, PyObject* x) {
    bool const asks_for_arrays = type == reinterpret_cast<PyObject*>(array_type);
    if (asks_for_arrays && (is_array(x) || is_numpy_array(x))) return Py_NewRef(Py_True);
    // Whatever says so itself, as an object that stands for another does.
    return PyObject_CallMethod(reinterpret_cast<PyObject*>(&PyType_Type), "__instancecheck__", "OO", type, x);
}

PyMethodDef methods[] = {
    {"__instancecheck__", is_instance, METH_O, "Whether it is an array, of this library's or of NumPy's."},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_base, &PyType_Type},
    {Py_tp_methods, methods},
    {0, nullptr},
};

PyType_Spec spec = {"bascule.array_class", 0, 0, Py_TPFLAGS_DEFAULT, slots};

}  // namespace

bool give_class(PyTypeObject* arrays) {
    PyObject* const made = PyType_FromSpec(&spec);
    if (!made) return false;
    Py_SET_TYPE(arrays, reinterpret_cast<PyTypeObject*>(made));  // which holds the reference
    PyType_Modified(arrays);
    return true;
}

}  // namespace bascule::python
