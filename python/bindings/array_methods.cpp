// Methods of ndarray that programs call on small arrays by the million: their common forms, without any Python.
// Whatever else is asked for goes to the method's general form, a Python function that bascule.array_methods registers.
#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "functions.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

// Each gives the result, or null without an error where the general form is to answer.
PyObject* reshape(PyObject* self, arguments args) {
    if (args.empty()) return nullptr;
    auto to = plain_integers(args);
    if (!to) return nullptr;
    array const& a = value_of(self);
    std::int64_t known = 1;
    int open = -1;
    for (int i = 0; i < to->size(); ++i) {
        auto const n = (*to)[i];
        if (n == -1 && open < 0) open = i;
        else if (n < 0 || __builtin_mul_overflow(known, n, &known)) return nullptr;
    }
    auto const size = a.size();
    if (open >= 0) {
        if (known == 0 || size % known != 0) return nullptr;
        (*to)[open] = size / known;
    } else if (known != size) {
        return nullptr;
    }
    if (!is_c_contiguous(a.shape, a.strides, a.itemsize())) return view_to_python(reshape_view_or_copy(a, *to), self);
    PyObject* const r = new_view(self);
    array& v = value_of(r);
    v.shape = *to;
    v.strides.resize(to->size());
    auto stride = a.itemsize();
    for (int i = to->size() - 1; i >= 0; --i) {
        v.strides[i] = stride;
        stride *= std::max<std::int64_t>((*to)[i], 1);
    }
    return r;
}

PyObject* transpose(PyObject* self, arguments args) {
    array const& a = value_of(self);
    int const n = a.ndim();
    int axes[max_dims];
    if (args.empty()) {
        for (int i = 0; i < n; ++i) axes[i] = n - 1 - i;
    } else {
        auto const given = plain_integers(args);
        std::bitset<max_dims> seen;
        if (!given || given->size() != n) return nullptr;
        for (int i = 0; i < n; ++i) {
            auto const axis = (*given)[i] + ((*given)[i] < 0 ? n : 0);
            if (axis < 0 || axis >= n || seen[static_cast<std::size_t>(axis)]) return nullptr;
            seen.set(static_cast<std::size_t>(axis));
            axes[i] = static_cast<int>(axis);
        }
    }
    return view_to_python(bascule::transpose(a, std::span<int const>(axes, static_cast<std::size_t>(n))), self);
}

PyObject* ravel(PyObject* self, arguments args) {
    array const& a = value_of(self);
    if (!args.empty() || !is_c_contiguous(a.shape, a.strides, a.itemsize())) return nullptr;
    return view_to_python(reshape_view_or_copy(a, dims{a.size()}), self);
}

PyObject* copy(PyObject* self, arguments args) {
    if (args.empty()) return to_python(bascule::copy(value_of(self), 'C'));
    array const& a = value_of(self);
    bool const keeps = args.size() == 1 && PyUnicode_CheckExact(args[0]) && a.ndim() > 0 &&
                       PyUnicode_CompareWithASCIIString(args[0], "K") == 0;
    bool const same = keeps && is_c_contiguous(a.shape, a.strides, a.itemsize());
    return same ? to_python(bascule::copy(a, 'C')) : nullptr;
}

PyObject* flatten(PyObject* self, arguments args) {
    array const& a = value_of(self);
    if (!args.empty() || a.ndim() == 0) return nullptr;
    return to_python(reshape_view_or_copy(bascule::copy(a, 'C'), dims{a.size()}));
}

PyObject* squeeze(PyObject* self, arguments args) {
    if (!args.empty()) return nullptr;
    array const& a = value_of(self);
    dims shape, strides;
    for (int i = 0; i < a.ndim(); ++i)
        if (a.shape[i] != 1) shape.push_back(a.shape[i]), strides.push_back(a.strides[i]);
    return view_to_python(bascule::view(a, shape, strides, a.offset), self);
}

PyObject* take(PyObject* self, arguments args) { return args.size() == 1 ? take_of(self, args[0], Py_None) : nullptr; }

