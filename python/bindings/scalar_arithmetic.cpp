// Arithmetic with values that have no axes, as loops over elements in Python do it: x[i] * 2 + x[j] > 0.
#include <array>
#include <optional>
#include <utility>

#include "array_object.hpp"
#include "bascule/array/promote.hpp"
#include "bascule/array/quick.hpp"
#include "op_numbers.hpp"
#include "scalar_numbers.hpp"

namespace bascule::python {
namespace {

// ---- Results about which nothing is to be told; false: there may be something. NaN goes the general way, too.

constexpr double least_normal = std::numeric_limits<double>::min();

bool is_quiet(double r, bool may_be_small) {
    return std::isfinite(r) && (may_be_small || std::fabs(r) >= least_normal);
}

using float_form = bool (*)(double, double, plan_constant&);
using integer_form = bool (*)(std::int64_t, std::int64_t, std::int64_t&);
using complex_form = bool (*)(number const&, number const&, plan_constant&);

struct forms {
    std::array<float_form, ops::op_count> floats{}, doubles{};  // the latter of float64 alone
    std::array<integer_form, ops::op_count> integers{}, truths{};
    std::array<complex_form, ops::op_count> complexes{};
};

bool add_floats(double a, double b, plan_constant& r) { return is_quiet(r.f64[0] = a + b, true); }
bool subtract_floats(double a, double b, plan_constant& r) { return is_quiet(r.f64[0] = a - b, true); }
bool multiply_floats(double a, double b, plan_constant& r) { return is_quiet(r.f64[0] = a * b, a == 0 || b == 0); }
bool divide_floats(double a, double b, plan_constant& r) {
    return b != 0 && std::isfinite(b) && is_quiet(r.f64[0] = a / b, a == 0);
}
bool square_float(double a, double, plan_constant& r) { return is_quiet(r.f64[0] = a * a, a == 0); }
bool negative_float(double a, double, plan_constant& r) { return is_quiet(r.f64[0] = -a, true); }
bool absolute_float(double a, double, plan_constant& r) { return is_quiet(r.f64[0] = std::fabs(a), true); }
bool positive_float(double a, double, plan_constant& r) { return is_quiet(r.f64[0] = a, true); }
bool sqrt_float(double a, double, plan_constant& r) { return a >= 0 && is_quiet(r.f64[0] = std::sqrt(a), true); }
// Zeros of two signs, and NaN, are told apart elsewhere.
bool maximum_floats(double a, double b, plan_constant& r) {
    return (a < b || a > b || (a == b && a != 0)) && is_quiet(r.f64[0] = a > b ? a : b, true);
}
bool minimum_floats(double a, double b, plan_constant& r) {
    return (a < b || a > b || (a == b && a != 0)) && is_quiet(r.f64[0] = a < b ? a : b, true);
}
// Of equal ones the first, of two NaN the second, as the C library's functions do.
bool fmax_floats(double a, double b, plan_constant& r) {
    return r.f64[0] = b != b ? (a != a ? b : a) : a >= b ? a : b, true;
}
bool fmin_floats(double a, double b, plan_constant& r) {
    return r.f64[0] = b != b ? (a != a ? b : a) : a <= b ? a : b, true;
}
// Where the quotient is too small for a normal number, there may be something to tell.
bool floor_divide_doubles(double a, double b, plan_constant& r) {
    if (b == 0 || !std::isfinite(a) || !std::isfinite(b)) return false;
    r.f64[0] = ops::floor_divide{}(a, b);
    return is_quiet(r.f64[0], true) && (r.f64[0] != 0 || is_quiet(a / b, a == 0));
}
bool remainder_doubles(double a, double b, plan_constant& r) {
    if (b == 0 || !std::isfinite(a) || !std::isfinite(b)) return false;
    return r.f64[0] = ops::remainder{}(a, b), true;
}
template <class Compare> bool compare_floats(double a, double b, plan_constant& r) {
    r.bytes[0] = Compare{}(a, b);
    return a == a && b == b;
}
template <class Compare> bool compare_integers(std::int64_t a, std::int64_t b, std::int64_t& r) {
    return r = Compare{}(a, b), true;
}

bool add_integers(std::int64_t a, std::int64_t b, std::int64_t& r) { return !__builtin_add_overflow(a, b, &r); }
bool subtract_integers(std::int64_t a, std::int64_t b, std::int64_t& r) { return !__builtin_sub_overflow(a, b, &r); }
bool multiply_integers(std::int64_t a, std::int64_t b, std::int64_t& r) { return !__builtin_mul_overflow(a, b, &r); }
bool square_integer(std::int64_t a, std::int64_t, std::int64_t& r) { return !__builtin_mul_overflow(a, a, &r); }
bool negative_integer(std::int64_t a, std::int64_t, std::int64_t& r) {
    return !__builtin_sub_overflow(std::int64_t{0}, a, &r);
}
bool absolute_integer(std::int64_t a, std::int64_t, std::int64_t& r) {
    return a < 0 ? negative_integer(a, 0, r) : (r = a, true);
}
bool positive_integer(std::int64_t a, std::int64_t, std::int64_t& r) { return r = a, true; }
bool sign_integer(std::int64_t a, std::int64_t, std::int64_t& r) { return r = (a > 0) - (a < 0), true; }
bool floor_divide_integers(std::int64_t a, std::int64_t b, std::int64_t& r) {
    if (b == 0 || b == -1) return false;
    r = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return true;
}
bool remainder_integers(std::int64_t a, std::int64_t b, std::int64_t& r) {
    if (b == 0 || b == -1) return false;
    r = a % b;
    if (r != 0 && (r < 0) != (b < 0)) r += b;
    return true;
}
bool and_integers(std::int64_t a, std::int64_t b, std::int64_t& r) { return r = a & b, true; }
bool or_integers(std::int64_t a, std::int64_t b, std::int64_t& r) { return r = a | b, true; }
bool xor_integers(std::int64_t a, std::int64_t b, std::int64_t& r) { return r = a ^ b, true; }
bool maximum_integers(std::int64_t a, std::int64_t b, std::int64_t& r) { return r = a > b ? a : b, true; }
bool minimum_integers(std::int64_t a, std::int64_t b, std::int64_t& r) { return r = a < b ? a : b, true; }
bool invert_integer(std::int64_t a, std::int64_t, std::int64_t& r) { return r = ~a, true; }
// Farther than the value's own bits, and what goes beyond them, is left to the general form.
bool shift_left(std::int64_t a, std::int64_t b, std::int64_t& r) {
    return a >= 0 && b >= 0 && b < 32 && a < (std::int64_t{1} << 31) && (r = a << b, true);
}
bool shift_right(std::int64_t a, std::int64_t b, std::int64_t& r) { return b >= 0 && b < 8 && (r = a >> b, true); }
bool not_truth(std::int64_t a, std::int64_t, std::int64_t& r) { return r = a == 0, true; }

bool is_quiet_product(double a, double b) { return is_quiet(a * b, a == 0 || b == 0); }
bool are_quiet(plan_constant const& r) { return is_quiet(r.f64[0], true) && is_quiet(r.f64[1], true); }
template <class Join> bool join_parts(number const& a, number const& b, plan_constant& r) {
    r.f64[0] = Join{}(a.f, b.f), r.f64[1] = Join{}(a.imag, b.imag);
    return are_quiet(r);
}
bool multiply_complex(number const& a, number const& b, plan_constant& r) {
    bool const quiet = is_quiet_product(a.f, b.f) && is_quiet_product(a.imag, b.imag) &&
                       is_quiet_product(a.f, b.imag) && is_quiet_product(a.imag, b.f);
    r.f64[0] = a.f * b.f - a.imag * b.imag, r.f64[1] = a.f * b.imag + a.imag * b.f;
    return quiet && are_quiet(r);
}

bool equal_complex(number const& a, number const& b, plan_constant& r) {
    return r.i64 = a.f == b.f && a.imag == b.imag, true;
}
bool differ_complex(number const& a, number const& b, plan_constant& r) {
    return r.i64 = a.f != b.f || a.imag != b.imag, true;
}

constexpr forms known = [] {
    forms f;
    auto const floats = [&](char const* name, float_form g) { f.floats[number_of(name)] = g; };
    auto const integers = [&](char const* name, integer_form g) { f.integers[number_of(name)] = g; };
    auto const truths = [&](char const* name, integer_form g) { f.truths[number_of(name)] = g; };
    floats("add", add_floats), floats("subtract", subtract_floats), floats("multiply", multiply_floats);
    floats("divide", divide_floats), floats("square", square_float), floats("negative", negative_float);
    floats("absolute", absolute_float), floats("positive", positive_float), floats("sqrt", sqrt_float);
    floats("maximum", maximum_floats), floats("minimum", minimum_floats);
    floats("fmax", fmax_floats), floats("fmin", fmin_floats);
    floats("less", compare_floats<std::less<>>), floats("less_equal", compare_floats<std::less_equal<>>);
    floats("greater", compare_floats<std::greater<>>), floats("equal", compare_floats<std::equal_to<>>);
    floats("greater_equal", compare_floats<std::greater_equal<>>);
    floats("not_equal", compare_floats<std::not_equal_to<>>);
    f.doubles = f.floats;
    f.doubles[number_of("floor_divide")] = floor_divide_doubles;
    f.doubles[number_of("remainder")] = remainder_doubles;
    integers("add", add_integers), integers("subtract", subtract_integers), integers("multiply", multiply_integers);
    integers("floor_divide", floor_divide_integers), integers("remainder", remainder_integers);
    integers("square", square_integer), integers("negative", negative_integer);
    integers("absolute", absolute_integer), integers("positive", positive_integer);
    integers("bitwise_and", and_integers), integers("bitwise_or", or_integers), integers("bitwise_xor", xor_integers);
    integers("maximum", maximum_integers), integers("minimum", minimum_integers);
    integers("less", compare_integers<std::less<>>), integers("less_equal", compare_integers<std::less_equal<>>);
    integers("greater", compare_integers<std::greater<>>), integers("equal", compare_integers<std::equal_to<>>);
    integers("greater_equal", compare_integers<std::greater_equal<>>);
    integers("not_equal", compare_integers<std::not_equal_to<>>);
    for (char const* whole : {"floor", "ceil", "trunc", "conjugate"}) integers(whole, positive_integer);
    integers("sign", sign_integer);
    integers("invert", invert_integer), integers("left_shift", shift_left), integers("right_shift", shift_right);
    auto const complexes = [&](char const* name, complex_form g) { f.complexes[number_of(name)] = g; };
    complexes("add", join_parts<std::plus<>>), complexes("subtract", join_parts<std::minus<>>);
    complexes("multiply", multiply_complex);
    complexes("equal", equal_complex), complexes("not_equal", differ_complex);
    truths("bitwise_and", and_integers), truths("bitwise_or", or_integers), truths("bitwise_xor", xor_integers);
    truths("invert", not_truth), truths("equal", compare_integers<std::equal_to<>>);
    truths("not_equal", compare_integers<std::not_equal_to<>>);
    return f;
}();

// Where a value is, and what it is there: one of NumPy's scalars, or beside flagged arrays such an array.
struct home {
    device where;
    bool flagged;

