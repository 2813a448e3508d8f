// Small arrays put beside each other, rolled, and added to at given places.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/core/words.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

// (a, shift, axis or None)
PyObject* small_roll(arguments args) {
    auto const shift = integer_from(args[1]);
    if (!is_array(args[0]) || !shift) return nullptr;
    graph_lock lock;
    array const& a = value_of(args[0]);
    int const n = a.ndim();
    if (n == 0 || !is_plain_small(a, 1 + a.size() / 4)) return nullptr;
    std::int64_t rows = 1, count = a.size(), bytes = a.itemsize();
    if (args[2] != Py_None) {
        auto const given = integer_from(args[2]);
        if (!given || *given < -n || *given >= n) return nullptr;
        int const axis = static_cast<int>(*given < 0 ? *given + n : *given);
        rows = product_of(a.shape, 0, axis), count = a.shape[axis], bytes *= product_of(a.shape, axis + 1, n);
    }
    std::int64_t by = *shift % count;
    if (by < 0) by += count;
    array r = empty(a.where(), a.type, a.shape);
    auto const head = static_cast<std::size_t>((count - by) * bytes), tail = static_cast<std::size_t>(by * bytes);
    std::byte *from = begin_of<std::byte>(a), *to = begin_of<std::byte>(r);
    for (std::int64_t row = 0; row < rows; ++row, from += count * bytes, to += count * bytes) {
        std::memcpy(to + tail, from, head);
        std::memcpy(to, from + head, tail);
    }
    return to_python(std::move(r));
}

// Elements behind each other that int64 positions, an array or a tuple of one for each axis, select; false: another
// case, or one to complain about.
bool flat_positions(array const& a, PyObject* given, std::vector<std::int64_t>& at, dims& shape) {
    arguments const parts = PyTuple_CheckExact(given) ? arguments{&PyTuple_GET_ITEM(given, 0),
                                                                  static_cast<std::size_t>(PyTuple_GET_SIZE(given))}
                                                      : arguments{&given, 1};
    if (static_cast<int>(parts.size()) != a.ndim()) return false;
    for (int d = 0; d < a.ndim(); ++d) {
        if (!is_array(parts[static_cast<std::size_t>(d)])) return false;
        array const& p = value_of(parts[static_cast<std::size_t>(d)]);
        if (p.type.id != type_id::int64 || p.ndim() == 0 || !is_plain_small(p)) return false;
        if (d == 0) shape = p.shape, at.assign(static_cast<std::size_t>(p.size()), 0);
        if (!(p.shape == shape)) return false;
        auto const* const from = begin_of<std::int64_t>(p);
        for (std::size_t i = 0; i < at.size(); ++i) {
            auto const k = from[i];
            if (k < -a.shape[d] || k >= a.shape[d]) return false;
            at[i] = at[i] * a.shape[d] + (k < 0 ? k + a.shape[d] : k);
        }
    }
    return true;
}

// What a key selects of a small array: units of so many elements each, in the shape of the result.
struct selection {
    std::vector<std::int64_t> at;
    std::int64_t unit = 1;
    dims shape;
};

bool add_position(selection& s, std::int64_t i, std::int64_t n) {
    if (i < -n || i >= n) return false;
    s.at.push_back(i < 0 ? i + n : i);
    return true;
}

bool rows_at(array const& a, array const& positions, selection& s) {
    auto const* const from = begin_of<std::int64_t>(positions);
    s.shape = positions.shape;
    s.at.reserve(static_cast<std::size_t>(positions.size()));
    for (std::int64_t i = 0; i < positions.size(); ++i)
        if (!add_position(s, from[i], a.shape[0])) return false;
    return true;
}

bool rows_of_list(array const& a, PyObject* list, selection& s) {
    Py_ssize_t const n = PyList_GET_SIZE(list);
    if (n == 0) return false;
    s.shape = dims{n};
    for (Py_ssize_t k = 0; k < n; ++k) {
        auto const i = integer_from(PyList_GET_ITEM(list, k));
        if (!i || !add_position(s, *i, a.shape[0])) return false;
    }
    return true;
}

// Truths for all elements, or for the rows.
bool where_true(array const& a, array const& truths, selection& s) {
    if (!is_plain_small(truths, 8 * truths.size())) return false;  // longer ones are counted by the word
    bool const all = truths.shape == a.shape;
    if (!all && !(truths.ndim() == 1 && truths.shape[0] == a.shape[0])) return false;
    auto const* const yes = begin_of<std::uint8_t>(truths);
    s.at.resize(static_cast<std::size_t>(truths.size()));
    std::size_t count = 0;
    for (std::int64_t i = 0; i < truths.size(); ++i) s.at[count] = i, count += yes[i] != 0;
    s.at.resize(count);
    s.shape = dims{static_cast<std::int64_t>(count)};
    if (all) s.unit = 0;  // elements
    return true;
}

