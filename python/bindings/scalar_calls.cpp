// Values without axes, as loops over elements in Python use them: taken out of arrays and stored.
#include <cmath>

#include "array_object.hpp"
#include "bascule/array/quick.hpp"
#include "scalar_numbers.hpp"

namespace bascule::python {
PyObject* plain_value(PyObject* o) noexcept {
    number n;
    if (!read_number(o, n) || is_complex(n.type)) return nullptr;
    if (is_float(n.type)) return PyFloat_FromDouble(n.f);
    return is_integer(n.type) ? PyLong_FromLongLong(n.i) : PyBool_FromLong(static_cast<long>(n.i));
}

std::optional<bool> plain_truth(PyObject* o) noexcept {
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
