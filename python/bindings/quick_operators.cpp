// Calls of an op whose operands need no conversion: arrays with axes, and Python's own floats and integers. Beside them
// the small products.
#include <utility>

#include "bascule/array/quick.hpp"
#include "op_numbers.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

bool plain_operand(PyObject* o, argument& to) {
    if (is_array(o)) {
        to.a = &value_of(o);
        return true;
    }
    if (PyFloat_CheckExact(o)) {
        to.weak = weak_kind::floating, to.value.f64[0] = PyFloat_AS_DOUBLE(o);
        return true;
    }
    if (!PyLong_CheckExact(o)) return numpy_number(o, to.type, to.value);
    int overflow = 0;
    to.weak = weak_kind::integer, to.type = type_id::int64;
    to.value.i64 = PyLong_AsLongLongAndOverflow(o, &overflow);
    return overflow == 0;
}

// A value beside an array whose type it has, or that its own goes into, counts as a Python number would.
bool become_number(argument& value, array const& beside) {
    type_id const t = value.a->type.id, to = beside.type.id;
    bool const whole = t == type_id::int64 && (to == type_id::int64 || to == type_id::float64),
               floating = t == to && (t == type_id::float64 || t == type_id::float32);
    plan_constant v{};
    if (!(whole || floating) || !(value.a->where() == beside.where())) return false;
    if (!quick_read(*value.a, value.a->offset, v)) return false;
    value.a = nullptr, value.weak = whole ? weak_kind::integer : weak_kind::floating;
    value.type = whole ? type_id::int64 : type_id::float64;
    value.value = t == type_id::float32 ? cast_constant(v, t, type_id::float64) : v;
    return true;
}

// Whether the operands are arrays with axes and numbers now; `values`: none has axes.
[[gnu::always_inline]] inline bool settle(std::span<argument> args, bool& values) {
    array const* with_axes = nullptr;
    bool without = false;
    for (auto const& a : args) {
        if (a.a && a.a->ndim() > 0) with_axes = a.a;
        else without = without || a.a;
    }
    values = !with_axes;
    if (values || !without) return !values;
    for (auto& a : args)
        if (a.a && a.a->ndim() == 0 && !become_number(a, *with_axes)) return false;
    return true;
}

// Of whatever is no common small product: (a, b, whether b is the array that was asked).
PyObject* general_product = nullptr;

void report_of(quick_outcome outcome, errstate::kind how, std::uint16_t op) {
    checked_call const scope;
    report(outcome, how, op);
}

// a @ b, whose conditions are told as those of `named`; null as below.
PyObject* quick_product_result(PyObject* a, PyObject* b, std::uint8_t asked, std::uint16_t named) {
    if (!is_array(a) || !is_array(b)) return nullptr;
    reference r{new_array()};
    auto const outcome = quick_product(value_of(a), value_of(b), asked, value_of(r.p));
    if (outcome.conditions) report_of(outcome, errstate::kind::ufunc, named);
    return outcome.done ? std::exchange(r.p, nullptr) : nullptr;
}

// small_dot(a, b, told): a @ b, or None where it is no common small product. What it raises goes by the name of dot, or
// nobody is told.
PyObject* small_dot(PyObject*, PyObject* const* args, Py_ssize_t n) noexcept {
    return guarded([&]() -> PyObject* {
        if (n != 3) throw type_error("small_dot() takes three arguments");
        // Some of its callers take the conjugate of complex vectors.
        if (is_array(args[0]) && is_complex(value_of(args[0]).type.id)) return Py_NewRef(Py_None);
        std::uint8_t const asked = args[2] == Py_True ? asked_conditions() : std::uint8_t{0};
        PyObject* const r = quick_product_result(args[0], args[1], asked, errstate::dot_call);
        return r ? scalar_or_array(r) : Py_NewRef(Py_None);
    });
}

}  // namespace

// (condition, x, y)
PyObject* small_where(std::span<PyObject* const> operands) {
    argument args[3];
    for (std::size_t k = 0; k < std::size(args); ++k)
        if (!plain_operand(operands[k], args[k])) return nullptr;
    array const* const with_axes = args[1].a && args[1].a->ndim() > 0   ? args[1].a
                                   : args[2].a && args[2].a->ndim() > 0 ? args[2].a
                                                                        : nullptr;
    for (auto& a : std::span(args).last<2>())
        if (a.a && a.a->ndim() == 0 && !(with_axes && become_number(a, *with_axes))) return nullptr;
    reference r{new_array()};
    return quick_where(args, value_of(r.p)) ? std::exchange(r.p, nullptr) : nullptr;
}

PyObject* quick_result(std::uint16_t op, std::span<PyObject* const> operands) {
    constexpr auto where_op = number_of("where");
    bool values = false;
    PyObject* const of_values = scalar_result(op, operands, values);
    if (values) return of_values;
    argument args[2];
    if (operands.size() > std::size(args)) return op == where_op ? small_where(operands) : nullptr;
    bool plain = true, times = false;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        plain = plain_operand(operands[k], args[k]) && plain;
        times = times || (args[k].a && is_time(args[k].a->type.id));
    }
    if (times && operands.size() == 2) return small_time_result(op, operands[0], operands[1]);
    if (!plain) return nullptr;
    if (!settle(std::span(args, operands.size()), values)) return values ? scalar_result(op, operands) : nullptr;
    reference r{new_array()};
    std::span<argument const> const given(args, operands.size());
    auto const outcome = quick_call(op, given, asked_conditions(), value_of(r.p));
    if (outcome.conditions) report_of(outcome, errstate::kind::ufunc, op);
    if (outcome.done) return std::exchange(r.p, nullptr);
    checked_call const scope;
    return quick_node(op, given, value_of(r.p)) ? std::exchange(r.p, nullptr) : nullptr;
}

