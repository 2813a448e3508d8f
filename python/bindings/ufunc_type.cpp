// bascule.ufunc: an op of the table as a callable, with NumPy's keywords.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "bascule/array/graph.hpp"
#include "bascule/ops/table.hpp"
#include "functions.hpp"
#include "structmember.h"

namespace bascule::python {

PyTypeObject* ufunc_type = nullptr;

namespace {

// Of the op table, or composite: a Python callable that makes one or several results of ops of the table.
struct ufunc_object {
    PyObject_HEAD vectorcallfunc call;
    std::uint16_t op;
    PyObject* dict;
    PyObject *target, *name;  // of a composite one
    int nin, nout;
};

casting casting_from(PyObject* o) {
    if (!PyUnicode_Check(o)) throw type_error(std::string("casting must be str, not ") + Py_TYPE(o)->tp_name);
    static constexpr char const* names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    for (int i = 0; i < 5; ++i)
        if (PyUnicode_CompareWithASCIIString(o, names[i]) == 0) return static_cast<casting>(i);
    reference const text{PyObject_Repr(o)};
    throw value_error(std::string("casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got ") +
                      (text.p ? PyUnicode_AsUTF8(text.p) : "?") + ")");
}

void refuse_dots(PyObject* o, bool by_name) {
    if (o == Py_Ellipsis && !by_name) throw type_error("out=... is only allowed as a keyword argument.");
    for (Py_ssize_t k = 0; by_name && PyTuple_Check(o) && k < PyTuple_GET_SIZE(o); ++k)
        if (PyTuple_GET_ITEM(o, k) == Py_Ellipsis)
            throw type_error("must use `...` as `out=...` and not per-operand/in a tuple");
}

// `held`: NumPy's memory, if the result is written there.
array* output_from(PyObject* o, array& held, device at, bool by_name) {
    refuse_dots(o, by_name);
    if (by_name && PyTuple_Check(o)) {
        if (PyTuple_GET_SIZE(o) != 1) throw value_error("The 'out' tuple must have exactly one entry per ufunc output");
        o = PyTuple_GET_ITEM(o, 0);
    }
    if (o == Py_None) return nullptr;
    if (is_array(o)) return &value_of(o);
    if (!is_numpy_array(o) || !at.api->host_memory) throw type_error("return arrays must be of ArrayType");
    held = operand_from_numpy(o, true, at);
    return &held;
}

struct parsed {
    call_options options;
    array held_out;
    PyObject* out = nullptr;
    held_argument where;
    char order = 'K';
    bool keeps_array = false;  // out=...: no scalar for a result without axes
    bool names_out = false;
};

char order_from(PyObject* o) {
    if (o == Py_None) return 'K';
    if (!PyUnicode_Check(o)) throw type_error(std::string("order must be str, not ") + Py_TYPE(o)->tp_name);
    char const* const text = PyUnicode_AsUTF8(o);
    if (text && text[0] && !text[1] && std::strchr("KACFkacf", text[0]))
        return static_cast<char>(text[0] >= 'a' ? text[0] - 'a' + 'A' : text[0]);
    reference const shown{PyObject_Repr(o)};
    throw value_error(std::string("order must be one of 'C', 'F', 'A', or 'K' (got ") +
                      (shown.p ? PyUnicode_AsUTF8(shown.p) : "?") + ")");
}

PyObject* signature_rules = nullptr;

bool keeps_type(std::uint16_t op) {
    for (int t = 0; t < type_count; ++t)
        if (auto const id = static_cast<type_id>(t); contains(ops::loops(op), id) && ops::result_type(op, id) != id)
            return false;
    return true;
}

// These ops have loops of float16 in addition to those of the op table.
bool measures_steps(std::uint16_t op) {
    static auto const nextafter = ops::find("nextafter"), spacing = ops::find("spacing");
    return op == nextafter || op == spacing;
}

// Whether keywords name the loop otherwise than by the one type that it takes and returns.
bool names_loop(std::uint16_t op, PyObject* names, PyObject* const* values) {
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(names); ++k) {
        auto const is = [&](char const* s) {
            return PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, k), s) == 0;
        };
        if (is("signature") || is("sig")) return true;
        if (is("dtype") && values[k] != Py_None && (!keeps_type(op) || measures_steps(op))) return true;
    }
    return false;
}

