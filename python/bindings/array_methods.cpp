// Methods of ndarray that programs call on small arrays by the million: their common forms, without any Python. All
// other calls go to the method's general form, a Python function that bascule.array_methods registers.
#include <algorithm>
#include <bitset>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bascule/array/eager.hpp"
#include "functions.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

// Each gives the result, or null without an error where the general form is to answer.
PyObject* reshape(PyObject* self, arguments args) {
    if (args.empty()) return nullptr;
    auto to = plain_integers(args);
    if (!to) return nullptr;
    array const& a = value_of(self);
    std::int64_t known = 1;
    int open = -1;
    for (int i = 0; i < to->size(); ++i) {
        auto const n = (*to)[i];
        if (n == -1 && open < 0) open = i;
        else if (n < 0 || __builtin_mul_overflow(known, n, &known)) return nullptr;
    }
    auto const size = a.size();
    if (open >= 0) {
        if (known == 0 || size % known != 0) return nullptr;
        (*to)[open] = size / known;
    } else if (known != size) {
        return nullptr;
    }
    if (!is_c_contiguous(a.shape, a.strides, a.itemsize())) return view_to_python(reshape_view_or_copy(a, *to), self);
    PyObject* const r = new_view(self);
    array& v = value_of(r);
    v.shape = *to;
    v.strides.resize(to->size());
    auto stride = a.itemsize();
    for (int i = to->size() - 1; i >= 0; --i) {
        v.strides[i] = stride;
        stride *= std::max<std::int64_t>((*to)[i], 1);
    }
    return r;
}

PyObject* transpose(PyObject* self, arguments args) {
    array const& a = value_of(self);
    int const n = a.ndim();
    int axes[max_dims];
    if (args.empty()) {
        for (int i = 0; i < n; ++i) axes[i] = n - 1 - i;
    } else {
        auto const given = plain_integers(args);
        std::bitset<max_dims> seen;
        if (!given || given->size() != n) return nullptr;
        for (int i = 0; i < n; ++i) {
            auto const axis = (*given)[i] + ((*given)[i] < 0 ? n : 0);
            if (axis < 0 || axis >= n || seen[static_cast<std::size_t>(axis)]) return nullptr;
            seen.set(static_cast<std::size_t>(axis));
            axes[i] = static_cast<int>(axis);
        }
    }
    return view_to_python(bascule::transpose(a, std::span<int const>(axes, static_cast<std::size_t>(n))), self);
}

PyObject* copy(PyObject* self, arguments args) {
    if (args.empty()) return to_python(bascule::copy(value_of(self), 'C'));
    array const& a = value_of(self);
    bool const keeps = args.size() == 1 && PyUnicode_CheckExact(args[0]) && a.ndim() > 0 &&
                       PyUnicode_CompareWithASCIIString(args[0], "K") == 0;
    bool const same = keeps && is_c_contiguous(a.shape, a.strides, a.itemsize());
    return same ? to_python(bascule::copy(a, 'C')) : nullptr;
}

PyObject* flatten(PyObject* self, arguments args) {
    array const& a = value_of(self);
    if (!args.empty() || a.ndim() == 0) return nullptr;
    return to_python(reshape_view_or_copy(bascule::copy(a, 'C'), dims{a.size()}));
}

PyObject* ravel(PyObject* self, arguments args) {
    array const& a = value_of(self);
    if (!args.empty() || !is_c_contiguous(a.shape, a.strides, a.itemsize())) return flatten(self, args);
    return view_to_python(reshape_view_or_copy(a, dims{a.size()}), self);
}

PyObject* squeeze(PyObject* self, arguments args) {
    if (!args.empty()) return nullptr;
    array const& a = value_of(self);
    dims shape, strides;
    for (int i = 0; i < a.ndim(); ++i)
        if (a.shape[i] != 1) shape.push_back(a.shape[i]), strides.push_back(a.strides[i]);
    return view_to_python(bascule::view(a, shape, strides, a.offset), self);
}

PyObject* take(PyObject* self, arguments args) { return args.size() == 1 ? take_of(self, args[0], Py_None) : nullptr; }

template <class T> T read(std::byte const* p) {
    T v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

PyObject* number_at(std::byte const* p, type_id t) {
    switch (t) {
        case type_id::float64: return PyFloat_FromDouble(read<double>(p));
        case type_id::float32: return PyFloat_FromDouble(static_cast<double>(read<float>(p)));
        case type_id::int64: return PyLong_FromLongLong(read<std::int64_t>(p));
        case type_id::int32: return PyLong_FromLong(read<std::int32_t>(p));
        case type_id::uint8: return PyLong_FromLong(read<std::uint8_t>(p));
        default: return PyBool_FromLong(read<std::uint8_t>(p));
    }
}

PyObject* nested_list(array const& a, int axis, std::byte const*& next) {
    reference list{PyList_New(static_cast<Py_ssize_t>(a.shape[axis]))};
    if (!list.p) throw python_error{};
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.p); ++i) {
        PyObject* v = nullptr;
        if (axis + 1 < a.ndim()) v = nested_list(a, axis + 1, next);
        else v = number_at(next, a.type.id), next += a.itemsize();
        if (!v) throw python_error{};
        PyList_SET_ITEM(list.p, i, v);
    }
    return std::exchange(list.p, nullptr);
}

