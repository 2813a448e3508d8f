// Places of values among few ordered ones, and choices among small arrays by numbers.
#include <algorithm>
#include <functional>
#include <vector>

#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/core/words.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

// NumPy's order, in which NaN comes last.
bool is_less(double a, double b) { return a < b || (b != b && a == a); }
bool is_less(std::int64_t a, std::int64_t b) { return a < b; }

// The first element that is not less than v, or (`right`) the first that is above it.
template <class T> std::int64_t place_among(T v, T const* begin, std::int64_t n, bool right) {
    auto const before = [right](T a, T b) { return right ? !is_less(b, a) : is_less(a, b); };
    return std::partition_point(begin, begin + n, [&](T x) { return before(x, v); }) - begin;
}

bool holds(PyObject* o, type_id t) { return is_array(o) && value_of(o).type.id == t && is_plain_small(value_of(o)); }

template <class T> PyObject* places_of(array const& a, array const& v, bool right, bool descends) {
    std::int64_t const n = a.size();
    std::vector<T> edges(begin_of<T>(a), begin_of<T>(a) + n);
    if (descends) std::reverse(edges.begin(), edges.end());
    array r = empty(v.where(), make_dtype(type_id::int64), v.shape);
    auto* const to = begin_of<std::int64_t>(r);
    auto const* const from = begin_of<T>(v);
    for (std::int64_t i = 0; i < v.size(); ++i) {
        auto const k = place_among(from[i], edges.data(), n, right);
        to[i] = descends ? n - k : k;
    }
    return to_python(std::move(r));
}

// (a, v, right): where values of a's type belong in a, which is in order.
PyObject* small_searchsorted(arguments args) {
    small_operand edges, listed;
    if (!edges.take(args[0])) return nullptr;
    bool const is_list = PyList_CheckExact(args[1]) || PyTuple_CheckExact(args[1]);
    if (is_list && !listed.take(args[1])) return nullptr;
    PyObject* const values = is_list ? listed.object : args[1];
    graph_lock lock;
    for (auto t : {type_id::float64, type_id::int64}) {
        if (!holds(edges.object, t)) continue;
        array const& a = edges.value();
        bool const right = args[2] == Py_True;
        if (a.ndim() != 1) return nullptr;
        plan_constant one{};
        bool const number = t == type_id::float64 ? PyFloat_CheckExact(args[1]) : PyLong_CheckExact(args[1]);
        if (number && plain_element(args[1], t, one)) {
            plan_constant place{};
            place.i64 = t == type_id::float64 ? place_among(one.f64[0], begin_of<double>(a), a.size(), right)
                                              : place_among(one.i64, begin_of<std::int64_t>(a), a.size(), right);
            return numpy_scalar(place, make_dtype(type_id::int64));
        }
        if (!holds(values, t) || value_of(values).ndim() == 0) return nullptr;
        array const& v = value_of(values);
        if (!is_plain_small(v, 2 * v.size())) return nullptr;  // more are found side by side
        if (!(v.where() == a.where())) return nullptr;
        return t == type_id::float64 ? places_of<double>(a, v, right, false)
                                     : places_of<std::int64_t>(a, v, right, false);
    }
    return nullptr;
}

// (x, bins, right) of float64: the bin of each element, between edges that rise or fall.
PyObject* small_digitize(arguments args) {
    small_operand among, edges;
    bool const number = PyFloat_CheckExact(args[0]);
    if (!number && !among.take(args[0])) return nullptr;
    if (!edges.take(args[1]) || (args[2] != Py_True && args[2] != Py_False)) return nullptr;
    graph_lock lock;
    if (!holds(edges.object, type_id::float64) || (!number && !holds(among.object, type_id::float64))) return nullptr;
    array const &bins = edges.value(), &x = number ? bins : among.value();
    if (bins.ndim() != 1 || x.ndim() == 0 || !(x.where() == bins.where())) return nullptr;
    auto const *begin = begin_of<double>(bins), *end = begin + bins.size();
    if (std::any_of(begin, end, [](double v) { return v != v; })) return nullptr;
    bool const rises = std::is_sorted(begin, end), falls = std::is_sorted(begin, end, std::greater<>{});
    if (!rises && !falls) return nullptr;
    if (number && rises) {
        plan_constant place{};
        place.i64 = place_among(PyFloat_AS_DOUBLE(args[0]), begin, bins.size(), args[2] == Py_False);
        return numpy_scalar(place, make_dtype(type_id::int64));
    }
    if (number) return nullptr;
    return places_of<double>(bins, x, args[2] == Py_False, !rises);
}

// (numbers, arrays): of each place the element of the array that the number names; all of one shape, the arrays of one
// type.
PyObject* small_choose(arguments args) {
    if (!PyList_CheckExact(args[1]) && !PyTuple_CheckExact(args[1])) return nullptr;
    arguments const choices{PySequence_Fast_ITEMS(args[1]),
                            static_cast<std::size_t>(PySequence_Fast_GET_SIZE(args[1]))};
    graph_lock lock;
    if (choices.empty() || !holds(args[0], type_id::int64) || !is_array(choices[0])) return nullptr;
    array const &at = value_of(args[0]), &first = value_of(choices[0]);
    auto const count = static_cast<std::int64_t>(choices.size()), n = at.size();
    if (at.ndim() == 0) return nullptr;
    for (PyObject* c : choices) {
        if (!is_array(c)) return nullptr;
        array const& a = value_of(c);
        if (!(a.type == first.type) || !(a.shape == at.shape) || !(a.where() == at.where()) || !is_plain_small(a))
            return nullptr;
    }
    auto const* const number = begin_of<std::int64_t>(at);
    if (std::any_of(number, number + n, [count](std::int64_t k) { return k < 0 || k >= count; })) return nullptr;
    array r = empty(at.where(), first.type, at.shape);
    bool const done = with_word(first.itemsize(), [&]<class T>(T) {
        std::vector<T const*> from;
        for (PyObject* c : choices) from.push_back(begin_of<T>(value_of(c)));
        for (std::int64_t i = 0; i < n; ++i) begin_of<T>(r)[i] = from[static_cast<std::size_t>(number[i])][i];
    });
    return done ? to_python(std::move(r)) : nullptr;
}

}  // namespace

bool add_small_searches(PyObject* module) {
    static PyMethodDef functions[] = {small_definition<small_searchsorted, 3>("small_searchsorted"),
                                      small_definition<small_digitize, 3>("small_digitize"),
                                      small_definition<small_choose, 2>("small_choose"),
                                      {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
