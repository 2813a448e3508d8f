// a[key] and a[key] = v: the common keys at once, the rest through index_entry lists.
#include <algorithm>
#include <utility>

#include "array_object.hpp"
#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/ops/table.hpp"
#include "functions.hpp"

namespace bascule::python {

namespace {

using what = index_entry::what;

index_entry slice_entry(PyObject* o) {
    auto* s = reinterpret_cast<PySliceObject*>(o);
    index_entry e;
    e.kind = what::slice;
    auto read = [](PyObject* v, std::int64_t& out) {
        if (v == Py_None) return false;
        PyObject* i = PyNumber_Index(v);
        if (!i) {
            PyErr_SetString(PyExc_TypeError, "slice indices must be integers or None or have an __index__ method");
            throw python_error{};
        }
        int overflow = 0;
        out = PyLong_AsLongLongAndOverflow(i, &overflow);
        Py_DECREF(i);
        constexpr std::int64_t far = std::int64_t{1} << 62;
        // An integer too large for 64 bits is clipped, far out of the range of every axis.
        if (overflow != 0 || out > far || out < -far) out = (overflow != 0 ? overflow < 0 : out < 0) ? -far : far;
        return true;
    };
    e.slice.has_start = read(s->start, e.slice.start);
    e.slice.has_stop = read(s->stop, e.slice.stop);
    std::int64_t step = 1;
    if (read(s->step, step)) e.slice.step = step;
    return e;
}

// NumPy words it by whether an array was given or something that would have to become one.
[[noreturn]] void refuse_index(bool is_array) {
    throw index_error(is_array ? "arrays used as indices must be of integer (or boolean) type"
                               : "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
                                 "boolean arrays are valid indices");
}

// Positions that come from the host stay there: wrong ones are reported at the call.
index_entry array_entry(PyObject* o, device alongside) {
    device const where = alongside.api->host_memory ? alongside : device{cpu_backend(), 0};
    index_entry e;
    e.kind = what::array;
    bool const was_array = is_array(o) ? !value_of(o).scalar : is_numpy_array(o);
    if (is_array(o)) {
        e.array = value_of(o);
    } else {
        held_argument h;
        try {
            if (is_numpy_array(o)) {
                e.array = array_from_numpy(o, where.api->host_memory, where);
            } else {
                to_argument(o, h, accept::everything, where);
                e.array = h.arg.a ? *h.arg.a : array();
            }
        } catch (refused_dtype const&) { refuse_index(was_array); }
        // An empty list is an index array of integers.
        if (e.array.memory() && e.array.size() == 0 && PyList_Check(o))
            e.array = empty(where, make_dtype(type_id::int64), e.array.shape);
    }
    if (!e.array.memory() || (!is_integer(e.array.type.id) && !is_boolean(e.array.type.id))) refuse_index(was_array);
    if (is_integer(e.array.type.id) && e.array.ndim() == 0) {
        e.kind = what::integer;
        e.integer = cast_constant(item(e.array), e.array.type.id, type_id::int64).i64;
        e.from_array = was_array;
        e.array = array();
    }
    return e;
}

index_entry entry_from(PyObject* o, device where) {
    index_entry e;
    if (PyUnicode_Check(o) || PyBytes_Check(o)) refuse_index(false);
    if (PyLong_CheckExact(o)) {
        e.kind = what::integer;
        e.integer = PyLong_AsLongLong(o);
        if (PyErr_Occurred()) {
            PyErr_Clear();
            refuse_index(false);
        }
        return e;
    }
    if (PySlice_Check(o)) return slice_entry(o);
    if (o == Py_None) {
        e.kind = what::new_axis;
        return e;
    }
    if (o == Py_Ellipsis) return e;
    if (PyBool_Check(o)) {
        plan_constant v{};
        v.bytes[0] = o == Py_True;
        e.kind = what::array;
        e.array = full(where, make_dtype(type_id::bool_), {}, v);
        return e;
    }
    if (!is_array(o) && !is_numpy_array(o) && PyIndex_Check(o)) {
        reference const i{PyNumber_Index(o)};
        if (!i.p) throw python_error{};
        return entry_from(i.p, where);
    }
    return array_entry(o, where);
}

std::span<PyObject* const> parts_of(PyObject* const& key) {
    if (!PyTuple_CheckExact(key)) return {&key, 1};
    return {&PyTuple_GET_ITEM(key, 0), static_cast<std::size_t>(PyTuple_GET_SIZE(key))};
}

bool is_integer_key(PyObject* key, int ndim) {
    auto const parts = parts_of(key);
    if (static_cast<int>(parts.size()) != ndim) return false;
    for (PyObject* p : parts)
        if (!PyLong_CheckExact(p)) return false;
    return true;
}

// The view that Python integers, slices, None and one Ellipsis select. Empty: another key, or an invalid one.
std::optional<array> fast_view(array const& a, PyObject* key) {
    auto const parts = parts_of(key);
    int axes = 0, ellipses = 0;
    for (PyObject* p : parts) {
        if (PyLong_CheckExact(p) || PySlice_Check(p)) ++axes;
        else if (p == Py_Ellipsis) ++ellipses;
        else if (p != Py_None) return {};
    }
    int const left = a.ndim() - axes;
    if (left < 0 || ellipses > 1 || a.ndim() + static_cast<int>(parts.size()) > max_dims) return {};
    array v(a.memory_ref(), a.type, a.offset);
    v.writeable = a.writeable;
    auto const keep = [&](std::int64_t extent, std::int64_t stride) {
        v.shape.push_back(extent);
        v.strides.push_back(stride);
    };
    int axis = 0;
    auto const keep_all = [&](int count) {
        for (; count > 0; --count, ++axis) keep(a.shape[axis], a.strides[axis]);
    };
    for (PyObject* p : parts) {
        if (p == Py_None) {
            keep(1, 0);
        } else if (p == Py_Ellipsis) {
            keep_all(left);
        } else if (PySlice_Check(p)) {
            Py_ssize_t start = 0, stop = 0, step = 0;
            if (PySlice_Unpack(p, &start, &stop, &step) < 0) throw python_error{};
            auto const count = PySlice_AdjustIndices(a.shape[axis], &start, &stop, step);
            v.offset += count > 0 ? start * a.strides[axis] : 0;
            keep(count, a.strides[axis] * step);
            ++axis;
        } else {
            int overflow = 0;
            auto i = PyLong_AsLongLongAndOverflow(p, &overflow);
            auto const n = a.shape[axis];
            if (overflow || i < -n || i >= n) return {};
            v.offset += (i < 0 ? i + n : i) * a.strides[axis++];
        }
    }
    keep_all(a.ndim() - axis);
    return v;
}

// Whether a position is an array of the Array API's namespace.
bool any_kept(PyObject* key) {
    auto const parts = parts_of(key);
    return std::any_of(parts.begin(), parts.end(), is_kept_scalar);
}

// The value at one position; null without an error where the general form is to answer.
PyObject* fast_value(array const& a, PyObject* key) {
    auto const offset = element_offset(a, key);
    if (!offset || any_kept(key)) return nullptr;
    plan_constant v{};
    return eager::read(a, *offset, v) ? numpy_scalar(v, a.type) : nullptr;
}

// A full integer index gives a value, not a view: later writes to the array do not change it.
array as_value(array const& element) {
    array v = copy(element);
    v.scalar = true;
    return v;
}

bool all_integers(std::span<index_entry const> index) {
    for (auto const& e : index)
        if (e.kind != what::integer) return false;
    return true;
}

// The result of a full index: a flagged array if the array, or an index, is one.
PyObject* element(PyObject* self, PyObject* key, array const& v) {
    PyObject* const r = to_python(as_value(v));
    return any_kept(key) ? r : scalar_or_array(r, self, self);
}

}  // namespace

void warn_of_lost_imaginary_part(type_id from, type_id to) {
    if (!is_complex(from) || !(is_integer(to) || is_float(to))) return;
    reference const module{PyImport_ImportModule("bascule._array.caller_warnings")};
    reference const warned{module.p ? PyObject_CallMethod(module.p, "lost_imaginary_part", nullptr) : nullptr};
    if (!warned.p) throw python_error{};
}

void check_python_scalar(argument const& v, type_id t) {
    if (v.a) return;
    check_python_integer(v, t);
    if (v.weak == weak_kind::complex_ && (is_integer(t) || is_float(t))) {
        if (is_integer(t))
            throw type_error("int() argument must be a string, a bytes-like object or a real number, not 'complex'");
        throw type_error("float() argument must be a string or a real number, not 'complex'");
    }
    if (v.weak != weak_kind::floating || !is_integer(t)) return;
    double const x = v.value.f64[0];
    if (x != x) throw value_error("cannot convert float NaN to integer");
    if (x - x != 0) throw overflow_error("cannot convert float infinity to integer");
    if (!(x >= -0x1p63 && x < (t == type_id::uint64 ? 0x1p64 : 0x1p63)))
        throw overflow_error("Python int too large to convert to C long");
    argument whole;
    whole.weak = weak_kind::integer, whole.type = type_id::int64;
    if (x >= 0x1p63) return;
    whole.value.i64 = static_cast<std::int64_t>(x);
    check_python_integer(whole, t);
}

std::vector<index_entry> index_from(PyObject* key, device where) {
    std::vector<index_entry> out;
    if (!PyTuple_Check(key)) {
        out.push_back(entry_from(key, where));
        return out;
    }
    out.resize(static_cast<std::size_t>(PyTuple_GET_SIZE(key)));
    // Invalid indices are reported before errors of slices.
    for (bool const slices : {false, true})
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(key); ++k)
            if (PyObject* const part = PyTuple_GET_ITEM(key, k); (PySlice_Check(part) != 0) == slices)
                out[static_cast<std::size_t>(k)] = entry_from(part, where);
    return out;
}

