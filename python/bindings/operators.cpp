// Operators and ufuncs on arrays with axes and on numbers, none of which needs a conversion: at once where they are
// small, else by the general call. The products follow.
#include <algorithm>
#include <utility>

#include "bascule/array/eager.hpp"
#include "bascule/array/numpy_rules.hpp"
#include "bascule/array/promote.hpp"
#include "functions.hpp"

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

// The operands of a call. If some arrays have axes, values without axes that are in memory become numbers of their
// type.
struct plain_operands {
    argument args[3];
    std::size_t count = 0;
    bool times = false, has_float16 = false;
    array const* with_axes = nullptr;

    [[nodiscard]] std::span<argument const> all() const { return {args, count}; }

    // False: one needs a conversion.
    [[gnu::always_inline]] bool take(std::span<PyObject* const> operands) {
        bool without = false;
        count = operands.size();
        for (std::size_t k = 0; k < count; ++k) {
            argument& a = args[k];
            if (!plain_operand(operands[k], a)) return false;
            type_id const t = a.a ? a.a->type.id : a.type;
            times = times || is_time(t), has_float16 = has_float16 || t == type_id::float16;
            if (a.a && a.a->ndim() > 0) with_axes = a.a;
            else without = without || a.a;
        }
        if (without && with_axes) settle();
        return true;
    }

    // Python's integers that an array's type cannot hold have answers of their own.
    [[nodiscard]] bool integers_fit() const {
        for (auto const& a : all())
            if (!fits_python_integer(a, with_axes->type.id)) return false;
        return true;
    }

private:
    void settle() {
        for (auto& a : std::span(args, count)) {
            plan_constant v{};
            if (!a.a || a.a->ndim() > 0 || is_time(a.a->type.id) || !(a.a->where() == with_axes->where())) continue;
            if (eager::read(*a.a, a.a->offset, v)) a = {nullptr, v, a.a->type.id};
        }
    }
};

void report_now(eager::outcome o, std::uint16_t op, errstate::kind how = errstate::kind::ufunc) {
    checked_call const scope;
    eager::report(o, how, op);
}

// Lists and tuples of numbers among the operands, which become arrays.
PyObject* result_of_lists(std::uint16_t op, std::span<PyObject* const> operands) {
    PyObject* given[2] = {};
    operand_array made[2];
    bool any = false;
    if (operands.size() > std::size(given)) return nullptr;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        given[k] = operands[k];
        if (!PyList_CheckExact(operands[k]) && !PyTuple_CheckExact(operands[k])) continue;
        if (!made[k].take(operands[k])) return nullptr;
        given[k] = made[k].object, any = true;
    }
    return any ? fast_result(op, std::span(given, operands.size())) : nullptr;
}

constexpr auto where_op = number_of("where");

bool has_times(std::span<PyObject* const> operands) {
    return std::any_of(operands.begin(), operands.end(),
                       [](PyObject* o) { return is_array(o) && is_time(value_of(o).type.id); });
}

}  // namespace

PyObject* fast_result(std::uint16_t op, std::span<PyObject* const> operands) {
    bool values = false;
    PyObject* const of_values = scalar_result(op, operands, values);
    if (values) return of_values;
    if (operands.size() > 2 && op != where_op) return nullptr;
    plain_operands given;
    bool const taken = given.take(operands);
    if (operands.size() == 2 && (given.times || (!taken && has_times(operands))))
        return small_time_result(op, operands[0], operands[1]);
    if (!taken) return result_of_lists(op, operands);
    if (given.times && op == number_of("sign")) return nullptr;
    if (!given.with_axes) return operands.size() <= 2 ? scalar_result(op, operands) : nullptr;
    reference r{new_array()};
    auto const outcome = eager::apply(op, given.all(), enabled_fp_errors(), value_of(r.p));
    if (outcome.fp_errors) report_now(outcome, op);
    if (outcome.done) return std::exchange(r.p, nullptr);
    // Neighbours of float16 numbers are no neighbours in the float32 that kernels compute in.
    bool const steps = op == number_of("nextafter") || op == number_of("spacing");
    if (given.times || given.has_float16 || steps || op == where_op || !given.integers_fit()) return nullptr;
    checked_call const scope;
    return to_python(apply_by_rules(op, given.all()));
}

bool fast_into_done(std::uint16_t op, std::span<PyObject* const> operands, PyObject* out) {
    plain_operands given;
    if (operands.size() > 2 || !is_array(out) || !given.take(operands) || given.times) return false;
    auto const outcome = eager::apply_into(op, given.all(), value_of(out), enabled_fp_errors());
    if (outcome.fp_errors) report_now(outcome, op);
    return outcome.done;
}

