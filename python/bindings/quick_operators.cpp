// Calls of an op whose operands need no conversion: arrays with axes, and Python's own floats and integers. Beside them
// the small products.
#include <utility>

#include "bascule/array/promote.hpp"
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

// A value of whatever type, which it keeps.
bool become_value_of_type(argument& value) {
    plan_constant v{};
    type_id const t = value.a->type.id;
    if (is_time(t) || !quick_read(*value.a, value.a->offset, v)) return false;
    value = {};
    return value.type = t, value.value = v, true;
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
        if (a.a && a.a->ndim() == 0 && !become_number(a, *with_axes) &&
            !(a.a->where() == with_axes->where() && become_value_of_type(a)))
            return false;
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

}  // namespace

// Of lists of numbers, too; complex vectors are left to what takes the conjugate.
PyObject* product_of_small(PyObject* a, PyObject* b, told_as how) {
    small_operand x, y;
    if (!x.take(a) || !y.take(b) || is_complex(x.value().type.id)) return nullptr;
    reference r{new_array()};
    std::uint8_t const asked = how == told_as::nothing ? std::uint8_t{0} : asked_conditions();
    auto const outcome = quick_product(x.value(), y.value(), asked, value_of(r.p));
    if (outcome.conditions && how == told_as::declined) return nullptr;
    if (outcome.conditions) report_of(outcome, errstate::kind::ufunc, errstate::dot_call);
    return outcome.done ? scalar_or_array(std::exchange(r.p, nullptr)) : nullptr;
}

namespace {

// (a, b, told): a @ b, or None where it is no common small product. What it raises goes by the name of dot (True),
// nobody is told (False), or the general form is to tell it (None).
PyObject* small_dot(std::span<PyObject* const> args) {
    return product_of_small(args[0], args[1],
                            args[2] == Py_True    ? told_as::dot
                            : args[2] == Py_False ? told_as::nothing
                                                  : told_as::declined);
}

// (a, b): the product of all elements of both, one behind the other, of which nobody is told anything.
PyObject* small_dot_of_all(std::span<PyObject* const> args) {
    small_operand x, y;
    if (!x.take(args[0]) || !y.take(args[1]) || is_complex(x.value().type.id)) return nullptr;
    array const &a = x.value(), &b = y.value();
    if (a.ndim() == 0 || b.ndim() == 0 || a.size() != b.size() || !is_plain_small(a) || !is_plain_small(b))
        return nullptr;
    reference const left{to_python(view(a, {a.size()}, {a.itemsize()}, a.offset))},
        right{to_python(view(b, {b.size()}, {b.itemsize()}, b.offset))};
    return product_of_small(left.p, right.p, told_as::nothing);
}

}  // namespace

namespace {

// where() of a condition and numbers: an array without axes.
PyObject* chosen_number(PyObject* condition, argument const& x, argument const& y) {
    plan_constant truth{};
    type_id t{};
    if (PyBool_Check(condition)) truth.bytes[0] = condition == Py_True;
    else if (is_array(condition) || !numpy_number(condition, t, truth) || !is_boolean(t)) return nullptr;
    promoted kinds[] = {{x.type, x.weak}, {y.type, y.weak}};
    for (auto& kind : kinds)
        if (x.weak != weak_kind::strong && y.weak != weak_kind::strong) kind.weak = weak_kind::strong;
    type_id const common = common_type(kinds);
    if (!in_host_memory_by_default() || (common != type_id::float64 && common != type_id::int64)) return nullptr;
    argument const& chosen = truth.bytes[0] ? x : y;
    array a;
    become_value(a, default_device(), make_dtype(common), cast_constant(chosen.value, chosen.type, common));
    a.scalar = false;
    return to_python(std::move(a));
}

}  // namespace

