// The metaclass of arrays, for `isinstance(x, ndarray)` and `class X(ndarray)`. A class derived from arrays is one of
// NumPy's, and its instances are arrays. In the accelerated mode (interop/accelerated.py) NumPy's own arrays are, too.
// The type of an array never changes, and has no subclasses. This file also allocates and frees arrays: programs make
// them by the million, so some freed ones are kept for reuse.
#include <utility>

#include "array_object.hpp"
#include "bascule/array/spill.hpp"

namespace bascule::python {

namespace {

constexpr char const* array_doc = R"(An array of numbers, dates or durations, on the CPU or a GPU.

    Made by `array`, `asarray`, `zeros`, `arange` and other functions, and by what is computed from arrays; not by calling
    the class. Views share memory as NumPy's do. What element-wise calls and reductions give is computed when a value is
    read, in as few passes over memory as possible; `explain` tells what waits. Results have no other bits by that.

    Attributes
    ----------
    shape, strides, ndim, size, itemsize, nbytes
        As in NumPy.
    dtype : numpy.dtype
        Type of the elements.
    device : str
        Where the array lies.
    T, mT, real, imag : ndarray
        Views.
    flags, flat, base, data, ctypes
        As in NumPy; those that show memory need an array on the CPU.

    Notes
    -----
    What NumPy gives as a scalar (full reductions, full integer indexing, operators on arrays without axes) is NumPy's own
    scalar where the memory is the host's: such a reduction is computed at the call. On CUDA it is an array without axes,
    not computed until it is read, that stands for a scalar: it hashes, formats and converts as numbers do. In the
    namespace of the Array API (`x.__array_namespace__()`) everything is an array.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.arange(6).reshape(2, 3)
    >>> (x + 1)[:, ::2].sum(axis=1).tolist()
    [4, 10]
    )";

PyObject* numpys_arrays() {
    PyObject* const numpy = numpy_module();
    return numpy ? PyObject_GetAttrString(numpy, "ndarray") : nullptr;
}

bool asks_for_arrays(PyObject* type) { return type == reinterpret_cast<PyObject*>(array_type); }

// The default answer of `type`, for objects that define the check themselves, such as proxies.
PyObject* ask_type(char const* question, PyObject* type, PyObject* x) {
    return PyObject_CallMethod(reinterpret_cast<PyObject*>(&PyType_Type), question, "OO", type, x);
}

bool numpys_count = false;  // in the accelerated mode
char const* const mark = "_derived_from_bascule_ndarray";

// A class of NumPy's arrays that counts as one of ours.
bool counts(PyTypeObject* type) {
    reference const theirs{numpys_arrays()};
    if (!theirs.p) throw python_error{};
    if (!PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(theirs.p))) return false;
    return numpys_count || PyObject_HasAttrString(reinterpret_cast<PyObject*>(type), mark);
}

PyObject* is_instance(PyObject* type, PyObject* x) noexcept {
    return guarded([&] {
        if (asks_for_arrays(type) && (is_array(x) || (is_numpy_array(x) && counts(Py_TYPE(x)))))
            return Py_NewRef(Py_True);
        return ask_type("__instancecheck__", type, x);
    });
}

PyObject* is_subclass(PyObject* type, PyObject* x) noexcept {
    return guarded([&] {
        if (asks_for_arrays(type) && PyType_Check(x) && counts(reinterpret_cast<PyTypeObject*>(x)))
            return Py_NewRef(Py_True);
        return ask_type("__subclasscheck__", type, x);
    });
}

// The additions to a class that derives from this library's arrays instead of NumPy's (bascule/derived.py), unless it
// defines them itself.
PyObject* with_view(PyObject* body) {
    PyObject* const all = PyDict_Copy(body);
    if (!all || PyDict_SetItemString(all, mark, Py_True) < 0 || PyDict_GetItemString(all, "view")) return all;
    reference const module{PyImport_ImportModule("bascule._array.subclasses")};
    reference const view{module.p ? PyObject_GetAttrString(module.p, "view") : nullptr};
    if (view.p && PyDict_SetItemString(all, "view", view.p) == 0) return all;
    Py_DECREF(all);
    return nullptr;
}