bool fast_in_place_done(std::uint16_t op, PyObject* a, PyObject* b) {
    PyObject* const operands[] = {a, b};
    plain_operands given;
    if (!given.take(operands) || !given.with_axes || value_of(a).ndim() == 0) return false;
    if (given.times && times_that_overflow_raise) return false;
    auto const outcome = eager::apply_into(op, given.all(), value_of(a), enabled_fp_errors());
    if (outcome.fp_errors) report_now(outcome, op);
    if (outcome.done || given.times || given.has_float16) return outcome.done;
    call_options o;
    o.out = &value_of(a);
    checked_call const scope;
    apply_by_rules(op, given.all(), o);
    return true;
}

// (condition, x, y); of numbers alone an array without axes.
PyObject* small_where(std::span<PyObject* const> operands) {
    argument x, y;
    type_id t = type_id::bool_;
    plan_constant boolean{};
    bool const python = PyBool_Check(operands[0]);
    if (python) boolean.bytes[0] = operands[0] == Py_True;
    bool const numbers = (python || (!is_array(operands[0]) && numpy_number(operands[0], t, boolean))) &&
                         !is_array(operands[1]) && !is_array(operands[2]) && in_host_memory_by_default();
    if (!numbers) return fast_result(where_op, operands);
    if (!is_boolean(t) || !plain_operand(operands[1], x) || !plain_operand(operands[2], y)) return nullptr;
    promoted kinds[] = {{x.type, x.weak}, {y.type, y.weak}};
    for (auto& kind : kinds)
        if (x.weak != weak_kind::strong && y.weak != weak_kind::strong) kind.weak = weak_kind::strong;
    type_id const common = common_type(kinds);
    if (common != type_id::float64 && common != type_id::int64) return nullptr;
    argument const& chosen = boolean.bytes[0] ? x : y;
    array a;
    eager::set_scalar(a, default_device(), make_dtype(common), cast_constant(chosen.value, chosen.type, common));
    a.scalar = false;
    return to_python(std::move(a));
}

PyObject* fast_cast_result(array const& a, dtype to) {
    reference r{new_array()};
    auto const outcome = eager::cast(a, to, enabled_fp_errors(), value_of(r.p));
    if (outcome.fp_errors) report_now(outcome, number_of("cast"), errstate::kind::cast);
    return outcome.done ? std::exchange(r.p, nullptr) : nullptr;
}