// (condition, x, y)
PyObject* small_where(std::span<PyObject* const> operands) {
    argument args[3];
    if (!is_array(operands[0]) && !is_array(operands[1]) && !is_array(operands[2])) {
        bool const numbers = plain_operand(operands[1], args[1]) && plain_operand(operands[2], args[2]);
        return numbers ? chosen_number(operands[0], args[1], args[2]) : nullptr;
    }
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

namespace {

// The type that the op computes in, where operands that have others are cast to it and nothing is to be told of that.
std::optional<type_id> common_loop(std::uint16_t op, std::span<argument const> args) {
    if (args.size() > 2) return {};
    constexpr type_set floating = types::inexact & ~bit(type_id::float16);
    auto const& meta = ops::table[op];
    promoted kinds[2];
    bool any = false, whole = true;
    for (std::size_t k = 0; k < args.size(); ++k) {
        auto const& a = args[k];
        kinds[k] = {a.a ? a.a->type.id : a.type, a.a ? weak_kind::strong : a.weak};
        type_id const t = kinds[k].type;
        if (is_time(t) || t == type_id::float16 || t == type_id::uint64) return {};
        any = any || a.a, whole = whole && kinds[k].weak == weak_kind::strong && is_integer(t);
    }
    bool const mixed = args.size() == 2 && kinds[0].weak == kinds[1].weak && kinds[0].type != kinds[1].type;
    if (!any || meta.call != ops::form::elementwise) return {};
    type_id const common = common_type(std::span(kinds, args.size()));
    try {
        type_id const t = loop_type(op, common);
        if (mixed && whole && !is_integer(t) && meta.integers_as == type_id::bool_) return {};
        if (itemsize(common) == 1 && t == type_id::float32) return {};  // of halves, which NumPy has a loop for
        bool const widens = mixed && (t == type_id::int64 || t == type_id::int32);
        return contains(floating, t) || widens ? std::optional(t) : std::nullopt;
    } catch (type_error const&) { return {}; }  // which the general form tells
}

// Operands that the op computes with after a cast.
PyObject* result_of_cast(std::uint16_t op, std::span<argument const> given) {
    auto const t = common_loop(op, given);
    if (!t || (given.size() == 2 && given[0].a && given[1].a && !(given[0].a->shape == given[1].a->shape)))
        return nullptr;
    array cast[2];
    argument args[2];
    bool any = false;
    for (std::size_t k = 0; k < given.size(); ++k) {
        args[k] = given[k];
        if (!args[k].a || args[k].a->type.id == *t) continue;
        if (!quick_cast(*args[k].a, make_dtype(*t), ops::fp::none, cast[k]).done) return nullptr;
        args[k].a = &cast[k], any = true;
    }
    if (!any) return nullptr;
    reference r{new_array()};
    auto const outcome = quick_call(op, std::span(args, given.size()), asked_conditions(), value_of(r.p));
    if (outcome.conditions) report_of(outcome, errstate::kind::ufunc, op);
    return outcome.done ? std::exchange(r.p, nullptr) : nullptr;
}

// Lists and tuples of numbers among the operands, which become arrays.
PyObject* result_of_lists(std::uint16_t op, std::span<PyObject* const> operands) {
    PyObject* given[2] = {};
    small_operand made[2];
    bool any = false;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        given[k] = operands[k];
        if (!PyList_CheckExact(operands[k]) && !PyTuple_CheckExact(operands[k])) continue;
        if (!made[k].take(operands[k])) return nullptr;
        given[k] = made[k].object, any = true;
    }
    return any ? quick_result(op, std::span(given, operands.size())) : nullptr;
}

}  // namespace

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
    if (!plain) return result_of_lists(op, operands);
    std::span<argument> const given(args, operands.size());
    if (!settle(given, values)) return values ? scalar_result(op, operands) : nullptr;
    reference r{new_array()};
    auto const outcome = quick_call(op, given, asked_conditions(), value_of(r.p));
    if (outcome.conditions) report_of(outcome, errstate::kind::ufunc, op);
    if (outcome.done) return std::exchange(r.p, nullptr);
    if (PyObject* const cast = result_of_cast(op, given)) return cast;
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
    if (!is_numpy_array(o) || is_derived(o)) return nullptr;
    reference const axes{PyObject_GetAttrString(o, "ndim")};
    if (!axes.p || PyLong_AsLong(axes.p) != 0) return nullptr;
    reference const everything{PyTuple_New(0)};
    PyObject* const r = everything.p ? PyObject_GetItem(o, everything.p) : nullptr;
    if (!r) throw python_error{};
    return r;
}

}  // namespace

namespace {
// An array of NumPy's over the same memory; null: another object, or one in another order of bytes or of another class.
PyObject* plain_or_shared(PyObject* o) {
    if (is_array(o)) return Py_NewRef(o);
    if (!is_numpy_array(o) || is_derived(o) || !in_host_memory_by_default()) return nullptr;
    reference const type{PyObject_GetAttrString(o, "dtype")};
    reference const number{type.p ? PyObject_GetAttrString(type.p, "char") : nullptr};
    if (!number.p) throw python_error{};
    if (PyUnicode_CompareWithASCIIString(number.p, "d") != 0 && PyUnicode_CompareWithASCIIString(number.p, "f") != 0)
        return nullptr;
    reference const native{PyObject_GetAttrString(type.p, "isnative")};
    return native.p == Py_True ? to_python(array_from_numpy(o, true, default_device())) : nullptr;
}

PyObject* mixed_product(PyObject* a, PyObject* b) {
    reference const x{plain_or_shared(a)}, y{x.p ? plain_or_shared(b) : nullptr};
    if (!y.p) return nullptr;
    PyObject* const r = quick_product_result(x.p, y.p, asked_conditions(), errstate::product_call);
    return r ? scalar_or_array(r) : nullptr;
}
}  // namespace

// (NumPy's ufunc, "__call__", inputs...): what is asked of an array behind one of NumPy's numbers.
PyObject* quick_override(PyObject*, std::span<PyObject* const> args) {
    if (args.size() < 3 || !PyUnicode_Check(args[1])) return nullptr;
    if (PyUnicode_CompareWithASCIIString(args[1], "__call__") != 0) return nullptr;
    static PyObject* const product = PyObject_GetAttrString(numpy_module(), "matmul");
    if (args[0] == product) return args.size() == 4 ? mixed_product(args[2], args[3]) : nullptr;
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
    array cast;
    if (!plain_operand(b, other[0])) return false;
    if (other[0].a && other[0].a->ndim() == 0 && !become_number(other[0], value_of(a))) return false;
    if (other[0].a && other[0].a->type.id != value_of(a).type.id) {
        argument const both[] = {{&value_of(a)}, other[0]};
        type_id const t = value_of(a).type.id;
        if (common_loop(op, both) != t || !quick_cast(*other[0].a, make_dtype(t), ops::fp::none, cast).done)
            return false;
        other[0].a = &cast;
    }
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
        if (is_derived(a) || is_derived(b)) return numpys_operator("matmul", a, b);
        PyObject* const args[] = {a, b, is_array(a) ? Py_False : Py_True};
        return scalar_or_array(PyObject_Vectorcall(general_product, args, std::size(args), nullptr), a, b);
    });
}

bool add_quick_functions(PyObject* module) {
    static PyMethodDef functions[] = {
        small_definition<small_where, 3>("small_where"),
        small_definition<small_dot, 3>("small_dot"),
        small_definition<small_dot_of_all, 2>("small_dot_of_all"),
        {},
    };
    return PyModule_AddFunctions(module, functions) == 0;
}

void set_general_product(PyObject* function) { Py_XSETREF(general_product, Py_NewRef(function)); }

}  // namespace bascule::python