// The graph's lock is held. `work`: in elements, beside what the key takes.
bool select(array const& a, PyObject* key, selection& s, std::int64_t work) {
    if (a.ndim() == 0 || !is_plain_small(a, work)) return false;
    if (PyTuple_CheckExact(key)) return a.ndim() > 1 && flat_positions(a, key, s.at, s.shape);
    if (PyList_CheckExact(key)) {
        if (!rows_of_list(a, key, s)) return false;
    } else {
        if (!is_array(key) || value_of(key).ndim() == 0 || !is_plain_small(value_of(key))) return false;
        array const& k = value_of(key);
        bool const known = k.type.id == type_id::int64 ? rows_at(a, k, s)
                                                       : k.type.id == type_id::bool_ && where_true(a, k, s);
        if (!known || !(k.where() == a.where())) return false;
    }
    if (s.unit == 0) return s.unit = 1, true;
    s.unit = product_of(a.shape, 1, a.ndim());
    for (int d = 1; d < a.ndim(); ++d) s.shape.push_back(a.shape[d]);
    return true;
}

bool is_finite(double v) { return std::isfinite(v); }
template <class T> bool is_finite(T) { return true; }

// `one` where there are no values; false, with nothing written: there is something to tell.
template <class T, class Op>
bool combine_there(array const& to, std::vector<std::int64_t> const& at, T const* values, T one, Op op) {
    auto* const begin = begin_of<T>(to);
    std::vector<T> now(begin, begin + to.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
        T &element = now[static_cast<std::size_t>(at[i])], before = element;
        element = op(before, values ? values[i] : one);
        if (!is_finite(before) || !is_finite(element)) return false;
    }
    return eager::overwrite(to, now.data());
}

// Sums wrap around in `Wrapping`, extrema compare as T.
template <class T, class Wrapping>
bool combined(std::string_view op, array const& to, std::vector<std::int64_t> const& at, void const* values,
              plan_constant const& one) {
    auto const with = [&]<class U>(U, auto f) {
        U v;
        std::memcpy(&v, one.bytes, sizeof v);
        return combine_there<U>(to, at, static_cast<U const*>(values), v, f);
    };
    if (op == "add") return with(Wrapping{}, [](Wrapping x, Wrapping y) { return x + y; });
    if (op == "subtract") return with(Wrapping{}, [](Wrapping x, Wrapping y) { return x - y; });
    if (op == "maximum") return with(T{}, [](T x, T y) { return x > y ? x : y; });
    return op == "minimum" && with(T{}, [](T x, T y) { return x < y ? x : y; });
}

// (a, positions, values, name of the op): True, or None where the general form is to answer.
PyObject* small_combine_at(arguments args) {
    if (!is_array(args[0])) return nullptr;
    graph_lock lock;
    array const& a = value_of(args[0]);
    if (a.ndim() == 0 || !is_plain_small(a)) return nullptr;
    bool const floating = a.type.id == type_id::float64;
    if (!floating && a.type.id != type_id::int64) return nullptr;
    std::vector<std::int64_t> at;
    dims shape;
    if (!flat_positions(a, args[1], at, shape)) return nullptr;
    plan_constant one{};
    std::byte const* values = nullptr;
    if (is_array(args[2])) {
        array const& v = value_of(args[2]);
        if (!(v.type == a.type) || !(v.shape == shape) || !is_plain_small(v)) return nullptr;
        values = begin_of<std::byte>(v);
    } else if (!(PyLong_CheckExact(args[2]) || (floating && PyFloat_CheckExact(args[2]))) ||
               !plain_element(args[2], a.type.id, one)) {
        return nullptr;
    }
    char const* const name = PyUnicode_AsUTF8(args[3]);
    if (!name) return nullptr;
    bool const done = floating ? combined<double, double>(name, a, at, values, one)
                               : combined<std::int64_t, std::uint64_t>(name, a, at, values, one);
    return done ? Py_NewRef(Py_True) : nullptr;
}

// (a): over its diagonal, where it has two axes.
PyObject* diagonal_view(arguments args) {
    if (!is_array(args[0]) || value_of(args[0]).ndim() != 2) return nullptr;
    PyObject* const r = new_view(args[0]);
    array const& a = value_of(args[0]);
    array& v = value_of(r);
    v.shape.push_back(std::min(a.shape[0], a.shape[1])), v.strides.push_back(a.strides[0] + a.strides[1]);
    v.writeable = false;
    return r;
}

// (a, whether in Fortran's order): itself if it has axes and lies in that order, else a copy.
PyObject* in_order(arguments args) {
    if (!is_array(args[0]) || value_of(args[0]).ndim() == 0) return nullptr;
    array const& a = value_of(args[0]);
    bool const fortran = args[1] == Py_True;
    bool const there = fortran ? is_f_contiguous(a.shape, a.strides, a.itemsize())
                               : is_c_contiguous(a.shape, a.strides, a.itemsize());
    return there ? Py_NewRef(args[0]) : to_python(bascule::copy(a, fortran ? 'F' : 'C'));
}

