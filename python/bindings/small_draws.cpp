// A few random numbers, on the CPU and at once.
#include <algorithm>
#include <bit>
#include <vector>

#include "bascule/array/graph.hpp"
#include "op_numbers.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

std::optional<std::uint64_t> word_from(PyObject* o) {
    if (!PyLong_CheckExact(o)) return {};
    std::uint64_t const v = PyLong_AsUnsignedLongLong(o);
    if (v == ~std::uint64_t{0} && PyErr_Occurred()) return PyErr_Clear(), std::nullopt;
    return v;
}

std::optional<std::int64_t> count_from(PyObject* o) {
    auto const n = integer_from(o);
    return n && is_small_count(*n) ? n : std::nullopt;
}

std::optional<std::uint16_t> draw_from(PyObject* name) {
    static constexpr auto uniform = number_of("random_uniform"), normal = number_of("random_normal");
    if (!PyUnicode_Check(name)) return {};
    if (PyUnicode_CompareWithASCIIString(name, "random_uniform") == 0) return uniform;
    if (PyUnicode_CompareWithASCIIString(name, "random_normal") == 0) return normal;
    return {};
}

array words(std::int64_t n, std::uint64_t key, std::uint64_t first) {
    return counter_fill(default_device(), make_dtype(type_id::uint64), dims{n}, ops::number<ops::random_bits>, key,
                        first);
}

// (name, count, key, first position, shift, scale): shift + scale * draws of float64, on the default device.
PyObject* small_random(arguments args) {
    auto const op = draw_from(args[0]);
    auto const n = count_from(args[1]);
    auto const key = word_from(args[2]), first = word_from(args[3]);
    if (!op || !n || !key || !first || !PyFloat_CheckExact(args[4]) || !PyFloat_CheckExact(args[5])) return nullptr;
    if (!in_host_memory_by_default()) return nullptr;
    double const shift = PyFloat_AS_DOUBLE(args[4]), scale = PyFloat_AS_DOUBLE(args[5]);
    array r = counter_fill(default_device(), make_dtype(type_id::float64), dims{*n}, *op, *key, *first);
    if (scale == 1 && shift == 0) return to_python(std::move(r));
    if (!r.memory()->ready()) return nullptr;
    auto* const v = begin_of<double>(r);
    if (scale != 1) std::transform(v, v + *n, v, [scale](double x) { return scale * x; });
    if (shift != 0) std::transform(v, v + *n, v, [shift](double x) { return shift + x; });
    return to_python(std::move(r));
}

// (count, key, first position): the order that sorts random bits, which take their positions along in the lowest ones.
PyObject* small_order(arguments args) {
    auto const n = count_from(args[0]);
    auto const key = word_from(args[1]), first = word_from(args[2]);
    if (!n || !key || !first || !in_host_memory_by_default()) return nullptr;
    array r = words(*n, *key, *first);
    if (!r.memory()->ready()) return nullptr;
    auto* const begin = begin_of<std::uint64_t>(r);
    std::uint64_t const low = (std::uint64_t{1} << std::bit_width(static_cast<std::uint64_t>(*n - 1))) - 1;
    for (std::int64_t i = 0; i < *n; ++i) begin[i] = (begin[i] & ~low) | static_cast<std::uint64_t>(i);
    std::sort(begin, begin + *n);
    for (std::int64_t i = 0; i < *n; ++i) begin[i] &= low;
    r.type = make_dtype(type_id::int64);
    return to_python(std::move(r));
}

}  // namespace

bool add_small_draws(PyObject* module) {
    static PyMethodDef functions[] = {
        small_definition<small_random, 6>("small_random"), small_definition<small_order, 3>("small_order"), {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
