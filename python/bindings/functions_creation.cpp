// Rows of the function table: new arrays.
#include <cmath>
#include <limits>

#include "bascule/array/eager.hpp"
#include "bascule/array/joins.hpp"
#include "bascule/array/numeric.hpp"
#include "bascule/ops/spec.hpp"
#include "functions.hpp"

namespace bascule::python {
namespace {

template <class... O> bool all_none(O... o) { return ((o == Py_None) && ...); }

plan_constant constant_of(double v) {
    plan_constant c{};
    c.f64[0] = v;
    return c;
}

// Zero or one of any type but times, a float as float64, an integer as int64; empty: another value.
std::optional<plan_constant> constant_of(PyObject* value, type_id t) {
    auto const whole = integer_from(value);
    plan_constant c{};
    if (is_time(t)) return {};
    if (whole && *whole == 0) return c;
    if (whole && (*whole == 1 || t == type_id::int64)) {
        c.i64 = *whole;
        return cast_constant(c, type_id::int64, t);
    }
    if (t != type_id::float64 || !PyFloat_CheckExact(value)) return {};
    return constant_of(PyFloat_AS_DOUBLE(value));
}

PyObject* filled(device where, dims const& shape, dtype t, PyObject* value) {
    if (!value) return to_python(empty(where, t, shape));
    auto const c = constant_of(value, t.id);
    return c ? to_python(full(where, t, shape, *c)) : nullptr;
}

// `value`: null for none. Of a shape that is not empty, and of which NumPy has nothing to report.
PyObject* filled(PyObject* extents, PyObject* value, PyObject* type) {
    auto const shape = plain_integers({&extents, 1});
    if (!shape || !in_host_memory_by_default()) return nullptr;
    std::int64_t n = 1;
    for (auto extent : *shape)
        if (extent < 0 || __builtin_mul_overflow(n, extent, &n)) return nullptr;
    if (n == 0) return nullptr;
    bool const is_default = type == Py_None || type == reinterpret_cast<PyObject*>(&PyFloat_Type);
    return filled(default_device(), *shape, is_default ? make_dtype(type_id::float64) : dtype_from(type), value);
}

enum { shape_, dtype_, order_, device_, like_ };

PyObject* plain_filled(bound_arguments args, PyObject* value) {
    bool const plain = is_text(args[order_], "C") && all_none(args[device_], args[like_]);
    return plain ? filled(args[shape_], value, args[dtype_]) : nullptr;
}

PyObject* new_empty(bound_arguments args) { return plain_filled(args, nullptr); }
PyObject* zeros(bound_arguments args) {
    static PyObject* const zero = PyLong_FromLong(0);
    return plain_filled(args, zero);
}
PyObject* ones(bound_arguments args) {
    static PyObject* const one = PyLong_FromLong(1);
    return plain_filled(args, one);
}

PyObject* new_full(bound_arguments args) {
    bool const plain = is_text(args[3], "C") && all_none(args[2], args[4], args[5]);
    bool const number = PyFloat_CheckExact(args[1]) || PyLong_CheckExact(args[1]);
    return plain && number ? filled(args[0], args[1], reinterpret_cast<PyObject*>(Py_TYPE(args[1]))) : nullptr;
}

// Of the shape and type of an array in C order.
PyObject* like(PyObject* of, PyObject* value, bound_arguments options) {
    if (!is_array(of) || !is_text(options[1], "K") || !all_none(options[0], options[3], options[4])) return nullptr;
    array const& a = value_of(of);
    bool const common = a.where().api->host_memory && a.size() > 0 && !is_time(a.type.id);
    if (!common || !is_c_contiguous(a.shape, a.strides, a.itemsize())) return nullptr;
    return filled(a.where(), a.shape, a.type, value);
}

PyObject* empty_like(bound_arguments args) { return like(args[0], nullptr, args.subspan(1)); }
PyObject* full_like(bound_arguments args) { return like(args[0], args[1], args.subspan(2)); }
PyObject* zeros_like(bound_arguments args) {
    static PyObject* const zero = PyLong_FromLong(0);
    return like(args[0], zero, args.subspan(1));
}
PyObject* ones_like(bound_arguments args) {
    static PyObject* const one = PyLong_FromLong(1);
    return like(args[0], one, args.subspan(1));
}

// Numbers of Python's as another type, where NumPy converts each as they are converted here and has nothing to report.
PyObject* converted(PyObject* numbers, dtype t) {
    reference const held{numbers};
    if (!numbers || value_of(numbers).type == t) return Py_XNewRef(numbers);
    auto const cast = [](array const& a, type_id to) {
        reference r{new_array()};
        auto const outcome = eager::cast(a, make_dtype(to), ops::fp::all, value_of(r.p));
        return outcome.done && !outcome.fp_errors ? std::exchange(r.p, nullptr) : nullptr;
    };
    bool const narrow = t.id == type_id::float32;
    if (value_of(numbers).ndim() == 0 || (t.id != type_id::float64 && !narrow)) return nullptr;
    if (value_of(numbers).type.id == type_id::float64) return cast(value_of(numbers), t.id);
    reference const floats{cast(value_of(numbers), type_id::float64)};
    return narrow && floats.p ? cast(value_of(floats.p), t.id) : Py_XNewRef(floats.p);
}

PyObject* asarray(bound_arguments args) {
    if (!all_none(args[2], args[3], args[4], args[5])) return nullptr;
    bool const any_type = args[1] == Py_None;
    auto const t = any_type ? std::nullopt : known_dtype(args[1]);
    if (!any_type && !t) return nullptr;
    if (!is_array(args[0])) return any_type ? array_of_numbers(args[0]) : converted(array_of_numbers(args[0]), *t);
    return any_type || value_of(args[0]).type == *t ? Py_NewRef(args[0]) : nullptr;
}

PyObject* new_array_of(bound_arguments args) {
    bool const plain = args[2] == Py_True && is_text(args[3], "K") && args[4] == Py_False &&
                       integer_from(args[5]) == 0 && integer_from(args[6]) == 0 && all_none(args[7], args[8]);
    bool const any_type = args[1] == Py_None;
    auto const t = any_type || !plain ? std::nullopt : known_dtype(args[1]);
    if (!plain || (!any_type && !t)) return nullptr;
    if (!is_array(args[0])) return any_type ? array_of_numbers(args[0]) : converted(array_of_numbers(args[0]), *t);
    array const& a = value_of(args[0]);
    bool const dense = a.ndim() > 0 && is_c_contiguous(a.shape, a.strides, a.itemsize());
    return dense && (any_type || a.type == *t) ? to_python(copy(a, 'C')) : nullptr;
}

PyObject* new_range(bound_arguments args) {
    enum { first_, stop_, step_, more, type, where, like, start };
    static PyObject* const missing = PyObject_GetAttrString(numpy_module(), "_NoValue");
    bool const floats = args[type] == reinterpret_cast<PyObject*>(&PyFloat_Type);
    if (!in_host_memory_by_default() || PyTuple_GET_SIZE(args[more]) != 0 || args[start] != missing ||
        !all_none(args[where], args[like]) || !(floats || args[type] == Py_None))
        return nullptr;
    bool const only_stop = args[stop_] == Py_None;
    PyObject *const from = args[first_], *const to = only_stop ? from : args[stop_], *const by = args[step_];
    bool const whole = !floats && (only_stop || PyLong_CheckExact(from)) && PyLong_CheckExact(to) &&
                       PyLong_CheckExact(by);
    auto const first = only_stop ? std::optional(0.0) : plain_number(from), stop = plain_number(to),
               step = plain_number(by);
    if (!first || !stop || !step || *step == 0) return nullptr;
    double const count = std::ceil((*stop - *first) / *step);
    constexpr double most = 0x1p53;  // up to which floats are as good as integers
    if (!(count >= 1 && count < most)) return nullptr;
    auto const n = static_cast<std::int64_t>(count);
    if (!whole && floats && n == 1) return nullptr;
    device const place = default_device();
    if (!whole) return result_of(n, [&] { return arange(place, *first, *step, n); });
    plan_constant begin{}, each{};
    begin.i64 = static_cast<std::int64_t>(*first), each.i64 = static_cast<std::int64_t>(*step);
    return to_python(arange(default_device(), make_dtype(type_id::int64), n, begin, each));
}

PyObject* new_linspace(bound_arguments args) {
    auto const first = plain_number(args[0]), last = plain_number(args[1]);
    auto const n = integer_from(args[2]);
    bool const plain = PyBool_Check(args[3]) && args[4] == Py_False && integer_from(args[6]) == 0 &&
                       all_none(args[5], args[7]);
    if (!plain || !first || !last || !n || *n < 2 || !in_host_memory_by_default()) return nullptr;
    if (enabled_fp_errors() & ops::fp::under) return nullptr;
    bool const endpoint = args[3] == Py_True;
    device const where = default_device();
    return result_of(*n, [&] { return linspace(where, *first, *last, *n, endpoint); });
}

template <bool Upper> PyObject* triangle_of(bound_arguments args) {
    auto const k = integer_from(args[1]);
    if (!is_array(args[0]) || !k) return nullptr;
    array const a = value_of(args[0]);
    if (a.ndim() < 2 || is_time(a.type.id) || a.size() == 0) return nullptr;
    return result_of(a.size(), [&] { return triangle(a, *k, Upper); });
}

PyObject* diag(bound_arguments args) {
    if (!is_array(args[0]) || integer_from(args[1]) != 0) return nullptr;
    array const v = value_of(args[0]);
    if (v.ndim() != 1 || is_time(v.type.id)) return nullptr;
    return result_of(v.size() * v.size(), [&] { return diagonal_matrix(v); });
}

}  // namespace

std::span<function_row const> creation_functions() {
    static constexpr char const *as_array = "a, dtype=None, order=None, *, device=None, copy=None, like=None",
                                *of_shape = "shape, dtype=None, order='C', *, device=None, like=None",
                                *of_array = "a, dtype=None, order='K', subok=True, shape=None, *, device=None";
    static constexpr function_row rows[] = {
        {"array", "object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None, device=None",
         new_array_of},
        {"asarray", as_array, asarray},
        {"asanyarray", as_array, asarray},
        {"empty", of_shape, new_empty},
        {"zeros", of_shape, zeros},
        {"ones", of_shape, ones},
        {"full", "shape, fill_value, dtype=None, order='C', *, device=None, like=None", new_full},
        {"empty_like", "prototype, /, dtype=None, order='K', subok=True, shape=None, *, device=None", empty_like},
        {"full_like", "a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None", full_like},
        {"zeros_like", of_array, zeros_like},
        {"ones_like", of_array, ones_like},
        {"arange",
         "start_or_stop=np._NoValue, /, stop=None, step=1, *more, dtype=None, device=None, like=None, "
         "start=np._NoValue",
         new_range},
        {"linspace", "start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None",
         new_linspace},
        {"tril", "m, k=0", triangle_of<false>},
        {"triu", "m, k=0", triangle_of<true>},
        {"diag", "v, k=0", diag},
    };
    return rows;
}

}  // namespace bascule::python
