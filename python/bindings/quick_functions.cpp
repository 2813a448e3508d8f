// Functions that programs call on small arrays by the million: their commonest calls, before the Python function that
// answers all of them. They show themselves as that function.
#include <cstddef>

#include "bascule/array/quick.hpp"
#include "small_calls.hpp"
#include "structmember.h"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

struct function_object {
    PyObject_HEAD vectorcallfunc call;
    quick_form common;
    PyObject *general, *weak_references;
};
function_object* of(PyObject* self) { return reinterpret_cast<function_object*>(self); }

PyObject* call(PyObject* self, PyObject* const* args, std::size_t flags, PyObject* names) noexcept {
    return guarded([&]() -> PyObject* {
        auto const n = PyVectorcall_NARGS(flags) + (names ? PyTuple_GET_SIZE(names) : 0);
        PyObject* const r = of(self)->common({args, static_cast<std::size_t>(n)}, names);
        return r || PyErr_Occurred() ? r : PyObject_Vectorcall(of(self)->general, args, flags, names);
    });
}

PyObject* filled(arguments args, PyObject* names, PyObject* value) {
    if (args.empty() || args.size() > 2) return nullptr;
    bool const by_name = names && PyTuple_GET_SIZE(names) > 0;
    if (by_name && (args.size() != 2 || PyTuple_GET_SIZE(names) != 1 ||
                    PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, 0), "dtype") != 0))
        return nullptr;
    PyObject* const inputs[] = {args[0], value, args.size() == 2 ? args[1] : Py_None};
    return small_filled(inputs);
}

// (shape, dtype)
PyObject* empty(arguments args, PyObject* names) { return filled(args, names, Py_None); }
PyObject* zeros(arguments args, PyObject* names) {
    static PyObject* const zero = PyLong_FromLong(0);
    return filled(args, names, zero);
}
PyObject* ones(arguments args, PyObject* names) {
    static PyObject* const one = PyLong_FromLong(1);
    return filled(args, names, one);
}

// One of NumPy's numbers; null: another object.
PyObject* without_axes(PyObject* number) {
    plan_constant v{};
    type_id t{};
    if (!in_host_memory_by_default() || !numpy_number(number, t, v)) return nullptr;
    array a;
    become_value(a, default_device(), make_dtype(t), v);
    a.scalar = false;
    return to_python(std::move(a));
}

PyObject* from_numbers(arguments args) {
    PyObject* const r = small_array(args);
    return r || PyErr_Occurred() ? r : without_axes(args[0]);
}

// (a), an array or numbers
PyObject* asarray(arguments args, PyObject* names) {
    if (args.size() != 1 || names) return nullptr;
    return is_array(args[0]) ? Py_NewRef(args[0]) : from_numbers(args);
}
PyObject* array_of(arguments args, PyObject* names) {
    return args.size() == 1 && !names && !is_array(args[0]) ? from_numbers(args) : nullptr;
}

constexpr struct {
    char const* name;
    quick_form common;
} forms[] = {{"array", array_of}, {"asarray", asarray}, {"empty", empty}, {"ones", ones}, {"zeros", zeros}};

PyTypeObject* function_type = nullptr;

// (function): the same with the common calls of its name before it.
PyObject* quick_function(PyObject*, PyObject* general) noexcept {
    reference const name{PyObject_GetAttrString(general, "__name__")};
    if (!name.p) return nullptr;
    char const* const text = PyUnicode_AsUTF8(name.p);
    if (!text) return nullptr;
    quick_form common = fold_function(text);
    for (auto const& form : forms)
        if (std::string_view(form.name) == text) common = form.common;
    if (!common) return PyErr_Format(PyExc_ValueError, "%R has no common calls", name.p);
    auto* const f = PyObject_New(function_object, function_type);
    if (!f) return nullptr;
    f->call = call, f->common = common, f->general = Py_NewRef(general), f->weak_references = nullptr;
    return reinterpret_cast<PyObject*>(f);
}

void drop(PyObject* self) noexcept {
    if (of(self)->weak_references) PyObject_ClearWeakRefs(self);
    Py_DECREF(of(self)->general);
    PyTypeObject* const type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

// All else is the function's, its class too: help() and inspect take this for it.
bool is_own(PyObject* name) {
    for (char const* own : {"__call__", "__reduce__", "__reduce_ex__"})
        if (PyUnicode_CompareWithASCIIString(name, own) == 0) return true;
    return false;
}

PyObject* get_attribute(PyObject* self, PyObject* name) noexcept {
    if (PyUnicode_CompareWithASCIIString(name, "__wrapped__") == 0) return Py_NewRef(of(self)->general);
    return is_own(name) ? PyObject_GenericGetAttr(self, name) : PyObject_GetAttr(of(self)->general, name);
}

int set_attribute(PyObject* self, PyObject* name, PyObject* value) noexcept {
    return PyObject_SetAttr(of(self)->general, name, value);
}

PyObject* show(PyObject* self) noexcept { return PyObject_Repr(of(self)->general); }

// By its name in its module.
PyObject* reduce(PyObject* self, PyObject*) noexcept {
    return PyObject_GetAttrString(of(self)->general, "__qualname__");
}

template <class F> void* slot(F f) { return reinterpret_cast<void*>(f); }

}  // namespace

bool add_quick_function_type(PyObject* module) {
    static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {}};
    static PyMemberDef members[] = {
        {"__vectorcalloffset__", T_PYSSIZET, offsetof(function_object, call), READONLY, nullptr},
        {"__weaklistoffset__", T_PYSSIZET, offsetof(function_object, weak_references), READONLY, nullptr},
        {}};
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, slot(drop)},
        {Py_tp_call, slot(PyVectorcall_Call)},
        {Py_tp_getattro, slot(get_attribute)},
        {Py_tp_setattro, slot(set_attribute)},
        {Py_tp_repr, slot(show)},
        {Py_tp_methods, methods},
        {Py_tp_members, members},
        {0, nullptr},
    };
    static PyType_Spec spec = {"bascule.function", sizeof(function_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               slots};
    function_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    static PyMethodDef functions[] = {{"quick_function", quick_function, METH_O, nullptr}, {}};
    return function_type && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
