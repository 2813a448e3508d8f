// Calls that are passed to NumPy: those with elements that no array can hold, such as text, objects, records and long
// doubles. They end in the error of refused_dtype, bascule._core.RefusedDtype, wherever it is detected; the outermost
// function, method or operator hands the whole call to bascule.fallback.
#include <cstring>
#include <vector>

#include "array_object.hpp"
#include "bascule/array/ordered.hpp"
#include "functions.hpp"

namespace bascule::python {
namespace {

PyObject* refusal() noexcept {
    static PyObject* const type = PyErr_NewExceptionWithDoc(
        "bascule._core.RefusedDtype", "Elements of a type that arrays do not hold.", PyExc_TypeError, nullptr);
    return type;
}

PyObject* take_over = nullptr;

// The arguments as a tuple and a dict; false with an error set.
bool packed(PyObject* const* args, Py_ssize_t n, PyObject* names, reference& positional, reference& keywords) {
    positional.p = PyTuple_New(n), keywords.p = PyDict_New();
    if (!positional.p || !keywords.p) return false;
    for (Py_ssize_t k = 0; k < n; ++k) PyTuple_SET_ITEM(positional.p, k, Py_NewRef(args[k]));
    for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k)
        if (PyDict_SetItem(keywords.p, PyTuple_GET_ITEM(names, k), args[n + k]) < 0) return false;
    return true;
}

// Whether a ufunc or an operator has met an integer that its loop does not hold, of which NumPy may know more.
bool is_far_integer(PyObject* what) noexcept {
    return PyErr_ExceptionMatches(PyExc_OverflowError) && (Py_IS_TYPE(what, ufunc_type) || PyUnicode_Check(what));
}

}  // namespace

void set_refusal(char const* text) noexcept { PyErr_SetString(refusal(), text); }

PyObject* by_numpy(char const* kind, PyObject* what, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept {
    if (!take_over || !(PyErr_ExceptionMatches(refusal()) || is_far_integer(what))) return nullptr;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    reference positional{nullptr}, keywords{nullptr};
    PyObject* const r = packed(args, n, names, positional, keywords)
                            ? PyObject_CallFunction(take_over, "sOOOO", kind, what, positional.p, keywords.p, value)
                            : nullptr;
    if (r == Py_NotImplemented) {
        Py_DECREF(r);
        PyErr_Restore(type, value, trace);
        return nullptr;
    }
    Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(trace);
    if (r && !std::strcmp(kind, "function")) remember_call(what, args, n, names);
    return r;
}

PyObject* by_numpy(char const* kind, char const* name, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept {
    bool const refused = PyErr_ExceptionMatches(refusal());
    if (!take_over || !(refused || (PyErr_ExceptionMatches(PyExc_OverflowError) && !std::strcmp(kind, "operator"))))
        return nullptr;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    reference const text{PyUnicode_FromString(name)};
    PyErr_Restore(type, value, trace);
    return text.p ? by_numpy(kind, text.p, args, n, names) : nullptr;
}

PyObject* method_by_numpy(char const* name, PyObject* self, PyObject* const* args, Py_ssize_t n,
                          PyObject* names) noexcept {
    std::vector<PyObject*> with_self{self};
    with_self.insert(with_self.end(), args, args + n + (names ? PyTuple_GET_SIZE(names) : 0));
    return by_numpy("method", name, with_self.data(), n + 1, names);
}

// NumPy sorts few elements as fast, and in an unstable sort the order of equal ones is its own.
PyObject* small_argsort(PyObject* of, int axis, PyObject* kind) {
    constexpr std::int64_t few = 1024;
    array const& a = value_of(of);
    if (is_complex(a.type.id) || is_time(a.type.id) || !is_plain_small(a)) return nullptr;
    if (is_text(kind, "stable") || is_text(kind, "mergesort")) return to_python(bascule::argsort(a, axis));
    bool const unstable = kind == Py_None || is_text(kind, "quicksort") || is_text(kind, "heapsort");
    if (!unstable || a.size() > few) return nullptr;
    static PyObject* const asarray = PyObject_GetAttrString(numpy_module(), "asarray");
    static PyObject* const name = PyUnicode_InternFromString("argsort");
    reference const along{PyLong_FromLong(axis)}, view{PyObject_CallOneArg(asarray, of)};
    PyObject* const called[] = {view.p, along.p, kind};
    reference const found{view.p && along.p ? PyObject_VectorcallMethod(name, called, 3, nullptr) : nullptr};
    if (!found.p) throw python_error{};
    return to_python(array_from_numpy(found.p, true, a.where()));
}

bool add_refusal(PyObject* module) {
    return refusal() && PyModule_AddObjectRef(module, "RefusedDtype", refusal()) == 0;
}

void set_take_over(PyObject* callable) { Py_XSETREF(take_over, Py_NewRef(callable)); }

}  // namespace bascule::python
