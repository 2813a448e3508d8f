// Iterators over the first axis of an array, and over all its elements.
#include "array_object.hpp"
#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "functions.hpp"
#include "structmember.h"

namespace bascule::python {

namespace {

struct iterator_object {
    PyObject_HEAD PyObject* of;
    Py_ssize_t next;
};
PyTypeObject* iterator_type = nullptr;

void drop_iterator(PyObject* self) noexcept {
    Py_XDECREF(reinterpret_cast<iterator_object*>(self)->of);
    PyObject_Free(self);
    Py_DECREF(iterator_type);
}

// Element `i`, in C order, of `of`.
PyObject* element(PyObject* of, std::int64_t i) {
    array const& a = value_of(of);
    std::int64_t offset = a.offset, left = i;
    for (int d = a.ndim() - 1; d > 0; --d) offset += left % a.shape[d] * a.strides[d], left /= a.shape[d];
    if (a.ndim() > 0) offset += left * a.strides[0];
    plan_constant v{};
    if (eager::read(a, offset, v)) return numpy_scalar(v, a.type);
    evaluate_released(a);
    if (eager::read(a, offset, v)) return numpy_scalar(v, a.type);
    reference const key{PyTuple_New(a.ndim())};
    if (!key.p) return nullptr;
    for (int d = a.ndim() - 1; d >= 0; --d) {
        PyTuple_SET_ITEM(key.p, d, PyLong_FromLongLong(i % a.shape[d]));
        i /= a.shape[d];
    }
    return PyErr_Occurred() ? nullptr : get_item(of, key.p);
}

PyObject* element_or_row(PyObject* of, Py_ssize_t i) {
    array const& a = value_of(of);
    if (a.ndim() == 1) {
        plan_constant v;
        return eager::read(a, a.offset + i * a.strides[0], v) ? numpy_scalar(v, a.type) : element(of, i);
    }
    PyObject* const r = new_view(of);
    array& v = value_of(r);
    v.offset = a.offset + i * a.strides[0];
    for (int d = 1; d < a.ndim(); ++d) v.shape.push_back(a.shape[d]), v.strides.push_back(a.strides[d]);
    return r;
}

PyObject* next_of(PyObject* self) noexcept {
    auto* const it = reinterpret_cast<iterator_object*>(self);
    if (!it->of) return nullptr;
    if (value_of(it->of).ndim() == 0 || it->next >= value_of(it->of).shape[0]) {
        Py_CLEAR(it->of);
        return nullptr;
    }
    return guarded([&] { return element_or_row(it->of, it->next++); });
}

PyObject* left_of(PyObject* self, PyObject*) noexcept {
    auto const* const it = reinterpret_cast<iterator_object*>(self);
    if (!it->of || value_of(it->of).ndim() == 0) return PyLong_FromLong(0);
    return PyLong_FromLongLong(std::max<std::int64_t>(value_of(it->of).shape[0] - it->next, 0));
}

// ---- all elements: the iterator of a.flat. Elements are read when the iterator reaches them.

PyTypeObject* flat_type = nullptr;

PyObject* new_flat(PyTypeObject* type, PyObject* args, PyObject*) noexcept {
    PyObject* of = nullptr;
    if (!PyArg_UnpackTuple(args, "flat", 1, 1, &of)) return nullptr;
    if (!is_array(of))
        return PyErr_Format(PyExc_TypeError, "[flat] goes through an array, not %s", Py_TYPE(of)->tp_name);
    if (int const ndim = value_of(of).ndim(); ndim > 32)
        return PyErr_Format(PyExc_RuntimeError, "this function only supports up to 32 dimensions but the array has %d.",
                            ndim);
    auto* const it = reinterpret_cast<iterator_object*>(type->tp_alloc(type, 0));
    if (it) it->of = Py_NewRef(of);
    return reinterpret_cast<PyObject*>(it);
}

void drop_flat(PyObject* self) noexcept {
    PyTypeObject* const type = Py_TYPE(self);
    Py_XDECREF(reinterpret_cast<iterator_object*>(self)->of);
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* next_of_flat(PyObject* self) noexcept {
    auto* const it = reinterpret_cast<iterator_object*>(self);
    std::int64_t const n = value_of(it->of).size();
    if (it->next >= n) {
        it->next = n;
        return nullptr;
    }
    return guarded([&] { return element(it->of, it->next++); });
}

Py_ssize_t length_of_flat(PyObject* self) noexcept {
    return value_of(reinterpret_cast<iterator_object*>(self)->of).size();
}

bool add_flat_type(PyObject* module) {
    static PyMemberDef members[] = {
        {"base", T_OBJECT, offsetof(iterator_object, of), READONLY, "The array it goes through."},
        {"index", T_PYSSIZET, offsetof(iterator_object, next), READONLY, "Position of the next element."},
        {}};
    static PyType_Slot slots[] = {
        {Py_tp_new, reinterpret_cast<void*>(new_flat)},
        {Py_tp_dealloc, reinterpret_cast<void*>(drop_flat)},
        {Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
        {Py_tp_iternext, reinterpret_cast<void*>(next_of_flat)},
        {Py_sq_length, reinterpret_cast<void*>(length_of_flat)},
        {Py_tp_members, members},
        {0, nullptr},
    };
    static PyType_Spec spec = {"bascule.flat_elements", sizeof(iterator_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    flat_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return flat_type && PyModule_AddObjectRef(module, "flat_elements", reinterpret_cast<PyObject*>(flat_type)) == 0;
}

}  // namespace

PyObject* iterate(PyObject* self) noexcept {
    if (value_of(self).ndim() == 0) {
        PyErr_SetString(PyExc_TypeError, "iteration over a 0-d array");
        return nullptr;
    }
    auto* const it = PyObject_New(iterator_object, iterator_type);
    if (!it) return nullptr;
    it->of = Py_NewRef(self), it->next = 0;
    return reinterpret_cast<PyObject*>(it);
}

bool add_iterator_types(PyObject* module) {
    static PyMethodDef methods[] = {{"__length_hint__", left_of, METH_NOARGS, nullptr}, {}};
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, reinterpret_cast<void*>(drop_iterator)},
        {Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
        {Py_tp_iternext, reinterpret_cast<void*>(next_of)},
        {Py_tp_methods, methods},
        {0, nullptr},
    };
    static PyType_Spec spec = {"bascule.array_iterator", sizeof(iterator_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    iterator_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return iterator_type && add_flat_type(module);
}
}  // namespace bascule::python
