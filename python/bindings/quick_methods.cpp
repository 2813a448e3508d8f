// Methods of ndarray that programs call on small arrays by the million: their common forms, without any Python.
// Whatever else is asked for goes to the method's general form, a Python function that bascule.array_methods registers.
#include <algorithm>
#include <array>
#include <bitset>
#include <string_view>
#include <vector>

#include "array_object.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

// Extents or axes given one by one or as a tuple; empty: not plain integers.
std::optional<dims> plain_integers(arguments args) {
    if (args.size() == 1 && PyTuple_CheckExact(args[0]))
        args = {&PyTuple_GET_ITEM(args[0], 0), static_cast<std::size_t>(PyTuple_GET_SIZE(args[0]))};
    if (args.size() > max_dims) return {};
    dims d;
    for (PyObject* o : args) {
        int overflow = 0;
        if (!PyLong_CheckExact(o)) return {};
        d.push_back(PyLong_AsLongLongAndOverflow(o, &overflow));
        if (overflow) return {};
    }
    return d;
}

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
    return args.empty() ? to_python(bascule::copy(value_of(self), 'C')) : nullptr;
}

PyObject* astype(PyObject* self, arguments args) {
    if (args.size() != 1) return nullptr;
    array const& a = value_of(self);
    dtype const t = dtype_from(args[0]);
    bool const loses_imaginary_part = is_complex(a.type.id) && (is_integer(t.id) || is_float(t.id));
    if (loses_imaginary_part || is_time(a.type.id) || is_time(t.id)) return nullptr;
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

struct method {
    std::string_view name;
    PyObject* (*common)(PyObject* self, arguments args);
};
constexpr method methods[] = {{"reshape", reshape}, {"transpose", transpose}, {"ravel", ravel},
                              {"copy", copy},       {"astype", astype},       {"item", item}};
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