namespace {

struct run_of_axis {
    Py_ssize_t start, step, count;
};

// An end of a slice within n elements; false: it is no plain integer, or a huge one.
bool read_end(PyObject* o, Py_ssize_t otherwise, Py_ssize_t n, Py_ssize_t& to) {
    if (o == Py_None) return to = otherwise, true;
    if (!PyLong_CheckExact(o)) return false;
    to = PyLong_AsSsize_t(o);
    if (to == -1 && PyErr_Occurred()) return PyErr_Clear(), false;
    if (to < 0) to += n;
    to = std::clamp<Py_ssize_t>(to, 0, n);
    return true;
}

// The elements of n that the slice selects; empty with an error set.
std::optional<run_of_axis> run_of(PyObject* key, Py_ssize_t n) {
    auto const* const s = reinterpret_cast<PySliceObject*>(key);
    Py_ssize_t start = 0, stop = 0, step = 0;
    if (s->step == Py_None && read_end(s->start, 0, n, start) && read_end(s->stop, n, n, stop))
        return run_of_axis{start, 1, std::max<Py_ssize_t>(stop - start, 0)};
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) return {};
    auto const count = PySlice_AdjustIndices(n, &start, &stop, step);
    return run_of_axis{start, step, count};
}

}  // namespace

PyObject* get_item(PyObject* self, PyObject* key) {
    return guarded([&]() -> PyObject* {
        array const& a = value_of(self);
        if (PySlice_Check(key) && a.ndim() > 0) {
            auto const run = run_of(key, a.shape[0]);
            if (!run) return nullptr;
            PyObject* const r = new_view(self);
            array& v = value_of(r);
            v.offset += run->count > 0 ? run->start * a.strides[0] : 0;
            v.shape.push_back(run->count), v.strides.push_back(a.strides[0] * run->step);
            for (int d = 1; d < a.ndim(); ++d) v.shape.push_back(a.shape[d]), v.strides.push_back(a.strides[d]);
            return r;
        }
        if (a.ndim() > 0)
            if (PyObject* const r = fast_value(a, key)) return r;
        if (auto v = fast_view(a, key))
            return v->ndim() == 0 && is_integer_key(key, a.ndim()) ? element(self, key, *v)
                                                                   : view_to_python(std::move(*v), self);
        bool const list = PyList_CheckExact(key) && PyList_GET_SIZE(key) > 0;
        if (a.ndim() > 0 && (list || (is_array(key) && value_of(key).ndim() > 0 && is_integer(value_of(key).type.id))))
            if (PyObject* const r = rows_at(self, key)) return r;
        auto index = index_from(key, a.where());
        if (index.size() == 1) index[0].temporary = Py_REFCNT(key) == 1;
        array const of = a;  // a copy, since other code may change `self` meanwhile
        array v;
        {
            without_gil const released(is_long_work(of.size()) && !is_basic(index));
            v = bascule::get_item(of, index);
        }
        bool const value = v.ndim() == 0 && static_cast<int>(index.size()) == a.ndim() && all_integers(index);
        return value ? element(self, key, v) : view_to_python(std::move(v), self);
    });
}