// class X(ndarray): derived from NumPy's instead, which x.view(X) shares memory with.
PyObject* derive(PyTypeObject*, PyObject* args, PyObject* keywords) {
    PyObject *name, *bases, *body;
    if (!PyArg_ParseTuple(args, "OO!O!:type", &name, &PyTuple_Type, &bases, &PyDict_Type, &body)) return nullptr;
    reference const others{PyTuple_New(PyTuple_GET_SIZE(bases))};
    if (!others.p) return nullptr;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(bases); ++k) {
        PyObject* const base = PyTuple_GET_ITEM(bases, k);
        PyObject* const other = asks_for_arrays(base) ? numpys_arrays() : Py_NewRef(base);
        if (!other) return nullptr;
        PyTuple_SET_ITEM(others.p, k, other);
    }
    reference const all{with_view(body)};
    reference const given{all.p ? Py_BuildValue("OOO", name, others.p, all.p) : nullptr};
    return given.p ? PyObject_Call(reinterpret_cast<PyObject*>(&PyType_Type), given.p, keywords) : nullptr;
}

PyMethodDef methods[] = {
    {"__instancecheck__", is_instance, METH_O, "Whether it is an array, or of a class derived from arrays."},
    {"__subclasscheck__", is_subclass, METH_O, "Whether it is the class of arrays, or derived from it."},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(derive)},
    {Py_tp_methods, methods},
    {0, nullptr},
};

PyType_Spec spec = {"bascule.array_class", 0, 0, Py_TPFLAGS_DEFAULT, slots};

}  // namespace

PyObject* numpys_operator(char const* name, PyObject* a, PyObject* b) {
    static PyObject* const operation = [] {
        reference const module{PyImport_ImportModule("bascule._array.subclasses")};
        return module.p ? PyObject_GetAttrString(module.p, "operation") : nullptr;
    }();
    if (!operation) throw python_error{};
    return PyObject_CallFunction(operation, "sOO", name, a, b);
}

void count_numpys_arrays(bool yes) { numpys_count = yes; }

bool give_class(PyTypeObject* arrays) {
    reference const doc{PyUnicode_FromString(array_doc)};
    if (!doc.p || PyObject_SetAttrString(reinterpret_cast<PyObject*>(arrays), "__doc__", doc.p) < 0) return false;
    // Derived from the metaclass of abstract base classes, so that such a class can be another base: class X(ndarray,
    // Sequence).
    reference const abc{PyImport_ImportModule("abc")};
    reference const abstract{abc.p ? PyObject_GetAttrString(abc.p, "ABCMeta") : nullptr};
    PyObject* const made = abstract.p ? PyType_FromSpecWithBases(&spec, abstract.p) : nullptr;
    if (!made) return false;
    Py_SET_TYPE(arrays, reinterpret_cast<PyTypeObject*>(made));  // which holds the reference
    PyType_Modified(arrays);
    return true;
}

namespace {

constexpr int spare_capacity = 64;
void* spare[spare_capacity];  // objects of the type, which they go on holding, under the GIL
int spare_count = 0;

// Freed arrays that keep an empty storage, ready to hold the result of a small operation.
constexpr int furnished_capacity = 16;
void* furnished[furnished_capacity];
int furnished_count = 0;

PyObject* begin_again(void* kept) {
    auto* const o = static_cast<PyObject*>(kept);
    Py_SET_REFCNT(o, 1);
    return o;
}

// Keeps the object if its storage can be reused for another value.
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
    if (!o) return nullptr;
    new (&o->value) array(std::move(a));
    spill::hand_out(o->value.memory());
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
