// Elements put into copies of small arrays.
#include <cstring>

#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

// Copies cost little: longer arrays than those that are computed with are copied at once.
std::int64_t work_of_copy(std::int64_t n) { return 1 + n / 8; }
bool is_line(PyObject* o) {
    if (!is_array(o)) return false;
    array const& a = value_of(o);
    return a.ndim() == 1 && is_plain_small(a, work_of_copy(a.size()));
}

array copy_with(array const& a, std::int64_t at, std::byte const* put, std::int64_t count) {
    array r = empty(a.where(), a.type, dims{a.size() + count});
    std::byte *const to = begin_of<std::byte>(r), *const from = begin_of<std::byte>(a);
    auto const bytes = [&a](std::int64_t n) { return static_cast<std::size_t>(n * a.itemsize()); };
    std::memcpy(to, from, bytes(at));
    std::memcpy(to + bytes(at), put, bytes(count));
    std::memcpy(to + bytes(at + count), from + bytes(at), bytes(a.size() - at));
    return r;
}

// (a, position, value): of one axis, with a value before one element or behind the last.
PyObject* small_insert(arguments args) {
    auto const at = integer_from(args[1]);
    if (!at) return nullptr;
    graph_lock lock;
    if (!is_line(args[0])) return nullptr;
    array const& a = value_of(args[0]);
    std::int64_t const n = a.size();
    plan_constant v{};
    if (*at < -n || *at > n || is_time(a.type.id) || !plain_element(args[2], a.type.id, v)) return nullptr;
    return to_python(copy_with(a, *at < 0 ? *at + n : *at, reinterpret_cast<std::byte const*>(v.bytes), 1));
}

// (a, b): lines of one type, or lists of numbers, with a number of its own kind or another line behind the last
// element.
PyObject* small_append(arguments args) {
    small_operand line, more;
    if (!line.take(args[0])) return nullptr;
    bool const number = PyFloat_CheckExact(args[1]) || PyLong_CheckExact(args[1]);
    if (!number && !more.take(args[1])) return nullptr;
    graph_lock lock;
    array const& a = line.value();
    if (!is_line(line.object)) return nullptr;
    if (!number) {
        array const& b = more.value();
        if (!is_line(more.object) || !(b.type == a.type) || !(b.where() == a.where())) return nullptr;
        return to_python(copy_with(a, a.size(), begin_of<std::byte>(b), b.size()));
    }
    bool const same_kind = a.type.id == type_id::float64 || (PyLong_CheckExact(args[1]) && a.type.id == type_id::int64);
    plan_constant v{};
    if (!same_kind || !plain_element(args[1], a.type.id, v)) return nullptr;
    return to_python(copy_with(a, a.size(), reinterpret_cast<std::byte const*>(v.bytes), 1));
}

}  // namespace

bool add_small_edits(PyObject* module) {
    static PyMethodDef functions[] = {
        small_definition<small_insert, 3>("small_insert"), small_definition<small_append, 2>("small_append"), {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