template <class T> T read(std::byte const* p) {
    T v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

PyObject* number_at(std::byte const* p, type_id t) {
    switch (t) {
        case type_id::float64: return PyFloat_FromDouble(read<double>(p));
        case type_id::float32: return PyFloat_FromDouble(static_cast<double>(read<float>(p)));
        case type_id::int64: return PyLong_FromLongLong(read<std::int64_t>(p));
        case type_id::int32: return PyLong_FromLong(read<std::int32_t>(p));
        case type_id::uint8: return PyLong_FromLong(read<std::uint8_t>(p));
        default: return PyBool_FromLong(read<std::uint8_t>(p));
    }
}

PyObject* nested_list(array const& a, int axis, std::byte const*& next) {
    reference list{PyList_New(static_cast<Py_ssize_t>(a.shape[axis]))};
    if (!list.p) throw python_error{};
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.p); ++i) {
        PyObject* v = nullptr;
        if (axis + 1 < a.ndim()) v = nested_list(a, axis + 1, next);
        else v = number_at(next, a.type.id), next += a.itemsize();
        if (!v) throw python_error{};
        PyList_SET_ITEM(list.p, i, v);
    }
    return std::exchange(list.p, nullptr);
}

PyObject* tolist(PyObject* self, arguments args) {
    array const a = value_of(self);  // which stays, whatever runs while lists are made
    if (!args.empty() || a.ndim() == 0) return nullptr;
    switch (a.type.id) {
        case type_id::float64:
        case type_id::float32:
        case type_id::int64:
        case type_id::int32:
        case type_id::uint8:
        case type_id::bool_: break;
        default: return nullptr;
    }
    if (a.size() == 0 || !a.where().api->host_memory) return nullptr;
    evaluate_released(a);
    std::vector<std::byte> elements(static_cast<std::size_t>(a.size() * a.itemsize()));
    to_host(a, elements.data());
    std::byte const* next = elements.data();
    return nested_list(a, 0, next);
}

PyObject* astype(PyObject* self, arguments args) {
    if (args.size() != 1) return nullptr;
    array const& a = value_of(self);
    dtype const t = dtype_from(args[0]);
    if (PyObject* const r = small_time_cast(a, t)) return r;
    bool const loses_imaginary_part = is_complex(a.type.id) && (is_integer(t.id) || is_float(t.id));
    if (loses_imaginary_part || is_time(a.type.id) || is_time(t.id)) return nullptr;
    if (PyObject* const r = quick_cast_result(a, t)) return r;
    checked_call const scope;
    return to_python(bascule::astype(a, t));
}

PyObject* item(PyObject* self, arguments args) {
    array const& a = value_of(self);
    std::int64_t at = 0;
    if (args.size() == 1 && PyLong_CheckExact(args[0])) {
        int overflow = 0;
        at = PyLong_AsLongLongAndOverflow(args[0], &overflow);
        if (at < 0) at += a.size();
        if (overflow || at < 0 || at >= a.size()) return nullptr;
    } else if (!args.empty() || a.size() != 1) {
        return nullptr;
    }
    evaluate_released(a);
    return item_to_python(bascule::item(a, at), a.type);
}

constexpr char const* flatten_doc = R"(flatten($self, /, order='C')
--

The elements along one axis, always a copy.

    Parameters
    ----------
    order : {"C", "F", "A", "K"}, optional
        Whether elements are counted with the last or the first axis running fastest; "A" is "F" for arrays that lie so, "K"
        the order in memory.

    Returns
    -------
    ndarray, shape (size,)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([[1, 2], [3, 4]]).flatten("F").tolist()
    [1, 3, 2, 4]
)";
constexpr char const* squeeze_doc = R"(squeeze($self, /, axis=None)
--

