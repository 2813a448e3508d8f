// Views of arrays that need no Python, and where small arrays are not zero.
#include <cstring>
#include <utility>

#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/core/words.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

// With axes, and its elements there: what is pending cannot be seen as another type yet.
bool is_there(PyObject* o) { return is_array(o) && value_of(o).ndim() > 0 && value_of(o).memory()->ready(); }

PyObject* seen_as(PyObject* of, dtype t, std::int64_t offset) {
    PyObject* const r = new_view(of);
    array const& a = value_of(of);
    array& v = value_of(r);
    v.shape = a.shape, v.strides = a.strides, v.offset += offset, v.type = t;
    return r;
}

type_id part_type(array const& z) { return z.type.id == type_id::complex64 ? type_id::float32 : type_id::float64; }

// The real or imaginary part of a complex scalar, as a scalar.
PyObject* part_of_scalar(array const& z, bool imaginary) {
    plan_constant v{}, part{};
    if (!is_complex(z.type.id) || !eager::read(z, z.offset, v)) return nullptr;
    type_id const t = part_type(z);
    auto const bytes = static_cast<std::size_t>(itemsize(t));
    std::memcpy(part.bytes, v.bytes + (imaginary ? bytes : 0), bytes);
    PyObject* const r = new_array();
    eager::set_scalar(value_of(r), z.where(), make_dtype(t), part);
    return r;
}

// (a): real parts, of complex numbers as a view; (a) again: imaginary parts of complex numbers.
template <bool Imaginary> PyObject* small_part(arguments args) {
    if (is_array(args[0]) && value_of(args[0]).scalar) return part_of_scalar(value_of(args[0]), Imaginary);
    if (!is_there(args[0])) return nullptr;
    array const& a = value_of(args[0]);
    if (!is_complex(a.type.id)) return Imaginary ? nullptr : Py_NewRef(args[0]);
    type_id const t = part_type(a);
    return seen_as(args[0], make_dtype(t), Imaginary ? itemsize(t) : 0);
}

// (a, dtype): the same bytes as another type of the same size.
PyObject* small_view(arguments args) {
    if (!is_there(args[0])) return nullptr;
    array const& a = value_of(args[0]);
    auto const named = known_dtype(args[1]);
    if (!named) return nullptr;
    dtype const t = *named;
    if (t.itemsize != a.type.itemsize || is_boolean(t.id) != is_boolean(a.type.id)) return nullptr;
    return seen_as(args[0], t, 0);
}

// (a, axis): backwards along one axis, or along all (None).
PyObject* small_flip(arguments args) {
    if (!is_array(args[0]) || value_of(args[0]).size() == 0) return nullptr;
    array const& a = value_of(args[0]);
    int const n = a.ndim();
    std::int64_t axis = -1;  // all
    if (args[1] != Py_None) {
        auto const given = integer_from(args[1]);
        axis = given && *given < 0 ? *given + n : given.value_or(-1);
        if (axis < 0 || axis >= n) return nullptr;
    }
    if (n == 0) return nullptr;
    dims strides = a.strides;
    std::int64_t offset = a.offset;
    for (int d = 0; d < n; ++d) {
        if (axis >= 0 && d != axis) continue;
        offset += (a.shape[d] - 1) * a.strides[d], strides[d] = -a.strides[d];
    }
    return view_to_python(bascule::view(a, a.shape, strides, offset), args[0]);
}

template <class T> std::int64_t count_other_than_zero(T const* p, std::int64_t n) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < n; ++i) count += p[i] != 0;
    return count;
}

// Writes all positions, one over the other where an element is zero: nothing is to be guessed.
// One is.
template <class T> void write_positions(T const* p, std::int64_t n, std::int64_t* to) {
    while (p[n - 1] == 0) --n;
    for (std::int64_t i = 0; i < n; ++i) {
        *to = i;
        to += p[i] != 0;
    }
}

// f(a pointer to the elements), which may be compared with zero; false: they may not.
template <class F> bool with_elements(array const& a, F&& f) {
    if (a.type.id == type_id::float64) return f(begin_of<double>(a)), true;
    if (a.type.id == type_id::float32) return f(begin_of<float>(a)), true;
    if (!is_integer(a.type.id) && !is_boolean(a.type.id)) return false;
    return with_word(a.itemsize(), [&]<class T>(T) { f(begin_of<T>(a)); });
}

// (a): positions of the elements of a small array that are not zero, an array an axis.
PyObject* small_nonzero(arguments args) {
    if (!is_array(args[0])) return nullptr;
    array const& a = value_of(args[0]);
    int const n = a.ndim();
    graph_lock lock;
    if (n == 0 || !is_plain_small(a, 4 * a.size())) return nullptr;  // longer ones are counted by the word
    reference all{PyTuple_New(n)};
    if (!all.p) throw python_error{};
    dtype const t = make_dtype(type_id::int64);
    bool const done = with_elements(a, [&](auto const* p) {
        std::int64_t const count = count_other_than_zero(p, a.size());
        array flat = empty(a.where(), t, dims{count});
        if (count) write_positions(p, a.size(), begin_of<std::int64_t>(flat));
        for (int d = n - 1; d >= 0; --d) {
            array along = d ? empty(a.where(), t, dims{count}) : flat;
            std::int64_t* const from = count ? begin_of<std::int64_t>(flat) : nullptr;
            std::int64_t* const to = count ? begin_of<std::int64_t>(along) : nullptr;
            for (std::int64_t i = 0; d && i < count; ++i) to[i] = from[i] % a.shape[d], from[i] /= a.shape[d];
            PyTuple_SET_ITEM(all.p, d, to_python(std::move(along)));
        }
    });
    return done ? std::exchange(all.p, nullptr) : nullptr;
}

}  // namespace

std::optional<dtype> known_dtype(PyObject* named) {
    try {
        return dtype_from(named);
    } catch (...) {
        // The whole way tells what is wrong with the name. An interruption is none of its errors.
        if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) throw;
        PyErr_Clear();
        return {};
    }
}

bool add_small_views(PyObject* module) {
    static PyMethodDef functions[] = {
        small_definition<small_part<false>, 1>("small_real"), small_definition<small_part<true>, 1>("small_imag"),
        small_definition<small_view, 2>("small_view"),        small_definition<small_flip, 2>("small_flip"),
        small_definition<small_nonzero, 1>("small_nonzero"),  {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
