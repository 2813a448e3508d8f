// Where the elements of NumPy's arrays and scalars lie.
#pragma once
#include "array_object.hpp"

namespace bascule::python {

// The memory of a NumPy array's elements.
struct numpy_layout {
    void* address = nullptr;
    bool read_only = false;
    dims shape, strides;
};

// As NumPy's array interface lays it out for C (numpy.org/doc/stable/reference/arrays.interface.html).
struct array_struct {
    int two;
    int nd;
    char typekind;
    int itemsize;
    int flags;
    Py_intptr_t *shape, *strides;
    void* data;
    PyObject* descr;
};

// Quickly by the buffer protocol; times have none, and a scalar of them has its elements in an array of `keeper`'s.
inline numpy_layout layout_of(PyObject* n, dtype t, reference& keeper) {
    numpy_layout l;
    Py_buffer view;
    if (!is_time(t.id) && PyObject_GetBuffer(n, &view, PyBUF_STRIDES) == 0) {
        l.address = view.buf, l.read_only = view.readonly != 0;
        l.shape = dims(view.shape, view.ndim), l.strides = dims(view.strides, view.ndim);
        PyBuffer_Release(&view);
        return l;
    }
    PyErr_Clear();
    constexpr int writeable = 0x400;
    static PyObject* const name = PyUnicode_InternFromString("__array_struct__");
    keeper.p = PyObject_GetAttr(n, name);
    auto const* const a = keeper.p ? static_cast<array_struct*>(PyCapsule_GetPointer(keeper.p, nullptr)) : nullptr;
    if (!a) throw python_error{};
    l.address = a->data, l.read_only = !(a->flags & writeable);
    l.shape = dims(a->shape, a->nd), l.strides = dims(a->strides, a->nd);
    return l;
}

}  // namespace bascule::python
