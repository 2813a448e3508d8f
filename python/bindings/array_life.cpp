// How objects of bascule.ndarray begin and end. Programs make them by the million: some that ended are kept for the
// next.
#include <utility>

#include "array_object.hpp"

namespace bascule::python {
namespace {

constexpr int spare_capacity = 64;
void* spare[spare_capacity];  // objects of the type, which they go on holding, under the GIL
int spare_count = 0;

// With an array without a value whose storage waits for one, ready to hold what a small operation makes.
constexpr int furnished_capacity = 16;
void* furnished[furnished_capacity];
int furnished_count = 0;

PyObject* begin_again(void* kept) {
    auto* const o = static_cast<PyObject*>(kept);
    Py_SET_REFCNT(o, 1);
    return o;
}

// What of an array can hold another value is kept.
bool keep_furnished(array_object* o) noexcept {
    array& a = o->value;
    if (furnished_count == furnished_capacity || !a.memory() || !a.where().api->host_memory) return false;
    if (!a.memory()->clear_if_alone()) return false;
    o->weak_references = o->base = nullptr;
    if (a.ndim() > 1) a.shape = dims(), a.strides = dims();
    a.offset = 0, a.scalar = false, a.writeable = true;
    furnished[furnished_count++] = o;
    return true;
}

// All but the value; null with an error set for lack of memory.
array_object* new_object() {
    PyObject* o = nullptr;
    if (spare_count > 0) {
        o = begin_again(spare[--spare_count]);
    } else {
        void* const memory = PyObject_Malloc(sizeof(array_object));
        if (!memory) return reinterpret_cast<array_object*>(PyErr_NoMemory());
        o = PyObject_Init(static_cast<PyObject*>(memory), array_type);
    }
    auto* const made = reinterpret_cast<array_object*>(o);
    made->weak_references = made->base = nullptr;
    return made;
}

void set_base(PyObject* view, PyObject* of) {
    PyObject* const base = reinterpret_cast<array_object*>(of)->base;
    reinterpret_cast<array_object*>(view)->base = Py_NewRef(base ? base : of);
}

}  // namespace

PyObject* new_array() {
    if (furnished_count > 0) return begin_again(furnished[--furnished_count]);
    array_object* const o = new_object();
    if (!o) throw python_error{};
    new (&o->value) array;
    return reinterpret_cast<PyObject*>(o);
}

PyObject* to_python(array a) {
    array_object* const o = new_object();
    if (o) new (&o->value) array(std::move(a));
    return reinterpret_cast<PyObject*>(o);
}

PyObject* new_view(PyObject* of) {
    array_object* const o = new_object();
    if (!o) throw python_error{};
    array const& a = value_of(of);
    new (&o->value) array(a.memory_ref(), a.type, a.offset);
    o->value.writeable = a.writeable;
    set_base(reinterpret_cast<PyObject*>(o), of);
    return reinterpret_cast<PyObject*>(o);
}

PyObject* view_to_python(array a, PyObject* of) {
    bool const shares = a.memory() == value_of(of).memory();
    PyObject* const r = to_python(std::move(a));
    if (r && shares) set_base(r, of);
    return r;
}

void drop_array(PyObject* self) noexcept {
    auto* o = reinterpret_cast<array_object*>(self);
    if (o->weak_references) PyObject_ClearWeakRefs(self);
    PyObject* const base = o->base;
    if (!base && keep_furnished(o)) return;
    o->value.~array();
    if (spare_count < spare_capacity) {
        spare[spare_count++] = self;
    } else {
        PyObject_Free(self);
        Py_DECREF(array_type);
    }
    Py_XDECREF(base);  // last, so that it may be found to hold its memory alone
}

}  // namespace bascule::python
