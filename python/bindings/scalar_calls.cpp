// Arithmetic with values that have no axes, as loops over elements in Python do it: x[i] * 2 + x[j] > 0.
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "array_object.hpp"
#include "bascule/array/quick.hpp"
#include "op_numbers.hpp"

namespace bascule::python {
namespace {

constexpr std::int64_t exact_in_double = std::int64_t{1} << 53;

// A value of a bool, int64 or float64 array without axes, or a Python number, which adapts to what is beside it.
struct number {
    type_id type = type_id::float64;
    bool is_array = false;
    double f = 0;
    std::int64_t i = 0;
};

bool read_number(PyObject* o, number& n) {
    if (PyFloat_CheckExact(o)) return n.f = PyFloat_AS_DOUBLE(o), true;
    if (PyLong_CheckExact(o)) {
        int overflow = 0;
        n.type = type_id::int64, n.i = PyLong_AsLongLongAndOverflow(o, &overflow);
        return !overflow;
    }
    if (!is_array(o) || value_of(o).ndim() > 0) return false;
    array const& a = value_of(o);
    plan_constant v{};
    n.type = a.type.id, n.is_array = true;
    if (n.type != type_id::float64 && n.type != type_id::int64 && n.type != type_id::bool_) return false;
    if (!quick_read(a, a.offset, v)) return false;
    if (n.type == type_id::float64) n.f = v.f64[0];
    else n.i = n.type == type_id::int64 ? v.i64 : v.bytes[0];
    return true;
}

// An integer beside a float counts as one.
bool become_float(number& n) {
    if (n.type == type_id::float64) return true;
    if (n.i > exact_in_double || n.i < -exact_in_double || n.type == type_id::bool_) return false;
    n.f = static_cast<double>(n.i), n.type = type_id::float64;
    return true;
}

// ---- Results about which nothing is to be told; false: there may be something. NaN goes the general way, too.

bool is_quiet(double r, bool may_be_small) {
    return std::isfinite(r) && (may_be_small || std::fabs(r) >= std::numeric_limits<double>::min());
}

using float_form = bool (*)(double, double, plan_constant&);
using integer_form = bool (*)(std::int64_t, std::int64_t, std::int64_t&);

struct forms {
    std::array<float_form, ops::op_count> floats{};
    std::array<integer_form, ops::op_count> integers{}, truths{};
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
    return (a < b || a > b) && is_quiet(r.f64[0] = a > b ? a : b, true);
}
bool minimum_floats(double a, double b, plan_constant& r) {
    return (a < b || a > b) && is_quiet(r.f64[0] = a < b ? a : b, true);
}
// Of equal ones the first, of two NaN the second, as the C library's functions do.
bool fmax_floats(double a, double b, plan_constant& r) {
    return r.f64[0] = b != b ? (a != a ? b : a) : a >= b ? a : b, true;
}
bool fmin_floats(double a, double b, plan_constant& r) {
    return r.f64[0] = b != b ? (a != a ? b : a) : a <= b ? a : b, true;
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
bool not_truth(std::int64_t a, std::int64_t, std::int64_t& r) { return r = a == 0, true; }

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
    truths("bitwise_and", and_integers), truths("bitwise_or", or_integers), truths("bitwise_xor", xor_integers);
    truths("invert", not_truth), truths("equal", compare_integers<std::equal_to<>>);
    truths("not_equal", compare_integers<std::not_equal_to<>>);
    return f;
}();

// Where Python's numbers alone are computed with; null: not in host memory.
std::optional<device> place_of(std::span<PyObject* const> operands) {
    for (PyObject* o : operands)
        if (is_array(o)) return value_of(o).where();
    if (!default_device().api->host_memory) return {};
    return default_device();
}

PyObject* value_object(device where, type_id t, plan_constant const& v) {
    PyObject* const r = new_array();
    become_value(value_of(r), where, make_dtype(t), v);
    return r;
}

PyObject* float_result(std::uint16_t op, std::span<number const> n, device where) {
    if (auto const form = known.floats[op]) {
        plan_constant r{};
        if (!form(n[0].f, n.back().f, r)) return nullptr;
        return value_object(where, ops::result_type(op, type_id::float64), r);
    }
    plan_constant args[2]{};
    for (std::size_t k = 0; k < n.size(); ++k) args[k].f64[0] = n[k].f;
    reference r{new_array()};
    bool const done =
        quick_numbers(op, std::span(args, n.size()), type_id::float64, asked_conditions(), where, value_of(r.p));
    return done ? std::exchange(r.p, nullptr) : nullptr;
}

PyObject* integer_result(std::uint16_t op, std::span<number const> n, device where, integer_form form) {
    plan_constant r{};
    if (!form(n[0].i, n.back().i, r.i64)) return nullptr;
    type_id const out = ops::result_type(op, n[0].type);
    if (out == type_id::bool_) {
        bool const yes = r.i64 != 0;
        r = {};
        r.bytes[0] = yes;
    }
    return value_object(where, out, r);
}

PyObject* result_of(std::uint16_t op, std::span<number> n, device where) {
    bool const alike = n[0].type == n.back().type;
    if (alike && n[0].type == type_id::int64)
        if (auto const form = known.integers[op]) return integer_result(op, n, where, form);
    if (alike && n[0].type == type_id::bool_)
        return known.truths[op] ? integer_result(op, n, where, known.truths[op]) : nullptr;
    if (!alike) {  // a truth counts as 0 or 1
        for (auto& x : n)
            if (x.type == type_id::bool_) x.type = type_id::int64;
        if (n[0].type == n.back().type) return result_of(op, n, where);
    }
    bool const whole = alike && n[0].type == type_id::int64;
    if (whole && ops::table[op].integers_as != type_id::float64) return nullptr;
    for (auto& x : n)
        if (!become_float(x)) return nullptr;
    return float_result(op, n, where);
}

struct iterator_object {
    PyObject_HEAD PyObject* of;
    Py_ssize_t next;
};
PyTypeObject* iterator_type = nullptr;

void drop_iterator(PyObject* self) noexcept {
    Py_XDECREF(reinterpret_cast<iterator_object*>(self)->of);
    PyObject_Free(self);
    Py_DECREF(iterator_type);
}

PyObject* element_or_row(PyObject* of, Py_ssize_t i) {
    array const& a = value_of(of);
    std::int64_t const offset = a.offset + i * a.strides[0];
    if (a.ndim() == 1) {
        evaluate_released(a);
        reference r{new_array()};
        if (quick_item(a, offset, value_of(r.p))) return std::exchange(r.p, nullptr);
        reference const key{PyLong_FromSsize_t(i)};
        return key.p ? get_item(of, key.p) : nullptr;
    }
    PyObject* const r = new_view(of);
    array& v = value_of(r);
    v.offset = offset;
    for (int d = 1; d < a.ndim(); ++d) v.shape.push_back(a.shape[d]), v.strides.push_back(a.strides[d]);
    return r;
}

PyObject* next_of(PyObject* self) noexcept {
    auto* const it = reinterpret_cast<iterator_object*>(self);
    if (!it->of) return nullptr;
    if (value_of(it->of).ndim() == 0 || it->next >= value_of(it->of).shape[0]) {
        Py_CLEAR(it->of);
        return nullptr;
    }
    return guarded([&] { return element_or_row(it->of, it->next++); });
}

PyObject* left_of(PyObject* self, PyObject*) noexcept {
    auto const* const it = reinterpret_cast<iterator_object*>(self);
    if (!it->of || value_of(it->of).ndim() == 0) return PyLong_FromLong(0);
    return PyLong_FromLongLong(std::max<std::int64_t>(value_of(it->of).shape[0] - it->next, 0));
}

}  // namespace

PyObject* scalar_result(std::uint16_t op, std::span<PyObject* const> operands) {
    number n[2];
    if (operands.size() > std::size(n)) return nullptr;
    for (std::size_t k = 0; k < operands.size(); ++k)
        if (!read_number(operands[k], n[k])) return nullptr;
    auto const where = place_of(operands);
    return where ? result_of(op, std::span(n, operands.size()), *where) : nullptr;
}

PyObject* scalar_power(PyObject* a, PyObject* b) {
    static constexpr std::uint16_t power = number_of("power"), square = number_of("square");
    number n[2];
    if (!read_number(a, n[0]) || !read_number(b, n[1])) return nullptr;
    device const where = value_of(is_array(a) ? a : b).where();
    bool const adapts = n[0].is_array && !n[1].is_array;
    if (adapts && n[1].type == type_id::int64 && n[1].i == 2 && n[0].type != type_id::bool_)
        return result_of(square, std::span(n, 1), where);
    // Other exponents of Python's that NumPy knows short cuts for are left to the general form.
    bool const whole = n[0].type != type_id::float64 && n[1].type != type_id::float64;
    if (whole || !become_float(n[0]) || !become_float(n[1])) return nullptr;
    if (adapts && (n[1].f == 2 || n[1].f == 1 || n[1].f == -1)) return nullptr;
    if (adapts && n[1].f == 0.5 && n[0].f > 0) return result_of(number_of("sqrt"), std::span(n, 1), where);
    return float_result(power, n, where);
}

PyObject* plain_value(PyObject* o) noexcept {
    number n;
    if (!read_number(o, n)) return nullptr;
    if (n.type == type_id::float64) return PyFloat_FromDouble(n.f);
    return n.type == type_id::int64 ? PyLong_FromLongLong(n.i) : PyBool_FromLong(static_cast<long>(n.i));
}

std::optional<std::int64_t> element_offset(array const& a, PyObject* key) {
    bool const several = PyTuple_CheckExact(key);
    PyObject* const* const parts = several ? &PyTuple_GET_ITEM(key, 0) : &key;
    int const count = several ? static_cast<int>(PyTuple_GET_SIZE(key)) : 1;
    if (count != a.ndim()) return {};
    std::int64_t offset = a.offset;
    for (int d = 0; d < count; ++d) {
        number n;
        if (PyFloat_CheckExact(parts[d]) || !read_number(parts[d], n) || n.type != type_id::int64) return {};
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
    if (n.type == t) {
        if (t == type_id::float64) to.f64[0] = n.f;
        else if (t == type_id::int64) to.i64 = n.i;
        else to.bytes[0] = n.i != 0;
        return true;
    }
    if (t == type_id::float64) return to.f64[0] = static_cast<double>(n.i), true;
    if (t == type_id::int64 && n.type == type_id::bool_) return to.i64 = n.i, true;
    if (t == type_id::int64) {
        if (!(std::fabs(n.f) < 0x1p62)) return false;
        return to.i64 = static_cast<std::int64_t>(n.f), true;
    }
    if (t == type_id::float32) {
        double const x = n.type == type_id::float64 ? n.f : static_cast<double>(n.i);
        bool const fits = std::fabs(x) < 0x1p127 && (x == 0 || std::fabs(x) > 0x1p-126);
        if (!fits || (n.type == type_id::int64 && std::abs(n.i) > exact_in_double)) return false;
        return to.f32[0] = static_cast<float>(x), true;
    }
    bool const byte = t == type_id::uint8 && n.type != type_id::float64 && n.i >= 0 && n.i < 256;
    if (byte) to.bytes[0] = static_cast<std::uint8_t>(n.i);
    return byte;
}

PyObject* iterate(PyObject* self) noexcept {
    if (value_of(self).ndim() == 0) {
        PyErr_SetString(PyExc_TypeError, "iteration over a 0-d array");
        return nullptr;
    }
    auto* const it = PyObject_New(iterator_object, iterator_type);
    if (!it) return nullptr;
    it->of = Py_NewRef(self), it->next = 0;
    return reinterpret_cast<PyObject*>(it);
}

bool add_iterator_type() {
    static PyMethodDef methods[] = {{"__length_hint__", left_of, METH_NOARGS, nullptr}, {}};
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, reinterpret_cast<void*>(drop_iterator)},
        {Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
        {Py_tp_iternext, reinterpret_cast<void*>(next_of)},
        {Py_tp_methods, methods},
        {0, nullptr},
    };
    static PyType_Spec spec = {"bascule.array_iterator", sizeof(iterator_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    iterator_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return iterator_type != nullptr;
}

}  // namespace bascule::python
