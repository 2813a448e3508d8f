// Between Python objects and C++ values: scalars, dtypes, shapes, NumPy arrays.
#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <vector>

#include "array_object.hpp"
#include "bascule/array/arguments.hpp"
#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "numpy_layout.hpp"

namespace bascule::python {
namespace {

PyObject* numpy_attribute(char const* name) {
    PyObject* o = PyObject_GetAttrString(numpy_module(), name);
    if (!o) throw python_error{};
    return o;
}

// NumPy's type numbers, by our own.
constexpr char const* dtype_codes[type_count] = {"?", "b", "B", "h", "H", "i", "I",  "l",
                                                 "L", "e", "f", "d", "F", "D", "M8", "m8"};

PyObject* cached_dtype(type_id t) {
    static PyObject* cache[type_count] = {};
    auto& slot = cache[static_cast<int>(t)];
    if (!slot) {
        PyObject* make = numpy_attribute("dtype");
        slot = PyObject_CallFunction(make, "s", dtype_codes[static_cast<int>(t)]);
        Py_DECREF(make);
        if (!slot) throw python_error{};
    }
    return slot;
}

constexpr char const* unit_names[] = {"generic", "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"};

constexpr Py_ssize_t most_remembered = 256;

// All of a type as one number of Python's, and back.
PyObject* packed(dtype t) { return PyLong_FromUnsignedLongLong(std::bit_cast<std::uint64_t>(t)); }
dtype unpacked(PyObject* number) { return std::bit_cast<dtype>(std::uint64_t{PyLong_AsUnsignedLongLong(number)}); }

// `text` is NumPy's name of it.
dtype time_dtype(PyObject* d, PyObject* text, type_id id) {
    static PyObject* const remembered = PyDict_New();
    if (!remembered) throw python_error{};
    if (PyObject* const known = PyDict_GetItemWithError(remembered, text)) return unpacked(known);
    dtype t = make_dtype(id);
    PyObject* datetime_data = numpy_attribute("datetime_data");
    PyObject* data = PyObject_CallFunctionObjArgs(datetime_data, d, nullptr);
    Py_DECREF(datetime_data);
    if (!data) throw python_error{};
    char const* unit = nullptr;
    int count = 1;
    bool const ok = PyArg_ParseTuple(data, "si", &unit, &count);
    for (int i = 0; ok && i < 14; ++i)
        if (std::strcmp(unit, unit_names[i]) == 0) t.unit = static_cast<time_unit>(i);
    Py_DECREF(data);
    if (!ok) throw python_error{};
    t.multiplier = count;
    reference const number{packed(t)};
    if (!number.p) throw python_error{};
    if (PyDict_GET_SIZE(remembered) < most_remembered && PyDict_SetItem(remembered, text, number.p) < 0)
        throw python_error{};
    return t;
}

dtype dtype_from_descriptor(PyObject* d) {
    for (int i = 0; i < type_count - 2; ++i)
        if (d == cached_dtype(static_cast<type_id>(i))) return make_dtype(static_cast<type_id>(i));
    PyObject* text = PyObject_GetAttrString(d, "str");
    if (!text) throw python_error{};
    reference const held{text};
    std::string const s = PyUnicode_AsUTF8(text);
    if (s.size() > 1 && s[0] != '>') {
        if (s[1] == 'M') return time_dtype(d, text, type_id::datetime64);
        if (s[1] == 'm') return time_dtype(d, text, type_id::timedelta64);
        static constexpr struct {
            char const* code;
            type_id id;
        } codes[] = {{"b1", type_id::bool_},     {"i1", type_id::int8},       {"u1", type_id::uint8},
                     {"i2", type_id::int16},     {"u2", type_id::uint16},     {"i4", type_id::int32},
                     {"u4", type_id::uint32},    {"i8", type_id::int64},      {"u8", type_id::uint64},
                     {"f2", type_id::float16},   {"f4", type_id::float32},    {"f8", type_id::float64},
                     {"c8", type_id::complex64}, {"c16", type_id::complex128}};
        for (auto const& c : codes)
            if (s.compare(1, std::string::npos, c.code) == 0) return make_dtype(c.id);
    }
    throw refused_dtype("bascule arrays hold bool, integers, floats, complex, datetime64 and timedelta64 in native "
                        "byte order, not dtype('" +
                        s + "'); numpy.asarray keeps such data");
}

// Owners of foreign memory are released with the GIL held, from any thread.
std::mutex doomed_mutex;
std::vector<PyObject*> doomed;

int release_doomed(void*) {
    std::vector<PyObject*> now;
    {
        std::lock_guard const lock(doomed_mutex);
        now.swap(doomed);
    }
    for (auto* o : now) Py_DECREF(o);
    return 0;
}

bool integer_argument(PyObject* o, argument& a) {
    int overflow = 0;
    a.weak = weak_kind::integer, a.type = type_id::int64;
    a.value.i64 = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (overflow == 0) return true;
    a.type = type_id::uint64;
    if (overflow > 0) {
        a.value.u64 = PyLong_AsUnsignedLongLong(o);
        if (!PyErr_Occurred()) return true;
        PyErr_Clear();
    }
    throw overflow_error("Python int too large to convert to C long");
}

bool python_scalar(PyObject* o, argument& a) {
    if (PyFloat_CheckExact(o)) {
        a.weak = weak_kind::floating, a.type = type_id::float64, a.value.f64[0] = PyFloat_AS_DOUBLE(o);
        return true;
    }
    if (PyBool_Check(o)) {
        a.weak = weak_kind::boolean, a.type = type_id::bool_, a.value.bytes[0] = o == Py_True;
        return true;
    }
    if (PyLong_CheckExact(o)) return integer_argument(o, a);
    if (PyComplex_CheckExact(o)) {
        a.weak = weak_kind::complex_, a.type = type_id::complex128;
        a.value.f64[0] = PyComplex_RealAsDouble(o), a.value.f64[1] = PyComplex_ImagAsDouble(o);
        return true;
    }
    return false;
}

PyObject* numpy_type(char const* name) {
    PyObject* t = numpy_attribute(name);
    Py_DECREF(t);  // the module keeps it
    return t;
}

}  // namespace

array const& array_argument(PyObject* o) {
    if (!is_array(o)) throw type_error(std::string("expected a bascule.ndarray, got ") + Py_TYPE(o)->tp_name);
    return value_of(o);
}

bool is_numpy_scalar(PyObject* o) {
    static PyObject* const generic = numpy_type("generic");
    return PyObject_TypeCheck(o, reinterpret_cast<PyTypeObject*>(generic));
}

bool numpy_number(PyObject* o, type_id& t, plan_constant& to) {
    struct kind {
        PyTypeObject* type;
        type_id id;
    };
    static auto const kinds = [] {
        constexpr type_id ids[] = {type_id::float64,   type_id::int64,  type_id::float32, type_id::int32,
                                   type_id::bool_,     type_id::uint8,  type_id::int8,    type_id::int16,
                                   type_id::uint16,    type_id::uint32, type_id::uint64,  type_id::complex128,
                                   type_id::complex64, type_id::float16};
        std::array<kind, std::size(ids)> all{};
        for (std::size_t k = 0; k < all.size(); ++k)
            all[k] = {reinterpret_cast<PyTypeObject*>(numpy_type(type_name(ids[k]))), ids[k]};
        return all;
    }();
    for (auto const& k : kinds) {
        if (Py_TYPE(o) != k.type) continue;
        // The value follows the object's head (numpy/arrayscalars.h).
        std::memcpy(to.bytes, reinterpret_cast<std::byte const*>(o) + sizeof(PyObject),
                    static_cast<std::size_t>(itemsize(k.id)));
        t = k.id;
        return true;
    }
    return false;
}

namespace {

// Python's and NumPy's types of scalars, whose dtype never changes.
bool is_scalar_type(PyObject* o) {
    if (!PyType_Check(o)) return false;
    auto* const t = reinterpret_cast<PyTypeObject*>(o);
    static PyObject* const generic = numpy_type("generic");
    return t == &PyFloat_Type || t == &PyLong_Type || t == &PyBool_Type || t == &PyComplex_Type ||
           PyType_IsSubtype(t, reinterpret_cast<PyTypeObject*>(generic));
}

array array_from_any(PyObject* o, device where) {
    PyObject* asarray = numpy_attribute("asarray");
    PyObject* n = PyObject_CallFunctionObjArgs(asarray, o, nullptr);
    Py_DECREF(asarray);
    if (n) {
        reference const hold{n};
        return array_from_numpy(n, false, where);
    }
    if (!PyErr_ExceptionMatches(PyExc_ValueError)) throw python_error{};
    PyErr_Clear();  // the __array__ of another class may give an array of ours
    reference const conversion{PyImport_ImportModule("bascule._array.conversion")};
    reference const made{conversion.p ? PyObject_CallMethod(conversion.p, "as_array", "O", o) : nullptr};
    if (!made.p) throw python_error{};
    return value_of(made.p);
}

}  // namespace

// Never drops at once under the graph's mutex: the destructor may run Python code, which may wait for another thread
// that waits for the mutex (rule 14).
void drop_owner(void* owner) {
    if (PyGILState_Check() && !graph_lock::held_by_this_thread()) {
        Py_DECREF(static_cast<PyObject*>(owner));
        return;
    }
    {
        std::lock_guard const lock(doomed_mutex);
        doomed.push_back(static_cast<PyObject*>(owner));
    }
    Py_AddPendingCall(release_doomed, nullptr);
}

PyObject* numpy_module() {
    static PyObject* const m = PyImport_ImportModule("numpy");
    return m;
}

bool is_numpy_array(PyObject* o) {
    static PyObject* const t = numpy_type("ndarray");
    return Py_TYPE(o) == reinterpret_cast<PyTypeObject*>(t) ||
           PyObject_TypeCheck(o, reinterpret_cast<PyTypeObject*>(t));
}

bool is_derived(PyObject* o) {
    static auto* const plain = reinterpret_cast<PyTypeObject*>(numpy_type("ndarray"));
    static auto* const mapped = reinterpret_cast<PyTypeObject*>(numpy_type("memmap"));  // computes as plain arrays do
    return Py_TYPE(o) != plain && PyObject_TypeCheck(o, plain) && !PyObject_TypeCheck(o, mapped);
}

PyObject* numpy_dtype(dtype t) {
    if (!is_time(t.id) || (t.unit == time_unit::generic)) return Py_NewRef(cached_dtype(t.id));
    static PyObject* const made = PyDict_New();
    reference const key{packed(t)};
    if (!made || !key.p) throw python_error{};
    if (PyObject* const known = PyDict_GetItemWithError(made, key.p)) return Py_NewRef(known);
    std::string text = t.id == type_id::datetime64 ? "M8[" : "m8[";
    if (t.multiplier != 1) text += std::to_string(t.multiplier);
    text += std::string(unit_names[static_cast<int>(t.unit)]) + "]";
    PyObject* make = numpy_attribute("dtype");
    PyObject* d = PyObject_CallFunction(make, "s", text.c_str());
    Py_DECREF(make);
    if (!d) throw python_error{};
    if (PyDict_GET_SIZE(made) < most_remembered && PyDict_SetItem(made, key.p, d) < 0) throw python_error{};
    return d;
}

dtype dtype_from(PyObject* o) {
    static PyObject* const descriptor = numpy_type("dtype");
    static PyObject* const remembered = PyDict_New();  // names and types of scalars that were converted before
    if (PyObject_TypeCheck(o, reinterpret_cast<PyTypeObject*>(descriptor))) return dtype_from_descriptor(o);
    static struct {
        PyObject* o;  // held
        dtype t;
    } latest[16];
    auto& place = latest[reinterpret_cast<std::uintptr_t>(o) / 64 % std::size(latest)];
    if (place.o == o) return place.t;
    bool const lasting = PyUnicode_CheckExact(o) || is_scalar_type(o);
    if (PyObject* const known = lasting ? PyDict_GetItemWithError(remembered, o) : nullptr) {
        Py_XSETREF(place.o, Py_NewRef(o));
        return place.t = unpacked(known);
    }
    PyObject* d = PyObject_CallFunctionObjArgs(descriptor, o, nullptr);
    if (!d) throw python_error{};
    reference const hold{d};
    dtype const t = dtype_from_descriptor(d);
    if (lasting && PyDict_GET_SIZE(remembered) < most_remembered) {
        reference const number{packed(t)};
        if (!number.p || PyDict_SetItem(remembered, o, number.p) < 0) throw python_error{};
    }
    return t;
}

type_id loop_from(PyObject* o) {
    dtype const t = dtype_from(o);
    if (is_time(t.id) && t.unit != time_unit::generic)
        throw type_error(
            "The `dtype` and `signature` arguments to ufuncs only select the general DType and not details such as the "
            "byte order or time unit. You can avoid this error by using the scalar types `np.float64` or the dtype "
            "string notation.");
    return t.id;
}

// Numbers or times in the other byte order than this machine's.
static bool is_swapped(PyObject* descr) {
    for (int i = 0; i < type_count - 2; ++i)
        if (descr == cached_dtype(static_cast<type_id>(i))) return false;
    reference const order{PyObject_GetAttrString(descr, "byteorder")}, kind{PyObject_GetAttrString(descr, "kind")};
    if (!order.p || !kind.p) throw python_error{};
    return PyUnicode_CompareWithASCIIString(order.p, ">") == 0 && std::strchr("iufcmM", PyUnicode_AsUTF8(kind.p)[0]);
}

// Arrays in the other byte order are converted; the copy is read-only, because writes to it would not reach the
// original.
static array from_swapped(PyObject* n, PyObject* descr, bool share, device where) {
    reference const native{PyObject_CallMethod(descr, "newbyteorder", "s", "=")};
    reference const copied{native.p ? PyObject_CallMethod(n, "astype", "O", native.p) : nullptr};
    if (!copied.p) throw python_error{};
    array a = array_from_numpy(copied.p, share, where);
    if (share) a.writeable = false, a.memory()->writeable = false;
    return a;
}

array operand_from_numpy(PyObject* n, bool share, device where) {
    static PyObject* const dtype_name = PyUnicode_InternFromString("dtype");
    reference const descr{where.api->host_memory ? PyObject_GetAttr(n, dtype_name) : nullptr};
    if (descr.p && is_swapped(descr.p)) dtype_from_descriptor(descr.p);  // refuses it
    PyErr_Clear();
    return array_from_numpy(n, share, where);
}

array array_from_numpy(PyObject* n, bool share, device where) {
    if (!is_numpy_array(n) && !is_numpy_scalar(n))
        throw type_error(std::string("expected a numpy.ndarray, got ") + Py_TYPE(n)->tp_name);
    static PyObject* const dtype_name = PyUnicode_InternFromString("dtype");
    reference const descr{PyObject_GetAttr(n, dtype_name)};
    if (!descr.p) throw python_error{};
    if (is_swapped(descr.p)) return from_swapped(n, descr.p, share, where);
    if (share && !where.api->host_memory)
        throw value_error("[asarray] an array of NumPy's lies in the host's memory, which " + where.name() +
                          " cannot share: leave copy=False out");
    dtype const t = dtype_from_descriptor(descr.p);
    reference keeper{nullptr};
    numpy_layout const l = layout_of(n, t, keeper);
    PyObject* const owner = keeper.p && !is_numpy_array(n) ? keeper.p : n;
    // NumPy reads a boolean from any byte.
    if (!share && is_boolean(t.id) && where.api->host_memory) {
        auto const bytes = extent(l.shape, l.strides, 0, t.itemsize);
        return astype(wrap(where, l.address, make_dtype(type_id::uint8), l.shape, l.strides, drop_owner,
                           Py_NewRef(owner), false, bytes.first, bytes.second - bytes.first),
                      t);
    }
    if (!share) return from_host(where, l.address, t, l.shape, l.strides);
    auto const reach = extent(l.shape, l.strides, 0, t.itemsize);
    return wrap(where, l.address, t, l.shape, l.strides, drop_owner, Py_NewRef(owner), !l.read_only, reach.first,
                reach.second - reach.first);
}

bool has_first_say(PyObject* o) {
    auto* const type = reinterpret_cast<PyObject*>(Py_TYPE(o));
    if (PyObject_HasAttrString(type, "__array_ufunc__")) return true;
    reference const priority{PyObject_GetAttrString(type, "__array_priority__")};
    double const p = priority.p ? PyFloat_AsDouble(priority.p) : 0;
    PyErr_Clear();
    return p > 0;
}

namespace {
// Operators accept what NumPy's do: sequences and objects that convert to arrays, unless they have operators that take
// precedence.
bool gives_array(PyObject* o) {
    if (has_first_say(o)) return false;
    auto* const type = reinterpret_cast<PyObject*>(Py_TYPE(o));
    for (char const* name : {"__array__", "__array_interface__", "__array_struct__"})
        if (PyObject_HasAttrString(type, name)) return true;
    return PySequence_Check(o) && !PyUnicode_Check(o) && !PyBytes_Check(o);
}
}  // namespace

bool to_argument(PyObject* o, held_argument& out, accept what, device like) {
    if (is_array(o)) {
        out.arg.a = &value_of(o);
        return true;
    }
    if (python_scalar(o, out.arg)) return true;
    bool const numpy_scalar = is_numpy_scalar(o);
    if (numpy_scalar || (is_numpy_array(o) && what == accept::everything) || is_numpy_array(o)) {
        bool const zero_d = numpy_scalar || (PyObject_Length(o) < 0 && (PyErr_Clear(), true));
        if (!zero_d && !like.api->host_memory)
            throw type_error("numpy.ndarray and a bascule array on " + like.name() +
                             " do not mix: move it by bascule.asarray(x, device='" + like.name() + "')");
        plan_constant v{};
        type_id t{};
        if (numpy_scalar && like.api->host_memory && numpy_number(o, t, v))
            eager::set_scalar(out.held, like, make_dtype(t), v);
        else if (numpy_scalar) out.held = array_from_any(o, like), out.held.scalar = true;
        else out.held = operand_from_numpy(o, like.api->host_memory, like);
        out.arg.a = &out.held;
        return true;
    }
    if (PyLong_Check(o)) return integer_argument(o, out.arg);
    if (PyFloat_Check(o)) {
        out.arg.weak = weak_kind::floating, out.arg.type = type_id::float64, out.arg.value.f64[0] = PyFloat_AsDouble(o);
        return true;
    }
    if (PyList_Check(o) || PyTuple_Check(o) || (what == accept::operators && gives_array(o))) {
        out.held = array_from_any(o, like);
        out.arg.a = &out.held;
        return true;
    }
    if (what == accept::operators) return false;
    out.held = array_from_any(o, like);
    out.arg.a = &out.held;
    return true;
}

array const* mask_from(PyObject* o, held_argument& hold, device like) {
    if (o == Py_True) return nullptr;
    to_argument(o, hold, accept::everything, like);
    if (!hold.arg.a) {
        hold.held =
            full(like, make_dtype(type_id::bool_), {}, cast_constant(hold.arg.value, hold.arg.type, type_id::bool_));
        hold.arg.a = &hold.held;
    }
    // Sequences are read as booleans, arrays must hold them, as for NumPy.
    if (hold.arg.a->type.id != type_id::bool_ && !is_array(o) && !is_numpy_array(o)) {
        hold.held = astype(*hold.arg.a, make_dtype(type_id::bool_));
        hold.arg.a = &hold.held;
    }
    if (hold.arg.a->type.id != type_id::bool_)
        throw type_error(std::string("Cannot cast array data from dtype('") + type_name(hold.arg.a->type.id) +
                         "') to dtype('bool') according to the rule 'safe'");
    return hold.arg.a;
}

template <class T> static T read(plan_constant const& v) {
    T t;
    std::memcpy(&t, v.bytes, sizeof t);
    return t;
}

PyObject* item_to_python(plan_constant v, dtype t) {
    switch (t.id) {
        case type_id::bool_: return PyBool_FromLong(v.bytes[0]);
        case type_id::int8: return PyLong_FromLong(read<std::int8_t>(v));
        case type_id::uint8: return PyLong_FromLong(read<std::uint8_t>(v));
        case type_id::int16: return PyLong_FromLong(read<std::int16_t>(v));
        case type_id::uint16: return PyLong_FromLong(read<std::uint16_t>(v));
        case type_id::int32: return PyLong_FromLong(read<std::int32_t>(v));
        case type_id::uint32: return PyLong_FromUnsignedLong(read<std::uint32_t>(v));
        case type_id::int64: return PyLong_FromLongLong(v.i64);
        case type_id::uint64: return PyLong_FromUnsignedLongLong(v.u64);
        case type_id::float64: return PyFloat_FromDouble(v.f64[0]);
        case type_id::float32: return PyFloat_FromDouble(v.f32[0]);
        case type_id::float16: return PyFloat_FromDouble(cast_constant(v, type_id::float16, type_id::float64).f64[0]);
        case type_id::complex64: return PyComplex_FromDoubles(v.f32[0], v.f32[1]);
        case type_id::complex128: return PyComplex_FromDoubles(v.f64[0], v.f64[1]);
        default: {
            PyObject* descr = numpy_dtype(t);
            PyObject* frombuffer = numpy_attribute("frombuffer");
            PyObject* bytes = PyBytes_FromStringAndSize(reinterpret_cast<char const*>(v.bytes), 8);
            PyObject* one = PyObject_CallFunctionObjArgs(frombuffer, bytes, descr, nullptr);
            PyObject* item = one ? PyObject_CallMethod(one, "item", nullptr) : nullptr;
            for (PyObject* o : {descr, frombuffer, bytes, one}) Py_XDECREF(o);
            return item;
        }
    }
}

namespace {
std::int64_t extent_from(PyObject* o) {
    reference const i{PyNumber_Index(o)};
    if (!i.p) throw python_error{};
    int overflow = 0;
    std::int64_t const n = PyLong_AsLongLongAndOverflow(i.p, &overflow);
    if (overflow) throw value_error("Maximum allowed dimension exceeded");
    if (n == -1 && PyErr_Occurred()) throw python_error{};
    return n;
}
}  // namespace

dims dims_from(PyObject* o) {
    if (PyLong_Check(o) || !PySequence_Check(o) || is_array(o)) return {extent_from(o)};
    // A tuple of its own: asking an element may run code that changes the list.
    reference const all{PySequence_Tuple(o)};
    if (!all.p) throw python_error{};
    dims d;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(all.p); ++k) d.push_back(extent_from(PyTuple_GET_ITEM(all.p, k)));
    return d;
}

