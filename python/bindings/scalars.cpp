// Values without axes, as loops over elements in Python use them: x[i] * 2 + x[j] > 0. On devices whose memory is the
// host's they are NumPy's own scalars.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "array_object.hpp"
#include "bascule/array/eager.hpp"
#include "bascule/array/promote.hpp"
#include "bascule/ops/fp_errors.hpp"

namespace bascule::python {
namespace {

PyTypeObject* numpy_scalar_type(type_id t) {
    static auto const types = [] {
        std::array<PyTypeObject*, type_count> all{};
        for (int k = 0; k < type_count; ++k) {
            PyObject* const found = PyObject_GetAttrString(numpy_module(), type_name(static_cast<type_id>(k)));
            if (!found) throw python_error{};
            all[static_cast<std::size_t>(k)] = reinterpret_cast<PyTypeObject*>(found);
        }
        return all;
    }();
    return types[static_cast<std::size_t>(t)];
}

// NumPy has one object for each of the two.
PyObject* numpy_boolean(bool v) {
    static auto const both = [] {
        std::array<PyObject*, 2> all{};
        for (std::size_t k = 0; k < all.size(); ++k) {
            reference const plain{PyBool_FromLong(static_cast<long>(k))};
            all[k] = PyObject_CallOneArg(reinterpret_cast<PyObject*>(numpy_scalar_type(type_id::bool_)), plain.p);
            if (!all[k]) throw python_error{};
        }
        return all;
    }();
    return Py_NewRef(both[v ? 1 : 0]);
}

// NumPy's dates and durations after the object's head (numpy/arrayscalars.h): the count and its unit.
struct numpy_time_body {
    std::int64_t count;
    int unit, multiplier;
};

// NumPy's numbers of the units (numpy/ndarraytypes.h), in the order of time_unit.
constexpr int numpy_units[] = {14, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};

PyObject* numpy_time(plan_constant const& v, dtype t) {
    PyTypeObject* const type = numpy_scalar_type(t.id);
    PyObject* const r = type->tp_alloc(type, 0);
    if (!r) throw python_error{};
    numpy_time_body const body{v.i64, numpy_units[static_cast<std::size_t>(t.unit)], t.multiplier};
    std::memcpy(reinterpret_cast<std::byte*>(r) + sizeof(PyObject), &body, sizeof body);
    return r;
}

}  // namespace

bool numpy_time_value(PyObject* o, dtype& t, plan_constant& to) {
    PyTypeObject* const type = Py_TYPE(o);
    bool const is_date = type == numpy_scalar_type(type_id::datetime64);
    if (!is_date && type != numpy_scalar_type(type_id::timedelta64)) return false;
    numpy_time_body body{};
    std::memcpy(&body, reinterpret_cast<std::byte const*>(o) + sizeof(PyObject), sizeof body);
    auto const* const unit = std::find(std::begin(numpy_units), std::end(numpy_units), body.unit);
    if (unit == std::end(numpy_units)) return false;
    t = make_dtype(is_date ? type_id::datetime64 : type_id::timedelta64);
    t.unit = static_cast<time_unit>(unit - std::begin(numpy_units)), t.multiplier = body.multiplier;
    to.i64 = body.count;
    return true;
}

PyObject* numpy_scalar(plan_constant const& v, dtype t) {
    if (is_boolean(t.id)) return numpy_boolean(v.bytes[0] != 0);
    if (is_time(t.id)) return numpy_time(v, t);
    PyTypeObject* const type = numpy_scalar_type(t.id);
    PyObject* const r = type->tp_alloc(type, 0);
    if (!r) throw python_error{};
    // The value follows the object's head (numpy/arrayscalars.h).
    auto* const to = reinterpret_cast<std::byte*>(r) + sizeof(PyObject);
    if (t.itemsize == 8) std::memcpy(to, v.bytes, 8);  // the most frequent sizes, without a call
    else std::memcpy(to, v.bytes, static_cast<std::size_t>(t.itemsize));
    return r;
}

PyObject* scalar_or_array(PyObject* r) {
    if (!r || !is_kept_scalar(r)) return r;
    reference const held{r};
    array const& a = value_of(r);
    if (!a.where().api->host_memory) return Py_NewRef(r);
    plan_constant v{};
    if (!eager::read(a, a.offset, v)) {
        evaluate_released(a);
        v = item(a);
    }
    return numpy_scalar(v, a.type);
}

PyObject* scalar_or_array(array a) {
    PyObject* const r = to_python(std::move(a));
    if (!r) throw python_error{};
    return scalar_or_array(r);
}

namespace {

// ---- Numbers taken out of values, and of Python's own

// Whether a float of this type is sure to hold the integer.
constexpr bool is_exact(std::int64_t v, type_id t) {
    std::int64_t const most = std::int64_t{1} << (t == type_id::float32 ? 24 : 53);
    return -most <= v && v <= most;
}

// A value without axes, of an array or NumPy's, or a Python number, which adapts to the other operand.
struct number {
    type_id type = type_id::float64;
    bool adapts = true;
    double f = 0, imag = 0;  // of floats, and of complex numbers
    std::int64_t i = 0;      // of booleans and integers
};

// The range of an integer type's values; of uint64 only those below 2^63.
struct integer_range {
    int above;  // bits of 64 that they have not
    bool is_unsigned, is_bool;

