// Operands that need a look at their neighbours: far integers beside arrays, dates and durations.
#include "array_object.hpp"
#include "op_numbers.hpp"

namespace bascule::python {
namespace {

constexpr std::uint16_t first_comparison = number_of("equal"), last_comparison = number_of("greater_equal");
static_assert(last_comparison == first_comparison + 5, "the comparisons lie together in the table");

constexpr bool compares(std::uint16_t op) { return op >= first_comparison && op <= last_comparison; }

// -1: below everything the type holds, 1: above, 0: a value of the type.
int side_of(PyObject* n, type_id t) {
    int overflow = 0;
    auto const v = PyLong_AsLongLongAndOverflow(n, &overflow);
    int const bits = 8 * itemsize(t);
    if (is_unsigned_integer(t)) {
        if (overflow < 0 || (overflow == 0 && v < 0)) return -1;
        if (overflow == 0) return bits < 64 && (v >> bits) != 0 ? 1 : 0;
        PyLong_AsUnsignedLongLong(n);
        if (!PyErr_Occurred()) return bits == 64 ? 0 : 1;
        PyErr_Clear();
        return 1;
    }
    if (overflow != 0 || bits == 64) return overflow;
    auto const limit = std::int64_t{1} << (bits - 1);
    return v < -limit ? -1 : v >= limit ? 1 : 0;
}

bool answer(std::uint16_t op, bool array_is_less) {
    static constexpr std::uint16_t not_equal = number_of("not_equal"), less = number_of("less"),
                                   less_equal = number_of("less_equal"), greater = number_of("greater"),
                                   greater_equal = number_of("greater_equal");
    if (op == not_equal) return true;
    return array_is_less ? op == less || op == less_equal : op == greater || op == greater_equal;
}

PyObject* time_rules = nullptr;

}  // namespace

std::optional<array> compare_far_integer(std::uint16_t op, PyObject* a, PyObject* b) {
    if (!compares(op)) return {};
    bool const first_is_typed = PyLong_CheckExact(b);
    PyObject *const n = first_is_typed ? b : a, *const typed = first_is_typed ? a : b;
    array const* const x = is_array(typed) ? &value_of(typed) : nullptr;
    plan_constant v{};
    type_id t = x ? x->type.id : type_id::bool_;
    if (!PyLong_CheckExact(n) || (!x && !numpy_number(typed, t, v)) || !is_integer(t)) return {};
    int const side = side_of(n, t);
    if (side == 0) return {};
    v = {};
    v.bytes[0] = answer(op, first_is_typed == (side > 0));
    array r = full(x ? x->where() : default_device(), make_dtype(type_id::bool_), x ? x->shape : dims{}, v);
    r.scalar = r.ndim() == 0;
    return r;
}

bool to_operand(PyObject* o, held_argument& out, accept what, PyObject* beside, device like, std::uint16_t op) {
    static constexpr std::uint16_t divide = number_of("divide");
    type_id t{};
    plan_constant v{};
    if (is_array(beside)) t = value_of(beside).type.id;
    if (PyLong_CheckExact(o) && (is_array(beside) || numpy_number(beside, t, v))) {
        bool const whole = (is_integer(t) || is_boolean(t)) && op != divide;
        if (!whole && !is_time(t) && side_of(o, type_id::int64) != 0) {
            out.arg.weak = weak_kind::floating, out.arg.type = type_id::float64,
            out.arg.value.f64[0] = PyLong_AsDouble(o);
            if (PyErr_Occurred()) throw python_error{};
            return true;
        }
    }
    return to_argument(o, out, what, like);
}

bool needs_time_rules(std::uint16_t op, std::span<argument const> args) {
    dtype const* first = nullptr;
    bool same = true;
    for (auto const& a : args) {
        if (a.a && is_time(a.a->type.id)) {
            same = same && (!first || *first == a.a->type);
            first = &a.a->type;
        }
    }
    if (!first) return false;
    if (args.size() == 1) return false;
    bool const selects = ops::table[op].call == ops::form::selection;
    for (std::size_t k = selects ? 1 : 0; k < args.size(); ++k) same = same && args[k].a && is_time(args[k].a->type.id);
    if (!same) return true;
    static constexpr std::uint16_t plain[] = {number_of("maximum"), number_of("minimum"), number_of("fmax"),
                                              number_of("fmin"),    number_of("where"),   number_of("clip")};
    if (compares(op)) return false;
    for (auto p : plain)
        if (op == p) return false;
    return !(op == number_of("add") && first->id == type_id::timedelta64);
}

PyObject* by_time_rules(char const* name, std::span<PyObject* const> inputs, PyObject* keywords) {
    if (!time_rules)
        throw not_supported("datetime64 and timedelta64 need the package bascule, not bascule._core alone");
    reference const tuple{PyTuple_New(static_cast<Py_ssize_t>(inputs.size()))};
    if (!tuple.p) return nullptr;
    for (std::size_t k = 0; k < inputs.size(); ++k)
        PyTuple_SET_ITEM(tuple.p, static_cast<Py_ssize_t>(k), Py_NewRef(inputs[k]));
    return PyObject_CallFunction(time_rules, "sOO", name, tuple.p, keywords ? keywords : Py_None);
}

void set_time_rules(PyObject* callable) {
    Py_XDECREF(time_rules);
    time_rules = callable;
}

}  // namespace bascule::python
