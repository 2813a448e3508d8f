// Values without axes, as loops over elements in Python use them: taken out of arrays, stored and iterated over.
#include <cmath>
#include <utility>

#include "array_object.hpp"
#include "bascule/array/quick.hpp"
#include "scalar_numbers.hpp"

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

PyObject* element_or_row(PyObject* of, Py_ssize_t i) {
    array const& a = value_of(of);
    std::int64_t const offset = a.offset + i * a.strides[0];
    if (a.ndim() == 1) {
        evaluate_released(a);
        reference r{new_array()};
        if (quick_item(a, offset, value_of(r.p))) return std::exchange(r.p, nullptr);
        reference const key{PyLong_FromSsize_t(i)};
        return key.p ? get_item(of, key.p) : nullptr;
    }
    PyObject* const r = new_view(of);
    array& v = value_of(r);
    v.offset = offset;
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

}  // namespace

PyObject* plain_value(PyObject* o) noexcept {
    number n;
    if (!read_number(o, n) || is_complex(n.type)) return nullptr;
    if (is_float(n.type)) return PyFloat_FromDouble(n.f);
    return is_integer(n.type) ? PyLong_FromLongLong(n.i) : PyBool_FromLong(static_cast<long>(n.i));
}

std::optional<std::int64_t> element_offset(array const& a, PyObject* key) {
    bool const several = PyTuple_CheckExact(key);
    PyObject* const* const parts = several ? &PyTuple_GET_ITEM(key, 0) : &key;
    int const count = several ? static_cast<int>(PyTuple_GET_SIZE(key)) : 1;
    if (count != a.ndim()) return {};
    std::int64_t offset = a.offset;
    for (int d = 0; d < count; ++d) {
        number n;
        if (PyFloat_CheckExact(parts[d]) || !read_number(parts[d], n) || !is_integer(n.type)) return {};
        if (n.i < -a.shape[d] || n.i >= a.shape[d]) return {};
        offset += (n.i < 0 ? n.i + a.shape[d] : n.i) * a.strides[d];
    }
    return offset;
}

bool plain_element(PyObject* v, type_id t, plan_constant& to) {
    number n;
    if (PyBool_Check(v)) n.type = type_id::bool_, n.i = v == Py_True;
    else if (!read_number(v, n)) return false;
    to = {};
    bool const whole = is_integer(n.type) || n.type == type_id::bool_;
    if (t == type_id::bool_) {
        to.bytes[0] = n.i != 0;
        return n.type == t;
    }
    if (is_complex(t)) {
        if (t != type_id::complex128 || (n.type != t && n.type != type_id::float64)) return false;
        return to.f64[0] = n.f, to.f64[1] = n.imag, true;
    }
    if (is_complex(n.type)) return false;
    if (is_integer(t)) {
        if (!whole && !(std::fabs(n.f) < 0x1p62)) return false;
        return store_integer(whole ? n.i : static_cast<std::int64_t>(n.f), t, to);
    }
    double const x = whole ? static_cast<double>(n.i) : n.f;
    if (t == type_id::float64) return to.f64[0] = x, true;
    if (t != type_id::float32 || (whole && std::abs(n.i) > exact_in_double)) return false;
    return narrow(x, to.f32[0]) || n.type == t;
}

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

bool add_iterator_type() {
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
    return iterator_type != nullptr;
}

}  // namespace bascule::python