    explicit constexpr integer_range(type_id t)
        : above(64 - 8 * itemsize(t)), is_unsigned(is_unsigned_integer(t)), is_bool(t == type_id::bool_) {}
    // The low bytes of v.
    [[nodiscard]] constexpr std::int64_t wrapped(std::int64_t v) const {
        auto const high = static_cast<std::uint64_t>(v) << above;
        return is_unsigned ? static_cast<std::int64_t>(high >> above) : static_cast<std::int64_t>(high) >> above;
    }
    [[nodiscard]] constexpr bool holds(std::int64_t v) const { return wrapped(v) == v && (v >= 0 || !is_unsigned); }
};

// False: the type does not hold it.
bool store_integer(std::int64_t v, integer_range of, plan_constant& to) {
    static_assert(std::endian::native == std::endian::little);
    to.i64 = v;
    return of.holds(v);
}

// As a float32, where nothing of that is to be reported.
bool narrow(double x, float& to) {
    to = static_cast<float>(x);
    return x == 0 || (std::isfinite(to) && std::fabs(to) >= std::numeric_limits<float>::min());
}

// False: of a type that has no place in a number, or beyond 63 bits.
bool take_value(type_id t, plan_constant const& v, number& n) {
    n.type = t, n.adapts = false;
    switch (t) {
        case type_id::float64: return n.f = v.f64[0], true;
        case type_id::int64: return n.i = v.i64, true;
        case type_id::float32: return n.f = v.f32[0], true;
        case type_id::complex128: return n.f = v.f64[0], n.imag = v.f64[1], true;
        case type_id::complex64: return n.f = v.f32[0], n.imag = v.f32[1], true;
        case type_id::bool_: return n.i = v.bytes[0], true;
        case type_id::float16: return false;
        default: break;
    }
    integer_range const range(t);
    n.i = range.wrapped(v.i64);
    return range.holds(n.i);
}

// Of Python's, and NumPy's; false: neither, or beyond 63 bits.
bool read_foreign_number(PyObject* o, number& n) {
    if (PyFloat_CheckExact(o)) return n.f = PyFloat_AS_DOUBLE(o), true;
    if (PyLong_CheckExact(o)) {
        int overflow = 0;
        n.type = type_id::int64, n.i = PyLong_AsLongLongAndOverflow(o, &overflow);
        return !overflow;
    }
    plan_constant v{};
    type_id t{};
    return numpy_number(o, t, v) && take_value(t, v, n);
}

// The array, where it has no axes; null otherwise.
array const* value_in(PyObject* o) { return is_array(o) && value_of(o).ndim() == 0 ? &value_of(o) : nullptr; }

// False: of another kind, not there yet, or beyond 63 bits.
bool read_number(PyObject* o, number& n) {
    if (!is_array(o)) return read_foreign_number(o, n);
    plan_constant v{};
    array const* const a = value_in(o);
    return a && !is_time(a->type.id) && eager::read(*a, a->offset, v) && take_value(a->type.id, v, n);
}

// ---- The ops' own formulas, of those that are exact. NumPy's operators on integers report overflow, and nothing that
// there may be something to report of is computed here: false.

template <class Op> constexpr bool ignores_nan = ops::same_type<Op, ops::fmin> || ops::same_type<Op, ops::fmax>;

template <class Op, class T> auto formula(T a, T b) {
    // Of equal numbers NumPy's scalar loops take the first, of two NaN the second; vector kernels take the second.
    if constexpr (Op::meta.nin == 1) return Op{}(a);
    else if constexpr (ignores_nan<Op> && std::is_floating_point_v<T>)
        return a == b ? a : a != a && b != b ? b : Op{}(a, b);
    else return Op{}(a, b);
}

template <class Op, class T>
constexpr bool is_exact_loop = Op::meta.call == ops::form::elementwise&& Op::meta.nin <= 2 && Op::meta.ulp64 == 0 &&
                               Op::meta.ulp32 == 0 && contains(Op::meta.types, id_of<T>::value);

template <class Op, class T, class R, class... Inputs> bool raises_nothing(R result, Inputs... x) {
    constexpr std::uint8_t raises = ops::raised_by(Op::meta, ops::is_complex_type<T>);
    if constexpr (raises == ops::fp::none || ops::is_bool_type<T>) return true;
    else if constexpr (ops::same_type<R, bool>) return !(ops::is_nan(x) || ...);
    else if constexpr (requires { Op::raised(result, x...); }) return !(Op::raised(result, x...) & raises);
    else if constexpr (!(raises & ops::fp::under)) return ops::is_finite(result);
    else return ops::is_finite(result) && (!ops::is_tiny_or_zero(result) || (result == 0 && (... || (x == 0))));
}

template <class T> using form_of = bool (*)(T, T, plan_constant&);

template <class Op, class T> bool compute(T a, T b, plan_constant& to) {
    auto const r = formula<Op>(a, b);
    std::memcpy(to.bytes, &r, sizeof r);
    if constexpr (Op::meta.nin == 1) return raises_nothing<Op, T>(r, a);
    else if constexpr (ignores_nan<Op> && std::is_floating_point_v<T>) return true;
    else return raises_nothing<Op, T>(r, a, b);
}

// Of 64 bits; the types with fewer hold the result, or it is declined.
using integer_form = bool (*)(std::int64_t, std::int64_t, std::int64_t&);

template <class Op> constexpr bool is_arithmetic = contains(Op::meta.types, type_id::float64);

template <class Op> bool compute_integers(std::int64_t a, std::int64_t b, std::int64_t& to) {
    std::int64_t const last = Op::meta.nin == 1 ? a : b;
    if constexpr (Op::meta.integers_raise != ops::fp::none)
        if (last == 0 || last == -1) return false;
    auto const r = formula<Op>(a, b);
    to = static_cast<std::int64_t>(r);
    if constexpr (ops::same_type<decltype(formula<Op>(a, b)), bool> || !is_arithmetic<Op>) return true;
    else if constexpr (Op::meta.integers_raise != ops::fp::none) return true;
    else return std::fabs(formula<Op>(static_cast<double>(a), static_cast<double>(b))) < 0x1p62;
}

struct forms {
    std::array<form_of<double>, ops::op_count> doubles{};
    std::array<form_of<float>, ops::op_count> floats{};
    std::array<form_of<complex<double>>, ops::op_count> complexes{};
    std::array<form_of<bool>, ops::op_count> booleans{};
    std::array<integer_form, ops::op_count> integers{};
    std::array<bool, ops::op_count> wraps{};  // of integers: bits, not numbers
};

template <class Op, class T> constexpr void add_form(std::array<form_of<T>, ops::op_count>& to) {
    if constexpr (is_exact_loop<Op, T>) {
        using result = decltype(formula<Op>(T{}, T{}));
        if constexpr (ops::same_type<result, T> || ops::same_type<result, bool>) to[ops::number<Op>] = compute<Op, T>;
    }
}

constexpr forms known = [] {
    forms f;
    ops::for_each_op([&]<class Op>(Op) {
        add_form<Op>(f.doubles), add_form<Op>(f.floats), add_form<Op>(f.booleans);
        // Products of complex numbers may raise errors in intermediate steps that the result does not show.
        if constexpr (!(ops::raised_by(Op::meta, true) & (ops::fp::divide | ops::fp::under))) add_form<Op>(f.complexes);
        if constexpr (is_exact_loop<Op, std::int64_t>)
            f.integers[ops::number<Op>] = compute_integers<Op>, f.wraps[ops::number<Op>] = !is_arithmetic<Op>;
    });
    return f;
}();

// The device of a value, and its form there: one of NumPy's scalars, or with flagged operands a flagged array.
struct home {
    device where;
    bool flagged;