namespace {

// NumPy's ufuncs that have a namesake here, and the numbers of the ops.
PyObject* make_namesakes() {
    PyObject* const all = PyDict_New();
    reference const ufunc{PyObject_GetAttrString(numpy_module(), "ufunc")};
    for (int op = 0; all && ufunc.p && op < ops::op_count; ++op) {
        if (!ops::table[op].has_ufunc) continue;
        reference const theirs{PyObject_GetAttrString(numpy_module(), ops::table[op].name)};
        PyErr_Clear();
        if (!theirs.p || reinterpret_cast<PyObject*>(Py_TYPE(theirs.p)) != ufunc.p) continue;
        reference const number{PyLong_FromLong(op)};
        if (!number.p || PyDict_SetItem(all, theirs.p, number.p) < 0) throw python_error{};
    }
    if (!all || !ufunc.p) throw python_error{};
    return all;
}

// The number in an array of NumPy's without axes, which is what NumPy's numbers compare as; null: another object.
PyObject* without_axes(PyObject* o) {
    if (!is_numpy_array(o)) return nullptr;
    reference const axes{PyObject_GetAttrString(o, "ndim")};
    if (!axes.p || PyLong_AsLong(axes.p) != 0) return nullptr;
    reference const everything{PyTuple_New(0)};
    PyObject* const r = everything.p ? PyObject_GetItem(o, everything.p) : nullptr;
    if (!r) throw python_error{};
    return r;
}

}  // namespace

// (NumPy's ufunc, "__call__", inputs...): what is asked of an array behind one of NumPy's numbers.
PyObject* quick_override(PyObject*, std::span<PyObject* const> args) {
    if (args.size() < 3 || !PyUnicode_Check(args[1])) return nullptr;
    if (PyUnicode_CompareWithASCIIString(args[1], "__call__") != 0) return nullptr;
    static PyObject* const namesakes = make_namesakes();
    PyObject* const number = PyDict_GetItemWithError(namesakes, args[0]);
    if (!number) return nullptr;
    auto const op = static_cast<std::uint16_t>(PyLong_AsLong(number));
    std::size_t const nin = args.size() - 2;
    if (nin != static_cast<std::size_t>(ops::table[op].nin) || nin > 2) return nullptr;
    PyObject* inputs[] = {args[2], args.back()};
    reference const number_itself{without_axes(args[2])};
    if (number_itself.p) inputs[0] = number_itself.p;
    return scalar_or_array(quick_result(op, std::span(inputs, nin)), inputs[0], inputs[nin - 1]);
}

PyObject* quick_cast_result(array const& a, dtype to) {
    reference r{new_array()};
    auto const outcome = quick_cast(a, to, asked_conditions(), value_of(r.p));
    if (outcome.conditions) report_of(outcome, errstate::kind::cast, number_of("cast"));
    return outcome.done ? std::exchange(r.p, nullptr) : nullptr;
}

bool quick_into_done(std::uint16_t op, std::span<PyObject* const> operands, PyObject* out) {
    argument args[2];
    if (operands.size() > std::size(args) || !is_array(out)) return false;
    for (std::size_t k = 0; k < operands.size(); ++k)
        if (!plain_operand(operands[k], args[k]) || (args[k].a && is_time(args[k].a->type.id))) return false;
    bool values = false;
    if (!settle(std::span(args, operands.size()), values)) return false;
    auto const outcome = quick_call_into(op, std::span(args, operands.size()), value_of(out), asked_conditions());
    if (outcome.conditions) report_of(outcome, errstate::kind::ufunc, op);
    return outcome.done;
}

bool quick_in_place_done(std::uint16_t op, PyObject* a, PyObject* b) {
    argument other[1];
    if (!plain_operand(b, other[0])) return false;
    if (other[0].a && other[0].a->ndim() == 0 && !become_number(other[0], value_of(a))) return false;
    auto const outcome = quick_in_place(op, value_of(a), other[0], asked_conditions());
    if (outcome.conditions) report_of(outcome, errstate::kind::ufunc, op);
    return outcome.done;
}

PyObject* quick_fold_result(std::uint16_t aggregate, PyObject* self) {
    array const& a = value_of(self);
    plan_constant r;
    auto const outcome = quick_fold(aggregate, a, asked_conditions(), r);
    if (outcome.conditions) report_of(outcome, errstate::kind::reduce, aggregate);
    return outcome.done ? numpy_scalar(r, make_dtype(ops::aggregate_result_type(aggregate, a.type.id))) : nullptr;
}

PyObject* matrix_multiply(PyObject* a, PyObject* b) noexcept {
    return guarded([&]() -> PyObject* {
        if (PyObject* const r = quick_product_result(a, b, asked_conditions(), errstate::product_call))
            return scalar_or_array(r);
        PyObject* const args[] = {a, b, is_array(a) ? Py_False : Py_True};
        return scalar_or_array(PyObject_Vectorcall(general_product, args, std::size(args), nullptr), a, b);
    });
}

bool add_quick_functions(PyObject* module) {
    static PyMethodDef functions[] = {
        small_definition<small_where, 3>("small_where"),
        {"small_dot", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(small_dot)), METH_FASTCALL, nullptr},
        {},
    };
    return PyModule_AddFunctions(module, functions) == 0;
}

void set_general_product(PyObject* function) { Py_XSETREF(general_product, Py_NewRef(function)); }

}  // namespace bascule::python