A view without axes of length one.

    Parameters
    ----------
    axis : int or tuple of int, optional
        Axes to leave out; all of length one when absent.

    Returns
    -------
    ndarray
        A view: it shares the array's memory.

    Raises
    ------
    ValueError
        An axis has another length than one.
    numpy.exceptions.AxisError
        There is no such axis.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.ones((1, 3, 1)).squeeze().shape
    (3,)
)";
constexpr char const* take_doc = R"(take($self, /, indices, axis=None, out=None, mode='raise')
--

Elements at given positions.

    Parameters
    ----------
    indices : array_like of int, any shape
        Positions; negative ones count from the end.
    axis : int, optional
        The axis; the flattened array when absent.
    out : ndarray, optional
        Where the result goes; it must have the result's shape.
    mode : {"raise", "wrap", "clip"}, optional
        What a position beyond the end does.

    Returns
    -------
    ndarray, shape shape[:axis] + indices.shape + shape[axis + 1:]

    Raises
    ------
    IndexError
        A position lies beyond the end.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([10, 20, 30]).take([2, 0]).tolist()
    [30, 10]
)";
constexpr char const* tolist_doc = R"(tolist($self, /)
--

The elements as nested lists of Python scalars.

    Returns
    -------
    list, or a scalar where there are no axes

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([[1, 2], [3, 4]]).tolist()
    [[1, 2], [3, 4]]
)";
struct method {
    std::string_view name;
    PyObject* (*common)(PyObject* self, arguments args);
};
constexpr method methods[] = {{"reshape", reshape},
                              {"transpose", transpose},
                              {"ravel", ravel},
                              {"copy", copy},
                              {"astype", astype},
                              {"item", item},
                              {"flatten", flatten},
                              {"squeeze", squeeze},
                              {"take", take},
                              {"tolist", tolist},
                              {"__array_ufunc__", quick_override}};
PyObject* general_forms[std::size(methods)];

template <int Which> PyObject* call(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept {
    return guarded([&]() -> PyObject* {
        if (!names) {
            PyObject* const r = methods[Which].common(self, {args, static_cast<std::size_t>(n)});
            if (r || PyErr_Occurred()) return r;
        }
        auto const all = static_cast<std::size_t>(n + (names ? PyTuple_GET_SIZE(names) : 0));
        std::vector<PyObject*> with_self{self};
        with_self.insert(with_self.end(), args, args + all);
        return PyObject_Vectorcall(general_forms[Which], with_self.data(), static_cast<std::size_t>(n) + 1, names);
    });
}

template <int Which> PyMethodDef entry(char const* doc) {
    return {methods[Which].name.data(), reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call<Which>)),
            METH_FASTCALL | METH_KEYWORDS, doc};
}

}  // namespace

std::span<PyMethodDef const> quick_methods() {
    static PyMethodDef const definitions[] = {
        entry<0>("reshape($self, /, *shape, order='C', copy=None)\n--\n\nThe same elements in another shape."),
        entry<1>("transpose($self, /, *axes)\n--\n\nA view with the axes in another order."),
        entry<2>("ravel($self, /, order='C')\n--\n\nThe elements along one axis, a view where possible."),
        entry<3>("copy($self, /, order='C')\n--\n\nA copy."),
        entry<4>("astype($self, /, dtype, order='K', casting='unsafe', subok=True, copy=True)\n--\n\n"
                 "The elements as another type."),
        entry<5>("item($self, /, *args)\n--\n\nOne element as a Python scalar."),
        entry<6>(flatten_doc),
        entry<7>(squeeze_doc),
        entry<8>(take_doc),
        entry<9>(tolist_doc),
        entry<10>("__array_ufunc__($self, /, function, method, *inputs, **kwargs)\n--\n\n"
                  "The answer to one of NumPy's ufuncs (NEP 13)."),
    };
    return definitions;
}

bool set_general_form(std::string_view name, PyObject* function) {
    if (name == "operator_matmul") return set_general_product(function), true;
    for (std::size_t k = 0; k < std::size(methods); ++k) {
        if (methods[k].name != name) continue;
        Py_XSETREF(general_forms[k], Py_NewRef(function));
        return true;
    }
    return false;
}

}  // namespace bascule::python