    home(array const* a, array const* b) : where((a ? a : b)->where()), flagged((a && a->scalar) || (b && b->scalar)) {}
    explicit home(device d) : where(d), flagged(false) {}
};

PyObject* value_object(home at, type_id t, plan_constant const& v) {
    if (!at.flagged) return numpy_scalar(v, make_dtype(t));
    PyObject* const r = new_array();
    eager::set_scalar(value_of(r), at.where, make_dtype(t), v);
    return r;
}

// The type in which numbers are computed together.
type_id common_type_of(std::span<number const> n) {
    number const &a = n[0], &b = n.back();
    if (a.type == b.type || n.size() == 1) return a.type;
    if (!a.adapts && !b.adapts) return promote(a.type, b.type);
    if (a.adapts && b.adapts) return type_id::float64;
    number const &typed = a.adapts ? b : a, &adapting = a.adapts ? a : b;
    if (is_float(typed.type) || is_complex(typed.type)) return typed.type;
    if (is_float(adapting.type)) return type_id::float64;
    return typed.type == type_id::bool_ ? adapting.type : typed.type;
}

// The number as one of type `t`; false: not exactly, or there is something to report.
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
    bool const done =
        eager::apply_to_numbers(op, std::span(args, n.size()), n[0].type, enabled_fp_errors(), at.where, r);
    return done ? value_object(at, ops::result_type(op, n[0].type), r) : nullptr;
}

PyObject* float_result(std::uint16_t op, std::span<number const> n, home at) {
    plan_constant r{};
    bool done = false;
    if (n[0].type == type_id::float64) {
        if (!known.doubles[op]) return kernel_result(op, n, at);
        done = known.doubles[op](n[0].f, n.back().f, r);
    } else {
        if (!known.floats[op]) return kernel_result(op, n, at);
        done = known.floats[op](static_cast<float>(n[0].f), static_cast<float>(n.back().f), r);
    }
    return done ? value_object(at, ops::result_type(op, n[0].type), r) : nullptr;
}

PyObject* complex_result(std::uint16_t op, std::span<number const> n, home at) {
    auto const form = n[0].type == type_id::complex128 ? known.complexes[op] : nullptr;
    if (!form) return kernel_result(op, n, at);
    plan_constant r{};
    bool const done = form({n[0].f, n[0].imag}, {n.back().f, n.back().imag}, r);
    return done ? value_object(at, ops::result_type(op, n[0].type), r) : nullptr;
}

[[gnu::always_inline]] inline PyObject* integer_result(std::uint16_t op, type_id t, std::int64_t a, std::int64_t b,
                                                       home at, integer_range range) {
    std::int64_t made = 0;
    if (!known.integers[op](a, b, made)) return nullptr;
    type_id const out = ops::result_type(op, t);
    plan_constant r{};
    if (out == type_id::bool_) {
        r.i64 = made;
    } else {
        if (known.wraps[op]) made = range.wrapped(made);
        if (!store_integer(made, range, r)) return nullptr;
    }
    return value_object(at, out, r);
}

PyObject* boolean_result(std::uint16_t op, bool a, bool b, home at) {
    plan_constant r{};
    return known.booleans[op](a, b, r) ? value_object(at, ops::result_type(op, type_id::bool_), r) : nullptr;
}

PyObject* result_of(std::uint16_t op, std::span<number> n, home at) {
    type_id t = common_type_of(n);
    bool const whole = is_integer(t);
    if (t == type_id::bool_) {
        for (auto const& x : n)
            if (x.type != type_id::bool_) return nullptr;
        return known.booleans[op] ? boolean_result(op, n[0].i != 0, n.back().i != 0, at) : nullptr;
    }
    if (whole && !known.integers[op]) {
        auto const& meta = ops::table[op];
        bool const in_floats = meta.integers_as == type_id::float64 || (n.size() == 1 && t == type_id::int64);
        if (!in_floats || contains(meta.types, t) || !contains(meta.types, type_id::float64)) return nullptr;
        t = loop_type(op, t);
        if (t != type_id::float64) return nullptr;
    }
    for (auto& x : n)
        if (!become(x, t)) return nullptr;
    if (whole && is_integer(t)) return integer_result(op, t, n[0].i, n.back().i, at, integer_range(t));
    return is_complex(t) ? complex_result(op, n, at) : float_result(op, n, at);
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
    if (!PyLong_CheckExact(o) || of.is_bool) return false;
    int overflow = 0;
    return to = PyLong_AsLongLongAndOverflow(o, &overflow), !overflow && of.holds(to);
}

// The other operand of a value: a number of Python's, or one of NumPy's, already read.
struct alongside {
    bool typed = false;
    type_id type{};
    plan_constant held[2] = {};