PyObject* fast_reduction_result(std::uint16_t aggregate, PyObject* self) {
    array const& a = value_of(self);
    plan_constant r;
    auto const outcome = eager::reduce(aggregate, a, enabled_fp_errors(), r);
    if (outcome.fp_errors) report_now(outcome, aggregate, errstate::kind::reduce);
    return outcome.done ? numpy_scalar(r, make_dtype(ops::aggregate_result_type(aggregate, a.type.id))) : nullptr;
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

// The number in an array of NumPy's without axes, as which NumPy's numbers compare it; null: another object.
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

// (NumPy's ufunc, "__call__", inputs...): __array_ufunc__ of an array that is the second operand of one of NumPy's
// numbers.
PyObject* fast_override(PyObject*, std::span<PyObject* const> args) {
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
    return scalar_or_array(fast_result(op, std::span(inputs, nin)), inputs[0], inputs[nin - 1]);
}

// ---- products

namespace {

// For products that are not small ones of common types: (a, b, whether b is the array whose operator was called).
PyObject* general_product = nullptr;

}  // namespace

// Of lists of numbers, too; complex vectors are left to the general form, which takes the conjugate.
PyObject* product_of_small(PyObject* a, PyObject* b, error_policy policy) {
    operand_array x, y;
    if (!x.take(a) || !y.take(b) || is_complex(x.value().type.id)) return nullptr;
    reference r{new_array()};
    std::uint8_t const asked = policy == error_policy::ignore ? std::uint8_t{0} : enabled_fp_errors();
    auto const outcome = eager::matmul(x.value(), y.value(), asked, value_of(r.p));
    if (outcome.fp_errors && policy == error_policy::decline) return nullptr;
    if (outcome.fp_errors) report_now(outcome, errstate::dot_call);
    return outcome.done ? scalar_or_array(std::exchange(r.p, nullptr)) : nullptr;
}

PyObject* matrix_multiply(PyObject* a, PyObject* b) noexcept {
    PyObject* const made = guarded([&]() -> PyObject* {
        if (is_array(a) && is_array(b)) {
            reference r{new_array()};
            auto const outcome = eager::matmul(value_of(a), value_of(b), enabled_fp_errors(), value_of(r.p));
            if (outcome.fp_errors) report_now(outcome, errstate::product_call);
            if (outcome.done) return scalar_or_array(std::exchange(r.p, nullptr));
        }
        if (is_derived(a) || is_derived(b)) return numpys_operator("matmul", a, b);
        PyObject* const args[] = {a, b, is_array(a) ? Py_False : Py_True};
        return scalar_or_array(PyObject_Vectorcall(general_product, args, std::size(args), nullptr), a, b);
    });
    return or_by_numpy(made, "operator", "matmul", a, b);
}

namespace {

// (a, b, policy): a @ b, or None where it is not a small product of common types. Its errors are reported under the
// name of dot (True) or ignored (False), or the general form is to report them (None).
PyObject* small_dot(bound_arguments args) {
    return product_of_small(args[0], args[1],
                            args[2] == Py_True    ? error_policy::report
                            : args[2] == Py_False ? error_policy::ignore
                                                  : error_policy::decline);
}

// Axes that an integer or a sequence of integers names; empty: something else.
std::optional<std::vector<int>> named_axes(PyObject* o, int ndim) {
    bool const one = PyLong_CheckExact(o) != 0;
    if (!one && !PyList_CheckExact(o) && !PyTuple_CheckExact(o)) return {};
    auto const given = plain_integers({&o, 1});
    if (!given) return {};
    std::vector<int> axes;
    for (int k = 0; k < given->size(); ++k) {
        auto const d = (*given)[k] + ((*given)[k] < 0 ? ndim : 0);
        if (d < 0 || d >= ndim || std::find(axes.begin(), axes.end(), d) != axes.end()) return {};
        axes.push_back(static_cast<int>(d));
    }
    return axes;
}

// The axes of two arrays that tensordot sums over; empty: others than plain integers, or such that do not fit.
std::optional<std::pair<std::vector<int>, std::vector<int>>> summed_axes(PyObject* o, array const& a, array const& b) {
    std::pair<std::vector<int>, std::vector<int>> found;
    if (auto const count = integer_from(o)) {
        if (*count < 0 || *count > std::min(a.ndim(), b.ndim())) return {};
        for (int k = 0; k < *count; ++k)
            found.first.push_back(a.ndim() - static_cast<int>(*count) + k), found.second.push_back(k);
    } else {
        if ((!PyTuple_CheckExact(o) && !PyList_CheckExact(o)) || PySequence_Fast_GET_SIZE(o) != 2) return {};
        auto x = named_axes(PySequence_Fast_GET_ITEM(o, 0), a.ndim()),
             y = named_axes(PySequence_Fast_GET_ITEM(o, 1), b.ndim());
        if (!x || !y || x->size() != y->size()) return {};
        found = {std::move(*x), std::move(*y)};
    }
    for (std::size_t k = 0; k < found.first.size(); ++k)
        if (a.shape[found.first[k]] != b.shape[found.second[k]]) return {};
    return found;
}

// (a, b, axes): of small arrays one product of matrices, for which the summed axes come last in a and first in b.
PyObject* small_tensordot(bound_arguments args) {
    if (!is_array(args[0]) || !is_array(args[1])) return nullptr;
    array const a = value_of(args[0]), b = value_of(args[1]);
    if (!is_plain_small(a) || !is_plain_small(b)) return nullptr;
    auto const summed = summed_axes(args[2], a, b);
    if (!summed) return nullptr;
    auto const& [i, j] = *summed;
    std::vector<int> left, right(j);
    dims shape;
    std::int64_t rows = 1, columns = 1;
    for (int d = 0; d < a.ndim(); ++d)
        if (std::find(i.begin(), i.end(), d) == i.end())
            left.push_back(d), shape.push_back(a.shape[d]), rows *= a.shape[d];
    left.insert(left.end(), i.begin(), i.end());
    for (int d = 0; d < b.ndim(); ++d)
        if (std::find(j.begin(), j.end(), d) == j.end())
            right.push_back(d), shape.push_back(b.shape[d]), columns *= b.shape[d];
    std::int64_t const length = a.size() / rows;
    reference const x{to_python(reshape_view_or_copy(transpose(a, left), {rows, length}))},
        y{to_python(reshape_view_or_copy(transpose(b, right), {length, columns}))};
    reference const r{x.p && y.p ? product_of_small(x.p, y.p, error_policy::report) : nullptr};
    if (!r.p) return nullptr;
    return to_python(reshape_view_or_copy(value_of(r.p), shape));
}

}  // namespace

std::span<function_row const> product_functions() {
    static constexpr function_row rows[] = {
        core_row("small_dot", "a, b, policy", small_dot, "The product of small vectors or matrices."),
        core_row("small_tensordot", "a, b, axes", small_tensordot, "The same summed over axes of small arrays."),
    };
    return rows;
}

void set_general_product(PyObject* function) { Py_XSETREF(general_product, Py_NewRef(function)); }

}  // namespace bascule::python