PyObject* by_signature(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* names) {
    if (!signature_rules) throw not_supported("signature= needs the package bascule, not bascule._core alone");
    reference const positional{PyTuple_New(n)}, keywords{PyDict_New()};
    if (!positional.p || !keywords.p) return nullptr;
    for (Py_ssize_t k = 0; k < n; ++k) PyTuple_SET_ITEM(positional.p, k, Py_NewRef(args[k]));
    for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k)
        if (PyDict_SetItem(keywords.p, PyTuple_GET_ITEM(names, k), args[n + k]) < 0) return nullptr;
    return PyObject_CallFunctionObjArgs(signature_rules, self, positional.p, keywords.p, nullptr);
}

void keyword(parsed& p, ops::spec const& meta, PyObject* name, PyObject* v, device at) {
    char const* const op = meta.name;
    auto is = [&](char const* s) { return PyUnicode_CompareWithASCIIString(name, s) == 0; };
    if (is("out")) {
        p.names_out = true;
        p.keeps_array = v == Py_Ellipsis;
        if (p.keeps_array) return;
        p.options.out = output_from(v, p.held_out, at, true);
        p.out = p.options.out ? (PyTuple_Check(v) ? PyTuple_GET_ITEM(v, 0) : v) : nullptr;
    } else if (is("where")) {
        p.options.where = mask_from(v, p.where, at);
    } else if (is("casting")) {
        p.options.rule = casting_from(v);
    } else if (is("dtype")) {
        if (v != Py_None) p.options.type = loop_from(v);
    } else if (is("order")) {
        p.order = order_from(v);
    } else if (is("subok")) {
        return;
    } else {
        throw type_error(std::string(op) + "() got an unexpected keyword argument '" + PyUnicode_AsUTF8(name) + "'");
    }
}

// The result of a call in the layout of order=.
array ordered(array r, char order, std::span<argument const> args) {
    if (order == 'A') {
        order = 'F';
        for (auto const& a : args)
            if (a.a && !is_f_contiguous(a.a->shape, a.a->strides, a.a->itemsize())) order = 'C';
    }
    bool const fits = order == 'K' || (order == 'C' ? is_c_contiguous(r.shape, r.strides, r.itemsize())
                                                    : is_f_contiguous(r.shape, r.strides, r.itemsize()));
    return fits ? r : copy(r, order);
}

void warn_of_what_is_left(parsed const& p) {
    if (!p.options.where || p.names_out || p.out) return;
    if (PyErr_WarnEx(PyExc_UserWarning,
                     "'where' used without 'out', expect unitialized memory in output. If this is intentional, use "
                     "out=None.",
                     1) < 0)
        throw python_error{};
}

device place_of(PyObject* const* args, Py_ssize_t n) {
    for (Py_ssize_t k = 0; k < n; ++k)
        if (is_array(args[k])) return value_of(args[k]).where();
    return default_device();
}

PyObject* timed(ops::spec const& meta, PyObject* const* args, Py_ssize_t n, PyObject* names) {
    reference const keywords{PyDict_New()};
    if (!keywords.p) return nullptr;
    if (n > meta.nin && PyDict_SetItemString(keywords.p, "out", args[meta.nin]) < 0) return nullptr;
    for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k)
        if (PyDict_SetItem(keywords.p, PyTuple_GET_ITEM(names, k), args[n + k]) < 0) return nullptr;
    return by_time_rules(meta.name, std::span(args, static_cast<std::size_t>(meta.nin)), keywords.p);
}

// The result of the call: with flagged arrays a flagged array, too.
PyObject* given(PyObject* r, PyObject* const* args, Py_ssize_t n) {
    return std::any_of(args, args + n, is_kept_scalar) ? r : scalar_or_array(r);
}

// Whether an operand of another library's type takes precedence (NEP 13): frames, Dask's collections, masked arrays.
bool has_a_say(PyObject* o) {
    if (is_array(o) || PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o) || PyComplex_CheckExact(o) ||
        PyList_CheckExact(o) || PyTuple_CheckExact(o))
        return false;
    if (is_numpy_array(o)) return is_derived(o);
    static PyObject* const name = PyUnicode_InternFromString("__array_ufunc__");
    reference const found{PyObject_GetAttr(reinterpret_cast<PyObject*>(Py_TYPE(o)), name)};
    if (!found.p) PyErr_Clear();
    return found.p && found.p != Py_None;
}