    // False: neither.
    bool take(PyObject* o, int k) {
        if (PyFloat_CheckExact(o) || PyLong_CheckExact(o)) return true;
        return typed = !is_array(o) && numpy_number(o, type, held[k]);
    }
};

// The most frequent case: values of float64, or of one type of integers or booleans, x and y, or one of them and a
// number that fits that type too. A single operand is both. Null: another case.
PyObject* result_in_one_type(std::uint16_t op, PyObject* a, PyObject* b, array const* x, array const* y,
                             alongside& other) {
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
        if (!eager::read_both(x, y, held) || !form(held[0].f64[0], held[1].f64[0], r)) return nullptr;
        return value_object(home(x, y), ops::result_type(op, t), r);
    }
    bool const booleans = t == type_id::bool_;
    if (booleans ? !known.booleans[op] : !is_integer(t) || !known.integers[op]) return nullptr;
    integer_range const range(t);
    if ((read_a && !read_python(a, range, held[0].i64)) || (read_b && !read_python(b, range, held[1].i64)))
        return nullptr;
    if (!eager::read_both(x, y, held)) return nullptr;
    std::int64_t const v = range.wrapped(held[0].i64), w = range.wrapped(held[1].i64);
    if (!range.holds(v) || !range.holds(w)) return nullptr;
    home const at(x, y);
    return booleans ? boolean_result(op, v != 0, w != 0, at) : integer_result(op, t, v, w, at, range);
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
    alongside other;
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

// ---- taken out of arrays, and stored

PyObject* plain_value(PyObject* o) noexcept {
    number n;
    if (!read_number(o, n) || is_complex(n.type)) return nullptr;
    if (is_float(n.type)) return PyFloat_FromDouble(n.f);
    return is_integer(n.type) ? PyLong_FromLongLong(n.i) : PyBool_FromLong(static_cast<long>(n.i));
}

std::optional<bool> plain_boolean(PyObject* o) noexcept {
    number n;
    if (!read_number(o, n)) return {};
    return n.i != 0 || n.f != 0 || n.imag != 0;
}

std::optional<std::int64_t> element_offset(array const& a, PyObject* key) {
    bool const several = PyTuple_CheckExact(key);
    PyObject* const* const parts = several ? &PyTuple_GET_ITEM(key, 0) : &key;
    int const count = several ? static_cast<int>(PyTuple_GET_SIZE(key)) : 1;
    if (count != a.ndim()) return {};
    std::int64_t offset = a.offset;
    for (int d = 0; d < count; ++d) {
        number n;
        if (PyFloat_CheckExact(parts[d]) || !read_number(parts[d], n) || !is_integer(n.type)) return {};
        if (n.i < -a.shape[d] || n.i >= a.shape[d]) return {};
        offset += (n.i < 0 ? n.i + a.shape[d] : n.i) * a.strides[d];
    }
    return offset;
}

bool plain_element(PyObject* v, type_id t, plan_constant& to) {
    number n;
    if (PyBool_Check(v)) n.type = type_id::bool_, n.i = v == Py_True;
    else if (!read_number(v, n)) return false;
    to = {};
    bool const whole = is_integer(n.type) || n.type == type_id::bool_;
    if (t == type_id::bool_) {
        to.bytes[0] = n.i != 0;
        return n.type == t;
    }
    if (is_complex(t)) {
        if (t != type_id::complex128 || (n.type != t && n.type != type_id::float64)) return false;
        return to.f64[0] = n.f, to.f64[1] = n.imag, true;
    }
    if (is_complex(n.type)) return false;
    if (is_integer(t)) {
        if (!whole && !(std::fabs(n.f) < 0x1p62)) return false;
        return store_integer(whole ? n.i : static_cast<std::int64_t>(n.f), integer_range(t), to);
    }
    double const x = whole ? static_cast<double>(n.i) : n.f;
    if (t == type_id::float64) return to.f64[0] = x, true;
    if (t != type_id::float32 || (whole && !is_exact(n.i, type_id::float64))) return false;
    return narrow(x, to.f32[0]) || n.type == t;
}

}  // namespace bascule::python
