// Functions as Python sees them: the parser of their arguments, and the type of those with a Python function behind
// them, as which they show themselves.
#include "functions.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "structmember.h"

namespace bascule::python {
namespace {

PyObject* default_from(std::string const& text) {
    static PyObject* const names = PyDict_New();
    if (!names || PyDict_SetItemString(names, "np", numpy_module()) < 0) throw python_error{};
    PyObject* const value = PyRun_String(text.c_str(), Py_eval_input, names, names);
    if (!value) throw python_error{};
    return value;
}

// Parts between commas outside of brackets, without the blanks around them.
std::vector<std::string> parts_of(std::string_view text) {
    std::vector<std::string> parts;
    int depth = 0;
    std::string part;
    for (char const c : text) {
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (c == ',' && depth == 0) parts.push_back(std::exchange(part, {}));
        else if (c != ' ' || !part.empty()) part += c;
    }
    if (!part.empty()) parts.push_back(part);
    return parts;
}

}  // namespace

signature::signature(char const* text) {
    bool by_position = true;
    for (auto const& part : parts_of(text)) {
        if (part == "/") {
            for (auto& p : parameters_) p.by_name = false;
            continue;
        }
        bool const star = part[0] == '*';
        if (star) by_position = false;
        if (part == "*") continue;
        auto const equals = part.find('=');
        std::string const name = part.substr(star, equals == std::string::npos ? equals : equals - star);
        PyObject* const fallback = equals == std::string::npos ? nullptr : default_from(part.substr(equals + 1));
        parameters_.push_back({PyUnicode_InternFromString(name.c_str()), fallback, by_position, !star, star});
        positional_ += by_position;
    }
    if (parameters_.size() > most) throw value_error(std::string("too many parameters: ") + text);
}

bool signature::bind(PyObject* const* args, Py_ssize_t n, PyObject* names, PyObject** to, reference& rest) const {
    auto const count = parameters_.size();
    Py_ssize_t const placed = std::min(n, positional_), named = names ? PyTuple_GET_SIZE(names) : 0;
    for (Py_ssize_t k = 0; k < placed; ++k) to[k] = args[k];
    for (auto k = static_cast<std::size_t>(placed); k < count; ++k) {
        to[k] = nullptr;
        if (!parameters_[k].takes_rest) continue;
        rest.p = PyTuple_New(n - placed);
        if (!rest.p) throw python_error{};
        for (Py_ssize_t i = placed; i < n; ++i) PyTuple_SET_ITEM(rest.p, i - placed, Py_NewRef(args[i]));
        to[k] = rest.p;
    }
    if (n > placed && !rest.p) return false;
    for (Py_ssize_t i = 0; i < named; ++i) {
        PyObject* const name = PyTuple_GET_ITEM(names, i);
        std::size_t k = 0;
        while (k < count && parameters_[k].name != name) ++k;
        if (k == count)  // a name that is not interned
            for (k = 0; k < count && PyUnicode_Compare(parameters_[k].name, name) != 0;) ++k;
        if (k == count || to[k] || !parameters_[k].by_name) return false;
        to[k] = args[n + i];
    }
    for (std::size_t k = 0; k < count; ++k)
        if (!to[k] && !(to[k] = parameters_[k].fallback)) return false;
    return true;
}

namespace {

struct known_function {
    function_row const& row;
    signature parameters;
    std::string looks = {};
    PyMethodDef definition = {};
};

std::deque<known_function>& table() {
    static std::deque<known_function> all = [] {
        std::deque<known_function> rows;
        for (auto const& family :
             {creation_functions(), selection_functions(), shaping_functions(), numeric_functions()})
            for (auto const& row : family) {
                auto const& known = rows.emplace_back(row, signature(row.signature));
                if (row.types != 0 && row.types != known.parameters.size())
                    throw value_error(std::string("the code has other parameters: ") + row.name);
            }
        return rows;
    }();
    return all;
}

struct function_object {
    PyObject_HEAD vectorcallfunc call;
    known_function const* known;  // or null
    fast_form common;             // of the reductions, which are methods, too; or null
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

// NumPy's function calls the method, with the arguments it passes to other types' methods.
PyObject* by_method(PyObject* name, PyObject* const* args, std::size_t flags, PyObject* names) {
    reference const theirs{PyObject_GetAttr(numpy_module(), name)};
    if (!theirs.p) return nullptr;
    reference r{PyObject_Vectorcall(theirs.p, args, flags & ~PY_VECTORCALL_ARGUMENTS_OFFSET, names)};
    if (!r.p || !is_numpy_array(r.p)) return std::exchange(r.p, nullptr);
    static PyObject* const ours = [] {
        reference const m{PyImport_ImportModule("bascule._array.conversion")};
        return m.p ? PyObject_GetAttrString(m.p, "from_result") : nullptr;
    }();
    return ours ? PyObject_CallOneArg(ours, r.p) : nullptr;
}

// ---- NumPy's protocol of functions (NEP 18): objects of other libraries that answer for themselves

bool is_common(PyObject* o) {
    PyTypeObject* const t = Py_TYPE(o);
    return is_array(o) || t == &PyFloat_Type || t == &PyLong_Type || o == Py_None || t == &PyBool_Type ||
           t == &PyUnicode_Type || t == &PyType_Type || t == &PyComplex_Type || is_numpy_scalar(o) ||
           (is_numpy_array(o) && !is_derived(o));
}

// Of a class with an `__array_function__` that is neither ours nor the one that NumPy's own classes inherit.
bool answers_itself(PyObject* o) {
    static PyObject* const name = PyUnicode_InternFromString("__array_function__");
    static PyObject* const inherited = [] {
        reference const base{PyObject_GetAttrString(numpy_module(), "ndarray")};
        return base.p ? _PyType_Lookup(reinterpret_cast<PyTypeObject*>(base.p), name) : nullptr;
    }();
    PyObject* const found = _PyType_Lookup(Py_TYPE(o), name);
    return found && found != inherited;
}

// Whether `name` is like= and its value cannot make arrays.
bool is_no_prototype(PyObject* name, PyObject* value) {
    static PyObject* const like = PyUnicode_InternFromString("like");
    static PyObject* const protocol = PyUnicode_InternFromString("__array_function__");
    if (name != like && PyUnicode_Compare(name, like) != 0) return false;
    return value != Py_None && !is_array(value) && !_PyType_Lookup(Py_TYPE(value), protocol);
}

// Sequences of numbers are not searched: their first element decides.
bool some_answer_themselves(PyObject* o, int depth = 0) {
    if (is_common(o)) return false;
    bool const list = PyList_CheckExact(o);
    if (!list && !PyTuple_CheckExact(o)) return answers_itself(o);
    Py_ssize_t const n = list ? PyList_GET_SIZE(o) : PyTuple_GET_SIZE(o);
    auto const item = [&](Py_ssize_t k) { return list ? PyList_GET_ITEM(o, k) : PyTuple_GET_ITEM(o, k); };
    if (n == 0 || depth > 2 || PyFloat_CheckExact(item(0)) || PyLong_CheckExact(item(0))) return false;
    for (Py_ssize_t k = 0; k < n && k < (list ? PyList_GET_SIZE(o) : n); ++k)
        if (some_answer_themselves(item(k), depth + 1)) return true;
    return false;
}

// The result of NumPy's function of the same name, which dispatches to them; NotImplemented where no such function
// dispatches.
PyObject* by_those_asked(PyObject* general, PyObject* const* args, Py_ssize_t n, PyObject* names) {
    static PyObject* const ask = [] {
        reference const m{PyImport_ImportModule("bascule.interop.protocols")};
        return m.p ? PyObject_GetAttrString(m.p, "by_numpys_function") : nullptr;
    }();
    reference const given{PyTuple_New(n)}, named{PyDict_New()};
    if (!ask || !given.p || !named.p) return nullptr;
    for (Py_ssize_t k = 0; k < n; ++k) PyTuple_SET_ITEM(given.p, k, Py_NewRef(args[k]));
    for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k)
        if (PyDict_SetItem(named.p, PyTuple_GET_ITEM(names, k), args[n + k]) < 0) return nullptr;
    return PyObject_CallFunctionObjArgs(ask, general, given.p, named.p, nullptr);
}

// Null without an error: the arguments do not fit, or are not common.
PyObject* in_table(known_function const& f, PyObject* const* args, Py_ssize_t n, PyObject* names, bool* fits) {
    PyObject* bound[signature::most];
    reference rest{nullptr};
    *fits = f.parameters.bind(args, n, names, bound, rest);
    return *fits ? f.row.call({bound, f.parameters.size()}) : nullptr;
}

PyObject* call(PyObject* self, PyObject* const* args, std::size_t flags, PyObject* names) noexcept {
    PyObject* const made = guarded([&]() -> PyObject* {
        auto const n = PyVectorcall_NARGS(flags), named = names ? PyTuple_GET_SIZE(names) : 0;
        for (Py_ssize_t k = 0; k < n + named; ++k)
            if (some_answer_themselves(args[k]) ||
                (k >= n && is_no_prototype(PyTuple_GET_ITEM(names, k - n), args[k]))) {
                reference found{by_those_asked(of(self)->general, args, n, names)};
                if (found.p != Py_NotImplemented) return std::exchange(found.p, nullptr);
                break;
            }
        PyObject* r = nullptr;
        if (run_remembered(of(self)->general, args, n, names, r)) return r;
        bool fits = false;
        if (auto const* const known = of(self)->known) r = in_table(*known, args, n, names, &fits);
        else if (auto const common = of(self)->common) r = common({args, static_cast<std::size_t>(n + named)}, names);
        if (r || PyErr_Occurred()) return r;
        PyObject* const method = of(self)->method;
        if (method && has_method(first_argument(args, n, names), method)) return by_method(method, args, flags, names);
        return PyObject_Vectorcall(of(self)->general, args, flags, names);
    });
    return made ? made : by_numpy("function", of(self)->general, args, PyVectorcall_NARGS(flags), names);
}

// The same of a method, whose first argument is the array.
PyObject* call_method(PyObject* self, PyObject* const* args, std::size_t flags, PyObject* names) noexcept {
    PyObject* const made = PyObject_Vectorcall(of(self)->general, args, flags, names);
    return made ? made : by_numpy("method", of(self)->general, args, PyVectorcall_NARGS(flags), names);
}

// ---- draws from NumPy's streams

// The arguments of a call with NumPy's arrays over the memory of ours.
class arguments_for_numpy {
public:
    arguments_for_numpy() = default;
    ~arguments_for_numpy() {
        for (std::size_t k = 0; k < held_; ++k) Py_DECREF(views_[k]);
    }
    arguments_for_numpy(arguments_for_numpy const&) = delete;
    arguments_for_numpy& operator=(arguments_for_numpy const&) = delete;