// NumPy's ufunc of the name does the asking; null without an error: it has none.
PyObject* by_protocol(ops::spec const& meta, PyObject* const* args, std::size_t nargsf, PyObject* names) {
    reference const theirs{PyObject_GetAttrString(numpy_module(), meta.name)};
    if (!theirs.p) PyErr_Clear();
    static PyObject* const kind = PyObject_GetAttrString(numpy_module(), "ufunc");
    if (!theirs.p || reinterpret_cast<PyObject*>(Py_TYPE(theirs.p)) != kind) return nullptr;
    return PyObject_Vectorcall(theirs.p, args, nargsf & ~PY_VECTORCALL_ARGUMENTS_OFFSET, names);
}

// Neighbours of float16 numbers are no neighbours in float32, which kernels compute in.
bool steps_float16(std::uint16_t op, std::span<argument const> args) {
    if (!measures_steps(op)) return false;
    auto const fits_half = [](type_id t) {
        return t == type_id::float16 || t == type_id::bool_ || (is_integer(t) && itemsize(t) == 1);
    };
    promoted kinds[2];
    bool strong = true, each_fits = true;
    for (std::size_t k = 0; k < args.size(); ++k) {
        kinds[k] = args[k].a ? promoted{args[k].a->type.id, weak_kind::strong} : promoted{args[k].type, args[k].weak};
        strong = strong && kinds[k].weak == weak_kind::strong, each_fits = each_fits && fits_half(kinds[k].type);
    }
    // int8 and uint8 have int16 in common, and still the first loop that takes both is float16's.
    return strong ? each_fits : fits_half(common_type(std::span(kinds, args.size())));
}

// The type of a sum of times does not depend on dtype=.
bool adds_times(std::uint16_t op, std::span<argument const> args) {
    static auto const add = ops::find("add");
    return op == add && args[0].a && is_time(args[0].a->type.id);
}

// Among Python's numbers alone, integers that only uint64 holds: one operand has that type, comparisons use the values,
// and there is no arithmetic with them.
void settle_far_integers(std::uint16_t op, std::span<argument const> args, promoted* kinds) {
    bool far = false, inexact = false;
    for (auto const& a : args) {
        far = far || (a.weak == weak_kind::integer && a.type == type_id::uint64);
        inexact = inexact || a.weak == weak_kind::floating || a.weak == weak_kind::complex_;
    }
    if (!far || inexact) return;
    if (args.size() == 2 && ops::result_type(op, type_id::int64) != type_id::bool_)
        throw overflow_error("Python int too large to convert to C long");
    for (std::size_t k = 0; k < args.size(); ++k)
        if (args[k].weak == weak_kind::integer)
            kinds[k] = {args[k].type == type_id::uint64 || args[k].value.i64 >= 0 ? type_id::uint64 : type_id::int64,
                        weak_kind::strong};
}

// NumPy's word on an output behind the operands of an extremum, which reads as a third operand.
void warn_of_third_operand(std::uint16_t op) {
    static auto const maximum = ops::find("maximum"), minimum = ops::find("minimum");
    if (op != maximum && op != minimum) return;
    if (PyErr_WarnEx(
            PyExc_DeprecationWarning,
            "Passing more than 2 positional arguments to np.maximum and np.minimum is deprecated. If you meant "
            "to use the third argument as an output, use the `out` keyword argument instead. If you hoped to "
            "work with more than 2 inputs, combine them into a single array and get the extrema for the "
            "relevant axis.",
            1) < 0)
        throw python_error{};
}

// out=..., alone among the keywords or behind the inputs; null: there are other keywords.
PyObject* only_output(PyObject* const* args, Py_ssize_t n, int nin, PyObject* names) {
    if (!names) return n == nin + 1 ? args[nin] : nullptr;
    static PyObject* const out = PyUnicode_InternFromString("out");
    return n == nin && PyTuple_GET_SIZE(names) == 1 && PyTuple_GET_ITEM(names, 0) == out ? args[nin] : nullptr;
}

