// Rows of the function table: new arrays, and arrays joined, moved and repeated.
#include <cmath>
#include <limits>

#include "bascule/array/eager.hpp"
#include "bascule/array/joins.hpp"
#include "bascule/array/numeric.hpp"
#include "bascule/array/promote.hpp"
#include "common_rows.hpp"

namespace bascule::python {

namespace {

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
    auto const c = constant_of(value, t.id);
    return c ? to_python(full(where, t, shape, *c)) : nullptr;
}

// Of an array that is not empty, in the host's memory.
struct new_shape : integers {
    bool read(PyObject* o) {
        if (!in_host_memory_by_default() || !integers::read(o)) return false;
        std::int64_t n = 1;
        bool const fits = std::all_of(values.begin(), values.end(), [&](std::int64_t extent) {
            return extent >= 0 && !__builtin_mul_overflow(n, extent, &n);
        });
        return fits && n > 0;
    }
};
struct new_type : converting {  // a type that is not known is refused
    dtype type = make_dtype(type_id::float64);
    bool read(PyObject* o) {
        if (o != Py_None && o != reinterpret_cast<PyObject*>(&PyFloat_Type)) type = dtype_from(o);
        return true;
    }
};

PyObject* new_empty(new_shape const& shape, new_type t, word<"C">, none, none) {
    return to_python(empty(default_device(), t.type, shape.values));
}
template <long Value> PyObject* new_filled(new_shape const& shape, new_type t, word<"C">, none, none) {
    static PyObject* const value = PyLong_FromLong(Value);
    return filled(default_device(), shape.values, t.type, value);
}

struct python_number : comparing {
    PyObject* object = nullptr;
    bool read(PyObject* o) { return object = o, PyFloat_CheckExact(o) || PyLong_CheckExact(o); }
};

PyObject* new_full(new_shape const& shape, python_number value, none, word<"C">, none, none) {
    auto const t = make_dtype(PyFloat_CheckExact(value.object) ? type_id::float64 : type_id::int64);
    return filled(default_device(), shape.values, t, value.object);
}

using prototype = array_that<is_in_host, has_elements, is_not<is_of_time>, is_dense>;

PyObject* empty_like(prototype const& a, none, word<"K">, any, none, none) {
    return to_python(empty(a.value().where(), a.value().type, a.value().shape));
}
PyObject* full_like(prototype const& a, any value, none, word<"K">, any, none, none) {
    return filled(a.value().where(), a.value().shape, a.value().type, value.object);
}
template <long Value> PyObject* filled_like(prototype const& a, none, word<"K">, any, none, none) {
    static PyObject* const value = PyLong_FromLong(Value);
    return filled(a.value().where(), a.value().shape, a.value().type, value);
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

PyObject* made_of(PyObject* numbers, or_none<type_name> const& t) {
    PyObject* const made = array_of_numbers(numbers);
    return t.given ? converted(made, t.type) : made;
}

// Elements as another type, where the cast loses nothing and times need no rules.
PyObject* cast_elements(array const& a, dtype t) {
    bool const loses = is_complex(a.type.id) && !is_complex(t.id);
    return a.ndim() == 0 || loses || is_time(a.type.id) || is_time(t.id) ? nullptr : fast_cast_result(a, t);
}

PyObject* asarray(any from, or_none<type_name> const& t, none, none, none, none) {
    if (!is_array(from.object)) return made_of(from.object, t);
    array const& a = value_of(from.object);
    return !t.given || a.type == t.type ? Py_NewRef(from.object) : cast_elements(a, t.type);
}

// An object that is no array, or one that is copied as it lies in memory.
struct copied : any {
    bool read(PyObject* o) { return object = o, !is_array(o) || (has_axes(value_of(o)) && is_dense(value_of(o))); }
};

PyObject* new_array_of(copied from, or_none<type_name> const& t, only<true>, word<"K">, only<false>, only_integer<0>,
                       only_integer<0>, none, none) {
    if (!is_array(from.object)) return made_of(from.object, t);
    array const& a = value_of(from.object);
    return !t.given || a.type == t.type ? to_python(copy(a, 'C')) : cast_elements(a, t.type);
}

struct nothing_more : comparing {
    static bool read(PyObject* rest) { return PyTuple_GET_SIZE(rest) == 0; }
};
struct float_or_none : comparing {
    bool is_float = false;
    bool read(PyObject* o) {
        is_float = o == reinterpret_cast<PyObject*>(&PyFloat_Type);
        return is_float || o == Py_None;
    }
};

PyObject* new_range(number given, or_none<number> const& end, number step, nothing_more, float_or_none t, none, none,
                    not_given) {
    number const& last = end;
    number const first = end.given ? given : number{}, stop = end.given ? last : given;
    bool const whole = !t.is_float && first.whole && stop.whole && step.whole;
    double const count = std::ceil((stop.value - first.value) / step.value);
    constexpr double most = 0x1p53;  // up to which floats are as good as integers
    bool const common = count >= 1 && count < most && !(t.is_float && count == 1);
    if (!common || !in_host_memory_by_default()) return nullptr;
    auto const n = static_cast<std::int64_t>(count);
    device const where = default_device();
    if (!whole) return result_of(n, [&] { return arange(where, first.value, step.value, n); });
    plan_constant begin{}, each{};
    begin.i64 = static_cast<std::int64_t>(first.value), each.i64 = static_cast<std::int64_t>(step.value);
    return to_python(arange(where, make_dtype(type_id::int64), n, begin, each));
}

PyObject* new_linspace(number first, number last, integer n, boolean endpoint, only<false>, none, only_integer<0>,
                       none) {
    bool const common = n.value >= 2 && in_host_memory_by_default() && !(enabled_fp_errors() & ops::fp::under);
    device const where = default_device();
    auto const made = [&] { return linspace(where, first.value, last.value, n.value, endpoint.value); };
    return common ? result_of(n.value, made) : nullptr;
}

template <bool Upper>
PyObject* triangle_of(array_that<is_matrix, is_not<is_of_time>, has_elements> const& given, integer k) {
    array const a = given.value();
    return result_of(a.size(), [&] { return triangle(a, k.value, Upper); });
}

PyObject* diag(array_that<is_line, is_not<is_of_time>> const& line, integer k) {
    array const v = line.value();
    return result_of(v.size() * v.size(), [&] { return diagonal_matrix(v, k.value); });
}

}  // namespace

std::span<function_row const> creation_functions() {
    static constexpr char const *as_array = "a, dtype=None, order=None, *, device=None, copy=None, like=None",
                                *of_shape = "shape, dtype=None, order='C', *, device=None, like=None",
                                *of_array = "a, dtype=None, order='K', subok=True, shape=None, *, device=None";
    static constexpr function_row rows[] = {
        common_row<new_array_of>("array", "object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, "
                                          "ndmax=0, like=None, device=None"),
        common_row<asarray>("asarray", as_array),
        common_row<asarray>("asanyarray", as_array),
        common_row<new_empty>("empty", of_shape),
        common_row<new_filled<0>>("zeros", of_shape),
        common_row<new_filled<1>>("ones", of_shape),
        common_row<new_full>("full", "shape, fill_value, dtype=None, order='C', *, device=None, like=None"),
        common_row<empty_like>("empty_like",
                               "prototype, /, dtype=None, order='K', subok=True, shape=None, *, device=None"),
        common_row<full_like>("full_like",
                              "a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None"),
        common_row<filled_like<0>>("zeros_like", of_array),
        common_row<filled_like<1>>("ones_like", of_array),
        common_row<new_range>("arange", "start_or_stop=np._NoValue, /, stop=None, step=1, *more, dtype=None, "
                                        "device=None, like=None, start=np._NoValue"),
        common_row<new_linspace>("linspace",
                                 "start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, "
                                 "device=None"),
        common_row<triangle_of<false>>("tril", "m, k=0"),
        common_row<triangle_of<true>>("triu", "m, k=0"),
        common_row<diag>("diag", "v, k=0"),
    };
    return rows;
}

namespace {

// Arrays of one type and number of axes on one device.
struct joinable : arrays {
    bool read(PyObject* o) {
        if (!take(o) || !unify() || !hold()) return false;
        return std::all_of(all.begin(), all.end(), [&](array const& a) { return a.ndim() == all[0].ndim(); });
    }
};

PyObject* joined(std::span<array const> parts, std::int64_t along) {
    array const& first = parts[0];
    auto const axis = position_of({{{}, along}, true}, first.ndim());
    auto const fits = [&](array const& a) {
        for (int d = 0; d < a.ndim(); ++d)
            if (d != *axis && a.shape[d] != first.shape[d]) return false;
        return true;
    };
    if (!axis || !std::all_of(parts.begin(), parts.end(), fits)) return nullptr;
    std::int64_t elements = 0;
    for (auto const& a : parts) elements += a.size();
    return result_of(elements, [&] { return concatenate(parts, *axis); });
}

PyObject* stacked(std::span<array const> parts, std::int64_t along) {
    array const& first = parts[0];
    auto const axis = position_of({{{}, along}, true}, first.ndim() + 1);
    auto const fits = [&](array const& a) { return a.shape == first.shape; };
    bool const common = axis && has_axes(first) && std::all_of(parts.begin(), parts.end(), fits);
    return common ? result_of(first.size(), [&] { return stack(parts, *axis); }) : nullptr;
}

using same_kind = word<"same_kind">;

PyObject* concatenate_all(joinable const& parts, integer axis, none, none, same_kind) {
    return joined(parts.all, axis.value);
}
PyObject* stack_all(joinable const& parts, integer axis, none, none, same_kind) {
    return stacked(parts.all, axis.value);
}

PyObject* vstack(joinable const& parts, none, same_kind) {
    return is_line(parts.all[0]) ? stacked(parts.all, 0) : joined(parts.all, 0);
}
PyObject* hstack(joinable const& parts, none, same_kind) { return joined(parts.all, is_line(parts.all[0]) ? 0 : 1); }
PyObject* column_stack(joinable const& parts) {
    return is_line(parts.all[0]) ? stacked(parts.all, 1) : joined(parts.all, 1);
}

PyObject* dstack(joinable const& parts) {
    int const n = parts.all[0].ndim();
    if (n != 1) return n == 2 ? stacked(parts.all, 2) : joined(parts.all, 2);
    reference const lines{stacked(parts.all, 1)};
    if (!lines.p) return nullptr;
    array const& a = value_of(lines.p);
    return to_python(reshape_view_or_copy(a, {1, a.shape[0], a.shape[1]}));
}

bool is_line_or_element(array const& a) { return a.ndim() <= 1; }

PyObject* append(sequence_that<is_line, is_not<is_of_time>>& line,
                 numbers_that<is_line_or_element, is_not<is_of_time>>& more, none) {
    array const a = line.value(), b = more.value();
    dtype const common = make_dtype(promote(a.type.id, b.type.id));
    if (!(b.where() == a.where()) || !line.cast(common) || !more.cast(common)) return nullptr;
    array const parts[] = {line.value(), reshape_view_or_copy(more.value(), {b.size()})};
    return result_of(a.size() + b.size(), [&] { return concatenate(parts, 0); });
}

PyObject* insert_one(array_that<is_line, is_not<is_of_time>> const& line, integer before, any element, none) {
    array const a = line.value();
    std::int64_t const n = a.size(), at = before.value < 0 ? before.value + n : before.value;
    plan_constant v{};
    if (at < 0 || at > n || !plain_element(element.object, a.type.id, v)) return nullptr;
    return result_of(n, [&] { return insert(a, at, full(a.where(), a.type, {1}, v), 0); });
}

PyObject* roll_elements(array_that<has_axes> const& given, integer shift, or_none<integer> const& along) {
    array const a = given.value();
    auto const axis = position_of(along, a.ndim());
    if (!axis || (!along.given && !is_dense(a))) return nullptr;
    return result_of(a.size(), [&] {
        if (along.given || is_line(a)) return roll(a, shift.value, *axis);
        return reshape_view_or_copy(roll(reshape_view_or_copy(a, {a.size()}), shift.value, 0), a.shape);
    });
}

PyObject* repeat_elements(sequence_that<has_axes> const& given, count times, or_none<integer> const& along) {
    array const a = given.value();
    auto const axis = position_of(along, a.ndim());
    std::int64_t n = 0;
    if (!axis || __builtin_mul_overflow(a.size(), times.value, &n)) return nullptr;
    return result_of(n,
                     [&] { return repeat(along.given ? a : reshape_view_or_copy(a, {a.size()}), times.value, *axis); });
}

PyObject* tile_array(array_that<> const& given, integers const& along) {
    array const a = given.value();
    dims const& times = along.values;
    std::int64_t n = a.size();
    auto const fits = [&](std::int64_t k) { return k >= 0 && !__builtin_mul_overflow(n, k, &n); };
    if (times.empty() || !std::all_of(times.begin(), times.end(), fits)) return nullptr;
    int const ndim = std::max(a.ndim(), times.size());
    dims shape(ndim, 1), all(ndim, 1);
    std::copy(a.shape.begin(), a.shape.end(), shape.begin() + (ndim - a.ndim()));
    std::copy(times.begin(), times.end(), all.begin() + (ndim - times.size()));
    return result_of(n, [&] { return tile(reshape_view_or_copy(a, shape), all); });
}

}  // namespace

std::span<function_row const> shaping_functions() {
    static constexpr char const *joins = "arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind'",
                                *stacks = "arrays, axis=0, out=None, *, dtype=None, casting='same_kind'",
                                *cast = "tup, *, dtype=None, casting='same_kind'";
    static constexpr function_row rows[] = {
        common_row<concatenate_all>("concatenate", joins),
        common_row<stack_all>("stack", stacks),
        common_row<vstack>("vstack", cast),
        common_row<hstack>("hstack", cast),
        common_row<dstack>("dstack", "tup"),
        common_row<column_stack>("column_stack", "tup"),
        common_row<append>("append", "arr, values, axis=None"),
        common_row<insert_one>("insert", "arr, obj, values, axis=None"),
        common_row<roll_elements>("roll", "a, shift, axis=None"),
        common_row<repeat_elements>("repeat", "a, repeats, axis=None", true),
        common_row<tile_array>("tile", "A, reps"),
    };
    return rows;
}

}  // namespace bascule::python
