// Slopes, differences and lengths of small arrays.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/ops/spec.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

template <class T> bool all_finite(T const* p, std::int64_t n) {
    bool finite = true;
    for (std::int64_t i = 0; i < n; ++i) finite &= std::abs(p[i]) <= std::numeric_limits<T>::max();
    return finite;
}

// Central differences along one axis of n places, `inner` apart, and one-sided ones at the ends.
void slopes(double const* f, double* to, std::int64_t n, std::int64_t inner, double step) {
    std::int64_t const last = (n - 1) * inner;
    double const twice = 2.0 * step;
    for (std::int64_t j = 0; j < inner; ++j) to[j] = (f[inner + j] - f[j]) / step;
    for (std::int64_t j = inner; j < last; ++j) to[j] = (f[j + inner] - f[j - inner]) / twice;
    for (std::int64_t j = last; j < last + inner; ++j) to[j] = (f[j] - f[j - inner]) / step;
}

array slopes_along(array const& a, double const* f, int axis, double step) {
    std::int64_t const n = a.shape[axis], inner = product_of(a.shape, axis + 1, a.ndim());
    array r = empty(a.where(), make_dtype(type_id::float64), a.shape);
    for (std::int64_t at = 0; at < a.size(); at += n * inner) slopes(f + at, begin_of<double>(r) + at, n, inner, step);
    return r;
}

// (f, distance of the samples or None, axis or None for all): of float64 or int64, of which nothing is to be told.
PyObject* small_gradient(arguments args) {
    if (!is_array(args[0]) || (asked_conditions() & ops::fp::under)) return nullptr;
    auto const step = args[1] == Py_None ? std::optional(1.0) : plain_number(args[1]);
    auto const axis = args[2] == Py_None ? std::optional<std::int64_t>(0) : integer_from(args[2]);
    graph_lock lock;
    array const& a = value_of(args[0]);
    int const n = a.ndim();
    if (!step || !axis || n == 0 || *axis < -n || *axis >= n || !is_plain_small(a, 2 * a.size())) return nullptr;
    bool const floating = a.type.id == type_id::float64;
    if (!floating && a.type.id != type_id::int64) return nullptr;
    std::vector<double> converted;
    if (!floating) converted.assign(begin_of<std::int64_t>(a), begin_of<std::int64_t>(a) + a.size());
    double const* const f = floating ? begin_of<double>(a) : converted.data();
    int const first = args[2] == Py_None ? 0 : static_cast<int>(*axis < 0 ? *axis + n : *axis);
    int const end = args[2] == Py_None ? n : first + 1;
    reference all{PyTuple_New(end - first)};
    if (!all.p) throw python_error{};
    for (int d = first; d < end; ++d) {
        if (a.shape[d] < 2) return nullptr;
        array r = slopes_along(a, f, d, *step);
        if (!all_finite(begin_of<double>(r), r.size())) return nullptr;
        PyObject* const one = to_python(std::move(r));
        if (!one) throw python_error{};
        PyTuple_SET_ITEM(all.p, d - first, one);
    }
    return end - first == 1 ? Py_NewRef(PyTuple_GET_ITEM(all.p, 0)) : Py_NewRef(all.p);
}

template <class T> T difference(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) return x - y;
    else return static_cast<T>(static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y));
}

template <class T> bool differences(array const& a, array const& r) {
    std::int64_t const n = a.shape[a.ndim() - 1];
    auto const* from = begin_of<T>(a);
    auto* to = begin_of<T>(r);
    for (std::int64_t left = r.size(); left > 0; left -= n - 1, from += n, to += n - 1)
        for (std::int64_t i = 0; i + 1 < n; ++i) to[i] = difference(from[i + 1], from[i]);
    if constexpr (std::is_floating_point_v<T>) return all_finite(begin_of<T>(r), r.size());
    else return true;
}

// (a): the differences of neighbours along the last axis.
PyObject* small_diff(arguments args) {
    if (!is_array(args[0])) return nullptr;
    graph_lock lock;
    array const& a = value_of(args[0]);
    if (a.ndim() == 0 || a.shape[a.ndim() - 1] < 2 || !is_plain_small(a)) return nullptr;
    dims shape = a.shape;
    --shape[a.ndim() - 1];
    array r = empty(a.where(), a.type, shape);
    bool done = false;
    switch (a.type.id) {
        case type_id::float64: done = differences<double>(a, r); break;
        case type_id::float32: done = differences<float>(a, r); break;
        case type_id::int64: done = differences<std::int64_t>(a, r); break;
        case type_id::int32: done = differences<std::int32_t>(a, r); break;
        default: return nullptr;
    }
    return done ? to_python(std::move(r)) : nullptr;
}

// (x, order): the root of the sum of all squares of float64 or float32, summed by BLAS as NumPy does.
PyObject* small_norm(arguments args) {
    small_operand given;
    if (!given.take(args[0])) return nullptr;
    PyObject* const order = args[1];
    auto const is = [order](char const* name) { return PyUnicode_CompareWithASCIIString(order, name) == 0; };
    bool const of_vector = PyLong_CheckExact(order) && integer_from(order) == 2,
               of_matrix = PyUnicode_CheckExact(order) && (is("fro") || is("f"));
    if (order != Py_None && !(of_vector && given.value().ndim() == 1) && !(of_matrix && given.value().ndim() == 2))
        return nullptr;
    type_id const t = given.value().type.id;
    if ((is_boolean(t) || is_integer(t)) && !given.cast(make_dtype(type_id::float64))) return nullptr;
    array line;
    {
        graph_lock lock;
        array const& x = given.value();
        if ((x.type.id != type_id::float64 && x.type.id != type_id::float32) || x.ndim() == 0 || !is_plain_small(x))
            return nullptr;
        line = view(x, {x.size()}, {x.itemsize()}, x.offset);
    }
    reference r{new_array()};
    auto const outcome = eager::matmul(line, line, asked_conditions(), value_of(r.p));
    plan_constant v{};
    if (!outcome.done || outcome.fp_errors || !eager::read(value_of(r.p), value_of(r.p).offset, v)) return nullptr;
    if (line.type.id == type_id::float64) v.f64[0] = std::sqrt(v.f64[0]);
    else v.f32[0] = std::sqrt(v.f32[0]);
    return numpy_scalar(v, line.type);
}

// (n, d): frequencies of a transform of n samples so far apart, the negative ones behind.
PyObject* small_fftfreq(arguments args) {
    auto const n = integer_from(args[0]);
    auto const d = plain_number(args[1]);
    if (!n || !d || !is_small_count(*n) || !in_host_memory_by_default()) return nullptr;
    double const total = static_cast<double>(*n) * *d, unit = 1.0 / total;
    if (total == 0 || !std::isfinite(unit)) return nullptr;
    array r = empty(default_device(), make_dtype(type_id::float64), dims{*n});
    auto* const to = begin_of<double>(r);
    std::int64_t const positive = (*n - 1) / 2 + 1;
    for (std::int64_t i = 0; i < *n; ++i) to[i] = static_cast<double>(i < positive ? i : i - *n) * unit;
    return to_python(std::move(r));
}

}  // namespace

bool add_small_calculus(PyObject* module) {
    static PyMethodDef functions[] = {small_definition<small_gradient, 3>("small_gradient"),
                                      small_definition<small_diff, 1>("small_diff"),
                                      small_definition<small_norm, 2>("small_norm"),
                                      small_definition<small_fftfreq, 2>("small_fftfreq"),
                                      {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
