// Running folds, folds of the parts of small arrays, and counts.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/ufunc_methods.hpp"
#include "bascule/ops/aggregate_extrema.hpp"
#include "op_numbers.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

constexpr auto add = number_of("add"), maximum = number_of("maximum"), minimum = number_of("minimum");
constexpr auto sum = aggregate_of("sum"), greatest = aggregate_of("max"), least_of_all = aggregate_of("min");

// (number of the op, a, axis or None for the only one): the folds of ever longer parts, where nothing else is given.
PyObject* plain_accumulate(arguments args) {
    auto const op = integer_from(args[0]);
    if (!op || ops::table[*op].nin != 2 || !is_array(args[1])) return nullptr;
    array const& a = value_of(args[1]);
    auto axis = args[2] == Py_None && a.ndim() == 1 ? std::int64_t{0} : integer_from(args[2]);
    if (!axis || *axis < -a.ndim() || *axis >= a.ndim() || is_time(a.type.id) || a.size() == 0) return nullptr;
    if (*axis < 0) *axis += a.ndim();
    bool const is_long = is_long_work(a.size());
    checked_call const scope(checked_call::gil{is_long});
    return to_python([&] {
        without_gil const released(is_long);
        return accumulate(static_cast<std::uint16_t>(*op), a, static_cast<int>(*axis), {}, nullptr);
    }());
}

// Starts of parts within n elements, from an array or a list; false: something is wrong, or to be looked at.
bool read_starts(PyObject* given, std::int64_t n, std::vector<std::int64_t>& starts) {
    if (is_array(given)) {
        array const& s = value_of(given);
        if (s.type.id != type_id::int64 || s.ndim() != 1 || !is_plain_small(s, 256 * s.size()))
            return false;  // a call each
        starts.assign(begin_of<std::int64_t>(s), begin_of<std::int64_t>(s) + s.size());
    } else {
        if (!PyList_CheckExact(given) || PyList_GET_SIZE(given) == 0) return false;
        for (Py_ssize_t k = 0; k < PyList_GET_SIZE(given); ++k) {
            auto const v = integer_from(PyList_GET_ITEM(given, k));
            if (!v) return false;
            starts.push_back(*v);
        }
    }
    return std::all_of(starts.begin(), starts.end(), [n](std::int64_t v) { return v >= 0 && v < n; });
}

// The fold of some elements, without a word; false: there is something to tell.
template <class T>
bool fold_part(std::uint16_t aggregate, array const& a, std::int64_t first, std::int64_t count, T& to) {
    array const part = view(a, {count}, {a.itemsize()}, a.offset + first * a.itemsize());
    plan_constant found;
    auto const outcome = eager::reduce(aggregate, part, asked_conditions(), found);
    if (!outcome.done || outcome.fp_errors) return false;
    std::memcpy(&to, found.bytes, sizeof to);
    return true;
}

template <class T> T sum_of(T a, T b) {
    if constexpr (std::is_same_v<T, std::int64_t>)
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    else return a + b;
}

// As the general form does it: sums are those of the first element and of the rest.
template <class T> PyObject* folds_of_parts(int aggregate, array const& a, std::span<std::int64_t const> starts) {
    auto const count = static_cast<std::int64_t>(starts.size()), n = a.size();
    array r = empty(a.where(), a.type, dims{count});
    auto* const to = begin_of<T>(r);
    auto const* const from = begin_of<T>(a);
    for (std::int64_t k = 0; k < count; ++k) {
        auto const first = starts[static_cast<std::size_t>(k)];
        auto const end = k + 1 < count ? starts[static_cast<std::size_t>(k + 1)] : n;
        to[k] = from[first];
        if (end <= first + 1) continue;
        bool const sums = aggregate < 0;
        T folded{};
        auto const which = sums ? sum : static_cast<std::uint16_t>(aggregate);
        if (!fold_part(which, a, first + sums, end - first - sums, folded)) return nullptr;
        to[k] = sums ? sum_of(from[first], folded) : folded;
        if constexpr (std::is_floating_point_v<T>)
            if (!std::isfinite(to[k])) return nullptr;
    }
    return to_python(std::move(r));
}

// Sums and extremes of few parts of a small array.
PyObject* few_folds_of_parts(std::int64_t op, arguments args) {
    int aggregate = -1;
    if (op == maximum) aggregate = greatest;
    else if (op == minimum) aggregate = least_of_all;
    else if (op != add) return nullptr;
    graph_lock lock;
    array const& a = value_of(args[1]);
    std::vector<std::int64_t> starts;
    if (a.ndim() != 1 || !is_plain_small(a) || !read_starts(args[2], a.size(), starts)) return nullptr;
    switch (a.type.id) {
        case type_id::float64: return folds_of_parts<double>(aggregate, a, starts);
        case type_id::float32: return folds_of_parts<float>(aggregate, a, starts);
        case type_id::int64: return folds_of_parts<std::int64_t>(aggregate, a, starts);
        default: return nullptr;
    }
}

// The positions in an array of them that nobody is going to change meanwhile; empty: not such an array, or one is out
// of bounds.
std::span<std::int64_t const> plain_starts(PyObject* given, std::int64_t n) {
    if (!is_array(given)) return {};
    graph_lock lock;
    array const& s = value_of(given);
    if (s.type.id != type_id::int64 || s.ndim() != 1 || s.memory()->foreign() || !is_plain_small(s, 1)) return {};
    std::span const starts(begin_of<std::int64_t const>(s), static_cast<std::size_t>(s.size()));
    bool const within = std::all_of(starts.begin(), starts.end(), [n](std::int64_t v) { return v >= 0 && v < n; });
    return within ? starts : std::span<std::int64_t const>();
}