    // Those behind the first `skipped`. False: there are too many, an output, which NumPy's method returns as its own,
    // or objects that run code of their own while NumPy reads them.
    bool take(std::span<PyObject* const> args, std::size_t skipped, PyObject* names) {
        if (args.size() > signature::most) return false;
        for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k)
            if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, k), "out") == 0) return false;
        if (!std::all_of(args.begin() + static_cast<std::ptrdiff_t>(skipped), args.end(), is_plain)) return false;
        for (PyObject* o : args) {
            if (is_array(o)) {
                o = PyObject_CallMethod(numpy_module(), "asarray", "O", o);
                if (!o) throw python_error{};
                views_[held_++] = o;
            }
            given[count++] = o;
        }
        return true;
    }

    PyObject* given[signature::most];
    std::size_t count = 0;

private:
    static bool is_number(PyObject* o) { return PyLong_CheckExact(o) || PyFloat_CheckExact(o) || PyBool_Check(o); }
    static bool is_plain(PyObject* o) {
        if (PyTuple_CheckExact(o))
            return std::all_of(&PyTuple_GET_ITEM(o, 0), &PyTuple_GET_ITEM(o, 0) + PyTuple_GET_SIZE(o), is_number);
        return o == Py_None || is_number(o) || PyUnicode_CheckExact(o) || is_array(o);
    }

    PyObject* views_[signature::most];
    std::size_t held_ = 0;
};

