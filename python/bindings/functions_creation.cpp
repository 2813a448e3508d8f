// Rows of the function table: new arrays, and arrays joined, moved and repeated.
#include <cmath>
#include <limits>

#include "bascule/array/eager.hpp"
#include "bascule/array/joins.hpp"
#include "bascule/array/numeric.hpp"
#include "bascule/array/promote.hpp"
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

// Elements as another type, where the cast loses nothing and times need no rules.
PyObject* cast_elements(array const& a, dtype t) {
    bool const loses = is_complex(a.type.id) && !is_complex(t.id);
    return a.ndim() == 0 || loses || is_time(a.type.id) || is_time(t.id) ? nullptr : fast_cast_result(a, t);
}

PyObject* asarray(bound_arguments args) {
    if (!all_none(args[2], args[3], args[4], args[5])) return nullptr;
    bool const any_type = args[1] == Py_None;
    auto const t = any_type ? std::nullopt : known_dtype(args[1]);
    if (!any_type && !t) return nullptr;
    if (!is_array(args[0])) return any_type ? array_of_numbers(args[0]) : converted(array_of_numbers(args[0]), *t);
    array const& a = value_of(args[0]);
    return any_type || a.type == *t ? Py_NewRef(args[0]) : cast_elements(a, *t);
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
    if (!dense) return nullptr;
    return any_type || a.type == *t ? to_python(copy(a, 'C')) : cast_elements(a, *t);
}

