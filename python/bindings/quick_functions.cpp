// Functions with something before the Python function that answers all calls, as which they show themselves: the
// commonest calls of those that programs make on small arrays by the million, and the method of the same name where
// NumPy's function calls it on objects of other libraries, as sum and clip do.
#include <cstddef>
#include <utility>

#include "bascule/array/quick.hpp"
#include "small_calls.hpp"
#include "structmember.h"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

struct function_object {
    PyObject_HEAD vectorcallfunc call;
    quick_form common;  // or null
    PyObject* general;
    PyObject* method;  // the name of the method that goes first; null: there is no such
    PyObject* weak_references;
};
function_object* of(PyObject* self) { return reinterpret_cast<function_object*>(self); }

// The argument `a`, which is the first; null: it is not given.
PyObject* first_argument(PyObject* const* args, Py_ssize_t n, PyObject* names) {
    if (n > 0) return args[0];
    for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k)
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, k), "a") == 0) return args[k];
    return nullptr;
}

// An object of another library that has the method; NumPy's arrays and scalars are as good as ours.
bool has_method(PyObject* o, PyObject* name) {
    if (!o || is_array(o) || PyList_CheckExact(o) || PyTuple_CheckExact(o) || PyFloat_CheckExact(o) ||
        PyLong_CheckExact(o) || o == Py_None || is_numpy_array(o) || is_numpy_scalar(o))
        return false;
    reference const found{PyObject_GetAttr(o, name)};
    if (!found.p) PyErr_Clear();
    return found.p != nullptr;
}

// NumPy's function calls the method, with what it says to those of others.
PyObject* by_method(PyObject* name, PyObject* const* args, std::size_t flags, PyObject* names) {
    reference const theirs{PyObject_GetAttr(numpy_module(), name)};
    if (!theirs.p) return nullptr;
    reference r{PyObject_Vectorcall(theirs.p, args, flags & ~PY_VECTORCALL_ARGUMENTS_OFFSET, names)};
    if (!r.p || !is_numpy_array(r.p)) return std::exchange(r.p, nullptr);
    static PyObject* const ours = [] {
        reference const m{PyImport_ImportModule("bascule.conversion")};
        return m.p ? PyObject_GetAttrString(m.p, "from_result") : nullptr;
    }();
    return ours ? PyObject_CallOneArg(ours, r.p) : nullptr;
}

PyObject* call(PyObject* self, PyObject* const* args, std::size_t flags, PyObject* names) noexcept {
    return guarded([&]() -> PyObject* {
        auto const n = PyVectorcall_NARGS(flags), named = names ? PyTuple_GET_SIZE(names) : 0;
        if (auto const common = of(self)->common) {
            PyObject* const r = common({args, static_cast<std::size_t>(n + named)}, names);
            if (r || PyErr_Occurred()) return r;
        }
        PyObject* const method = of(self)->method;
        if (method && has_method(first_argument(args, n, names), method)) return by_method(method, args, flags, names);
        return PyObject_Vectorcall(of(self)->general, args, flags, names);
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

PyObject* made(PyObject* general, quick_form common, PyObject* method) {
    auto* const f = PyObject_New(function_object, function_type);
    if (!f) return nullptr;
    f->call = call, f->common = common, f->general = Py_NewRef(general), f->method = Py_XNewRef(method);
    f->weak_references = nullptr;
    return reinterpret_cast<PyObject*>(f);
}

// (function): the same with the common calls of its name before it.
PyObject* quick_function(PyObject*, PyObject* general) noexcept {
    reference const name{PyObject_GetAttrString(general, "__name__")};
    if (!name.p) return nullptr;
    char const* const text = PyUnicode_AsUTF8(name.p);
    if (!text) return nullptr;
    if (quick_form const fold = fold_function(text)) return made(general, fold, name.p);
    for (auto const& form : forms)
        if (std::string_view(form.name) == text) return made(general, form.common, nullptr);
    return PyErr_Format(PyExc_ValueError, "%R has no common calls", name.p);
}

// (function): the same with the method of its name before it.
PyObject* method_first(PyObject*, PyObject* general) noexcept {
    reference const name{PyObject_GetAttrString(general, "__name__")};
    return name.p ? made(general, nullptr, name.p) : nullptr;
}

void drop(PyObject* self) noexcept {
    if (of(self)->weak_references) PyObject_ClearWeakRefs(self);
    Py_DECREF(of(self)->general);
    Py_XDECREF(of(self)->method);
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
    static PyMethodDef functions[] = {
        {"quick_function", quick_function, METH_O, nullptr}, {"method_first", method_first, METH_O, nullptr}, {}};
    return function_type && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
