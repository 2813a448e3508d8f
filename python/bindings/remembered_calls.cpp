// Calls that NumPy has run because of the types of their arguments, such as np.sort of strings: the next call of the
// same function with arguments of the same kinds goes to NumPy at once, without an error on the way.
#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "array_object.hpp"

namespace bascule::python {
namespace {

// The type of an argument, or the object itself where no other may take its place. Of a list it is that of all
// elements.
struct argument_kind {
    PyObject* known = nullptr;
    bool listed = false;
    bool operator==(argument_kind const&) const = default;
};

PyObject* as_object(PyTypeObject* type) { return reinterpret_cast<PyObject*>(type); }

bool is_numpys_array(PyObject* o) {
    static auto* const plain = reinterpret_cast<PyTypeObject*>(PyObject_GetAttrString(numpy_module(), "ndarray"));
    return Py_TYPE(o) == plain;
}

// The class of an array's dtype, which is one for each kind of elements; `refused`: no array of ours holds the kind.
PyObject* read_dtype(PyObject* array, bool& refused) {
    static PyObject* const dtype_name = PyUnicode_InternFromString("dtype");
    static PyObject* const kind_name = PyUnicode_InternFromString("kind");
    reference const type{PyObject_GetAttr(array, dtype_name)};
    reference const letter{type.p ? PyObject_GetAttr(type.p, kind_name) : nullptr};
    if (!letter.p) throw python_error{};
    refused = std::strchr("UTSOV", static_cast<int>(PyUnicode_READ_CHAR(letter.p, 0)));
    return as_object(Py_TYPE(type.p));
}

class call_kinds {
public:
    // False: an argument may hold arrays of ours; or none is of a kind that arrays do not hold.
    bool read(PyObject* const* args, std::size_t n) {
        bool refused = false;
        kinds.resize(n);
        for (std::size_t k = 0; k < n; ++k)
            if (!read(args[k], kinds[k], refused)) return false;
        return refused;
    }

    std::vector<argument_kind> kinds;

private:
    static bool is_refused_type(PyObject* type) {
        return type == as_object(&PyUnicode_Type) || type == as_object(&PyBytes_Type) ||
               type == as_object(&PyBaseObject_Type) || type == as_object(Py_TYPE(Py_None));
    }
    static bool is_number(PyObject* o) {
        return PyLong_CheckExact(o) || PyFloat_CheckExact(o) || PyBool_Check(o) || PyComplex_CheckExact(o);
    }

    // Strings or arrays of such elements, else bytes, else the class of the first object that is no number; false:
    // arrays of ours are among the elements.
    static bool read_list(PyObject* o, PyObject*& found, int depth) {
        constexpr int deepest = 32;
        if (depth > deepest) return false;
        Py_ssize_t const n = PySequence_Fast_GET_SIZE(o);
        PyObject** const items = PySequence_Fast_ITEMS(o);
        for (Py_ssize_t k = 0; k < n; ++k) {
            PyObject* const item = items[k];
            if (PyList_CheckExact(item) || PyTuple_CheckExact(item)) {
                if (!read_list(item, found, depth + 1)) return false;
            } else if (PyUnicode_CheckExact(item)) found = as_object(&PyUnicode_Type);
            else if (PyBytes_CheckExact(item))
                found = found == as_object(&PyUnicode_Type) ? found : as_object(&PyBytes_Type);
            else if (is_numpys_array(item)) {
                bool of_elements = false;
                PyObject* const type = read_dtype(item, of_elements);
                if (of_elements) found = type;
            } else if (is_array(item) || Py_IS_TYPE(item, ufunc_type)) return false;
            else if (!found && !is_number(item)) found = as_object(Py_TYPE(item));
        }
        return true;
    }

