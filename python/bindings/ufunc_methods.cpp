// reduce, accumulate, reduceat and at of bascule.ufunc, whose arguments come from bascule.ufunc_methods; and the op
// table, as rows that Python builds ufuncs, docstrings and test cases from.
#include "bascule/array/ufunc_methods.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "array_object.hpp"
#include "bascule/array/arguments.hpp"
#include "bascule/array/late_report.hpp"
#include "bascule/array/ordered.hpp"
#include "bascule/array/promote.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "initial.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

array const& arr(py::handle h) { return array_argument(h.ptr()); }

// Runs f with its errors as Python's; returns `out`, which f wrote to, or the result of f.
template <class F> py::object made(py::object const& out, F&& f) {
    PyObject* r = guarded([&]() -> PyObject* {
        array result = f();
        return out.is_none() ? scalar_or_array(std::move(result)) : Py_NewRef(out.ptr());
    });
    if (!r) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(r);
}

// A number of the op table, from Python's integer.
std::uint16_t op_number(int given) {
    if (given < 0 || given >= ops::op_count) throw value_error("[ufunc] no such ufunc");
    return static_cast<std::uint16_t>(given);
}

std::optional<type_id> type_of(py::object const& dtype) {
    if (dtype.is_none()) return {};
    return loop_from(dtype.ptr());
}

// The array of an argument, or none, kept as it is: other code may change the Python object meanwhile.
struct optional_array {
    array held;
    array const* a = nullptr;
    explicit optional_array(py::object const& o) {
        if (!o.is_none()) held = arr(o), a = &held;
    }
};

py::object reduce_call(int op, py::object a, py::object axis, py::object dtype, py::object out, bool keepdims,
                       py::object initial, bool has_initial, py::object where) {
    return made(out, [&] {
        array const x = arr(a);
        optional_array const to(out);
        held_argument start, mask;
        reduce_options o;
        o.axes = axes_from(axis.ptr(), x.ndim());
        o.keepdims = keepdims, o.type = type_of(dtype), o.out = to.a;
        o.no_initial = has_initial && initial.is_none();
        if (has_initial && !initial.is_none()) {
            type_id const t = running_type(op_number(op), x.type.id, o.type, o.out);
            read_initial(initial.ptr(), is_time(t) ? x.type : make_dtype(t), x.where(), start);
            start.own();
            o.initial = &start.arg;
        }
        std::optional<array> selected;
        if (auto const* const given = mask_from(where.ptr(), mask, x.where())) o.where = &selected.emplace(*given);
        checked_call const scope(checked_call::gil{is_long_work(x.size())});
        without_gil const released(is_long_work(x.size()));
        return reduce(op_number(op), x, o);
    });
}

py::object accumulate_call(int op, py::object a, int axis, py::object dtype, py::object out) {
    return made(out, [&] {
        auto const t = type_of(dtype);
        array const x = arr(a);
        optional_array const to(out);
        checked_call const scope(checked_call::gil{is_long_work(x.size())});
        without_gil const released(is_long_work(x.size()));
        return accumulate(op_number(op), x, axis, t, to.a);
    });
}

// starts: intp, one after the other.
py::object reduceat_call(int op, py::object a, py::buffer const& starts, int axis, py::object dtype, py::object out) {
    py::buffer_info const given = starts.request();
    if (given.ndim != 1 || given.itemsize != sizeof(std::int64_t) ||
        !py::detail::compare_buffer_info<std::int64_t>::compare(given) ||
        (given.size > 1 && given.strides[0] != given.itemsize))
        throw type_error("[reduceat] expected int64 positions one behind the other");
    std::span const first(static_cast<std::int64_t const*>(given.ptr), static_cast<std::size_t>(given.size));
    return made(out, [&] {
        auto const t = type_of(dtype);
        array const x = arr(a);
        optional_array const to(out);
        checked_call const scope(checked_call::gil{is_long_work(x.size())});
        without_gil const released(is_long_work(x.size()));
        return reduceat(op_number(op), x, first, axis, t, to.a);
    });
}

void at_call(int op, py::object to, py::object positions, py::object values, bool by_name) {
    made(to, [&] {
        array const x = arr(to), at = arr(positions);
        optional_array const v(values);
        checked_call const scope(checked_call::gil{is_long_work(at.size())});
        without_gil const released(is_long_work(at.size()));
        apply_at(op_number(op), x, at, v.a, by_name);
        return array();
    });
}

// The same for sums whose loop the device has.
void add_at_call(int op, py::object to, py::object positions, py::object values, bool by_name) {
    made(to, [&] {
        array const x = arr(to), at = arr(positions), v = arr(values);
        checked_call const scope(checked_call::gil{is_long_work(at.size())});
        errstate::naming const all_is_part(errstate::kind::ufunc, by_name ? op_number(op) : errstate::no_aggregate);
        without_gil const released(is_long_work(at.size()));
        scatter_add(x, at, v);
        return array();
    });
}

// divmod goes by its own name.
std::uint16_t reported_number(int given) {
    return given == errstate::divmod_call ? errstate::divmod_call : op_number(given);
}

// Warnings may be errors.
template <class F> void reporting(F&& f) {
    reference const warned{guarded([&]() -> PyObject* {
        f();
        Py_RETURN_NONE;
    })};
    if (!warned.p) throw py::error_already_set();
}

// Reports the errors of an operation that is computed by other ones, or by NumPy's scalars.
void report_errors_of(int op, int fp_errors, bool scalars) {
    reporting([&] {
        checked_call const scope(scalars);
        errstate::finding f = errstate::here(errstate::kind::ufunc, reported_number(op));
        f.fp_errors = static_cast<std::uint8_t>(fp_errors & errstate::current.check);
        errstate::report(f);
    });
}

// The same where elements of boolean arrays are true, without waiting for them.
void report_fp_errors_where(int op, std::vector<std::pair<int, py::object>> const& found) {
    reporting([&] {
        checked_call const scope;
        std::vector<condition> conditions;
        for (auto const& [bits, booleans] : found)
            conditions.push_back({&arr(booleans), static_cast<std::uint8_t>(bits & errstate::current.check)});
        report_where(conditions, errstate::here(errstate::kind::ufunc, reported_number(op)));
    });
}

void warn_where(py::object const& booleans, std::string const& text) {
    reporting([&] {
        errstate::scope const scope(0, false);
        condition const c{&arr(booleans), 1};
        report_where({&c, 1}, {.op = number_of_sentence(text), .how = errstate::kind::sentence});
    });
}

}  // namespace

void bind_ufunc_methods(py::module_& m) {
    m.def("reduce", &reduce_call);
    m.def("accumulate", &accumulate_call);
    m.def("reduceat", &reduceat_call);
    m.def("apply_at", &at_call, py::arg("op"), py::arg("to"), py::arg("positions"), py::arg("values"),
          py::arg("by_name") = true);
    m.def("add_at", &add_at_call);
    m.def("report_fp_errors", &report_errors_of, py::arg("op"), py::arg("fp_errors"), py::arg("scalars") = false);
    m.def("report_fp_errors_where", &report_fp_errors_where);
    m.def("warn_where", &warn_where);
}

}  // namespace bascule::python
