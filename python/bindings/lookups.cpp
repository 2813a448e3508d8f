// Lookup: where a label stands in an index, from the label's Python object, in one call.
#include <cmath>
#include <new>
#include <vector>

#include "array_object.hpp"
#include "bascule/table/labels.hpp"
#include "pandas_scalars.hpp"
#include "tables.hpp"

namespace bascule::python {
namespace {

using table::label_key;
using table::label_table;
using table::labels;

// The kind of the labels of a level; `masked`: missing ones are NA, `zoned`: times of UTC that stand for those of a
// zone.
struct level_kind {
    dtype type;
    bool is_text = false, masked = false, zoned = false;
};

struct lookup {
    table::labels_ref of;
    std::vector<level_kind> levels;
};
struct lookup_object {
    PyObject_HEAD lookup value;
};

// Whether an object may be a label, whether it cannot be among these, or whether Python has to say.
enum class answer : std::uint8_t { yes, no, ask };

answer yes_if(bool there) { return there ? answer::yes : answer::no; }

answer integer_key(PyObject* o, type_id t, label_key& k) {
    int overflow = 0;
    std::int64_t const v = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (!overflow) return yes_if(table::label_word(t, v, k.word));
    if (is_float(t)) return answer::ask;
    if (overflow < 0) return answer::no;
    std::uint64_t const large = PyLong_AsUnsignedLongLong(o);
    if (PyErr_Occurred()) return PyErr_Clear(), answer::no;
    return yes_if(table::label_word(t, large, k.word));
}

answer number_key(PyObject* o, level_kind const& l, label_key& k) {
    type_id const t = l.type.id;
    k.kind = label_key::what::word;
    if (PyLong_CheckExact(o)) return is_boolean(t) ? answer::no : integer_key(o, t, k);
    if (PyBool_Check(o)) {
        k.word = o == Py_True;
        return yes_if(is_boolean(t));
    }
    if (PyUnicode_Check(o) || o == Py_None) return l.masked ? answer::ask : answer::no;
    if (PyFloat_Check(o)) {
        double const v = PyFloat_AS_DOUBLE(o);
        if (l.masked && v != v) return answer::ask;
        return is_boolean(t) ? answer::no : yes_if(table::label_word(t, v, k.word));
    }
    type_id found{};
    plan_constant v{};
    if (!numpy_number(o, found, v)) return answer::ask;
    if (is_boolean(found)) {
        k.word = v.bytes[0] != 0;
        return yes_if(is_boolean(t));
    }
    if (is_boolean(t)) return answer::no;
    if (found == type_id::float32) {
        double const wide = v.f32[0];
        if (l.masked && wide != wide) return answer::ask;
        return yes_if(table::label_word(t, wide, k.word));
    }
    if (found == type_id::uint64) return yes_if(table::label_word(t, static_cast<std::uint64_t>(v.i64), k.word));
    if (!is_integer(found)) return answer::ask;
    plan_constant const wide = cast_constant(v, found, type_id::int64);
    return yes_if(table::label_word(t, wide.i64, k.word));
}

answer text_key(PyObject* o, level_kind const&, label_key& k) {
    if (PyUnicode_Check(o)) {
        Py_ssize_t n = 0;
        char const* const utf8 = PyUnicode_AsUTF8AndSize(o, &n);
        if (!utf8) return PyErr_Clear(), answer::no;  // a lone surrogate, which no column holds
        k.kind = label_key::what::text, k.text = {utf8, static_cast<std::size_t>(n)};
        return answer::yes;
    }
    return PyLong_Check(o) || (PyFloat_Check(o) && PyFloat_AS_DOUBLE(o) == PyFloat_AS_DOUBLE(o)) ? answer::no
                                                                                                 : answer::ask;
}

answer time_key(PyObject* o, level_kind const& l, label_key& k) {
    k.kind = label_key::what::word;
    scalar_time t;
    if (!read_time(o, l.type.id, t) || t.zoned != l.zoned || t.count == nat) return answer::ask;
    std::int64_t const here = units_a_second(l.type.unit);
    if (!here) return answer::ask;
    std::int64_t v = t.count;
    if (here >= t.a_second) {
        if (__builtin_mul_overflow(v, here / t.a_second, &v)) return answer::no;
    } else if (v % (t.a_second / here)) {
        return answer::no;
    } else {
        v /= t.a_second / here;
    }
    k.word = static_cast<std::uint64_t>(v);
    return answer::yes;
}

answer key_of(PyObject* o, level_kind const& l, label_key& k) {
    if (l.is_text) return text_key(o, l, k);
    return is_time(l.type.id) ? time_key(o, l, k) : number_key(o, l, k);
}

PyObject* where_in(lookup const& l, std::span<label_key const> label) {
    if (!l.of->is_ready()) {
        without_gil const free(true);
        l.of->prepare();
    }
    auto const found = l.of->rows_of(label);
    if (found.count == 1) return PyLong_FromLongLong(found.first);
    if (found.count == 0) Py_RETURN_NONE;
    bool const sorted = [&] {
        without_gil const free(true);
        return l.of->is_increasing();
    }();
    if (!sorted) return to_python(l.of->positions(found));
    reference const from{PyLong_FromLongLong(found.first)}, to{PyLong_FromLongLong(found.first + found.count)};
    return from.p && to.p ? PySlice_New(from.p, to.p, nullptr) : nullptr;
}

lookup& value_of_lookup(PyObject* o) { return reinterpret_cast<lookup_object*>(o)->value; }

PyObject* find(PyObject* self, PyObject* key) noexcept {
    return guarded([&]() -> PyObject* {
        auto const& l = value_of_lookup(self);
        if (l.levels.size() == 1) {
            label_key k;
            auto const how = key_of(key, l.levels[0], k);
            if (how == answer::yes) return where_in(l, {&k, 1});
            if (how == answer::no) Py_RETURN_NONE;
            Py_RETURN_NOTIMPLEMENTED;
        }
        auto const n = static_cast<Py_ssize_t>(l.levels.size());
        if (!PyTuple_CheckExact(key) || PyTuple_GET_SIZE(key) != n) Py_RETURN_NOTIMPLEMENTED;
        std::vector<label_key> label(l.levels.size());
        bool may_be = true;
        for (Py_ssize_t i = 0; i < n; ++i) {
            auto const at = static_cast<std::size_t>(i);
            PyObject* const part = PyTuple_GET_ITEM(key, i);
            if (part == Py_None || (PyFloat_Check(part) && std::isnan(PyFloat_AS_DOUBLE(part))))
                Py_RETURN_NOTIMPLEMENTED;
            auto const how = key_of(part, l.levels[at], label[at]);
            if (how == answer::ask) Py_RETURN_NOTIMPLEMENTED;
            may_be = may_be && how == answer::yes;
        }
        if (!may_be) Py_RETURN_NONE;
        return where_in(l, label);
    });
}

// The rows of the missing label.
PyObject* missing(PyObject* self, PyObject*) noexcept {
    return guarded([&]() -> PyObject* {
        auto const& l = value_of_lookup(self);
        if (l.levels.size() > 1) Py_RETURN_NOTIMPLEMENTED;
        label_key k;
        auto const& level = l.levels[0];
        if (!level.is_text && is_time(level.type.id)) k.kind = label_key::what::word, k.word = std::uint64_t{1} << 63;
        return where_in(l, {&k, 1});
    });
}

PyObject* new_lookup(PyTypeObject* type, PyObject* args, PyObject*) noexcept {
    return guarded([&]() -> PyObject* {
        PyObject *of = nullptr, *flags = nullptr;
        if (!PyArg_ParseTuple(args, "OO!", &of, &PyTuple_Type, &flags)) return nullptr;
        lookup made{labels_from(of), {}};
        if (PyTuple_GET_SIZE(flags) != made.of->nlevels()) throw value_error("[Lookup] expected what each level is");
        for (int i = 0; i < made.of->nlevels(); ++i) {
            long const flag = PyLong_AsLong(PyTuple_GET_ITEM(flags, i));
            if (flag == -1 && PyErr_Occurred()) return nullptr;
            level_kind l{make_dtype(type_id::int64), false, (flag & 1) != 0, (flag & 2) != 0};
            if (!made.of->range()) {
                auto const c = made.of->level(i);
                l.type = c->values().type, l.is_text = c->is_text();
            }
            made.levels.push_back(l);
        }
        PyObject* const o = type->tp_alloc(type, 0);
        if (o) new (&value_of_lookup(o)) lookup(std::move(made));
        return o;
    });
}

void drop(PyObject* o) {
    PyTypeObject* const type = Py_TYPE(o);
    value_of_lookup(o).~lookup();
    type->tp_free(o);
    Py_DECREF(type);
}

}  // namespace

bool add_lookup_type(PyObject* module) {
    static PyMethodDef methods[] = {
        {"find", find, METH_O,
         "find(label)\n--\n\nThe position of a label; a slice where it is there several times and the labels are "
         "sorted, else positions; None where it is not there, NotImplemented where the table cannot say."},
        {"missing", missing, METH_NOARGS, "missing()\n--\n\nThe same for the missing label."},
        {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {
        {Py_tp_new, reinterpret_cast<void*>(&new_lookup)},
        {Py_tp_dealloc, reinterpret_cast<void*>(&drop)},
        {Py_tp_methods, methods},
        {Py_tp_doc, const_cast<char*>("Lookup(labels, flags): the positions of labels in an index. "
                                      "A flag a level: 1 missing ones are NA, 2 times of a "
                                      "zone.")},
        {0, nullptr}};
    static PyType_Spec spec = {"bascule.Lookup", sizeof(lookup_object), 0, Py_TPFLAGS_DEFAULT, slots};
    reference const type{PyType_FromSpec(&spec)};
    return type.p && PyModule_AddObjectRef(module, "Lookup", type.p) == 0;
}

}  // namespace bascule::python