// Whether an array that NumPy has just made is large, and no other object has its memory.
bool is_worth_keeping(PyObject* drawn, dtype t) {
    static PyObject* const base_name = PyUnicode_InternFromString("base");
    static PyObject* const bytes_name = PyUnicode_InternFromString("nbytes");
    constexpr std::int64_t least = 1 << 16;  // fewer are soon copied
    reference const base{PyObject_GetAttr(drawn, base_name)}, bytes{PyObject_GetAttr(drawn, bytes_name)};
    if (!base.p || !bytes.p) throw python_error{};
    return base.p == Py_None && Py_REFCNT(drawn) == 1 && !is_boolean(t.id) && PyLong_AsLongLong(bytes.p) >= least;
}

// NumPy's array of numbers as one on the device; any other object, or null, as it is.
PyObject* brought_over(PyObject* drawn, PyObject* device) {
    if (!drawn) return nullptr;  // first of all: a call with an error set would lose it
    static auto* const plain = reinterpret_cast<PyTypeObject*>(PyObject_GetAttrString(numpy_module(), "ndarray"));
    static PyObject* const dtype_name = PyUnicode_InternFromString("dtype");
    if (Py_TYPE(drawn) != plain) return drawn;
    reference const given{drawn}, type{PyObject_GetAttr(drawn, dtype_name)};
    auto const t = type.p ? known_dtype(type.p) : std::nullopt;
    if (!t || is_time(t->id)) return Py_NewRef(drawn);
    auto const where = device_of(device);
    if (where.api->host_memory && is_worth_keeping(drawn, *t)) {
        array kept = array_from_numpy(drawn, true, where);
        kept.memory()->exports.store(0);  // it is no longer NumPy's
        return to_python(std::move(kept));
    }
    return to_python(array_from_numpy(drawn, false, where));
}

