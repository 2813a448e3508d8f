// Functions with something before the Python function that answers all calls, as which they show themselves: the
// commonest calls of those that programs make on small arrays by the million, and the method of the same name where
// NumPy's function calls it on objects of other libraries, as sum and clip do.
#include <cstddef>
#include <utility>

#include "bascule/array/eager.hpp"
#include "op_numbers.hpp"
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
        PyLong_CheckExact(o) || o == Py_None || is_numpy_scalar(o) || (is_numpy_array(o) && !is_derived(o)))
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

// The arguments as they stand for `parameters`, those that are not given null; false: there are others.
template <std::size_t N>
bool by_parameter(arguments args, PyObject* names, char const* const (&parameters)[N], PyObject* (&to)[N]) {
    std::size_t const named = names ? static_cast<std::size_t>(PyTuple_GET_SIZE(names)) : 0;
    if (args.size() > N) return false;
    for (std::size_t k = 0; k < args.size() - named; ++k) to[k] = args[k];
    for (std::size_t k = 0; k < named; ++k) {
        std::size_t p = 0;
        auto const is = [&] {
            return PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, static_cast<Py_ssize_t>(k)),
                                                    parameters[p]) == 0;
        };
        while (p < N && !is()) ++p;
        if (p == N || to[p]) return false;
        to[p] = args[args.size() - named + k];
    }
    return true;
}

// Numbers of Python's as another type, where NumPy converts each as they are converted here and has nothing to tell.
PyObject* converted(PyObject* numbers, dtype t) {
    reference const held{numbers};
    if (!numbers || value_of(numbers).type == t) return Py_XNewRef(numbers);
    auto const cast = [](array const& a, type_id to) {
        reference r{new_array()};
        auto const outcome = eager::cast(a, make_dtype(to), ops::fp::all, value_of(r.p));
        return outcome.done && !outcome.fp_errors ? std::exchange(r.p, nullptr) : nullptr;
    };
    bool const narrow = t.id == type_id::float32;
    if (value_of(numbers).ndim() == 0 || (t.id != type_id::float64 && !narrow)) return nullptr;
    if (value_of(numbers).type.id == type_id::float64) return cast(value_of(numbers), t.id);
    reference const floats{cast(value_of(numbers), type_id::float64)};
    return narrow && floats.p ? cast(value_of(floats.p), t.id) : Py_XNewRef(floats.p);
}

constexpr char const* array_parameters[] = {"object", "dtype"};
constexpr char const* asarray_parameters[] = {"a", "dtype"};

// (a, dtype), an array or numbers
PyObject* asarray(arguments args, PyObject* names) {
    PyObject* given[2] = {};
    if (!by_parameter(args, names, asarray_parameters, given) || !given[0]) return nullptr;
    bool const any_type = !given[1] || given[1] == Py_None;
    if (is_array(given[0])) {
        if (any_type) return Py_NewRef(given[0]);
        auto const t = known_dtype(given[1]);
        return t && value_of(given[0]).type == *t ? Py_NewRef(given[0]) : nullptr;
    }
    if (any_type) return array_of_numbers(given[0]);
    auto const t = known_dtype(given[1]);
    return t ? converted(array_of_numbers(given[0]), *t) : nullptr;
}

PyObject* array_of(arguments args, PyObject* names) {
    PyObject* given[2] = {};
    if (!by_parameter(args, names, array_parameters, given) || !given[0]) return nullptr;
    bool const any_type = !given[1] || given[1] == Py_None;
    auto const t = any_type ? std::nullopt : known_dtype(given[1]);
    if (!any_type && !t) return nullptr;
    if (!is_array(given[0])) return any_type ? array_of_numbers(given[0]) : converted(array_of_numbers(given[0]), *t);
    array const& a = value_of(given[0]);
    bool const same = any_type || a.type == *t;
    bool const plain = a.ndim() > 0 && is_c_contiguous(a.shape, a.strides, a.itemsize());
    return same && plain ? to_python(copy(a, 'C')) : nullptr;
}

constexpr char const* take_parameters[] = {"a", "indices", "axis", "out"};

PyObject* take(arguments args, PyObject* names) {
    PyObject* given[4] = {};
    if (!by_parameter(args, names, take_parameters, given) || !given[0] || !given[1]) return nullptr;
    if (given[3] && given[3] != Py_None) return nullptr;
    bool const all = !given[2] || given[2] == Py_None;
    auto const axis = all ? std::nullopt : integer_from(given[2]);
    return all || axis ? small_take(given[0], given[1], axis) : nullptr;
}

PyObject* where(arguments args, PyObject* names) { return args.size() == 3 && !names ? small_where(args) : nullptr; }

bool is_number(PyObject* o) {
    plan_constant v{};
    type_id t{};
    return PyFloat_CheckExact(o) || PyLong_CheckExact(o) || (!is_array(o) && numpy_number(o, t, v));
}

// Of a type that Python's numbers have as arrays.
bool is_of_plain_type(PyObject* o) {
    plan_constant v{};
    type_id t = type_id::float64;
    if (is_array(o)) t = value_of(o).type.id;
    else if (!PyFloat_CheckExact(o) && !PyLong_CheckExact(o) && !numpy_number(o, t, v)) return false;
    return t == type_id::float64 || t == type_id::int64;
}

PyObject* dot(arguments args, PyObject* names) {
    static constexpr auto multiply = number_of("multiply");
    if (names || !(args.size() == 2 || (args.size() == 3 && args[2] == Py_None))) return nullptr;
    args = args.first(2);
    if (is_number(args[0]) || is_number(args[1])) {
        bool const plain = is_of_plain_type(args[0]) && is_of_plain_type(args[1]);
        return plain ? scalar_or_array(quick_result(multiply, args), args[0], args[1]) : nullptr;
    }
    return product_of_small(args[0], args[1], error_policy::report);
}

constexpr struct {
    char const* name;
    quick_form common;
    bool by_method = false;
} forms[] = {{"array", array_of}, {"asanyarray", asarray}, {"asarray", asarray}, {"dot", dot},    {"empty", empty},
             {"ones", ones},      {"take", take, true},    {"where", where},     {"zeros", zeros}};

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
        if (std::string_view(form.name) == text) return made(general, form.common, form.by_method ? name.p : nullptr);
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
