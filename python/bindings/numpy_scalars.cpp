// NumPy's own scalars: what a value without axes is on devices whose memory is the host's.
#include <array>
#include <cstring>

#include "array_object.hpp"
#include "bascule/array/quick.hpp"

namespace bascule::python {
namespace {

PyTypeObject* numpy_scalar_type(type_id t) {
    static auto const types = [] {
        std::array<PyTypeObject*, type_count> all{};
        for (int k = 0; k < type_count; ++k) {
            PyObject* const found = PyObject_GetAttrString(numpy_module(), type_name(static_cast<type_id>(k)));
            if (!found) throw python_error{};
            all[static_cast<std::size_t>(k)] = reinterpret_cast<PyTypeObject*>(found);
        }
        return all;
    }();
    return types[static_cast<std::size_t>(t)];
}

// NumPy has one object for each of the two.
PyObject* numpy_truth(bool v) {
    static auto const both = [] {
        std::array<PyObject*, 2> all{};
        for (std::size_t k = 0; k < all.size(); ++k) {
            reference const plain{PyBool_FromLong(static_cast<long>(k))};
            all[k] = PyObject_CallOneArg(reinterpret_cast<PyObject*>(numpy_scalar_type(type_id::bool_)), plain.p);
            if (!all[k]) throw python_error{};
        }
        return all;
    }();
    return Py_NewRef(both[v ? 1 : 0]);
}

// By an array of NumPy's, since a unit goes with it.
PyObject* numpy_time(plan_constant const& v, dtype t) {
    reference const descr{numpy_dtype(t)};
    reference const bytes{PyBytes_FromStringAndSize(reinterpret_cast<char const*>(v.bytes), itemsize(t.id))};
    reference const line{descr.p && bytes.p ? PyObject_CallMethod(numpy_module(), "frombuffer", "OO", bytes.p, descr.p)
                                            : nullptr};
    PyObject* const r = line.p ? PySequence_GetItem(line.p, 0) : nullptr;
    if (!r) throw python_error{};
    return r;
}

}  // namespace

PyObject* numpy_scalar(plan_constant const& v, dtype t) {
    if (is_boolean(t.id)) return numpy_truth(v.bytes[0] != 0);
    if (is_time(t.id)) return numpy_time(v, t);
    PyTypeObject* const type = numpy_scalar_type(t.id);
    PyObject* const r = type->tp_alloc(type, 0);
    if (!r) throw python_error{};
    // The value lies behind the object's head (numpy/arrayscalars.h).
    auto* const to = reinterpret_cast<std::byte*>(r) + sizeof(PyObject);
    if (t.itemsize == 8) std::memcpy(to, v.bytes, 8);  // the commonest, without a call
    else std::memcpy(to, v.bytes, static_cast<std::size_t>(t.itemsize));
    return r;
}

PyObject* scalar_or_array(PyObject* r) {
    if (!r || !is_kept_scalar(r)) return r;
    reference const held{r};
    array const& a = value_of(r);
    if (!a.where().api->host_memory) return Py_NewRef(r);
    plan_constant v{};
    if (!quick_read(a, a.offset, v)) {
        evaluate_released(a);
        v = item(a);
    }
    return numpy_scalar(v, a.type);
}

PyObject* scalar_or_array(array a) {
    PyObject* const r = to_python(std::move(a));
    if (!r) throw python_error{};
    return scalar_or_array(r);
}

}  // namespace bascule::python