    home(array const* a, array const* b) : where((a ? a : b)->where()), flagged((a && a->scalar) || (b && b->scalar)) {}
    explicit home(device d) : where(d), flagged(false) {}
};

PyObject* value_object(home at, type_id t, plan_constant const& v) {
    if (!at.flagged) return numpy_scalar(v, make_dtype(t));
    PyObject* const r = new_array();
    become_value(value_of(r), at.where, make_dtype(t), v);
    return r;
}

// What numbers beside each other are computed in; empty: the general rules know.
std::optional<type_id> common_type_of(std::span<number const> n) {
    number const &a = n[0], &b = n.back();
    if (a.type == b.type || n.size() == 1) return a.type;
    if (!a.adapts && !b.adapts) return promote(a.type, b.type);
    if (a.adapts && b.adapts) return type_id::float64;
    number const &typed = a.adapts ? b : a, &adapting = a.adapts ? a : b;
    if (is_float(typed.type) || is_complex(typed.type)) return typed.type;
    if (is_float(adapting.type)) return type_id::float64;
    return typed.type == type_id::bool_ ? adapting.type : typed.type;
}

// The number as one of type `t`; false: not exactly, or there is something to tell.
bool become(number& n, type_id t) {
    type_id const from = n.type;
    if (from == t) return true;
    bool const whole = is_integer(from) || from == type_id::bool_;
    n.type = t;
    if (t == type_id::bool_) return false;
    if (plan_constant held{}; is_integer(t)) return whole && store_integer(n.i, integer_range(t), held);
    bool const narrows = t == type_id::float32 || t == type_id::complex64;
    if (whole) {
        n.f = static_cast<double>(n.i);
        return is_exact(n.i, narrows ? type_id::float32 : type_id::float64);
    }
    if (!narrows || from == type_id::float32 || from == type_id::complex64) return true;
    float part = 0;
    bool const quiet = narrow(n.f, part);
    n.f = part;
    return quiet;
}

plan_constant constant_of(number const& n) {
    plan_constant v{};
    switch (n.type) {
        case type_id::float64: v.f64[0] = n.f; break;
        case type_id::float32: v.f32[0] = static_cast<float>(n.f); break;
        case type_id::complex64: v.f32[0] = static_cast<float>(n.f), v.f32[1] = static_cast<float>(n.imag); break;
        default: v.f64[0] = n.f, v.f64[1] = n.imag;
    }
    return v;
}

// As the device computes it.
PyObject* kernel_result(std::uint16_t op, std::span<number const> n, home at) {
    plan_constant args[2]{};
    for (std::size_t k = 0; k < n.size(); ++k) args[k] = constant_of(n[k]);
    plan_constant r{};
    bool const done = quick_numbers(op, std::span(args, n.size()), n[0].type, asked_conditions(), at.where, r);
    return done ? value_object(at, ops::result_type(op, n[0].type), r) : nullptr;
}

PyObject* float_result(std::uint16_t op, std::span<number const> n, home at) {
    auto const form = known.floats[op];
    if (!form) return kernel_result(op, n, at);
    type_id const out = ops::result_type(op, n[0].type);
    plan_constant r{};
    if (!form(n[0].f, n.back().f, r)) return nullptr;
    if (out == type_id::float32) {
        // Rounded twice, which for these ops is as good as once: a double has more than twice the bits.
        double const exact = r.f64[0];
        r = {};
        if (!narrow(exact, r.f32[0])) return nullptr;
    }
    return value_object(at, out, r);
}

PyObject* complex_result(std::uint16_t op, std::span<number const> n, home at) {
    auto const form = n[0].type == type_id::complex128 ? known.complexes[op] : nullptr;
    if (!form) return kernel_result(op, n, at);
    plan_constant r{};
    return form(n[0], n.back(), r) ? value_object(at, ops::result_type(op, n[0].type), r) : nullptr;
}

[[gnu::always_inline]] inline PyObject* integer_result(std::uint16_t op, type_id t, std::int64_t a, std::int64_t b,
                                                       home at, integer_form form, integer_range range) {
    std::int64_t made = 0;
    if (!form(a, b, made)) return nullptr;
    type_id const out = ops::result_type(op, t);
    plan_constant r{};
    if (out == type_id::bool_) {
        r.i64 = made != 0;
    } else {
        if (form == invert_integer) made = range.wrapped(made);
        if (!store_integer(made, range, r)) return nullptr;
    }
    return value_object(at, out, r);
}

PyObject* result_of(std::uint16_t op, std::span<number> n, home at) {
    auto t = common_type_of(n);
    if (!t) return nullptr;
    bool const whole = is_integer(*t);
    auto const form = whole ? known.integers[op] : *t == type_id::bool_ ? known.truths[op] : nullptr;
    if (*t == type_id::bool_ && !form) return nullptr;
    if (whole && !form) {
        auto const& meta = ops::table[op];
        bool const in_floats = meta.integers_as == type_id::float64 || (n.size() == 1 && *t == type_id::int64);
        if (!in_floats || contains(meta.types, *t) || !contains(meta.types, type_id::float64)) return nullptr;
        t = loop_type(op, *t);
        if (*t != type_id::float64) return nullptr;
    }
    for (auto& x : n)
        if (!become(x, *t)) return nullptr;
    if (form) return integer_result(op, *t, n[0].i, n.back().i, at, form, integer_range(*t));
    return is_complex(*t) ? complex_result(op, n, at) : float_result(op, n, at);
}

// A Python number as a float64; false: not exactly, or it is none.
[[gnu::always_inline]] inline bool read_python(PyObject* o, double& to) {
    if (PyFloat_CheckExact(o)) return to = PyFloat_AS_DOUBLE(o), true;
    if (!PyLong_CheckExact(o)) return false;
    int overflow = 0;
    std::int64_t const v = PyLong_AsLongLongAndOverflow(o, &overflow);
    return to = static_cast<double>(v), !overflow && is_exact(v, type_id::float64);
}
// As an integer of this type, likewise.
[[gnu::always_inline]] inline bool read_python(PyObject* o, integer_range of, std::int64_t& to) {
    if (!PyLong_CheckExact(o) || of.is_truth) return false;
    int overflow = 0;
    return to = PyLong_AsLongLongAndOverflow(o, &overflow), !overflow && of.holds(to);
}

// What is beside a value: a number of Python's, or one of NumPy's, read already.
struct beside {
    bool typed = false;
    type_id type{};
    plan_constant held[2] = {};