PyObject* to_tuple(dims const& d) {
    PyObject* t = PyTuple_New(d.size());
    for (int i = 0; t && i < d.size(); ++i) PyTuple_SET_ITEM(t, i, PyLong_FromLongLong(d[i]));
    return t;
}

namespace {
// numpy.exceptions.AxisError is a ValueError and an IndexError.
void set_axis_error(axis_error const& of) noexcept {
    reference const exceptions{PyImport_ImportModule("numpy.exceptions")};
    reference const type{exceptions.p ? PyObject_GetAttrString(exceptions.p, "AxisError") : nullptr};
    reference const e{type.p ? PyObject_CallFunction(type.p, "Li", static_cast<long long>(of.axis), of.ndim) : nullptr};
    if (e.p) PyErr_SetObject(type.p, e.p);
}
}  // namespace

int axis_from(PyObject* o, int ndim) {
    PyObject* i = PyNumber_Index(o);
    if (!i) throw python_error{};
    auto axis = PyLong_AsLongLong(i);
    Py_DECREF(i);
    if (PyErr_Occurred()) throw python_error{};
    return arguments::axis(axis, ndim);
}

std::uint64_t axes_from(PyObject* o, int ndim) {
    if (!o || o == Py_None) return ~std::uint64_t{0};
    // NumPy lets the axes 0 and -1 of an array without axes pass, where no tuple is given.
    if (!PyTuple_Check(o)) return std::uint64_t{1} << axis_from(o, std::max(ndim, 1));
    std::uint64_t axes = 0;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(o); ++k) {
        auto const bit = std::uint64_t{1} << axis_from(PyTuple_GET_ITEM(o, k), ndim);
        if (axes & bit) throw value_error("duplicate value in 'axis'");
        axes |= bit;
    }
    return axes;
}

