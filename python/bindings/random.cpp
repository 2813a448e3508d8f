// What bascule.random calls: leaves of random values and draws with parameters.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "array_object.hpp"
#include "bascule/array/random.hpp"
#include "bascule/core/device.hpp"
#include "bascule/ops/table.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

device place(py::object const& name) {
    return name.is_none() ? default_device() : find_device(py::cast<std::string>(py::str(name)));
}

std::uint16_t op_of(std::string const& name, ops::form call, char const* who) {
    int const number = ops::find(name.c_str());
    if (number < 0 || ops::table[number].call != call)
        throw value_error(std::string("[") + who + "] no such op: " + name);
    return static_cast<std::uint16_t>(number);
}

// f(), whose exceptions become Python's, as an array.
template <class F> py::object call_array(F&& f) {
    PyObject* r = guarded([&]() -> PyObject* { return to_python(f()); });
    if (!r) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(r);
}

}  // namespace

void bind_random(py::module_& m) {
    m.def("counter_fill", [](std::string const& op, py::object shape, py::object dtype, std::uint64_t key,
                             std::uint64_t first, py::object device) {
        return call_array([&] {
            return counter_fill(place(device), dtype_from(dtype.ptr()), dims_from(shape.ptr()),
                                op_of(op, ops::form::counter, "counter_fill"), key, first);
        });
    });
    m.def("draw", [](std::string const& op, py::object shape, std::uint64_t key, std::uint64_t first, py::object device,
                     py::args parameters) {
        return call_array([&] {
            auto const where = place(device);
            std::vector<held_argument> held(parameters.size());
            std::vector<argument> args;
            for (std::size_t k = 0; k < held.size(); ++k) {
                if (!to_argument(parameters[k].ptr(), held[k], accept::everything, where))
                    throw type_error("[draw] parameters are numbers or arrays");
                args.push_back(held[k].arg);
            }
            return draw(where, dims_from(shape.ptr()), op_of(op, ops::form::draw, "draw"), key, first, args);
        });
    });
}

}  // namespace bascule::python