namespace {
// Nested sequences that are deeper than their target are refused before their elements are read.
void check_depth(PyObject* v, argument const& value, array const& target) {
    if (!(PyList_Check(v) || PyTuple_Check(v)) || !value.a || value.a->ndim() <= target.ndim()) return;
    if (target.ndim() == 0) throw value_error("setting an array element with a sequence.");
    throw value_error(
        "setting an array element with a sequence. The requested array would exceed the maximum number of "
        "dimension of " +
        std::to_string(target.ndim()) + ".");
}

// The integer or float that a scalar holds; null: it is no such scalar.
PyObject* number_in(PyObject* v) {
    type_id t{};
    plan_constant x{};
    if (is_array(v)) {
        array const& a = value_of(v);
        if (!a.scalar || !eager::read(a, a.offset, x)) return nullptr;
        t = a.type.id;
    } else if (!numpy_number(v, t, x)) {
        return nullptr;
    }
    return is_integer(t) || is_float(t) ? item_to_python(x, make_dtype(t)) : nullptr;
}

// A list or tuple of numbers, which become elements of `to` as they are, or integers that become floats; null: not so.
PyObject* listed_elements(PyObject* v, array const& to) {
    bool const listed = PyList_CheckExact(v) || PyTuple_CheckExact(v);
    if (!listed || to.ndim() == 0 || !(to.where() == default_device())) return nullptr;
    reference made{array_of_list(v)};
    if (!made.p || value_of(made.p).type == to.type) return std::exchange(made.p, nullptr);
    bool const widens = value_of(made.p).type.id == type_id::int64 && to.type.id == type_id::float64;
    return widens ? fast_cast_result(value_of(made.p), to.type) : nullptr;
}
bool has_ellipsis(PyObject* key) {
    if (!PyTuple_Check(key)) return key == Py_Ellipsis;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(key); ++k)
        if (PyTuple_GET_ITEM(key, k) == Py_Ellipsis) return true;
    return false;
}

