// Numbers taken out of values without axes, and of Python's own.
#pragma once
#include <cmath>
#include <cstring>
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

// Calls f(T{}) for an integer type.
template <class F> void with_integer(type_id t, F&& f) {
    switch (t) {
        case type_id::int8: return f(std::int8_t{});
        case type_id::int16: return f(std::int16_t{});
        case type_id::int32: return f(std::int32_t{});
        case type_id::uint8: return f(std::uint8_t{});
        case type_id::uint16: return f(std::uint16_t{});
        case type_id::uint32: return f(std::uint32_t{});
        case type_id::uint64: return f(std::uint64_t{});
        default: return f(std::int64_t{});
    }
}

// False: `t` does not hold it.
inline bool store_integer(std::int64_t v, type_id t, plan_constant& to) {
    bool fits = false;
    with_integer(t, [&]<class T>(T) {
        fits = std::in_range<T>(v);
        auto const held = static_cast<T>(v);
        std::memcpy(to.bytes, &held, sizeof held);
    });
    return fits;
}

// As a float32, where nothing is to be told of that.
inline bool narrow(double x, float& to) {
    to = static_cast<float>(x);
    return x == 0 || (std::isfinite(to) && std::fabs(to) >= std::numeric_limits<float>::min());
}

// False: of another kind, not there yet, or beyond 63 bits.
inline bool read_number(PyObject* o, number& n) {
    if (PyFloat_CheckExact(o)) return n.f = PyFloat_AS_DOUBLE(o), true;
    if (PyLong_CheckExact(o)) {
        int overflow = 0;
        n.type = type_id::int64, n.i = PyLong_AsLongLongAndOverflow(o, &overflow);
        return !overflow;
    }
    plan_constant v{};
    n.adapts = false;
    if (is_array(o)) {
        array const& a = value_of(o);
        n.type = a.type.id;
        if (a.ndim() > 0 || is_time(n.type) || !quick_read(a, a.offset, v)) return false;
    } else if (!numpy_number(o, n.type, v)) {
        return false;
    }
    if (n.type == type_id::float16) return false;
    switch (n.type) {
        case type_id::float64: return n.f = v.f64[0], true;
        case type_id::float32: return n.f = v.f32[0], true;
        case type_id::complex128: return n.f = v.f64[0], n.imag = v.f64[1], true;
        case type_id::complex64: return n.f = v.f32[0], n.imag = v.f32[1], true;
        case type_id::bool_: return n.i = v.bytes[0], true;
        default: break;
    }
    with_integer(n.type, [&]<class T>(T held) {
        std::memcpy(&held, v.bytes, sizeof held);
        n.i = static_cast<std::int64_t>(held);
    });
    return n.type != type_id::uint64 || n.i >= 0;
}

}  // namespace bascule::python