// The method of a generator, of which `method` is NumPy's.
PyObject* call_drawing_method(PyObject* self, PyObject* const* args, std::size_t flags, PyObject* names) noexcept {
    return guarded([&]() -> PyObject* {
        static PyObject* const numpys = PyUnicode_InternFromString("_numpy");
        static PyObject* const device_name = PyUnicode_InternFromString("_device");
        auto const n = static_cast<std::size_t>(PyVectorcall_NARGS(flags)),
                   all = n + (names ? static_cast<std::size_t>(PyTuple_GET_SIZE(names)) : 0);
        arguments_for_numpy taken;
        if (n == 0 || !taken.take({args, all}, 1, names))
            return PyObject_Vectorcall(of(self)->general, args, flags, names);
        reference const generator{PyObject_GetAttr(args[0], numpys)},
            device{generator.p ? PyObject_GetAttr(args[0], device_name) : nullptr};
        if (!device.p) return nullptr;
        taken.given[0] = generator.p;
        return brought_over(PyObject_Vectorcall(of(self)->method, taken.given, n, names), device.p);
    });
}

// The function of the one stream of the module, of which `method` is NumPy's.
PyObject* call_drawing(PyObject* self, PyObject* const* args, std::size_t flags, PyObject* names) noexcept {
    return guarded([&]() -> PyObject* {
        auto const n = static_cast<std::size_t>(PyVectorcall_NARGS(flags));
        arguments_for_numpy taken;
        if (!taken.take({args, n + (names ? static_cast<std::size_t>(PyTuple_GET_SIZE(names)) : 0)}, 0, names))
            return PyObject_Vectorcall(of(self)->general, args, flags, names);
        return brought_over(PyObject_Vectorcall(of(self)->method, taken.given, n, names), Py_None);
    });
}

PyTypeObject *function_type = nullptr, *method_type = nullptr;

PyObject* made(PyObject* general, known_function const* known, fast_form common, PyObject* method) {
    auto* const f = PyObject_New(function_object, function_type);
    if (!f) return nullptr;
    f->call = call, f->known = known, f->common = common;
    f->general = Py_NewRef(general), f->method = Py_XNewRef(method), f->weak_references = nullptr;
    return reinterpret_cast<PyObject*>(f);
}

// (function): the same behind its row of the table.
PyObject* function(PyObject*, PyObject* general) noexcept {
    return guarded([&]() -> PyObject* {
        reference const name{PyObject_GetAttrString(general, "__name__")};
        char const* const text = name.p ? PyUnicode_AsUTF8(name.p) : nullptr;
        if (!text) return nullptr;
        if (fast_form const reduction = reduction_function(text)) return made(general, nullptr, reduction, name.p);
        for (auto const& f : table())
            if (std::string_view(f.row.name) == text)
                return made(general, &f, nullptr, f.row.method_first ? name.p : nullptr);
        return PyErr_Format(PyExc_ValueError, "%R has no row in the function table", name.p);
    });
}

// (function): the same with the method of its name before it.
PyObject* method_first(PyObject*, PyObject* general) noexcept {
    reference const name{PyObject_GetAttrString(general, "__name__")};
    return name.p ? made(general, nullptr, nullptr, name.p) : nullptr;
}

PyObject* as_method(PyObject* function, vectorcallfunc call) {
    if (!function) return nullptr;
    of(function)->call = call;
    PyTypeObject* const before = Py_TYPE(function);
    Py_SET_TYPE(function, reinterpret_cast<PyTypeObject*>(Py_NewRef(reinterpret_cast<PyObject*>(method_type))));
    Py_DECREF(before);
    return function;
}