    static bool read(PyObject* o, argument_kind& kind, bool& refused) {
        static auto* const dtypes = reinterpret_cast<PyTypeObject*>(PyObject_GetAttrString(numpy_module(), "dtype"));
        if (is_numpys_array(o)) {
            bool of_elements = false;
            kind.known = read_dtype(o, of_elements);
            refused = refused || of_elements;
            return true;
        }
        if (is_array(o)) {
            kind.known = as_object(Py_TYPE(o));
            return value_of(o).where().api->host_memory;
        }
        if (PyList_CheckExact(o) || PyTuple_CheckExact(o)) {
            kind.listed = true;
            if (!read_list(o, kind.known, 0)) return false;
            refused = refused || kind.known;
            return true;
        }
        bool const named = PyUnicode_CheckExact(o) || PyBytes_CheckExact(o) || PyObject_TypeCheck(o, dtypes);
        if (named || PyType_CheckExact(o)) {
            refused = refused || named || is_refused_type(o);
            return kind.known = o, true;
        }
        kind.known = as_object(Py_TYPE(o));
        return !PyDict_Check(o) && !Py_IS_TYPE(o, ufunc_type) && o != as_object(array_type);
    }
};

struct remembered_call {
    PyObject *names, *theirs, *counted;
    std::vector<argument_kind> kinds;
};
std::unordered_map<PyObject*, std::vector<remembered_call>> calls;
constexpr std::size_t most_of_a_function = 32;  // a program that makes up names of types is not followed

// The function of NumPy's that has just run and how it was counted, until the call that it answered ends.
PyObject *last_theirs = nullptr, *last_counted = nullptr;
PyObject* package_folder = nullptr;

std::size_t count_of_arguments(Py_ssize_t n, PyObject* names) {
    return static_cast<std::size_t>(n + (names ? PyTuple_GET_SIZE(names) : 0));
}

bool same_names(PyObject* a, PyObject* b) { return a == b || (a && b && PyObject_RichCompareBool(a, b, Py_EQ) == 1); }

// Errors in calls from within the package are handled there.
bool is_from_package() {
    PyFrameObject* const frame = PyEval_GetFrame();
    if (!frame) return true;
    reference const code{reinterpret_cast<PyObject*>(PyFrame_GetCode(frame))};
    PyObject* const file = reinterpret_cast<PyCodeObject*>(code.p)->co_filename;
    return PyUnicode_Tailmatch(file, package_folder, 0, PY_SSIZE_T_MAX, -1) != 0;
}

PyObject* of_fallback(char const* name) {
    reference const m{PyImport_ImportModule("bascule.fallback")};
    PyObject* const found = m.p ? PyObject_GetAttrString(m.p, name) : nullptr;
    if (!found) throw python_error{};
    return found;
}

PyObject* run(PyObject* theirs, PyObject* counted, PyObject* const* args, Py_ssize_t n, PyObject* names) {
    static PyObject* const over_shared_memory = of_fallback("over_shared_memory");
    static PyObject* const given_back = of_fallback("given_back");
    static PyObject* const count_again = of_fallback("count_again");
    auto const all = count_of_arguments(n, names);
    bool const ours = std::any_of(args, args + all, is_array);
    std::vector<PyObject*> given{theirs};
    given.insert(given.end(), args, args + all);
    reference r{ours ? PyObject_Vectorcall(over_shared_memory, given.data(), given.size() - (all - n), names)
                     : PyObject_Vectorcall(theirs, args, static_cast<std::size_t>(n), names)};
    if (!r.p) return nullptr;
    reference const done{PyObject_CallOneArg(count_again, counted)};
    if (!done.p) return nullptr;
    bool is_final = ours || !(PyTuple_Check(r.p) || PyList_Check(r.p) || is_numpy_array(r.p));
    if (!is_final && is_numpys_array(r.p)) read_dtype(r.p, is_final);
    return is_final ? std::exchange(r.p, nullptr) : PyObject_CallOneArg(given_back, r.p);
}

}  // namespace

bool run_remembered(PyObject* what, PyObject* const* args, Py_ssize_t n, PyObject* names, PyObject*& result) noexcept {
    if (calls.empty()) return false;
    try {
        auto const known = calls.find(what);
        if (known == calls.end() || !default_device().api->host_memory) return false;
        call_kinds now;
        if (!now.read(args, count_of_arguments(n, names)) || is_from_package()) return false;
        auto const found = std::find_if(known->second.begin(), known->second.end(), [&](remembered_call const& one) {
            return one.kinds == now.kinds && same_names(one.names, names);
        });
        if (found == known->second.end()) return false;
        // Held here, since the call may change the settings, which forgets all calls.
        reference const theirs{Py_NewRef(found->theirs)}, counted{Py_NewRef(found->counted)};
        result = run(theirs.p, counted.p, args, n, names);
    } catch (...) { result = raise_current(); }
    return true;
}

void note_numpys_call(PyObject* theirs, PyObject* counted) {
    Py_XSETREF(last_theirs, Py_NewRef(theirs));
    Py_XSETREF(last_counted, Py_NewRef(counted));
}

void remember_call(PyObject* what, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept {
    reference const theirs{std::exchange(last_theirs, nullptr)}, counted{std::exchange(last_counted, nullptr)};
    if (!theirs.p) return;
    try {
        call_kinds now;
        if (!now.read(args, count_of_arguments(n, names))) return;
        auto& of_function = calls[what];
        if (of_function.size() == most_of_a_function) return;
        for (auto const& kind : now.kinds) Py_XINCREF(kind.known);
        of_function.push_back({Py_XNewRef(names), Py_NewRef(theirs.p), Py_NewRef(counted.p), std::move(now.kinds)});
    } catch (...) { PyErr_Clear(); }  // the call is answered; it is only not remembered
}

void forget_calls() {
    for (auto const& [what, all] : std::exchange(calls, {}))
        for (auto const& one : all) {
            Py_XDECREF(one.names), Py_DECREF(one.theirs), Py_DECREF(one.counted);
            for (auto const& kind : one.kinds) Py_XDECREF(kind.known);
        }
}

void set_package_folder(PyObject* path) { Py_XSETREF(package_folder, Py_NewRef(path)); }

}  // namespace bascule::python
