// Rows of the function table: arrays joined, moved and repeated.
#include "bascule/array/joins.hpp"
#include "bascule/array/promote.hpp"
#include "functions.hpp"

namespace bascule::python {
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

// A number as an element of a line's type beside it.
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