// The elements of any other list as ones of the array's type, converted by NumPy, which raises where they do not fit;
// null: not a list, or one of times, which have rules of their own.
PyObject* elements_by_numpy(PyObject* v, array const& to) {
    if (!(PyList_Check(v) || PyTuple_Check(v)) || is_time(to.type.id)) return nullptr;
    reference const type{numpy_dtype(to.type)};
    PyObject* const made = type.p ? PyObject_CallMethod(numpy_module(), "asarray", "OO", v, type.p) : nullptr;
    if (!made) throw python_error{};
    return made;
}

// Whether a sequence or an array with axes is written to one boolean, which becomes bool(sequence).
bool becomes_boolean(array const& target, PyObject* v, PyObject* key) {
    if (target.type.id != type_id::bool_ || target.ndim() > 0 || has_ellipsis(key)) return false;
    if (!is_array(v) && (!PySequence_Check(v) || PyUnicode_Check(v) || PyBytes_Check(v))) return false;
    if (PyObject_Size(v) >= 0) return true;
    PyErr_Clear();
    return false;
}

// One element, which integers select, takes no array with axes.
void check_element(array const& target, array const* value, PyObject* key) {
    if (target.ndim() == 0 && value && value->ndim() > 0 && !has_ellipsis(key))
        throw value_error("setting an array element with a sequence.");
}

// Nor a list, for which NumPy raises the error of its element type.
void check_element(array const& target, PyObject* v, PyObject* key) {
    if (target.ndim() > 0 || !(PyList_Check(v) || PyTuple_Check(v)) || has_ellipsis(key)) return;
    reference const d{numpy_dtype(target.type)}, zero{PyLong_FromLong(0)};
    reference const one{PyObject_CallMethod(numpy_module(), "zeros", "iO", 1, d.p)};
    if (!one.p || !zero.p || PyObject_SetItem(one.p, zero.p, v) < 0) throw python_error{};
}
}  // namespace

