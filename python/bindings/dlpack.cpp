// DLPack capsules, and arrays over bare addresses (__cuda_array_interface__).
#include <pybind11/pybind11.h>

#include <memory>

#include "array_object.hpp"
#include "bascule/array/arguments.hpp"
#include "bascule/array/elementwise.hpp"
#include "bascule/io/dlpack.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

constexpr char const *plain = "dltensor", *plain_used = "used_dltensor", *versioned = "dltensor_versioned",
                     *versioned_used = "used_dltensor_versioned", *taken = "bascule.dlpack";

template <class Managed> void destroy(Managed* m) {
    if (m && m->deleter) m->deleter(m);
}

// A capsule that was not consumed releases its tensor.
template <class Managed, char const* const* Name> void drop_capsule(PyObject* capsule) {
    if (PyCapsule_IsValid(capsule, *Name)) destroy(static_cast<Managed*>(PyCapsule_GetPointer(capsule, *Name)));
}

template <class Managed, char const* const* Name> py::object capsule_of(Managed* m) {
    PyObject* c = PyCapsule_New(m, *Name, drop_capsule<Managed, Name>);
    if (!c) {
        destroy(m);
        throw py::error_already_set();
    }
    return py::reinterpret_steal<py::object>(c);
}

py::object to_capsule(py::handle h, bool with_version, bool copied, std::uintptr_t stream) {
    array const a = array_argument(h.ptr());
    if (char const* why = dlpack::why_not(a)) throw py::buffer_error(why);
    bool const writeable = a.writeable && a.memory()->writeable;
    if (!with_version && !writeable)
        throw py::buffer_error(
            "Cannot export readonly array since signalling readonly is unsupported by DLPack (supported by newer "
            "DLPack version).");
    evaluate_released(a);
    void* const consumer = reinterpret_cast<void*>(stream);
    if (with_version)
        return capsule_of<dlpack::managed_tensor_versioned, &versioned>(dlpack::share_versioned(a, copied, consumer));
    return capsule_of<dlpack::managed_tensor, &plain>(dlpack::share(a, consumer));
}

// The tensor moves from the producer's capsule into one of ours, which lives as long as the array does.
template <class Managed> py::object take_over(PyObject* capsule, Managed* m, char const* used) {
    PyObject* owner = PyCapsule_New(m, taken, drop_capsule<Managed, &taken>);
    if (!owner || PyCapsule_SetName(capsule, used) != 0) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(owner);
}

template <class Managed> py::object from_managed(PyObject* capsule, Managed* m, char const* used, bool writeable) {
    py::object owner = take_over(capsule, m, used);
    array a = dlpack::wrap_tensor(m->content, writeable, drop_owner, owner.ptr());
    owner.release();
    return py::reinterpret_steal<py::object>(to_python(std::move(a)));
}

py::object from_capsule(py::handle h) {
    PyObject* c = h.ptr();
    if (PyCapsule_IsValid(c, versioned)) {
        auto* m = static_cast<dlpack::managed_tensor_versioned*>(PyCapsule_GetPointer(c, versioned));
        if (m->version.major > dlpack::spoken.major)
            throw py::buffer_error("from_dlpack(): the exported DLPack major version " +
                                   std::to_string(m->version.major) + " is too high; bascule reads " +
                                   std::to_string(dlpack::spoken.major));
        return from_managed(c, m, versioned_used, (m->flags & dlpack::read_only_flag) == 0);
    }
    if (!PyCapsule_IsValid(c, plain))
        throw py::value_error("from_dlpack() got a capsule that is no DLPack tensor or was consumed already");
    // The old form cannot say that memory is read-only.
    return from_managed(c, static_cast<dlpack::managed_tensor*>(PyCapsule_GetPointer(c, plain)), plain_used, false);
}

// Another library's array, and the stream on which it goes on with its memory.
struct borrowed_memory {
    PyObject* owner;
    device where;
    void* stream;
};

void give_back(void* given) {
    std::unique_ptr<borrowed_memory> const b(static_cast<borrowed_memory*>(given));
    order_streams(b->where, b->stream, nullptr);
    drop_owner(b->owner);
}

// `stream`: that of the owner's work so far; 0 where it names none.
py::object from_address(py::object owner, std::uintptr_t address, py::object shape, py::object strides, py::object type,
                        bool writeable, std::string const& where, std::uintptr_t stream) {
    dtype const t = dtype_from(type.ptr());
    dims const extents = dims_from(shape.ptr());
    dims const steps = strides.is_none() ? contiguous_strides(extents, t.itemsize) : dims_from(strides.ptr());
    device const d = find_device(where);
    if (product(extents) == 0) return py::reinterpret_steal<py::object>(to_python(empty(d, t, extents)));
    void* const owners = reinterpret_cast<void*>(stream);
    if (owners) order_streams(d, nullptr, owners);
    auto const reach = extent(extents, steps, 0, t.itemsize);
    auto borrowed = std::make_unique<borrowed_memory>(owner.ptr(), d, owners);
    array a = wrap(d, reinterpret_cast<void*>(address), t, extents, steps, owners ? give_back : drop_owner,
                   owners ? static_cast<void*>(borrowed.get()) : owner.ptr(), writeable, reach.first,
                   reach.second - reach.first);
    owner.inc_ref();
    if (owners) borrowed.release();
    return py::reinterpret_steal<py::object>(to_python(aligned(a)));
}

}  // namespace

void bind_dlpack(py::module_& m) {
    m.def("to_dlpack", &to_capsule, py::arg("a"), py::arg("versioned"), py::arg("copied") = false,
          py::arg("stream") = 0);
    m.def("from_dlpack", &from_capsule);
    m.def("dlpack_device", [](py::handle a) {
        auto const p = dlpack::place_of(array_argument(a.ptr()).where());
        return py::make_tuple(static_cast<int>(p.kind), p.index);
    });
    m.def("from_address", &from_address, py::arg("owner"), py::arg("address"), py::arg("shape"), py::arg("strides"),
          py::arg("dtype"), py::arg("writeable"), py::arg("device"), py::arg("stream") = 0);
    m.def("synchronize_stream", [](std::string const& name, std::uintptr_t stream) {
        auto const d = find_device(name);
        status s;
        {
            without_gil const released(true);
            s = d.api->synchronize(d.index, reinterpret_cast<void*>(stream));
        }
        throw_if(s, d);
    });
}

}  // namespace bascule::python