constexpr std::int64_t most_at_once =
    1 << 14;  // elements, 20 us: longer ones are left to a call that lets go of the GIL

// (number of the op, a, starts): folds of the parts of an array of one axis that begin there.
PyObject* small_reduceat(arguments args) {
    auto const op = integer_from(args[0]);
    if (!op || !is_array(args[1]) || value_of(args[1]).ndim() != 1) return nullptr;
    if (PyObject* const r = few_folds_of_parts(*op, args)) return r;
    array const& a = value_of(args[1]);
    auto const starts = plain_starts(args[2], a.size());
    if (starts.empty() || is_time(a.type.id) || ops::table[*op].nin != 2 || a.size() > most_at_once) return nullptr;
    checked_call const scope;
    return to_python(reduceat(static_cast<std::uint16_t>(*op), a, starts, 0, {}, nullptr));
}

// (numbers, weights or None, least length): how often each integer from 0 on occurs, or the sum of its weights.
PyObject* small_bincount(arguments args) {
    auto const least = integer_from(args[2]);
    if (!is_array(args[0]) || !(args[1] == Py_None || is_array(args[1])) || !least || *least < 0) return nullptr;
    graph_lock lock;
    array const& a = value_of(args[0]);
    if (a.type.id != type_id::int64 || a.ndim() != 1 || !is_plain_small(a)) return nullptr;
    auto const* const from = begin_of<std::int64_t>(a);
    std::int64_t const n = a.size();
    std::uint64_t highest[4] = {};  // negative numbers are above all others
    std::int64_t done = 0;
    for (; n - done >= 4; done += 4)
        for (int k = 0; k < 4; ++k) highest[k] = std::max(highest[k], static_cast<std::uint64_t>(from[done + k]));
    for (; done < n; ++done) highest[0] = std::max(highest[0], static_cast<std::uint64_t>(from[done]));
    std::uint64_t const most = *std::max_element(highest, highest + 4);
    auto const count = static_cast<std::int64_t>(most) + 1;
    if (most >> 62 || !is_small_count(count) || !is_small_count(*least + 1)) return nullptr;
    dims const shape{std::max(count, *least)};
    bool const weighs = args[1] != Py_None;
    double const* weights = nullptr;
    if (weighs) {
        array const& w = value_of(args[1]);
        bool const fits = w.type.id == type_id::float64 && w.shape == a.shape && w.where() == a.where();
        if (!fits || !is_plain_small(w)) return nullptr;
        weights = begin_of<double>(w);
    }
    array r = full(a.where(), make_dtype(weighs ? type_id::float64 : type_id::int64), shape, plan_constant{});
    if (!r.memory()->ready()) return nullptr;
    auto* const sums = begin_of<double>(r);
    auto* const counts = begin_of<std::int64_t>(r);
    if (weighs)
        for (std::int64_t i = 0; i < n; ++i) sums[from[i]] += weights[i];
    else
        for (std::int64_t i = 0; i < n; ++i) ++counts[from[i]];
    return to_python(std::move(r));
}

template <class Algebra> void write_positions(array const& a, int axis, std::int64_t* to) {
    std::int64_t const n = a.shape[axis], inner = product_of(a.shape, axis + 1, a.ndim());
    auto const* const from = begin_of<typename Algebra::input>(a);
    for (std::int64_t at = 0; at < a.size(); at += n * inner)
        for (std::int64_t j = at; j < at + inner; ++j) {
            auto best = Algebra::identity();
            for (std::int64_t i = 0; i < n; ++i) Algebra::update(best, from[j + i * inner], i);
            *to++ = best.index;
        }
}

template <class Aggregate> bool write_positions_of(array const& a, int axis, std::int64_t* to) {
    switch (a.type.id) {
        case type_id::float64: return write_positions<typename Aggregate::template of<double>>(a, axis, to), true;
        case type_id::float32: return write_positions<typename Aggregate::template of<float>>(a, axis, to), true;
        case type_id::int64: return write_positions<typename Aggregate::template of<std::int64_t>>(a, axis, to), true;
        case type_id::int32: return write_positions<typename Aggregate::template of<std::int32_t>>(a, axis, to), true;
        default: return false;
    }
}

}  // namespace

PyObject* small_positions(array const& a, std::int64_t axis, bool largest) {
    constexpr std::int64_t most = 256;  // more are looked at side by side
    int const n = a.ndim();
    graph_lock lock;
    if (n < 2 || axis < -n || axis >= n || a.size() > most || !is_plain_small(a)) return nullptr;
    int const along = static_cast<int>(axis < 0 ? axis + n : axis);
    dims shape = a.shape;
    shape.erase(along);
    array r = empty(a.where(), make_dtype(type_id::int64), shape);
    auto* const to = begin_of<std::int64_t>(r);
    bool const done = largest ? write_positions_of<ops::aggregate::argmax>(a, along, to)
                              : write_positions_of<ops::aggregate::argmin>(a, along, to);
    return done ? to_python(std::move(r)) : nullptr;
}

bool add_small_runs(PyObject* module) {
    static PyMethodDef functions[] = {small_definition<plain_accumulate, 3>("plain_accumulate"),
                                      small_definition<small_reduceat, 3>("small_reduceat"),
                                      small_definition<small_bincount, 3>("small_bincount"),
                                      {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
