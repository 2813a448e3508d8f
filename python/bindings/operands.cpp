// Operands whose type depends on the others: large integers with arrays, dates and durations. Small arrays of these
// that share one unit are computed here; calls that bascule.datetimes has to resolve, or that have something to report,
// are declined.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "array_object.hpp"
#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/numpy_rules.hpp"
#include "functions.hpp"

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

bool to_operand(PyObject* o, held_argument& out, accept what, PyObject* alongside, device like, std::uint16_t op) {
    static constexpr std::uint16_t divide = number_of("divide");
    type_id t{};
    plan_constant v{};
    if (is_array(alongside)) t = value_of(alongside).type.id;
    if (PyLong_CheckExact(o) && (is_array(alongside) || numpy_number(alongside, t, v))) {
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
    if (args.size() == 1)
        return signs_of_durations_are_numbers && op == number_of("sign") && first->id == type_id::timedelta64;
    bool const selects = ops::table[op].call == ops::form::selection;
    for (std::size_t k = selects ? 1 : 0; k < args.size(); ++k) same = same && args[k].a && is_time(args[k].a->type.id);
    if (!same) return true;
    static constexpr std::uint16_t plain[] = {number_of("maximum"), number_of("minimum"), number_of("fmax"),
                                              number_of("fmin"),    number_of("where"),   number_of("clip")};
    if (compares(op)) return false;
    for (auto p : plain)
        if (op == p) return false;
    return times_that_overflow_raise || !(op == number_of("add") && first->id == type_id::timedelta64);
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

bool has_no_loop() {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return false;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    reference const name{PyObject_GetAttrString(type, "__qualname__")};
    auto const is = [&](char const* text) { return name.p && PyUnicode_CompareWithASCIIString(name.p, text) == 0; };
    bool const yes = is("_UFuncNoLoopError") || is("_UFuncBinaryResolutionError");
    if (yes) {
        Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(trace);
        return true;
    }
    PyErr_Restore(type, value, trace);
    return false;
}

void set_time_rules(PyObject* callable) {
    Py_XDECREF(time_rules);
    time_rules = callable;
}

namespace {

constexpr auto add = number_of("add"), subtract = number_of("subtract"), multiply = number_of("multiply"),
               divide = number_of("divide"), floor_divide = number_of("floor_divide"),
               remainder_op = number_of("remainder"), truncate_divide = ops::number<ops::truncate_divide>;

enum class kind : std::uint8_t { date, duration, number };

struct side {
    kind what = kind::number;
    dtype type;                // unless it is a number
    array const* a = nullptr;  // with axes; null: one value
    plan_constant value{};
};

bool read_integer(PyObject* o, side& s) {
    int overflow = 0;
    s.value.i64 = PyLong_AsLongLongAndOverflow(o, &overflow);
    return !overflow && s.value.i64 != nat;
}

bool read_array(array const& a, side& s) {
    if (!is_time(a.type.id)) return false;
    s.type = a.type, s.what = a.type.id == type_id::datetime64 ? kind::date : kind::duration;
    if (a.ndim() > 0) return s.a = &a, true;
    return eager::read(a, a.offset, s.value);
}

bool read_scalar(PyObject* o, side& s) {
    if (!numpy_time_value(o, s.type, s.value)) return false;
    s.what = s.type.id == type_id::datetime64 ? kind::date : kind::duration;
    return true;
}

bool read(PyObject* o, side& s) {
    if (is_array(o)) return read_array(value_of(o), s);
    return PyLong_CheckExact(o) ? read_integer(o, s) : read_scalar(o, s);
}

// The op of the loop of durations, or of dates among themselves, and whether its results are dates.
struct rule {
    std::uint16_t op;
    bool gives_dates = false, looks_at_values = false;
};

std::optional<rule> rule_of(std::uint16_t op, kind a, kind b) {
    using enum kind;
    bool const durations = a == duration && b == duration;
    if (op == add && a != number && b != number && (a != date || b != date)) return rule{op, !durations};
    if (op == subtract && (durations || a == date) && b != number) return rule{op, b == duration && a == date};
    if (op == multiply && (a == number) != (b == number) && a != date && b != date) return rule{op};
    if ((op == divide || op == floor_divide) && a == duration && b == number) return rule{truncate_divide};
    if ((op == divide || op == floor_divide || op == remainder_op) && durations) return rule{op, false, true};
    return {};
}

constexpr auto isnat = number_of("isnat"), equal = number_of("equal");
constexpr auto any = aggregate_of("any");

// Whether op(a, b) holds nowhere; false also where that is not known at once.
bool holds_nowhere(std::uint16_t op, std::span<argument const> args) {
    array booleans;
    plan_constant found{};
    return eager::apply(op, args, ops::fp::none, booleans).done &&
           eager::reduce(any, booleans, ops::fp::none, found).done && found.bytes[0] == 0;
}

__extension__ using wide = __int128;

struct range {
    wide low, high;
};

// The bounds of the counts; nothing where they are not known at once, or NaT is among them.
std::optional<range> range_of(side const& s) {
    static constexpr auto min = aggregate_of("min"), max = aggregate_of("max");
    if (!s.a) return s.value.i64 == nat ? std::nullopt : std::optional<range>({s.value.i64, s.value.i64});
    array counts = *s.a;
    counts.type = make_dtype(type_id::int64);
    plan_constant low{}, high{};
    if (!eager::reduce(min, counts, ops::fp::none, low).done || !eager::reduce(max, counts, ops::fp::none, high).done ||
        low.i64 == nat)
        return {};
    return {{low.i64, high.i64}};
}

// Whether all that op gives is a count, where it is known.
bool surely_fits(std::uint16_t op, side const& a, side const& b) {
    auto const x = range_of(a), y = range_of(b);
    if (!x || !y) return false;
    range r{};
    if (op == add) r = {x->low + y->low, x->high + y->high};
    else if (op == subtract) r = {x->low - y->high, x->high - y->low};
    else if (op == multiply) {
        auto const [low, high] = std::minmax({x->low * y->low, x->low * y->high, x->high * y->low, x->high * y->high});
        r = {low, high};
    } else return true;
    constexpr wide most = std::numeric_limits<std::int64_t>::max();
    return r.low >= -most && r.high <= most;
}

// Neither is NaT, and the divisor not zero.
bool divides_quietly(side const& s, bool divisor) {
    if (!s.a) return s.value.i64 != nat && !(divisor && s.value.i64 == 0);
    argument const with_zero[] = {{s.a}, {nullptr, plan_constant{}, type_id::timedelta64}};
    return holds_nowhere(isnat, std::span(with_zero, 1)) && !(divisor && !holds_nowhere(equal, with_zero));
}

// As a duration, which the loop takes for every operand.
argument counted(side const& s, array& as_duration) {
    if (s.a) {
        as_duration = *s.a;
        as_duration.type.id = type_id::timedelta64;
        return {&as_duration};
    }
    return {nullptr, s.value, type_id::timedelta64, weak_kind::strong};
}

// Of any number of elements; durations stay pending, dates do not: they are durations seen as another type, which needs
// their bytes.
PyObject* sum_of_times(std::uint16_t op, std::span<argument const> args, bool const (&dates)[2], bool gives_dates) {
    std::int64_t elements = 0;
    for (auto const& a : args) elements += a.a ? a.a->size() : 0;
    return result_of(elements, [&] {
        for (std::size_t k = 0; k < args.size(); ++k)
            if (args[k].a && dates[k]) evaluate(args[k].a->memory());
        array r = apply(op, args);
        if (gives_dates) {
            evaluate(r.memory());
            r.type.id = type_id::datetime64;
        }
        return r;
    });
}

// Attoseconds; 0 where a unit has no fixed length.
wide length_of(dtype t) {
    static constexpr std::int64_t per_day = 86400, milli = 1000;
    wide const second = static_cast<wide>(1'000'000'000) * 1'000'000'000;
    wide fraction = second;
    switch (t.unit) {
        case time_unit::week: return second * 7 * per_day * t.multiplier;
        case time_unit::day: return second * per_day * t.multiplier;
        case time_unit::hour: return second * 3600 * t.multiplier;
        case time_unit::minute: return second * 60 * t.multiplier;
        case time_unit::generic:
        case time_unit::year:
        case time_unit::month: return 0;
        default: break;
    }
    for (auto u = time_unit::second; u != t.unit; u = static_cast<time_unit>(static_cast<int>(u) + 1))
        fraction /= milli;
    return fraction * t.multiplier;
}

// Factor and divisor from one unit to another; a zero divisor: they do not fit.
struct ratio {
    std::int64_t up = 1, down = 0;
};

ratio ratio_of(dtype from, dtype to) {
    wide a = length_of(from), b = length_of(to);
    if (a == 0 || b == 0) return {};
    wide x = a, y = b;
    while (y != 0) x = std::exchange(y, x % y);
    a /= x, b /= x;
    constexpr wide most = (std::int64_t{1} << 56) - 1;  // from here on NumPy may call the units too far apart
    if (a > most || b > most) return {};
    return {static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)};
}

// A Python number next to dates and durations is a duration of their unit; newer versions of NumPy warn of it.
void count_in(dtype unit, side& number) {
    if (times_that_overflow_raise) return;
    number.what = kind::duration, number.type = unit, number.type.id = type_id::timedelta64;
}

// Converts one value of a longer unit to the unit of the array in the same operation, where it fits.
void rescale(side& value, dtype unit) {
    auto const by = ratio_of(value.type, unit);
    std::int64_t count = value.value.i64;
    if (by.down != 1 || (count != nat && __builtin_mul_overflow(count, by.up, &count))) return;
    type_id const id = value.type.id;
    value.type = unit, value.type.id = id, value.value.i64 = count;
}

}  // namespace

PyObject* small_time_result(std::uint16_t op, PyObject* left, PyObject* right) {
    side a, b;
    array durations[2];
    if (!read(left, a) || !read(right, b) || (!a.a && !b.a)) return nullptr;
    dtype const unit = a.a && a.what != kind::number ? a.type : b.a ? b.type : a.type;
    for (auto* const s : {&a, &b}) {
        if (s->what == kind::number && (op == add || op == subtract)) count_in(unit, *s);
        else if (s->what != kind::number && !s->a) rescale(*s, unit);
    }
    for (auto const* s : {&a, &b})
        if (s->what != kind::number && (s->type.unit != unit.unit || s->type.multiplier != unit.multiplier))
            return nullptr;
    if (unit.unit == time_unit::generic) return nullptr;
    reference r{new_array()};
    auto const how = rule_of(op, a.what, b.what);
    if (!how) {  // comparisons and the like
        if (a.what != b.what) return nullptr;
        argument const args[] = {{a.a, a.value, a.type.id, weak_kind::strong},
                                 {b.a, b.value, b.type.id, weak_kind::strong}};
        return eager::apply(op, args, ops::fp::none, value_of(r.p)).done ? std::exchange(r.p, nullptr) : nullptr;
    }
    // NumPy reports a number that is zero, not of zeros in an array.
    if (how->op == truncate_divide && !b.a && b.value.i64 == 0) return nullptr;
    if (how->looks_at_values && !(divides_quietly(a, false) && divides_quietly(b, true))) return nullptr;
    if (times_that_overflow_raise && !surely_fits(how->op, a, b)) return nullptr;
    argument const args[] = {counted(a, durations[0]), counted(b, durations[1])};
    if (!eager::apply_to_durations(how->op, args, value_of(r.p))) {
        if (how->op != add && how->op != subtract) return nullptr;
        return sum_of_times(how->op, args, {a.what == kind::date, b.what == kind::date}, how->gives_dates);
    }
    if (how->gives_dates) value_of(r.p).type.id = type_id::datetime64;
    return std::exchange(r.p, nullptr);
}

// x op n, of integers or of durations: the op leaves NaT unchanged.
bool with_number(std::uint16_t op, array const& x, std::int64_t n, array& result) {
    argument args[] = {{&x}, {nullptr, plan_constant{}, x.type.id}};
    args[1].value.i64 = n;
    return x.type.id == type_id::int64 ? eager::apply(op, args, ops::fp::none, result).done
                                       : eager::apply_to_durations(op, args, result);
}

// Down to the next whole number of units.
bool divide_down(array const& counts, std::int64_t by, bool any_nat, array& result) {
    if (!any_nat) return with_number(floor_divide, counts, by, result);
    array rest, whole;
    argument const args[] = {{&counts}, {&rest}};
    return with_number(remainder_op, counts, by, rest) && eager::apply_to_durations(subtract, args, whole) &&
           with_number(truncate_divide, whole, by, result);
}

PyObject* small_time_cast(array const& a, dtype to) {
    static constexpr auto min = aggregate_of("min"), max = aggregate_of("max");
    if (a.type.id != to.id || !is_time(to.id) || a.ndim() == 0) return nullptr;
    auto const by = ratio_of(a.type, to);
    if (by.down == 0 || !is_plain_small(a)) return nullptr;
    array counts = a, scaled, r;
    counts.type = make_dtype(type_id::int64);
    plan_constant low{}, high{};
    if (!eager::reduce(min, counts, ops::fp::none, low).done || !eager::reduce(max, counts, ops::fp::none, high).done)
        return nullptr;
    bool const any_nat = low.i64 == nat;
    // The last that are left out on either side are those that NumPy's rounding down would take too far.
    std::int64_t const rounding = times_that_overflow_raise ? by.down - 1 : 0;
    std::int64_t const most = (std::numeric_limits<std::int64_t>::max() - rounding) / by.up;
    bool const scales = by.up != 1 || rounding != 0;
    if (any_nat && scales) {
        array magnitudes;  // that of NaT is below zero
        argument const args[] = {{&counts}};
        if (!eager::apply(number_of("absolute"), args, ops::fp::none, magnitudes).done ||
            !eager::reduce(max, magnitudes, ops::fp::none, high).done || high.i64 > most)
            return nullptr;
    } else if (scales && (low.i64 < -most || high.i64 > most)) {
        return nullptr;
    }
    if (any_nat) counts.type.id = type_id::timedelta64;
    if (by.up != 1 && !with_number(multiply, counts, by.up, scaled)) return nullptr;
    array const& whole = by.up != 1 ? scaled : counts;
    if (by.down != 1 ? !divide_down(whole, by.down, any_nat, r) : by.up == 1) return nullptr;
    if (by.down == 1) r = scaled;
    r.type = to;
    return to_python(std::move(r));
}

}  // namespace bascule::python