PyObject* tolist(PyObject* self, arguments args) {
    array const a = value_of(self);  // a copy, since other code may run while lists are made
    if (!args.empty() || a.ndim() == 0) return nullptr;
    switch (a.type.id) {
        case type_id::float64:
        case type_id::float32:
        case type_id::int64:
        case type_id::int32:
        case type_id::uint8:
        case type_id::bool_: break;
        default: return nullptr;
    }
    if (a.size() == 0 || !a.where().api->host_memory) return nullptr;
    evaluate_released(a);
    std::vector<std::byte> elements(static_cast<std::size_t>(a.size() * a.itemsize()));
    to_host(a, elements.data());
    std::byte const* next = elements.data();
    return nested_list(a, 0, next);
}

PyObject* astype(PyObject* self, arguments args) {
    if (args.size() != 1) return nullptr;
    array const& a = value_of(self);
    dtype const t = dtype_from(args[0]);
    if (PyObject* const r = small_time_cast(a, t)) return r;
    if (is_time(a.type.id) && t.id == type_id::int64 && a.ndim() > 0) {
        array counts = a;
        counts.type = t;
        return to_python(copy(counts, 'K'));
    }
    bool const loses_imaginary_part = is_complex(a.type.id) && (is_integer(t.id) || is_float(t.id));
    if (loses_imaginary_part || is_time(a.type.id) || is_time(t.id)) return nullptr;
    if (PyObject* const r = fast_cast_result(a, t)) return r;
    checked_call const scope;
    return to_python(bascule::astype(a, t));
}

// (dtype, copy=False): the array itself where it is of the type.
PyObject* astype_named(PyObject* self, arguments args, PyObject* names) {
    bool const shares = args.size() == 2 && PyTuple_GET_SIZE(names) == 1 && args[1] == Py_False &&
                        is_text(PyTuple_GET_ITEM(names, 0), "copy");
    if (!shares) return nullptr;
    return dtype_from(args[0]) == value_of(self).type ? Py_NewRef(self) : astype(self, args.first(1));
}

PyObject* nonzero(PyObject* self, arguments args) { return args.empty() ? nonzero_of(self) : nullptr; }

PyObject* sort(PyObject* self, arguments args) {
    array const& a = value_of(self);
    bool const done = args.empty() && a.writeable && eager::sort(a);
    return done ? Py_NewRef(Py_None) : nullptr;
}

PyObject* argsort(PyObject* self, arguments args) {
    int const ndim = value_of(self).ndim();
    return args.empty() && ndim > 0 ? small_argsort(self, ndim - 1, Py_None) : nullptr;
}

PyObject* argsort_named(PyObject* self, arguments args, PyObject* names) {
    int const ndim = value_of(self).ndim();
    bool const kind = args.size() == 1 && is_text(PyTuple_GET_ITEM(names, 0), "kind") && ndim > 0;
    return kind ? small_argsort(self, ndim - 1, args[0]) : nullptr;
}

PyObject* fill(PyObject* self, arguments args) {
    bool const number = args.size() == 1 &&
                        (PyFloat_CheckExact(args[0]) || PyLong_CheckExact(args[0]) || PyBool_Check(args[0]));
    if (!number) return nullptr;
    if (set_item(self, Py_Ellipsis, args[0]) < 0) throw python_error{};
    return Py_NewRef(Py_None);
}

PyObject* swapaxes(PyObject* self, arguments args) {
    array const& a = value_of(self);
    auto const given = args.size() == 2 ? plain_integers(args) : std::nullopt;
    if (!given) return nullptr;
    int axes[max_dims], which[2];
    for (int k = 0; k < 2; ++k) {
        auto const axis = (*given)[k] + ((*given)[k] < 0 ? a.ndim() : 0);
        if (axis < 0 || axis >= a.ndim()) return nullptr;
        which[k] = static_cast<int>(axis);
    }
    for (int i = 0; i < a.ndim(); ++i) axes[i] = i;
    std::swap(axes[which[0]], axes[which[1]]);
    auto const all = std::span<int const>(axes, static_cast<std::size_t>(a.ndim()));
    return view_to_python(bascule::transpose(a, all), self);
}

// Of a matrix, as NumPy a view that cannot be written to.
PyObject* diagonal(PyObject* self, arguments args) {
    array const& a = value_of(self);
    if (!args.empty() || a.ndim() != 2) return nullptr;
    array v = bascule::view(a, dims{std::min(a.shape[0], a.shape[1])}, dims{a.strides[0] + a.strides[1]}, a.offset);
    v.writeable = false;
    return view_to_python(std::move(v), self);
}

