#include "initial.hpp"

#include "bascule/array/eager.hpp"

namespace bascule::python {
namespace {

// Numbers that no conversion changes or refuses.
bool is_as_given(PyObject* o, type_id loop) {
    if (PyFloat_CheckExact(o)) return loop == type_id::float64;
    if (!PyLong_CheckExact(o) || !(loop == type_id::int64 || loop == type_id::float64)) return false;
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(o, &overflow);
    return overflow == 0;
}

// The type of a scalar that holds all values of another.
type_id widest(type_id t) {
    if (is_boolean(t)) return t;
    if (is_integer(t)) return is_unsigned_integer(t) ? type_id::uint64 : type_id::int64;
    return is_complex(t) ? type_id::complex128 : type_id::float64;
}

}  // namespace

void read_initial(PyObject* given, dtype loop, device where, held_argument& to) {
    bool const on_device = is_array(given) && !value_of(given).where().api->host_memory;
    if (is_array(given) && value_of(given).ndim() > 0) throw value_error("setting an array element with a sequence.");
    if (on_device || is_as_given(given, loop.id)) {
        to_argument(given, to, accept::everything, where);
        return;
    }
    reference const type{numpy_dtype(loop)};
    reference const one{type.p ? PyObject_CallMethod(numpy_module(), "zeros", "(()O)", type.p) : nullptr};
    reference const everything{one.p ? PyTuple_New(0) : nullptr};
    if (!everything.p || PyObject_SetItem(one.p, everything.p, given) < 0) throw python_error{};
    if (is_time(loop.id)) {
        to.held = array_from_numpy(one.p, false, where), to.arg.a = &to.held;
        return;
    }
    array const made = array_from_numpy(one.p, false, {cpu_backend(), 0});
    type_id const held = widest(loop.id);
    to.arg = {nullptr, cast_constant(item(made), loop.id, held), held, weak_kind::strong};
}

}  // namespace bascule::python