PyObject* call(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) noexcept {
    PyObject* const made = guarded([&]() -> PyObject* {
        auto const op = reinterpret_cast<ufunc_object*>(self)->op;
        auto const& meta = ops::table[op];
        auto const n = PyVectorcall_NARGS(nargsf);
        if (n == meta.nin && !names)
            if (PyObject* const r = fast_result(op, std::span(args, static_cast<std::size_t>(n))))
                return given(r, args, n);
        if (n == meta.nin + 1) warn_of_third_operand(op);
        if (PyObject* const out = only_output(args, n, meta.nin, names))
            if (fast_into_done(op, std::span(args, static_cast<std::size_t>(meta.nin)), out)) return Py_NewRef(out);
        if (n != meta.nin && n != meta.nin + 1)
            throw type_error(std::string(meta.name) + "() takes from " + std::to_string(meta.nin) + " to " +
                             std::to_string(meta.nin + 1) + " positional arguments but " + std::to_string(n) +
                             (n == 1 ? " was given" : " were given"));
        for (Py_ssize_t k = 0; k < n; ++k)
            if (has_a_say(args[k])) {
                if (PyObject* const r = by_protocol(meta, args, nargsf, names)) return r;
                if (PyErr_Occurred()) return nullptr;
            }
        if (PyObject* r = nullptr; run_remembered(self, args, n, names, r)) return r;
        if (names && names_loop(op, names, args + n)) return by_signature(self, args, n, names);
        held_argument in[3];
        argument list[3];
        device const at = place_of(args, n);
        if (n == 2 && !names)
            if (auto r = compare_far_integer(op, args[0], args[1])) return given(to_python(std::move(*r)), args, n);
        for (int k = 0; k < meta.nin; ++k) {
            to_operand(args[k], in[k], accept::everything, args[meta.nin > 1 ? (k + 1) % meta.nin : k], at, op);
            list[k] = in[k].arg;
        }
        if (needs_time_rules(op, std::span(list, static_cast<std::size_t>(meta.nin))))
            return timed(meta, args, n, names);
        if (steps_float16(op, std::span(list, static_cast<std::size_t>(meta.nin))))
            return by_signature(self, args, n, names);
        parsed p;
        p.options.at = at;
        if (n > meta.nin)
            p.options.out = output_from(args[meta.nin], p.held_out, at, false),
            p.out = p.options.out ? args[meta.nin] : nullptr;
        for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k)
            keyword(p, meta, PyTuple_GET_ITEM(names, k), args[n + k], at);
        if (adds_times(op, std::span(list, static_cast<std::size_t>(meta.nin)))) p.options.type.reset();
        warn_of_what_is_left(p);
        // Scalars alone make a 0-d array of their default type.
        bool any = false;
        for (int k = 0; k < meta.nin; ++k) any = any || list[k].a;
        if (!any) {
            type_id const t = list[0].type;
            in[0].held = full(at, make_dtype(t), {}, list[0].value);
            promoted kinds[3];
            for (int k = 0; k < meta.nin; ++k) kinds[k] = {list[k].type, list[k].weak};
            settle_far_integers(op, std::span(list, static_cast<std::size_t>(meta.nin)), kinds);
            type_id const common = common_type(std::span(kinds, static_cast<std::size_t>(meta.nin)));
            in[0].held = astype(in[0].held, make_dtype(common), false);
            list[0] = {&in[0].held};
        }
        checked_call const scope;
        array r = apply(op, std::span(list, static_cast<std::size_t>(meta.nin)), p.options);
        if (p.out) return Py_NewRef(PyTuple_Check(p.out) ? PyTuple_GET_ITEM(p.out, 0) : p.out);
        r.scalar = r.ndim() == 0 && !p.keeps_array;
        if (p.order != 'K') r = ordered(std::move(r), p.order, std::span(list, static_cast<std::size_t>(meta.nin)));
        return given(to_python(std::move(r)), args, meta.nin);
    });
    return made ? made : by_numpy("function", self, args, PyVectorcall_NARGS(nargsf), names);
}

ufunc_object* as_ufunc(PyObject* self) { return reinterpret_cast<ufunc_object*>(self); }

// out=...: the results are arrays even without axes. Positions of the dots among the keywords; -1: there are none.
Py_ssize_t find_dots(PyObject* const* args, Py_ssize_t n, int nin, PyObject* names) {
    for (Py_ssize_t k = nin; k < n; ++k) refuse_dots(args[k], false);
    for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k) {
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, k), "out") != 0) continue;
        refuse_dots(args[n + k], true);
        if (args[n + k] == Py_Ellipsis) return k;
    }
    return -1;
}

