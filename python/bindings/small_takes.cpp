// Elements of small arrays at positions, along an axis or of all one behind the other.
#include <cstring>
#include <vector>

#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/core/words.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

// Positions, and the shape they have.
struct positions {
    std::vector<std::int64_t> held;
    std::int64_t const* begin = nullptr;
    std::int64_t count = 0;
    dims shape;

    // False: no integers, or many in an array that lies elsewhere than `beside`.
    bool take(PyObject* o, array const& beside) {
        if (is_array(o)) {
            array const& p = value_of(o);
            if (p.type.id != type_id::int64 || p.ndim() == 0 || !is_plain_small(p, p.size() / 2 + 1) ||
                !(p.where() == beside.where()))
                return false;
            begin = begin_of<std::int64_t>(p), count = p.size(), shape = p.shape;
            return true;
        }
        if (PyList_CheckExact(o) || PyTuple_CheckExact(o)) {
            count = PySequence_Fast_GET_SIZE(o);
            if (!is_small_count(count)) return false;
            for (Py_ssize_t k = 0; k < count; ++k)
                if (!add(PySequence_Fast_GET_ITEM(o, k))) return false;
            shape = dims{count};
        } else {
            count = 1;
            if (!add(o)) return false;
        }
        begin = held.data();
        return true;
    }

private:
    bool add(PyObject* o) {
        auto const v = integer_from(o);
        plan_constant number{};
        type_id t{};
        if (v) held.push_back(*v);
        else if (!is_array(o) && numpy_number(o, t, number) && t == type_id::int64) held.push_back(number.i64);
        else return false;
        return true;
    }
};

// Of rows of `extent` units, elements (`single`) or so many bytes each, those at the positions; false: one is out of
// bounds.
bool copy_units(positions const& at, std::int64_t rows, std::int64_t extent, bool single, std::int64_t bytes,
                std::byte const* from, std::byte* to) {
    for (std::int64_t i = 0; i < at.count; ++i)
        if (at.begin[i] < -extent || at.begin[i] >= extent) return false;
    for (std::int64_t row = 0; row < rows; ++row, from += extent * bytes, to += at.count * bytes) {
        auto const place = [&](std::int64_t i) { return at.begin[i] + (at.begin[i] < 0 ? extent : 0); };
        bool const words = single && with_word(bytes, [&]<class T>(T) {
                               auto* const next = reinterpret_cast<T*>(to);
                               auto const* const units = reinterpret_cast<T const*>(from);
                               for (std::int64_t i = 0; i < at.count; ++i) next[i] = units[place(i)];
                           });
        for (std::int64_t i = 0; !words && i < at.count; ++i)
            std::memcpy(to + i * bytes, from + place(i) * bytes, static_cast<std::size_t>(bytes));
    }
    return true;
}

// (a, positions, axis or None)
PyObject* take(arguments args) {
    if (args[2] == Py_None) return small_take(args[0], args[1], {});
    auto const axis = integer_from(args[2]);
    return axis ? small_take(args[0], args[1], axis) : nullptr;
}

}  // namespace

PyObject* small_take(PyObject* from, PyObject* indices, std::optional<std::int64_t> axis) {
    small_operand held;
    if (!held.take(from)) return nullptr;
    array const& a = held.value();
    int const n = a.ndim();
    if (n == 0 || (axis && (*axis < -n || *axis >= n))) return nullptr;
    int const d = !axis ? 0 : static_cast<int>(*axis < 0 ? *axis + n : *axis);
    std::int64_t const rows = axis ? product_of(a.shape, 0, d) : 1, extent = axis ? a.shape[d] : a.size(),
                       unit = axis ? product_of(a.shape, d + 1, n) : 1;
    graph_lock lock;
    positions at;
    if (!at.take(indices, a)) return nullptr;
    std::int64_t const count = rows * at.count * unit;
    if (!is_small_count(count / 2 + 1) || !is_plain_small(a, count / 2 + work_of_reaching(a))) return nullptr;
    if (at.shape.size() == 0 && n == 1) axis = {};
    if (at.shape.size() == 0 && !axis) {
        if (is_time(a.type.id)) return nullptr;
        plan_constant v{};
        auto* const to = reinterpret_cast<std::byte*>(v.bytes);
        bool const there = copy_units(at, 1, extent, true, a.itemsize(), begin_of<std::byte>(a), to);
        return there ? numpy_scalar(v, a.type) : nullptr;
    }
    dims shape;
    for (int k = 0; axis && k < d; ++k) shape.push_back(a.shape[k]);
    for (int k = 0; k < at.shape.size(); ++k) shape.push_back(at.shape[k]);
    for (int k = d + 1; axis && k < n; ++k) shape.push_back(a.shape[k]);
    array r = empty(a.where(), a.type, shape);
    bool const there =
        copy_units(at, rows, extent, unit == 1, unit * a.itemsize(), begin_of<std::byte>(a), begin_of<std::byte>(r));
    return there ? to_python(std::move(r)) : nullptr;
}

bool add_small_takes(PyObject* module) {
    static PyMethodDef functions[] = {small_definition<take, 3>("small_take"), {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