PyObject* raise_current() noexcept {
    if (errstate::current.found) errstate::drop_of_call();
    try {
        throw;
    } catch (python_error const&) {
    } catch (interrupted const&) {
        if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (axis_error const& e) { set_axis_error(e); } catch (overflow_error const& e) {
        PyErr_SetString(PyExc_OverflowError, e.what());
    } catch (value_error const& e) { PyErr_SetString(PyExc_ValueError, e.what()); } catch (refused_dtype const& e) {
        set_refusal(e.what());
    } catch (type_error const& e) { PyErr_SetString(PyExc_TypeError, e.what()); } catch (index_error const& e) {
        PyErr_SetString(PyExc_IndexError, e.what());
    } catch (memory_error const& e) { PyErr_SetString(PyExc_MemoryError, e.what()); } catch (not_supported const& e) {
        PyErr_SetString(PyExc_NotImplementedError, e.what());
    } catch (std::bad_alloc const&) { PyErr_NoMemory(); } catch (std::exception const& e) {
        PyErr_SetString(PyExc_RuntimeError, e.what());
    }
    return nullptr;
}

namespace {
device the_default_device{};
}
device default_device() { return the_default_device.api ? the_default_device : device{cpu_backend(), 0}; }
void set_default_device(device d) { the_default_device = d; }
device device_of(PyObject* name) { return name == Py_None ? default_device() : find_device(text_of(name)); }

std::string text_of(PyObject* o) {
    char const* const text = PyUnicode_AsUTF8(o);
    if (!text) throw python_error{};
    return text;
}

void evaluate_released(array const& a) {
    if (a.memory()->ready() && !a.memory()->running) return;
    if (evaluate_little(a.memory())) return;
    array const held = a;  // a copy, since other code may change the Python object
    without_gil const released(is_long_work(held.memory()->bytes() / 8) || held.memory()->pending != nullptr);
    evaluate(std::span(&held, 1));
}

}  // namespace bascule::python
