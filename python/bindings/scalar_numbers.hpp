// Numbers taken out of values without axes, and of Python's own.
#pragma once
#include <bit>
#include <cmath>
#include <limits>

#include "array_object.hpp"
#include "bascule/array/quick.hpp"

namespace bascule::python {

// Whether a float of this type is sure to hold the integer.
constexpr bool is_exact(std::int64_t v, type_id t) {
    std::int64_t const most = std::int64_t{1} << (t == type_id::float32 ? 24 : 53);
    return -most <= v && v <= most;
}

// A value without axes, of an array or NumPy's, or a Python number, which adapts to what is beside it.
struct number {
    type_id type = type_id::float64;
    bool adapts = true;
    double f = 0, imag = 0;  // of floats, and of complex numbers
    std::int64_t i = 0;      // of truths and integers
};

// What integers of a type are; of uint64 those below 2^63.
struct integer_range {
    int above;  // bits of 64 that they have not
    bool is_unsigned, is_truth;

    explicit constexpr integer_range(type_id t)
        : above(64 - 8 * itemsize(t)), is_unsigned(is_unsigned_integer(t)), is_truth(t == type_id::bool_) {}
    // The low bytes of v.
    [[nodiscard]] constexpr std::int64_t wrapped(std::int64_t v) const {
        auto const high = static_cast<std::uint64_t>(v) << above;
        return is_unsigned ? static_cast<std::int64_t>(high >> above) : static_cast<std::int64_t>(high) >> above;
    }
    [[nodiscard]] constexpr bool holds(std::int64_t v) const { return wrapped(v) == v && (v >= 0 || !is_unsigned); }
};

// False: the type does not hold it.
inline bool store_integer(std::int64_t v, integer_range of, plan_constant& to) {
    static_assert(std::endian::native == std::endian::little);
    to.i64 = v;
    return of.holds(v);
}

// As a float32, where nothing is to be told of that.
inline bool narrow(double x, float& to) {
    to = static_cast<float>(x);
    return x == 0 || (std::isfinite(to) && std::fabs(to) >= std::numeric_limits<float>::min());
}

// False: of a type that has no place in a number, or beyond 63 bits.
inline bool take_value(type_id t, plan_constant const& v, number& n) {
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
inline bool read_foreign_number(PyObject* o, number& n) {
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
inline array const* value_in(PyObject* o) { return is_array(o) && value_of(o).ndim() == 0 ? &value_of(o) : nullptr; }

// False: of another kind, not there yet, or beyond 63 bits.
inline bool read_number(PyObject* o, number& n) {
    if (!is_array(o)) return read_foreign_number(o, n);
    plan_constant v{};
    array const* const a = value_in(o);
    return a && !is_time(a->type.id) && quick_read(*a, a->offset, v) && take_value(a->type.id, v, n);
}

}  // namespace bascule::python