// (function): the same as a method of arrays or ufuncs; calls that only NumPy supports are passed to it.
PyObject* method(PyObject*, PyObject* general) noexcept {
    return as_method(made(general, nullptr, nullptr, nullptr), call_method);
}

// (function, NumPy's): the same, drawing by NumPy's function where the arguments are none of ours.
PyObject* drawing(PyObject*, PyObject* const* args, Py_ssize_t n) noexcept {
    if (n != 2) return PyErr_Format(PyExc_TypeError, "expected a function and NumPy's");
    PyObject* const made_one = made(args[0], nullptr, nullptr, args[1]);
    if (made_one) of(made_one)->call = call_drawing;
    return made_one;
}

// (function, NumPy's): the same of a method of generators and of that of NumPy's generators.
PyObject* drawing_method(PyObject*, PyObject* const* args, Py_ssize_t n) noexcept {
    return as_method(drawing(nullptr, args, n), call_drawing_method);
}

// (function): the same, but objects of other libraries that implement it take precedence.
PyObject* overridable(PyObject*, PyObject* general) noexcept { return made(general, nullptr, nullptr, nullptr); }

// (): the names and signatures of all rows.
PyObject* function_table(PyObject*, PyObject*) noexcept {
    return guarded([&]() -> PyObject* {
        reference all{PyDict_New()};
        for (auto const& f : table()) {
            reference const text{PyUnicode_FromString(f.row.signature)};
            if (!all.p || !text.p || PyDict_SetItemString(all.p, f.row.name, text.p) < 0) return nullptr;
        }
        return std::exchange(all.p, nullptr);
    });
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

bool add_function_type() {
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
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION |
                                   Py_TPFLAGS_BASETYPE,
                               slots};
    function_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return function_type != nullptr;
}

PyObject* bound(PyObject* self, PyObject* to, PyObject*) noexcept {
    return to && to != Py_None ? PyMethod_New(self, to) : Py_NewRef(self);
}

bool add_method_type() {
    static PyType_Slot slots[] = {{Py_tp_descr_get, slot(bound)}, {0, nullptr}};
    static PyType_Spec spec = {"bascule.method", sizeof(function_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                                   Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               slots};
    method_type =
        reinterpret_cast<PyTypeObject*>(PyType_FromSpecWithBases(&spec, reinterpret_cast<PyObject*>(function_type)));
    return method_type != nullptr;
}

// A function of the module alone.
PyObject* call_core(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept {
    return guarded([&]() -> PyObject* {
        auto const& f = *static_cast<known_function const*>(PyCapsule_GetPointer(self, nullptr));
        bool fits = false;
        PyObject* const r = in_table(f, args, n, names, &fits);
        if (!fits && !PyErr_Occurred())
            throw type_error(std::string("the arguments of ") + f.row.name + " are (" + f.row.signature + ")");
        return r || PyErr_Occurred() ? r : Py_NewRef(Py_None);
    });
}

bool add_core_functions(PyObject* module) {
    static std::deque<known_function> all;
    for (auto const& family : {core_functions(), view_functions(), product_functions(), functions_of_rows()})
        for (auto const& row : family) {
            auto& f = all.emplace_back(row, signature(row.signature));
            f.looks = std::string(row.name) + "(" + row.signature + ")\n--\n\n" + row.doc;
            f.definition = {row.name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call_core)),
                            METH_FASTCALL | METH_KEYWORDS, f.looks.c_str()};
            reference const self{PyCapsule_New(&f, nullptr, nullptr)};
            PyObject* const made = self.p ? PyCFunction_NewEx(&f.definition, self.p, nullptr) : nullptr;
            if (!made || PyModule_AddObject(module, row.name, made) < 0) return false;
        }
    return true;
}

}  // namespace

namespace {
template <class F> PyCFunction fast(F f) { return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f)); }
}  // namespace

bool add_functions(PyObject* module) {
    static PyMethodDef functions[] = {{"function", function, METH_O, nullptr},
                                      {"method_first", method_first, METH_O, nullptr},
                                      {"method", method, METH_O, nullptr},
                                      {"drawing", fast(drawing), METH_FASTCALL, nullptr},
                                      {"drawing_method", fast(drawing_method), METH_FASTCALL, nullptr},
                                      {"overridable", overridable, METH_O, nullptr},
                                      {"function_table", function_table, METH_NOARGS, nullptr},
                                      {}};
    return add_function_type() && add_method_type() && add_core_functions(module) &&
           PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