// (a): the bytes of its elements.
PyObject* small_bytes(arguments args) {
    if (!is_array(args[0])) return nullptr;
    graph_lock lock;
    array const& a = value_of(args[0]);
    if (!is_plain_small(a)) return nullptr;
    return PyBytes_FromStringAndSize(begin_of<char>(a), static_cast<Py_ssize_t>(a.size() * a.itemsize()));
}

}  // namespace

// (arrays, axis, ndim): a list or tuple of arrays with so many axes, of one shape and type, along a new axis.
PyObject* small_stack(arguments args) {
    auto const axis = integer_from(args[1]), ndim = integer_from(args[2]);
    if (!(PyList_CheckExact(args[0]) || PyTuple_CheckExact(args[0])) || !axis || !ndim) return nullptr;
    arguments const parts{PySequence_Fast_ITEMS(args[0]), static_cast<std::size_t>(PySequence_Fast_GET_SIZE(args[0]))};
    if (parts.empty() || !is_array(parts[0])) return nullptr;
    graph_lock lock;
    array const& first = value_of(parts[0]);
    int const n = first.ndim(), at = static_cast<int>(*axis < 0 ? *axis + n + 1 : *axis);
    if (n == 0 || (*ndim >= 0 && *ndim != n) || at < 0 || at > n) return nullptr;
    auto const count = static_cast<std::int64_t>(parts.size());
    if (!is_small_count(count) || !is_small_count(first.size() * count)) return nullptr;
    for (PyObject* p : parts) {
        if (!is_array(p) || !is_plain_small(value_of(p))) return nullptr;
        array const& a = value_of(p);
        if (!(a.type == first.type) || !(a.shape == first.shape) || !(a.where() == first.where())) return nullptr;
    }
    dims shape;
    for (int d = 0; d <= n; ++d) {
        if (d == at) shape.push_back(count);
        if (d < n) shape.push_back(first.shape[d]);
    }
    array r = empty(first.where(), first.type, shape);
    std::int64_t const rows = product_of(first.shape, 0, at), bytes = first.size() / rows * first.itemsize();
    std::byte* to = begin_of<std::byte>(r);
    for (std::int64_t row = 0; row < rows; ++row)
        for (PyObject* p : parts) {
            std::memcpy(to, begin_of<std::byte>(value_of(p)) + row * bytes, static_cast<std::size_t>(bytes));
            to += bytes;
        }
    return to_python(std::move(r));
}

PyObject* small_select(array const& a, PyObject* key) {
    graph_lock lock;
    selection s;
    if (!select(a, key, s, work_of_reaching(a))) return nullptr;
    array r = empty(a.where(), a.type, s.shape);
    if (s.at.empty()) return to_python(std::move(r));
    if (!is_small_count(r.size())) return nullptr;
    auto const bytes = static_cast<std::size_t>(s.unit * a.itemsize());
    std::byte *to = begin_of<std::byte>(r), *from = begin_of<std::byte>(a);
    bool const words = s.unit == 1 && with_word(a.itemsize(), [&]<class T>(T) {
                           T const* const elements = begin_of<T>(a);
                           T* next = begin_of<T>(r);
                           for (auto k : s.at) *next++ = elements[k];
                       });
    for (std::size_t i = 0; !words && i < s.at.size(); ++i)
        std::memcpy(to + i * bytes, from + static_cast<std::size_t>(s.at[i]) * bytes, bytes);
    return to_python(std::move(r));
}

bool small_put(array const& a, PyObject* key, plan_constant const* element, array const* value) {
    if (is_array(key) && value_of(key).type.id == type_id::bool_) {
        array const& mask = value_of(key);
        bool const temporary = Py_REFCNT(key) == 1;
        if (element ? eager::fill_selected(a, mask, temporary, *element)
                    : value && eager::assign_selected(a, mask, temporary, *value))
            return true;
    }
    graph_lock lock;
    selection s;
    if (!element && (!value || !(value->type == a.type) || value->memory() == a.memory())) return false;
    if (!select(a, key, s, a.size())) return false;
    if (element) return eager::scatter(a, s.at, s.unit, element->bytes, true);
    if (!(value->shape == s.shape) || !(value->where() == a.where()) || !is_plain_small(*value)) return false;
    return !value->memory()->foreign() && !a.memory()->foreign() &&
           eager::scatter(a, s.at, s.unit, begin_of<std::byte>(*value), false);
}

bool add_small_moves(PyObject* module) {
    static PyMethodDef functions[] = {
        small_definition<small_stack, 3>("small_stack"),
        small_definition<small_roll, 3>("small_roll"),
        small_definition<small_combine_at, 4>("small_combine_at"),
        small_definition<diagonal_view, 1>("diagonal_view"),
        small_definition<in_order, 2>("in_order"),
        small_definition<small_bytes, 1>("small_bytes"),
        {},
    };
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
