// The parts of small arrays of floating-point numbers, and numbers put together of such.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bascule/array/graph.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

// A plain small array with axes, of float64 or float32; null: something else. `cost` of an element, where the common
// kernels take one.
array const* small_floats(PyObject* o, int cost) {
    if (!is_array(o) || value_of(o).ndim() == 0 || !is_plain_small(value_of(o), cost * value_of(o).size()))
        return nullptr;
    type_id const t = value_of(o).type.id;
    return t == type_id::float64 || t == type_id::float32 ? &value_of(o) : nullptr;
}

template <class F> void with_floats(type_id t, F&& f) {
    if (t == type_id::float64) f(double{});
    else f(float{});
}

PyObject* pair_of(array first, array second) {
    reference const a{to_python(std::move(first))}, b{a.p ? to_python(std::move(second)) : nullptr};
    return b.p ? PyTuple_Pack(2, a.p, b.p) : nullptr;
}

// (x): mantissas and exponents
PyObject* small_frexp(arguments args) {
    graph_lock lock;
    array const* const x = small_floats(args[0], 16);
    if (!x) return nullptr;
    array mantissas = empty(x->where(), x->type, x->shape),
          exponents = empty(x->where(), make_dtype(type_id::int32), x->shape);
    with_floats(x->type.id, [&]<class T>(T) {
        auto const* const from = begin_of<T>(*x);
        for (std::int64_t i = 0; i < x->size(); ++i) {
            int exponent = 0;
            begin_of<T>(mantissas)[i] = std::frexp(from[i], &exponent);
            begin_of<std::int32_t>(exponents)[i] = std::isfinite(from[i]) ? exponent : 0;
        }
    });
    return pair_of(std::move(mantissas), std::move(exponents));
}

// (x): what follows the point, and what stands before it
PyObject* small_modf(arguments args) {
    graph_lock lock;
    array const* const x = small_floats(args[0], 1);
    if (!x) return nullptr;
    array rest = empty(x->where(), x->type, x->shape), whole = empty(x->where(), x->type, x->shape);
    with_floats(x->type.id, [&]<class T>(T) {
        auto const* const from = begin_of<T>(*x);
        for (std::int64_t i = 0; i < x->size(); ++i) begin_of<T>(rest)[i] = std::modf(from[i], begin_of<T>(whole) + i);
    });
    return pair_of(std::move(rest), std::move(whole));
}

// (x, exponents): of int64 beside x, or one for all; declines where there is overflow or underflow to tell of.
PyObject* small_ldexp(arguments args) {
    graph_lock lock;
    array const* const x = small_floats(args[0], 32);
    if (!x) return nullptr;
    array const* const many = is_array(args[1]) ? &value_of(args[1]) : nullptr;
    constexpr std::int64_t another = std::numeric_limits<std::int64_t>::max();
    std::int64_t const one = many ? 0 : integer_from(args[1]).value_or(another);
    if (one != static_cast<std::int32_t>(one)) return nullptr;
    if (many && (many->type.id != type_id::int64 || !(many->shape == x->shape) || !is_plain_small(*many)))
        return nullptr;
    array r = empty(x->where(), x->type, x->shape);
    bool usual = true;
    with_floats(x->type.id, [&]<class T>(T) {
        auto const* const from = begin_of<T>(*x);
        auto const* const exponents = many ? begin_of<std::int64_t>(*many) : nullptr;
        for (std::int64_t i = 0; i < x->size() && usual; ++i) {
            std::int64_t const e = exponents ? exponents[i] : one;
            T const v = std::ldexp(from[i], static_cast<int>(std::clamp<std::int64_t>(e, -5000, 5000)));
            usual = std::isnormal(v) || from[i] == 0;
            begin_of<T>(r)[i] = v;
        }
    });
    return usual ? to_python(std::move(r)) : nullptr;
}

}  // namespace

bool add_small_parts(PyObject* module) {
    static PyMethodDef functions[] = {small_definition<small_frexp, 1>("small_frexp"),
                                      small_definition<small_modf, 1>("small_modf"),
                                      small_definition<small_ldexp, 2>("small_ldexp"),
                                      {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
