// Elements: the values of a column as Python's objects, one or a batch of them, straight from its memory.
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include "array_object.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/table/column.hpp"
#include "pandas_scalars.hpp"
#include "tables.hpp"

namespace bascule::python {
namespace {

// One dimension of memory that a loop reads element by element.
struct strided {
    array held;
    std::byte const* first = nullptr;
    std::int64_t stride = 0;

    explicit strided(array a = {}) : held(std::move(a)) {
        if (!held.memory()) return;
        first = held.memory()->data() + held.offset;
        stride = held.strides[0];
    }
    explicit operator bool() const { return first != nullptr; }
    template <class T> [[nodiscard]] T at(std::int64_t i) const {
        T v;
        std::memcpy(&v, first + i * stride, sizeof v);
        return v;
    }
};

struct elements {
    dtype type;
    std::int64_t length = 0;
    bool is_text = false;
    strided values, valid, offsets, bytes;
    PyObject* missing = nullptr;   // what stands for a missing row: NaN, NaT or NA
    std::vector<PyObject*> words;  // of a dictionary, made when they are needed

    elements() = default;
    elements(elements const&) = delete;
    elements& operator=(elements const&) = delete;
    ~elements() {
        Py_XDECREF(missing);
        for (PyObject* w : words) Py_XDECREF(w);
    }
};
struct elements_object {
    PyObject_HEAD elements value;
};
elements& value_of_elements(PyObject* o) { return reinterpret_cast<elements_object*>(o)->value; }

bool is_ascii(char const* p, std::int64_t n) {
    constexpr std::uint64_t high = 0x8080808080808080;
    for (; n >= 8; p += 8, n -= 8) {
        std::uint64_t w;
        std::memcpy(&w, p, 8);
        if (w & high) return false;
    }
    for (; n > 0; ++p, --n)
        if (*p & 0x80) return false;
    return true;
}

PyObject* text_at(elements const& e, std::int64_t row) {
    auto const begin = e.offsets.at<std::int64_t>(row), n = e.offsets.at<std::int64_t>(row + 1) - begin;
    char const* const from = e.bytes ? reinterpret_cast<char const*>(e.bytes.first) + begin : "";
    // Python keeps one object for each text of no letter or one.
    if (n < 2 || !is_ascii(from, n)) return PyUnicode_DecodeUTF8(from, static_cast<Py_ssize_t>(n), "surrogatepass");
    PyObject* const made = PyUnicode_New(static_cast<Py_ssize_t>(n), 127);
    if (made) std::memcpy(PyUnicode_DATA(made), from, static_cast<std::size_t>(n));
    return made;
}

PyObject* text_or_missing(elements& e, std::int64_t row) {
    if (e.valid && !e.valid.at<bool>(row)) return Py_NewRef(e.missing);
    if (!e.values) return text_at(e, row);
    auto const code = e.values.at<std::int32_t>(row);
    if (code < 0) return Py_NewRef(e.missing);
    PyObject*& word = e.words[static_cast<std::size_t>(code)];
    if (!word) word = text_at(e, code);
    return Py_XNewRef(word);
}

PyObject* time_at(elements const& e, std::int64_t row) {
    auto const v = e.values.at<std::int64_t>(row);
    if (v == nat) return Py_NewRef(pandas().nat);
    reference const count{PyLong_FromLongLong(v)}, unit{PyLong_FromLong(pandas_resolution(e.type.unit))};
    if (!count.p || !unit.p) return nullptr;
    if (e.type.id == type_id::datetime64)
        return PyObject_CallFunctionObjArgs(pandas().make_timestamp, count.p, unit.p, Py_None, nullptr);
    return PyObject_CallFunctionObjArgs(pandas().make_timedelta, count.p, unit.p, nullptr);
}

plan_constant number_at(elements const& e, std::int64_t row) {
    plan_constant v{};
    std::memcpy(v.bytes, e.values.first + row * e.values.stride, static_cast<std::size_t>(e.type.itemsize));
    return v;
}
PyObject* scalar_at(elements const& e, std::int64_t row) { return numpy_scalar(number_at(e, row), e.type); }
PyObject* plain_at(elements const& e, std::int64_t row) { return item_to_python(number_at(e, row), e.type); }

// As pandas gives it by position: numbers are NumPy's scalars.
PyObject* one(elements& e, std::int64_t row) {
    if (e.is_text) return text_or_missing(e, row);
    if (is_time(e.type.id)) return time_at(e, row);
    if (e.missing && e.valid && !e.valid.at<bool>(row)) return Py_NewRef(e.missing);
    return scalar_at(e, row);
}

template <class Make> PyObject* list_of(std::int64_t n, Make&& make) {
    PyObject* const made = PyList_New(n);
    if (!made) return nullptr;
    for (std::int64_t i = 0; i < n; ++i) {
        PyObject* const x = make(i);
        if (!x) return Py_DECREF(made), nullptr;
        PyList_SET_ITEM(made, i, x);
    }
    return made;
}

template <class Make> PyObject* list_with_missing(elements const& e, std::int64_t from, std::int64_t n, Make&& make) {
    if (!e.missing || !e.valid) return list_of(n, [&](std::int64_t i) { return make(from + i); });
    return list_of(n,
                   [&](std::int64_t i) { return e.valid.at<bool>(from + i) ? make(from + i) : Py_NewRef(e.missing); });
}

PyObject* many(elements& e, std::int64_t from, std::int64_t n, bool scalars) {
    if (e.is_text) return list_of(n, [&](std::int64_t i) { return text_or_missing(e, from + i); });
    if (is_time(e.type.id)) return list_of(n, [&](std::int64_t i) { return time_at(e, from + i); });
    if (scalars) return list_with_missing(e, from, n, [&](std::int64_t i) { return scalar_at(e, i); });
    auto each = [&](auto&& make) { return list_with_missing(e, from, n, make); };
    switch (e.type.id) {
        case type_id::float64: return each([&](std::int64_t i) { return PyFloat_FromDouble(e.values.at<double>(i)); });
        case type_id::int64:
            return each([&](std::int64_t i) { return PyLong_FromLongLong(e.values.at<std::int64_t>(i)); });
        default: return each([&](std::int64_t i) { return plain_at(e, i); });
    }
}

std::int64_t checked_row(elements const& e, PyObject* row) {
    std::int64_t const i = PyLong_AsLongLong(row);
    if (i == -1 && PyErr_Occurred()) throw python_error{};
    if (i < 0 || i >= e.length)
        throw index_error("[Elements] row " + std::to_string(i) + " does not lie within " + std::to_string(e.length));
    return i;
}

PyObject* item(PyObject* self, PyObject* row) noexcept {
    return guarded([&] {
        auto& e = value_of_elements(self);
        return one(e, checked_row(e, row));
    });
}

PyObject* batch(PyObject* self, PyObject* const* args, Py_ssize_t n) noexcept {
    return guarded([&]() -> PyObject* {
        auto& e = value_of_elements(self);
        if (n != 3) throw type_error("[Elements] expected a first row, the one after the last, and a bool");
        std::int64_t const from = PyLong_AsLongLong(args[0]), to = PyLong_AsLongLong(args[1]);
        if (PyErr_Occurred()) return nullptr;
        if (from < 0 || to < from || to > e.length) throw index_error("[Elements] rows that are not there");
        return many(e, from, to - from, boolean_of(args[2]));
    });
}

// The values of text into an array of objects of NumPy of as many rows.
PyObject* into(PyObject* self, PyObject* objects) noexcept {
    return guarded([&]() -> PyObject* {
        auto& e = value_of_elements(self);
        struct borrowed {
            Py_buffer view{};
            ~borrowed() { PyBuffer_Release(&view); }
        } b;
        if (PyObject_GetBuffer(objects, &b.view, PyBUF_WRITABLE | PyBUF_ND | PyBUF_FORMAT) != 0) return nullptr;
        bool const fits = std::string_view(b.view.format ? b.view.format : "") == "O" && b.view.ndim == 1 &&
                          b.view.shape[0] == e.length;
        if (!e.is_text || !fits) throw type_error("[Elements] expected text, and an array of as many objects");
        auto* const to = static_cast<PyObject**>(b.view.buf);
        for (std::int64_t i = 0; i < e.length; ++i) {
            PyObject* const x = text_or_missing(e, i);
            if (!x) return nullptr;
            Py_XSETREF(to[i], x);
        }
        return Py_NewRef(objects);
    });
}

template <class T> bool store(elements& e, std::int64_t row, T v) {
    std::memcpy(const_cast<std::byte*>(e.values.first) + row * e.values.stride, &v, sizeof v);
    return true;
}

// Whether `v`, a Python number or one of NumPy's of the elements' type, is now the value of a row.
bool stored(elements& e, std::int64_t row, PyObject* v) {
    type_id const t = e.type.id;
    type_id found{};
    plan_constant number{};
    if (numpy_number(v, found, number)) {
        if (found != t) return false;
        std::memcpy(const_cast<std::byte*>(e.values.first) + row * e.values.stride, number.bytes,
                    static_cast<std::size_t>(e.type.itemsize));
        return true;
    }
    if (PyBool_Check(v)) return is_boolean(t) && store(e, row, v == Py_True);
    if (PyFloat_CheckExact(v)) return t == type_id::float64 && store(e, row, PyFloat_AS_DOUBLE(v));
    if (!PyLong_CheckExact(v)) return false;
    int overflow = 0;
    std::int64_t const i = PyLong_AsLongLongAndOverflow(v, &overflow);
    if (overflow) return false;
    constexpr std::int64_t exact = std::int64_t{1} << 53;
    if (t == type_id::int64) return store(e, row, i);
    return t == type_id::float64 && -exact <= i && i <= exact && store(e, row, static_cast<double>(i));
}

PyObject* put_at(PyObject* self, PyObject* const* args, Py_ssize_t n) noexcept {
    return guarded([&]() -> PyObject* {
        auto& e = value_of_elements(self);
        if (n != 2) throw type_error("[Elements] expected a row and a value");
        if (e.is_text || e.valid) throw type_error("[Elements] only plain numbers are written to");
        return PyBool_FromLong(stored(e, checked_row(e, args[0]), args[1]));
    });
}

void fill(elements& e, table::column const& c) {
    bool const coded = c.kind() == table::column::form::coded;
    table::column const& strings = coded ? *c.dictionary() : c;
    storage* const read[] = {c.values().memory(), c.valid().memory(), strings.offsets().memory(),
                             strings.values().memory()};
    std::vector<storage*> there;
    for (storage* s : read)
        if (s) there.push_back(s);
    {
        without_gil const free(true);
        graph::memory_in_use const evaluated(there);  // host memory is not moved from then on
    }
    e.type = c.values().type, e.length = c.length(), e.is_text = c.is_text();
    e.valid = strided(c.valid());
    if (!e.is_text || coded) e.values = strided(c.values());
    if (!e.is_text) return;
    e.offsets = strided(strings.offsets()), e.bytes = strided(strings.values());
    if (coded) e.words.resize(static_cast<std::size_t>(strings.length()));
}

PyObject* new_elements(PyTypeObject* type, PyObject* args, PyObject*) noexcept {
    return guarded([&]() -> PyObject* {
        PyObject *of = nullptr, *missing = nullptr;
        if (!PyArg_ParseTuple(args, "OO", &of, &missing)) return nullptr;
        auto const c = column_from(of);
        if (!c->where().api->host_memory) throw value_error("[Elements] expected a column in the host's memory");
        PyObject* const o = type->tp_alloc(type, 0);
        if (!o) return nullptr;
        new (&value_of_elements(o)) elements();
        reference held{o};
        fill(value_of_elements(o), *c);
        value_of_elements(o).missing = missing == Py_None ? nullptr : Py_NewRef(missing);
        return std::exchange(held.p, nullptr);
    });
}

void drop(PyObject* o) {
    PyTypeObject* const type = Py_TYPE(o);
    value_of_elements(o).~elements();
    type->tp_free(o);
    Py_DECREF(type);
}

}  // namespace

bool add_elements_type(PyObject* module) {
    static PyMethodDef methods[] = {
        {"item", item, METH_O,
         "item(row)\n--\n\nOne value as pandas gives it: a NumPy scalar, a time, str, NaN, NaT or NA."},
        {"batch", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&batch)), METH_FASTCALL,
         "batch(start, stop, scalars)\n--\n\nA list of values; numbers are Python's, or NumPy's scalars."},
        {"into", into, METH_O, "into(objects)\n--\n\nThe array of objects, filled with the values of text."},
        {"store", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&put_at)), METH_FASTCALL,
         "store(row, value)\n--\n\nWrite a number into memory that nobody else has; False where another type is "
         "needed."},
        {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {
        {Py_tp_new, reinterpret_cast<void*>(&new_elements)},
        {Py_tp_dealloc, reinterpret_cast<void*>(&drop)},
        {Py_tp_methods, methods},
        {Py_tp_doc, const_cast<char*>("Elements(column, missing): the values of a column as "
                                      "Python's objects, with what stands for missing ones.")},
        {0, nullptr}};
    static PyType_Spec spec = {"bascule.Elements", sizeof(elements_object), 0, Py_TPFLAGS_DEFAULT, slots};
    reference const type{PyType_FromSpec(&spec)};
    return type.p && PyModule_AddObjectRef(module, "Elements", type.p) == 0;
}

}  // namespace bascule::python
