// Views of arrays that need no Python, and values written where a mask holds.
#include <cstring>
#include <utility>

#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "functions.hpp"
#include "op_numbers.hpp"

namespace bascule::python {
namespace {

// With axes, and its elements there: what is pending cannot be seen as another type yet.
bool is_there(PyObject* o) { return is_array(o) && value_of(o).ndim() > 0 && value_of(o).memory()->ready(); }

PyObject* view_as(PyObject* of, dtype t, std::int64_t offset) {
    PyObject* const r = new_view(of);
    array const& a = value_of(of);
    array& v = value_of(r);
    v.shape = a.shape, v.strides = a.strides, v.offset += offset, v.type = t;
    return r;
}

type_id part_type(array const& z) { return z.type.id == type_id::complex64 ? type_id::float32 : type_id::float64; }

// The real or imaginary part of a complex scalar, as a scalar.
PyObject* part_of_scalar(array const& z, bool imaginary) {
    plan_constant v{}, part{};
    if (!is_complex(z.type.id) || !eager::read(z, z.offset, v)) return nullptr;
    type_id const t = part_type(z);
    auto const bytes = static_cast<std::size_t>(itemsize(t));
    std::memcpy(part.bytes, v.bytes + (imaginary ? bytes : 0), bytes);
    PyObject* const r = new_array();
    eager::set_scalar(value_of(r), z.where(), make_dtype(t), part);
    return r;
}

// (a): real parts, of complex numbers as a view; (a) again: imaginary parts of complex numbers.
template <bool Imaginary> PyObject* small_part(bound_arguments args) {
    if (is_array(args[0]) && value_of(args[0]).scalar) return part_of_scalar(value_of(args[0]), Imaginary);
    if (!is_there(args[0])) return nullptr;
    array const& a = value_of(args[0]);
    if (!is_complex(a.type.id)) return Imaginary ? nullptr : Py_NewRef(args[0]);
    type_id const t = part_type(a);
    return view_as(args[0], make_dtype(t), Imaginary ? itemsize(t) : 0);
}

// (a, axis): backwards along one axis, or along all (None).
PyObject* small_flip(bound_arguments args) {
    if (!is_array(args[0]) || value_of(args[0]).size() == 0) return nullptr;
    array const& a = value_of(args[0]);
    int const n = a.ndim();
    std::int64_t axis = -1;  // all
    if (args[1] != Py_None) {
        auto const given = integer_from(args[1]);
        axis = given && *given < 0 ? *given + n : given.value_or(-1);
        if (axis < 0 || axis >= n) return nullptr;
    }
    if (n == 0) return nullptr;
    dims strides = a.strides;
    std::int64_t offset = a.offset;
    for (int d = 0; d < n; ++d) {
        if (axis >= 0 && d != axis) continue;
        offset += (a.shape[d] - 1) * a.strides[d], strides[d] = -a.strides[d];
    }
    return view_to_python(bascule::view(a, a.shape, strides, offset), args[0]);
}

// What place and putmask are given: booleans, and values of a's type.
struct written {
    operand_array where, values;

    [[nodiscard]] bool take(PyObject* to, PyObject* keys, PyObject* given) {
        if (!is_array(to) || !where.take_any(keys)) return false;
        array const& a = value_of(to);
        return a.writeable && a.memory()->writeable && eager::is_small(a.size()) && a.where().api->host_memory &&
               values.take_beside(given, a) && values.value().size() > 0;
    }
    // Booleans of a's shape.
    [[nodiscard]] bool selects(array const& a) const {
        return is_boolean(where.value().type.id) && where.value().shape == a.shape;
    }
};

// (a, booleans, values): the next value at each truth. True; so below.
PyObject* small_place(bound_arguments args) {
    static constexpr auto sum = aggregate_of("sum");
    written w;
    if (!w.take(args[0], args[1], args[2]) || !w.selects(value_of(args[0]))) return nullptr;
    array const &a = value_of(args[0]), &mask = w.where.value(), &values = w.values.value();
    plan_constant count{}, v{};
    if (values.size() == 1 && eager::read(values, values.offset, v) && eager::fill_selected(a, mask, false, v))
        return Py_NewRef(Py_True);
    if (values.ndim() != 1 || !eager::reduce(sum, mask, ops::fp::none, count).done || count.i64 == 0) return nullptr;
    if (values.size() < count.i64) return nullptr;
    array const first = view(values, {count.i64}, values.strides, values.offset);
    return eager::assign_selected(a, mask, false, first) ? Py_NewRef(Py_True) : nullptr;
}

// (a, booleans, values): one value, or at each truth the value that lies beside it.
PyObject* small_putmask(bound_arguments args) {
    written w;
    if (!w.take(args[0], args[1], args[2]) || !w.selects(value_of(args[0]))) return nullptr;
    array const &a = value_of(args[0]), &values = w.values.value();
    if (is_time(a.type.id) || (values.size() != 1 && !(values.shape == a.shape))) return nullptr;
    array const one = values.size() == 1 ? view(values, {}, {}, values.offset) : values;
    argument const chosen[] = {{&w.where.value()}, {&one}, {&a}};
    call_options o;
    o.out = &a, o.type = a.type.id;
    checked_call const scope;
    apply_by_rules(number_of("where"), chosen, o);
    return Py_NewRef(Py_True);
}

}  // namespace

std::optional<dtype> known_dtype(PyObject* named) {
    try {
        return dtype_from(named);
    } catch (...) {
        // The whole way tells what is wrong with the name. An interruption is none of its errors.
        if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) throw;
        PyErr_Clear();
        return {};
    }
}

std::span<function_row const> view_functions() {
    static constexpr function_row rows[] = {
        core_row("small_real", "a", small_part<false>, "A view of the real parts."),
        core_row("small_imag", "a", small_part<true>, "A view of the imaginary parts."),
        core_row("small_flip", "a, axis", small_flip, "A view with an axis reversed."),
        core_row("small_place", "a, mask, values", small_place,
                 "Write the n-th value at the n-th place where a mask holds."),
        core_row("small_putmask", "a, mask, values", small_putmask,
                 "Write values where a mask holds, repeating them along the array."),
    };
    return rows;
}

}  // namespace bascule::python