// The same memory, perhaps as another type of the same size.
PyObject* view(PyObject* self, arguments args) {
    array const& a = value_of(self);
    if (a.ndim() == 0 || args.size() > 1 || (args.size() == 1 && args[0] == Py_None)) return nullptr;
    dtype t = a.type;
    if (!args.empty()) {
        auto const named = a.memory()->ready() ? known_dtype(args[0]) : std::nullopt;  // a pending array has no bytes
        if (!named || named->itemsize != t.itemsize || is_boolean(named->id) != is_boolean(t.id)) return nullptr;
        t = *named;
    }
    PyObject* const r = new_view(self);
    array& v = value_of(r);
    v.shape = value_of(self).shape, v.strides = value_of(self).strides, v.type = t;
    return r;
}

PyObject* item(PyObject* self, arguments args) {
    array const& a = value_of(self);
    std::int64_t at = 0;
    if (args.size() == 1 && PyLong_CheckExact(args[0])) {
        int overflow = 0;
        at = PyLong_AsLongLongAndOverflow(args[0], &overflow);
        if (at < 0) at += a.size();
        if (overflow || at < 0 || at >= a.size()) return nullptr;
    } else if (!args.empty() || a.size() != 1) {
        return nullptr;
    }
    evaluate_released(a);
    return item_to_python(bascule::item(a, at), a.type);
}

// A call with keywords is answered where there are those that `named` knows.
struct method {
    char const *name, *parameters;
    PyObject* (*common)(PyObject* self, arguments args);
    PyObject* (*named)(PyObject* self, arguments args, PyObject* names) = nullptr;
};
constexpr method methods[] = {
    {"reshape", "*shape, order='C', copy=None", reshape},
    {"transpose", "*axes", transpose},
    {"ravel", "order='C'", ravel},
    {"copy", "order='C'", copy},
    {"astype", "dtype, order='K', casting='unsafe', subok=True, copy=True", astype, astype_named},
    {"item", "*args", item},
    {"flatten", "order='C'", flatten},
    {"squeeze", "axis=None", squeeze},
    {"take", "indices, axis=None, out=None, mode='raise'", take},
    {"tolist", "", tolist},
    {"nonzero", "", nonzero},
    {"view", "dtype=None, type=None", view},
    {"sort", "axis=-1, kind=None, order=None, *, stable=None, descending=None", sort},
    {"argsort", "axis=-1, kind=None, order=None, *, stable=None, descending=None", argsort, argsort_named},
    {"fill", "value", fill},
    {"swapaxes", "axis1, axis2", swapaxes},
    {"diagonal", "offset=0, axis1=0, axis2=1", diagonal},
    {"__array_ufunc__", "function, method, *inputs, **kwargs", fast_override}};
constexpr std::size_t method_count = std::size(methods);
PyObject* general_forms[method_count];

template <std::size_t Which>
PyObject* call(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept {
    PyObject* const made = guarded([&]() -> PyObject* {
        auto const all = static_cast<std::size_t>(n + (names ? PyTuple_GET_SIZE(names) : 0));
        PyObject* r = nullptr;
        if (!names) r = methods[Which].common(self, {args, all});
        else if (methods[Which].named) r = methods[Which].named(self, {args, all}, names);
        if (r || PyErr_Occurred()) return r;
        std::vector<PyObject*> with_self{self};
        with_self.insert(with_self.end(), args, args + all);
        return PyObject_Vectorcall(general_forms[Which], with_self.data(), static_cast<std::size_t>(n) + 1, names);
    });
    return made ? made : method_by_numpy(methods[Which].name, self, args, n, names);
}

// The signature in the form that Python parses, followed by the general form's docstring.
char const* doc_of(std::size_t which, char const* text) {
    static std::string docs[method_count];
    std::string const parameters = *methods[which].parameters ? std::string(", ") + methods[which].parameters : "";
    docs[which] = std::string(methods[which].name) + "($self, /" + parameters + ")\n--\n\n" + text;
    return docs[which].c_str();
}

template <std::size_t... Which> void add_definitions(std::vector<PyMethodDef>& to, std::index_sequence<Which...>) {
    (to.push_back({methods[Which].name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call<Which>)),
                   METH_FASTCALL | METH_KEYWORDS, doc_of(Which, "")}),
     ...);
}

}  // namespace

PyMethodDef* all_methods() {
    static std::vector<PyMethodDef> all = [] {
        auto const reductions = reduction_methods();
        std::vector<PyMethodDef> m(reductions.begin(), reductions.end());
        add_definitions(m, std::make_index_sequence<method_count>());
        m.push_back({});
        return m;
    }();
    return all.data();
}

bool set_general_form(std::string_view name, PyObject* function) {
    if (name == "operator_matmul") return set_general_product(function), true;
    for (std::size_t k = 0; k < method_count; ++k) {
        if (methods[k].name != name) continue;
        Py_XSETREF(general_forms[k], Py_NewRef(function));
        reference const doc{PyObject_GetAttrString(function, "__doc__")};
        if (!doc.p || !PyUnicode_Check(doc.p)) return PyErr_Clear(), true;
        for (PyMethodDef* m = all_methods(); m->ml_name; ++m)
            if (name == m->ml_name) m->ml_doc = doc_of(k, PyUnicode_AsUTF8(doc.p));
        return true;
    }
    return false;
}

}  // namespace bascule::python
