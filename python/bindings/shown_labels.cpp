// The labels of frames and series that a user is shown, kept in their __dict__: what is asked for again and again. All
// but the common case is Python's.
#include <string_view>

#include "array_object.hpp"
#include "tables.hpp"

namespace bascule::python {
namespace {

struct names {
    PyObject *index, *shown, *labels, *shown_names, *name, *module, *slow_index, *slow_columns, *slow_labels;
};
names const& known() {
    static names const all = {
        PyUnicode_InternFromString("_index"),         PyUnicode_InternFromString("_shown"),
        PyUnicode_InternFromString("_column_labels"), PyUnicode_InternFromString("_shown_names"),
        PyUnicode_InternFromString("_name"),          PyUnicode_InternFromString("__name__"),
        PyUnicode_InternFromString("_index_shown"),   PyUnicode_InternFromString("_columns_shown"),
        PyUnicode_InternFromString("_names_now")};
    return all;
}

// Whether the Python code that runs is of a library that takes pandas' objects apart, as `_fallback.as_pandas.reads`.
bool reads_pandas() {
    PyObject* const globals = PyEval_GetGlobals();
    PyObject* const name = globals ? PyDict_GetItemWithError(globals, known().module) : nullptr;
    Py_ssize_t n = 0;
    char const* const text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &n) : nullptr;
    if (!text) return PyErr_Clear(), true;
    std::string_view const module(text, static_cast<std::size_t>(n));
    return module.starts_with("pandas.") || module.starts_with("pyarrow.") || module.starts_with("xarray.");
}

// The text that is shown for `held`; null without an error where Python has to decide.
PyObject* shown_for(PyObject* dict, PyObject* held, PyObject* key) {
    PyObject* const shown = PyDict_GetItemWithError(dict, key);
    if (!shown || !PyTuple_CheckExact(shown) || PyTuple_GET_SIZE(shown) != 2) return nullptr;
    return PyTuple_GET_ITEM(shown, 0) == held ? PyTuple_GET_ITEM(shown, 1) : nullptr;
}

PyObject* shown_index(PyObject*, PyObject* rows) noexcept {
    reference const dict{PyObject_GenericGetDict(rows, nullptr)};
    if (!dict.p) return nullptr;
    PyObject* const held = PyDict_GetItemWithError(dict.p, known().index);
    PyObject* const found = held && !reads_pandas() ? shown_for(dict.p, held, known().shown) : nullptr;
    if (found) return Py_NewRef(found);
    if (PyErr_Occurred()) return nullptr;
    return PyObject_CallMethodNoArgs(rows, known().slow_index);
}

// Whether an index of pandas is called as another that it is a view of; several levels have names of their own.
bool is_called_alike(PyObject* a, PyObject* b) {
    if (std::string_view(Py_TYPE(a)->tp_name) == "MultiIndex") return false;
    reference const one{PyObject_GenericGetDict(a, nullptr)}, other{PyObject_GenericGetDict(b, nullptr)};
    if (!one.p || !other.p) return PyErr_Clear(), false;
    PyObject* const name = PyDict_GetItemWithError(one.p, known().name);
    return name && name == PyDict_GetItemWithError(other.p, known().name);
}

// Whether labels stand for an index of pandas, which Python replaces once pandas is imported.
bool is_stand_in(PyObject* labels) { return std::string_view(Py_TYPE(labels)->tp_name) == "Names"; }

// The labels of a frame's columns, or what is shown for them; `slow` is the method that looks closer.
PyObject* columns_of(PyObject* frame, bool show, PyObject* slow) noexcept {
    reference const dict{PyObject_GenericGetDict(frame, nullptr)};
    if (!dict.p) return nullptr;
    PyObject* const labels = PyDict_GetItemWithError(dict.p, known().labels);
    if (labels && !is_stand_in(labels)) {
        PyObject* const shown = shown_for(dict.p, labels, known().shown_names);
        if (!shown && !show) return Py_NewRef(labels);
        if (shown && is_called_alike(shown, labels)) return Py_NewRef(show ? shown : labels);
    }
    if (PyErr_Occurred()) return nullptr;
    return PyObject_CallMethodNoArgs(frame, slow);
}

PyObject* shown_columns(PyObject*, PyObject* frame) noexcept { return columns_of(frame, true, known().slow_columns); }
PyObject* column_labels(PyObject*, PyObject* frame) noexcept { return columns_of(frame, false, known().slow_labels); }

}  // namespace

bool add_shown_labels(PyObject* module) {
    static PyMethodDef functions[] = {{"shown_index", shown_index, METH_O, nullptr},
                                      {"shown_columns", shown_columns, METH_O, nullptr},
                                      {"column_labels", column_labels, METH_O, nullptr},
                                      {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