PyObject* new_range(bound_arguments args) {
    enum { first_, stop_, step_, more, type, where, like, start };
    bool const floats = args[type] == reinterpret_cast<PyObject*>(&PyFloat_Type);
    if (!in_host_memory_by_default() || PyTuple_GET_SIZE(args[more]) != 0 || args[start] != no_value() ||
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

namespace {

bool is_default_cast(PyObject* dtype, PyObject* casting) { return dtype == Py_None && is_text(casting, "same_kind"); }

// Arrays of one type on one device; empty: something else.
std::optional<std::vector<array>> parts_of(operand_list& held, PyObject* sequence) {
    if (!held.take(sequence) || !held.unify()) return {};
    auto all = held.values();
    for (auto const& a : all)
        if (!(a.where() == all[0].where()) || a.ndim() != all[0].ndim()) return {};
    return all;
}

PyObject* joined(PyObject* sequence, PyObject* along) {
    operand_list held;
    auto const parts = parts_of(held, sequence);
    if (!parts) return nullptr;
    auto const axis = plain_axis(along, (*parts)[0].ndim());
    if (!axis) return nullptr;
    std::int64_t elements = 0;
    for (auto const& a : *parts) {
        elements += a.size();
        for (int d = 0; d < a.ndim(); ++d)
            if (d != *axis && a.shape[d] != (*parts)[0].shape[d]) return nullptr;
    }
    return result_of(elements, [&] { return concatenate(*parts, *axis); });
}

// `ndim`: how many axes all have; -1: any number but none.
PyObject* stacked(PyObject* sequence, int axis, int ndim) {
    operand_list held;
    auto const parts = parts_of(held, sequence);
    if (!parts) return nullptr;
    array const& first = (*parts)[0];
    int const n = first.ndim();
    if (n == 0 || (ndim >= 0 && ndim != n) || axis < -n - 1 || axis > n) return nullptr;
    for (auto const& a : *parts)
        if (!(a.shape == first.shape)) return nullptr;
    return result_of(first.size(), [&] { return stack(*parts, axis < 0 ? axis + n + 1 : axis); });
}

PyObject* concatenate_all(bound_arguments args) {
    bool const plain = args[2] == Py_None && is_default_cast(args[3], args[4]);
    return plain ? joined(args[0], args[1]) : nullptr;
}

PyObject* stack_all(bound_arguments args) {
    auto const axis = integer_from(args[1]);
    bool const plain = args[2] == Py_None && is_default_cast(args[3], args[4]);
    constexpr std::int64_t most = max_dims;
    return plain && axis && *axis <= most && *axis >= -most ? stacked(args[0], static_cast<int>(*axis), -1) : nullptr;
}

// How many axes the first of a sequence has, if it is an array; -1: it is none.
int axes_of_first(PyObject* sequence) {
    if (!(PyList_CheckExact(sequence) || PyTuple_CheckExact(sequence)) || PySequence_Fast_GET_SIZE(sequence) == 0)
        return -1;
    PyObject* const first = PySequence_Fast_GET_ITEM(sequence, 0);
    return is_array(first) ? value_of(first).ndim() : -1;
}

PyObject* vstack(bound_arguments args) {
    int const n = axes_of_first(args[0]);
    if (!is_default_cast(args[1], args[2]) || n < 1) return nullptr;
    static PyObject* const zero = PyLong_FromLong(0);
    return n == 1 ? stacked(args[0], 0, 1) : joined(args[0], zero);
}

PyObject* hstack(bound_arguments args) {
    int const n = axes_of_first(args[0]);
    if (!is_default_cast(args[1], args[2]) || n < 1) return nullptr;
    static PyObject *const zero = PyLong_FromLong(0), *const one = PyLong_FromLong(1);
    return joined(args[0], n == 1 ? zero : one);
}

PyObject* dstack(bound_arguments args) {
    int const n = axes_of_first(args[0]);
    if (n == 2) return stacked(args[0], 2, 2);
    reference const lines{n == 1 ? stacked(args[0], 1, 1) : nullptr};
    if (!lines.p) return nullptr;
    array const& a = value_of(lines.p);
    return to_python(reshape_view_or_copy(a, {1, a.shape[0], a.shape[1]}));
}

PyObject* column_stack(bound_arguments args) { return axes_of_first(args[0]) == 1 ? stacked(args[0], 1, 1) : nullptr; }

bool is_line(PyObject* o) { return is_array(o) && value_of(o).ndim() == 1; }

// A number as an element of the type of a one-dimensional array.
std::optional<array> element_of(PyObject* number, dtype t, device where) {
    plan_constant v{};
    if (is_time(t.id) || !plain_element(number, t.id, v)) return {};
    return full(where, t, {1}, v);
}

PyObject* append(bound_arguments args) {
    operand_array line, more;
    if (args[2] != Py_None || !line.take(args[0]) || !is_line(line.object)) return nullptr;
    if (!(is_line(args[1]) ? more.take(args[1]) : more.take_any(args[1])) || more.value().ndim() > 1) return nullptr;
    array const a = line.value(), b = more.value();
    if (!(b.where() == a.where()) || is_time(a.type.id) || is_time(b.type.id)) return nullptr;
    dtype const common = make_dtype(promote(a.type.id, b.type.id));
    if (!(a.type == common) && !line.cast(common)) return nullptr;
    if (!(b.type == common) && !more.cast(common)) return nullptr;
    array const parts[] = {line.value(), reshape_view_or_copy(more.value(), {b.size()})};
    return result_of(a.size() + b.size(), [&] { return concatenate(parts, 0); });
}

PyObject* insert_one(bound_arguments args) {
    auto const at = integer_from(args[1]);
    if (!at || !is_line(args[0]) || args[3] != Py_None) return nullptr;
    array const a = value_of(args[0]);
    std::int64_t const n = a.size();
    auto const value = element_of(args[2], a.type, a.where());
    if (!value || *at < -n || *at > n) return nullptr;
    return result_of(n, [&] { return insert(a, *at < 0 ? *at + n : *at, *value, 0); });
}

PyObject* roll_elements(bound_arguments args) {
    auto const shift = integer_from(args[1]);
    if (!is_array(args[0]) || !shift) return nullptr;
    array const a = value_of(args[0]);
    auto const axis = args[2] == Py_None ? std::optional(0) : plain_axis(args[2], a.ndim());
    if (a.ndim() == 0 || !axis) return nullptr;
    bool const flat = args[2] == Py_None && a.ndim() > 1;
    if (flat && !is_c_contiguous(a.shape, a.strides, a.itemsize())) return nullptr;
    return result_of(a.size(), [&] {
        if (!flat) return roll(a, *shift, *axis);
        return reshape_view_or_copy(roll(reshape_view_or_copy(a, {a.size()}), *shift, 0), a.shape);
    });
}

PyObject* repeat_elements(bound_arguments args) {
    operand_array given;
    auto const times = integer_from(args[1]);
    if (!times || *times < 0 || !given.take(args[0]) || given.value().ndim() == 0) return nullptr;
    array const a = given.value();
    bool const all = args[2] == Py_None;
    auto const axis = all ? std::optional(0) : plain_axis(args[2], a.ndim());
    std::int64_t n = 0;
    if (!axis || __builtin_mul_overflow(a.size(), *times, &n)) return nullptr;
    return result_of(n, [&] { return repeat(all ? reshape_view_or_copy(a, {a.size()}) : a, *times, *axis); });
}

PyObject* tile_array(bound_arguments args) {
    auto const times = plain_integers(args.subspan(1, 1));
    if (!is_array(args[0]) || !times || times->empty()) return nullptr;
    array a = value_of(args[0]);
    std::int64_t n = a.size();
    for (auto const k : *times)
        if (k < 0 || __builtin_mul_overflow(n, k, &n)) return nullptr;
    int const ndim = std::max(a.ndim(), times->size());
    dims shape(ndim, 1), all(ndim, 1);
    for (int d = 0; d < a.ndim(); ++d) shape[ndim - a.ndim() + d] = a.shape[d];
    for (int d = 0; d < times->size(); ++d) all[ndim - times->size() + d] = (*times)[d];
    return result_of(n, [&] { return tile(reshape_view_or_copy(a, shape), all); });
}

}  // namespace

std::span<function_row const> shaping_functions() {
    static constexpr char const* cast = "tup, *, dtype=None, casting='same_kind'";
    static constexpr function_row rows[] = {
        {"concatenate", "arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind'", concatenate_all},
        {"stack", "arrays, axis=0, out=None, *, dtype=None, casting='same_kind'", stack_all},
        {"vstack", cast, vstack},
        {"hstack", cast, hstack},
        {"dstack", "tup", dstack},
        {"column_stack", "tup", column_stack},
        {"append", "arr, values, axis=None", append},
        {"insert", "arr, obj, values, axis=None", insert_one},
        {"roll", "a, shift, axis=None", roll_elements},
        {"repeat", "a, repeats, axis=None", repeat_elements, true},
        {"tile", "A, reps", tile_array},
    };
    return rows;
}

}  // namespace bascule::python