    // False: neither.
    bool take(PyObject* o, int k) {
        if (PyFloat_CheckExact(o) || PyLong_CheckExact(o)) return true;
        return typed = !is_array(o) && numpy_number(o, type, held[k]);
    }
};

// The commonest: values of float64, of one type of integers or truths, x and y, or one of them beside a number that is
// one of that type too. An operand alone is both. Null: not so.
PyObject* result_in_one_type(std::uint16_t op, PyObject* a, PyObject* b, array const* x, array const* y,
                             beside& other) {
    array const& one = x ? *x : *y;
    type_id const t = one.type.id;
    if ((x && y && x->type.id != y->type.id) || (other.typed && other.type != t)) return nullptr;
    bool const read_a = !x && !other.typed, read_b = !y && !other.typed;
    auto& held = other.held;
    plan_constant r{};
    if (t == type_id::float64) {
        auto const form = known.doubles[op];
        if (!form || (read_a && !read_python(a, held[0].f64[0])) || (read_b && !read_python(b, held[1].f64[0])))
            return nullptr;
        if (!quick_read_both(x, y, held) || !form(held[0].f64[0], held[1].f64[0], r)) return nullptr;
        return value_object(home(x, y), ops::result_type(op, t), r);
    }
    auto const form = is_integer(t) ? known.integers[op] : t == type_id::bool_ ? known.truths[op] : nullptr;
    if (!form) return nullptr;
    integer_range const range(t);
    if ((read_a && !read_python(a, range, held[0].i64)) || (read_b && !read_python(b, range, held[1].i64)))
        return nullptr;
    if (!quick_read_both(x, y, held)) return nullptr;
    std::int64_t const v = range.wrapped(held[0].i64), w = range.wrapped(held[1].i64);
    if (!range.holds(v) || !range.holds(w)) return nullptr;
    return integer_result(op, t, v, w, home(x, y), form, range);
}

}  // namespace

PyObject* scalar_result(std::uint16_t op, std::span<PyObject* const> operands) {
    number n[2];
    std::span const given(n, operands.size());
    array const* of[2] = {};
    for (std::size_t k = 0; k < given.size(); ++k) {
        if (!read_number(operands[k], n[k])) return nullptr;
        if (is_array(operands[k])) of[k] = &value_of(operands[k]);
    }
    if (of[0] || of[1]) return result_of(op, given, home(of[0], of[1]));
    return default_device().api->host_memory ? result_of(op, given, home(default_device())) : nullptr;
}

PyObject* scalar_result(std::uint16_t op, std::span<PyObject* const> operands, bool& values) {
    PyObject *const a = operands.front(), *const b = operands.back();
    array const *const x = value_in(a), *const y = a == b ? x : value_in(b);
    beside other;
    values = operands.size() <= 2 && (x || y) && (x || other.take(a, 0)) && (y || other.take(b, 1));
    if (!values) return nullptr;
    if (PyObject* const r = result_in_one_type(op, a, b, x, y, other)) return r;
    values = !(x && is_time(x->type.id)) && !(y && is_time(y->type.id));
    return values ? scalar_result(op, operands) : nullptr;
}

PyObject* scalar_power(PyObject* a, PyObject* b) {
    static constexpr std::uint16_t power = number_of("power"), square = number_of("square");
    number n[2];
    if (!read_number(a, n[0]) || !read_number(b, n[1])) return nullptr;
    home const at(value_in(a), value_in(b));
    bool const adapts = !n[0].adapts && n[1].adapts;
    if (adapts && n[1].type == type_id::int64 && n[1].i == 2 && n[0].type != type_id::bool_ && !is_complex(n[0].type))
        return result_of(square, std::span(n, 1), at);
    // Other exponents of Python's that NumPy knows short cuts for are left to the general form.
    auto const known_type = [](number const& x) { return x.type == type_id::float64 || x.type == type_id::int64; };
    bool const whole = n[0].type != type_id::float64 && n[1].type != type_id::float64;
    if (whole || !known_type(n[0]) || !known_type(n[1])) return nullptr;
    if (!become(n[0], type_id::float64) || !become(n[1], type_id::float64)) return nullptr;
    if (adapts && (n[1].f == 2 || n[1].f == 1 || n[1].f == -1)) return nullptr;
    if (adapts && n[1].f == 0.5 && n[0].f > 0) return result_of(number_of("sqrt"), std::span(n, 1), at);
    return float_result(power, n, at);
}

}  // namespace bascule::python