int set_item(PyObject* self, PyObject* key, PyObject* v) {
    if (!v) {
        PyErr_SetString(PyExc_ValueError, "cannot delete array elements");
        return -1;
    }
    reference done{guarded([&]() -> PyObject* {
        array const& a = value_of(self);
        // Whether an integer is zero does not depend on its size.
        if (a.type.id == type_id::bool_ && PyLong_CheckExact(v)) v = boolean_of(v) ? Py_True : Py_False;
        plan_constant element;
        bool const plain = a.ndim() > 0 && plain_element(v, a.type.id, element);
        if (plain)
            if (auto const offset = element_offset(a, key); offset && eager::store(a, *offset, element))
                return Py_NewRef(Py_None);
        auto part = fast_view(a, key);
        auto const set_boolean = [&] {
            return set_item(self, key, boolean_of(v) ? Py_True : Py_False) < 0 ? nullptr : Py_NewRef(Py_None);
        };
        if (part && becomes_boolean(*part, v, key)) return set_boolean();
        if (part && plain && eager::fill(*part, element)) return Py_NewRef(Py_None);
        reference const listed{plain ? nullptr : listed_elements(v, a)};
        array const* const values = listed.p ? &value_of(listed.p) : is_array(v) ? &value_of(v) : nullptr;
        if (part) check_element(*part, v, key), check_element(*part, values, key);
        bool const too_deep = listed.p && part && values->ndim() > part->ndim();
        if (part && values && !too_deep && eager::assign(*part, *values)) return Py_NewRef(Py_None);
        if (!part && is_array(key) && value_of(key).type.id == type_id::bool_ &&
            (plain ? eager::fill_selected(a, value_of(key), Py_REFCNT(key) == 1, element)
                   : values && eager::assign_selected(a, value_of(key), Py_REFCNT(key) == 1, *values)))
            return Py_NewRef(Py_None);
        if (!part && is_array(key) && (plain || values) &&
            eager::scatter(a, value_of(key), plain ? &element : nullptr, values))
            return Py_NewRef(Py_None);
        std::vector<index_entry> index;
        if (!part) {
            index = index_from(key, a.where());
            if (is_basic(index)) part = basic_index(a, index);  // a wrong index is reported first
            if (part && becomes_boolean(*part, v, key)) return set_boolean();
        }
        // A scalar assigned to signed integers is checked like a number; unsigned ones wrap.
        bool const numbers = !plain && part && is_integer(a.type.id) && !is_unsigned_integer(a.type.id);
        reference const as_number{numbers ? number_in(v) : nullptr};
        if (as_number.p) v = as_number.p;
        held_argument h;
        bool const other_time = is_time(a.type.id) && !(is_array(v) && value_of(v).type == a.type);
        PyObject* const inputs[] = {v, self};
        reference const converted{other_time ? by_time_rules("assign", inputs, nullptr) : nullptr};
        if (other_time && !converted.p) return nullptr;
        reference const elements{listed.p ? nullptr : elements_by_numpy(v, a)};
        if (elements.p) h.held = array_from_numpy(elements.p, false, a.where()), h.arg.a = &h.held;
        else to_operand(other_time ? converted.p : v, h, accept::everything, self, a.where(), ops::number<ops::cast>);
        check_python_scalar(h.arg, a.type.id);
        if (h.arg.a) warn_of_lost_imaginary_part(h.arg.a->type.id, a.type.id);
        checked_call const scope(checked_call::gil{is_long_work(a.size())});
        h.own();
        if (part) {
            if (!a.writeable) throw value_error("assignment destination is read-only");
            check_depth(v, h.arg, *part);
            check_element(*part, h.arg.a, key);
            without_gil const released(is_long_work(part->size()));
            assign(*part, h.arg);
        } else {
            array const to = a;
            without_gil const released(is_long_work(to.size()));
            bascule::set_item(to, index, h.arg);
        }
        return Py_NewRef(Py_None);
    })};
    if (!done.p) {
        PyObject* const given[] = {self, key, v};
        done.p = by_numpy("assignment", "__setitem__", given, 3, nullptr);
    }
    return done.p ? 0 : -1;
}

}  // namespace bascule::python
