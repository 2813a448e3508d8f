// builtins.__import__ of the accelerated mode: imports of a few names are the hook's, all others go on to the function
// that was there before. Functions written in C import modules at each call: date.strftime does so twice.
#include <string_view>

#include "array_object.hpp"

namespace bascule::python {
namespace {

// (names, hook, usual)
PyObject* filtered_import(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept {
    PyObject* const hook = PyTuple_GET_ITEM(self, 1);
    bool meant = n == 0 || !PyUnicode_CheckExact(args[0]);
    if (!meant) {
        Py_ssize_t size = 0;
        char const* const text = PyUnicode_AsUTF8AndSize(args[0], &size);
        if (!text) PyErr_Clear();  // a name that is no UTF-8
        std::string_view const name(text ? text : "", static_cast<std::size_t>(size));
        PyObject* const tops = PyTuple_GET_ITEM(self, 0);
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(tops) && !meant; ++k)
            meant = name.substr(0, name.find('.')) == PyUnicode_AsUTF8(PyTuple_GET_ITEM(tops, k));
    }
    return PyObject_Vectorcall(meant ? hook : PyTuple_GET_ITEM(self, 2), args, static_cast<std::size_t>(n), names);
}

PyMethodDef definition = {"__import__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(filtered_import)),
                          METH_FASTCALL | METH_KEYWORDS, "Import a module, as the accelerated mode means it."};

}  // namespace

PyObject* import_filter(PyObject* names, PyObject* hook, PyObject* usual) {
    reference const held{PyTuple_Pack(3, names, hook, usual)};
    PyObject* const made = held.p ? PyCFunction_New(&definition, held.p) : nullptr;
    if (!made) throw python_error{};
    return made;
}

}  // namespace bascule::python
