// The triangles of small matrices.
#include <algorithm>
#include <cstring>

#include "bascule/array/graph.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

// (m, k, upper): matrices in C order with zeros below the diagonal k, or above it.
PyObject* small_triangle(std::span<PyObject* const> args) {
    auto const diagonal = integer_from(args[1]);
    if (!is_array(args[0]) || !diagonal) return nullptr;
    std::int64_t const k = *diagonal;
    bool const upper = args[2] == Py_True;
    graph_lock lock;
    array const& m = value_of(args[0]);
    int const d = m.ndim();
    if (d < 2 || is_time(m.type.id) || !is_plain_small(m)) return nullptr;
    std::int64_t const columns = m.shape[d - 1], rows = m.shape[d - 2], item = m.itemsize();
    array r = empty(m.where(), m.type, m.shape);
    auto const* from = m.memory()->data() + m.offset;
    auto* to = r.memory()->data() + r.offset;
    std::int64_t const lines = m.size() / columns;
    // Those before `cut` are below the diagonal, or at it and below where that is what stays.
    std::int64_t const offset = std::clamp(k, -rows - 1, columns + 1) + (upper ? 0 : 1);
    for (std::int64_t i = 0; i < lines; ++i, from += columns * item, to += columns * item) {
        std::int64_t const cut = std::clamp<std::int64_t>(i % rows + offset, 0, columns);
        auto const before = static_cast<std::size_t>(cut * item),
                   behind = static_cast<std::size_t>((columns - cut) * item);
        if (upper) std::memset(to, 0, before), std::memcpy(to + before, from + before, behind);
        else std::memcpy(to, from, before), std::memset(to + before, 0, behind);
    }
    return to_python(std::move(r));
}

}  // namespace

bool add_small_triangles(PyObject* module) {
    static PyMethodDef functions[] = {small_definition<small_triangle, 3>("small_triangle"), {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
