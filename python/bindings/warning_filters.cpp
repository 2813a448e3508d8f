#include "warning_filters.hpp"

#include <deque>

namespace bascule::python::warning_filters {
namespace {

// One for each content that was met. A program has a few; what it makes beyond `most` warns under the last of them.
constexpr std::size_t most = 1 << 12;
std::deque<filters> known;

PyObject* attributes() noexcept {
    static PyObject* const module = PyImport_ImportModule("warnings");
    return module ? PyModule_GetDict(module) : nullptr;
}

PyObject* name_of_list() noexcept {
    static PyObject* const name = PyUnicode_InternFromString("filters");
    return name;
}

// What the list says of RuntimeWarning: the first filter that asks for nothing else decides.
void read(filters& f) noexcept {
    bool first = true;
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(f.list); ++k) {
        PyObject* const one = PyList_GET_ITEM(f.list, k);
        if (!PyTuple_Check(one) || PyTuple_GET_SIZE(one) != 5) continue;
        if (PyObject_IsSubclass(PyExc_RuntimeWarning, PyTuple_GET_ITEM(one, 2)) != 1) continue;
        PyObject *const action = PyTuple_GET_ITEM(one, 0), *const line = PyTuple_GET_ITEM(one, 4);
        bool const always = PyTuple_GET_ITEM(one, 1) == Py_None && PyTuple_GET_ITEM(one, 3) == Py_None &&
                            PyObject_IsTrue(line) == 0;
        f.raises = f.raises || PyUnicode_CompareWithASCIIString(action, "error") == 0;
        f.ignores = first && always && PyUnicode_CompareWithASCIIString(action, "ignore") == 0;
        if (always) break;
        first = false;
    }
    PyErr_Clear();
}

// Found again by what warnings' functions change: they make a new list or put a filter at one of its ends.
struct seen {
    PyObject* list = nullptr;
    Py_ssize_t size = -1;
    PyObject *first = nullptr, *last = nullptr;  // compared, never looked at
    filters const* found = nullptr;

    bool is(PyObject* now) const noexcept {
        Py_ssize_t const n = PyList_GET_SIZE(now);
        return found && now == list && n == size &&
               (n == 0 || (PyList_GET_ITEM(now, 0) == first && PyList_GET_ITEM(now, n - 1) == last));
    }
};
seen latest;

filters const* known_as(PyObject* list) noexcept {
    for (auto const& f : known)
        if (f.list && PyObject_RichCompareBool(f.list, list, Py_EQ) == 1) return &f;
    PyErr_Clear();
    if (known.size() >= most) return &known.back();
    filters f;
    f.list = PyList_GetSlice(list, 0, PyList_GET_SIZE(list));
    f.number = known.size();
    if (f.list) read(f);
    PyErr_Clear();
    known.push_back(f);
    return &known.back();
}

void put(PyObject* list) noexcept {
    PyObject* const all = attributes();
    if (!all || PyDict_SetItem(all, name_of_list(), list) < 0) return PyErr_Clear();
    PyObject* const changed = PyDict_GetItemString(all, "_filters_mutated");
    reference const noted{changed ? PyObject_CallNoArgs(changed) : nullptr};
    if (!noted.p) PyErr_Clear();
}

}  // namespace

filters const& now() noexcept {
    static filters const none;
    PyObject* const all = attributes();
    PyObject* const list = all ? PyDict_GetItemWithError(all, name_of_list()) : nullptr;
    if (!list || !PyList_Check(list)) {
        PyErr_Clear();
        return none;
    }
    if (latest.is(list)) return *latest.found;
    filters const* const found = known_as(list);
    Py_ssize_t const n = PyList_GET_SIZE(list);
    Py_XDECREF(latest.list);  // held, so that no other list takes its place in memory
    latest = {Py_NewRef(list), n, n ? PyList_GET_ITEM(list, 0) : nullptr, n ? PyList_GET_ITEM(list, n - 1) : nullptr,
              found};
    return *found;
}

of_a_while::of_a_while(std::size_t number) noexcept {
    if (number == now().number || number >= known.size() || !known[number].list) return;
    before_ = Py_XNewRef(PyDict_GetItemWithError(attributes(), name_of_list()));
    if (before_) put(known[number].list);
}

of_a_while::~of_a_while() {
    if (!before_) return;
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    put(before_);
    Py_DECREF(before_);
    PyErr_Restore(type, value, trace);
}

}  // namespace bascule::python::warning_filters