// Drops `r`.
PyObject* as_array(PyObject* r) {
    if (is_array(r)) return value_of(r).scalar = false, r;
    reference const scalar{r};
    held_argument h;
    to_argument(r, h, accept::everything, default_device());
    h.held.scalar = false;
    return to_python(std::move(h.held));
}

PyObject* as_arrays(PyObject* r) {
    if (!PyTuple_Check(r)) return as_array(r);
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(r); ++k) PyTuple_SET_ITEM(r, k, as_array(PyTuple_GET_ITEM(r, k)));
    return r;
}

PyObject* call_without(PyObject* target, PyObject* const* args, Py_ssize_t n, PyObject* names, Py_ssize_t dots) {
    reference const inputs{PyTuple_New(n)}, keywords{PyDict_New()};
    if (!inputs.p || !keywords.p) return nullptr;
    for (Py_ssize_t k = 0; k < n; ++k) PyTuple_SET_ITEM(inputs.p, k, Py_NewRef(args[k]));
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(names); ++k)
        if (k != dots && PyDict_SetItem(keywords.p, PyTuple_GET_ITEM(names, k), args[n + k]) < 0) return nullptr;
    PyObject* const r = PyObject_Call(target, inputs.p, keywords.p);
    return r ? as_arrays(r) : nullptr;
}

// The outputs among the positional arguments go to `out`, as the callable takes it.
PyObject* composite_result(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) {
    auto const& u = *as_ufunc(self);
    Py_ssize_t const n = PyVectorcall_NARGS(nargsf), outputs = n - u.nin;
    if (Py_ssize_t const dots = find_dots(args, n, u.nin, names); dots >= 0)
        return call_without(u.target, args, n, names, dots);
    if (outputs <= 0 || outputs > u.nout) return PyObject_Vectorcall(u.target, args, nargsf, names);
    reference const inputs{PyTuple_New(u.nin)}, keywords{PyDict_New()}, out{PyTuple_New(u.nout)};
    if (!inputs.p || !keywords.p || !out.p) return nullptr;
    for (Py_ssize_t k = 0; k < u.nin; ++k) PyTuple_SET_ITEM(inputs.p, k, Py_NewRef(args[k]));
    for (Py_ssize_t k = 0; k < u.nout; ++k)
        PyTuple_SET_ITEM(out.p, k, Py_NewRef(k < outputs ? args[u.nin + k] : Py_None));
    for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k)
        if (PyDict_SetItem(keywords.p, PyTuple_GET_ITEM(names, k), args[n + k]) < 0) return nullptr;
    PyObject* const given = u.nout == 1 ? PyTuple_GET_ITEM(out.p, 0) : out.p;
    if (PyDict_SetItemString(keywords.p, "out", given) < 0) return nullptr;
    return PyObject_Call(u.target, inputs.p, keywords.p);
}

PyObject* call_composite(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) noexcept {
    PyObject* const made = guarded([&] { return composite_result(self, args, nargsf, names); });
    return made ? made : by_numpy("function", self, args, PyVectorcall_NARGS(nargsf), names);
}

void dealloc(PyObject* self) {
    auto* type = Py_TYPE(self);
    auto* u = as_ufunc(self);
    Py_XDECREF(u->dict);
    Py_XDECREF(u->target);
    Py_XDECREF(u->name);
    PyObject_Free(self);
    Py_DECREF(type);
}

ops::spec const& meta_of(PyObject* self) { return ops::table[as_ufunc(self)->op]; }
bool is_composite(PyObject* self) { return as_ufunc(self)->target != nullptr; }

PyObject* get_name(PyObject* self, void*) {
    return is_composite(self) ? Py_NewRef(as_ufunc(self)->name) : PyUnicode_FromString(meta_of(self).name);
}
PyObject* repr(PyObject* self) {
    reference const name{get_name(self, nullptr)};
    return name.p ? PyUnicode_FromFormat("<ufunc '%U'>", name.p) : nullptr;
}
PyObject* get_nin(PyObject* self, void*) { return PyLong_FromLong(as_ufunc(self)->nin); }
PyObject* get_nout(PyObject* self, void*) { return PyLong_FromLong(as_ufunc(self)->nout); }
PyObject* get_nargs(PyObject* self, void*) { return PyLong_FromLong(as_ufunc(self)->nin + as_ufunc(self)->nout); }
PyObject* get_number(PyObject* self, void*) {
    if (is_composite(self)) Py_RETURN_NONE;
    return PyLong_FromLong(as_ufunc(self)->op);
}
PyObject* get_identity(PyObject* self, void*) {
    if (is_composite(self)) Py_RETURN_NONE;
    std::string_view const name = meta_of(self).name;
    if (name.starts_with("logaddexp")) return PyFloat_FromDouble(-std::numeric_limits<double>::infinity());
    int const i = meta_of(self).identity;
    if (i == -1) Py_RETURN_NONE;
    if (name.starts_with("logical_")) return PyBool_FromLong(i);
    return PyLong_FromLong(i == -2 ? -1 : i);
}

// The docstring and the loops are described when they are first asked for; the type has a docstring, too.
bool is_described_late(PyObject* name) {
    for (char const* late : {"__doc__", "types", "ntypes"})
        if (PyUnicode_CompareWithASCIIString(name, late) == 0) return true;
    return false;
}

PyObject* get_attribute(PyObject* self, PyObject* name) noexcept {
    PyObject* const own = as_ufunc(self)->dict;
    if (is_composite(self) || !is_described_late(name) || (own && PyDict_Contains(own, name) == 1))
        return PyObject_GenericGetAttr(self, name);
    reference const ufuncs{PyImport_ImportModule("bascule._array.ufuncs")},
        done{ufuncs.p ? PyObject_CallMethod(ufuncs.p, "describe", "O", self) : nullptr};
    return done.p ? PyObject_GenericGetAttr(self, name) : nullptr;
}

PyGetSetDef getset[] = {
    {"__name__", get_name, nullptr, nullptr, nullptr},
    {"nin", get_nin, nullptr, "Number of inputs.", nullptr},
    {"nout", get_nout, nullptr, "Number of outputs.", nullptr},
    {"nargs", get_nargs, nullptr, "Number of inputs and outputs.", nullptr},
    {"identity", get_identity, nullptr, "Result of reducing nothing, or None.", nullptr},
    {"_number", get_number, nullptr, nullptr, nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {},
};

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(ufunc_object, call), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(ufunc_object, dict), READONLY, nullptr},
    {},
};

constexpr char const* ufunc_doc = R"(A function of elements, over arrays that broadcast against one another.

    All of NumPy's numeric ones are there, with their names, types and results. They are called with `out`, `where`,
    `casting`, `order`, `dtype` and `signature`, and have the methods `reduce`, `accumulate`, `reduceat`, `outer` and `at`.

    Attributes
    ----------
    nin, nout, nargs : int
        Numbers of inputs, of outputs and of both.
    ntypes : int
        Number of loops.
    types : list of str
        The loops, as characters of types: "dd->d".
    identity : scalar or None
        Result of reducing nothing.
    signature : str or None
        Core dimensions, of `matmul` and its like.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.add(1, [2, 3]).tolist()
    [3, 4]
    >>> bc.add.reduce([1, 2, 3]).item()
    6
    )";

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>(ufunc_doc)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_repr, reinterpret_cast<void*>(repr)},
    {Py_tp_getattro, reinterpret_cast<void*>(get_attribute)},
    {Py_tp_getset, getset},
    {Py_tp_members, members},
    {0, nullptr},
};

PyType_Spec spec = {"bascule.ufunc", sizeof(ufunc_object), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

}  // namespace

PyObject* new_ufunc(std::uint16_t op) {
    auto* o = PyObject_New(ufunc_object, ufunc_type);
    if (!o) return nullptr;
    o->call = call, o->op = op, o->dict = o->target = o->name = nullptr;
    o->nin = ops::table[op].nin, o->nout = 1;
    return reinterpret_cast<PyObject*>(o);
}

PyObject* new_composite_ufunc(PyObject* target, PyObject* name, int nin, int nout) {
    auto* o = PyObject_New(ufunc_object, ufunc_type);
    if (!o) return nullptr;
    o->call = call_composite, o->op = 0, o->dict = nullptr;
    o->target = Py_NewRef(target), o->name = Py_NewRef(name);
    o->nin = nin, o->nout = nout;
    return reinterpret_cast<PyObject*>(o);
}

void set_signature_rules(PyObject* callable) {
    Py_XDECREF(signature_rules);
    signature_rules = callable;
}

bool add_ufunc_type(PyObject* module) {
    ufunc_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return ufunc_type && PyModule_AddObjectRef(module, "ufunc", reinterpret_cast<PyObject*>(ufunc_type)) == 0;
}

}  // namespace bascule::python
