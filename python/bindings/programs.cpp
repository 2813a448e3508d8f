// Programs in CUDA C++, streams and events, for bascule.cuda. Handles are addresses.
#include "bascule/array/programs.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstring>

#include "array_object.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/spill.hpp"
#include "bascule/core/device.hpp"
#include "bascule/core/device_services.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

using handle = std::uintptr_t;

void* pointer(handle h) { return reinterpret_cast<void*>(h); }
handle number(void* p) { return reinterpret_cast<handle>(p); }

backend_programs const& programs_of(device d) {
    if (!d.api->programs) throw not_supported("the device " + d.name() + " runs no programs in CUDA C++");
    return *d.api->programs;
}
backend_streams const& streams_of(device d) {
    if (!d.api->streams)
        throw not_supported("the device " + d.name() +
                            " has no streams: what it is given is done when the call returns");
    return *d.api->streams;
}
device_services const& graphs_of(device d) {
    auto const& services = services_of(d.api);
    if (!services.begin_capture)
        throw not_supported("[begin_capture] the device " + d.name() +
                            " has no streams that can be recorded: what it is given is done when the call returns");
    return services;
}

std::vector<char const*> pointers(std::vector<std::string> const& all) {
    std::vector<char const*> out;
    for (auto const& s : all) out.push_back(s.c_str());
    return out;
}

// (program, "") or, where the text does not compile, (None, the compiler's log).
py::tuple compile(std::string const& where, std::string const& name, std::string const& text,
                  std::vector<std::string> const& options, std::vector<std::string> const& expressions,
                  std::string const& folder) {
    device const d = find_device(where);
    auto const all_options = pointers(options), all_expressions = pointers(expressions);
    program_source source;
    source.name = name.c_str(), source.text = text.c_str(), source.folder = folder.c_str();
    source.options = all_options.data(), source.option_count = static_cast<std::int32_t>(options.size());
    source.expressions = all_expressions.data(),
    source.expression_count = static_cast<std::int32_t>(expressions.size());
    void* program = nullptr;
    status s;
    {
        py::gil_scoped_release const released;
        s = programs_of(d).compile(d.index, &source, &program);
    }
    if (s == status::compile_error) return py::make_tuple(py::none(), std::string(d.api->last_error()));
    throw_if(s, d);
    return py::make_tuple(number(program), "");
}

handle find(std::string const& where, handle program, std::string const& name) {
    device const d = find_device(where);
    void* function = nullptr;
    throw_if(programs_of(d).find(d.index, pointer(program), name.c_str(), &function), d);
    return number(function);
}

std::pair<handle, std::int64_t> global(std::string const& where, handle program, std::string const& name) {
    device const d = find_device(where);
    void* address = nullptr;
    std::int64_t bytes = 0;
    throw_if(programs_of(d).global(d.index, pointer(program), name.c_str(), &address, &bytes), d);
    return {number(address), bytes};
}

std::int32_t function_attribute(std::string const& where, handle function, std::int32_t which) {
    device const d = find_device(where);
    std::int32_t value = 0;
    throw_if(programs_of(d).attribute(d.index, pointer(function), which, &value), d);
    return value;
}

void set_function_attribute(std::string const& where, handle function, std::int32_t which, std::int32_t value) {
    device const d = find_device(where);
    throw_if(programs_of(d).set_attribute(d.index, pointer(function), which, value), d);
}

// An array: its address. A tuple with one: the same, and the kernel only reads it. bytes: a value. An integer: of the
// parameter's size.
kernel_argument argument_from(py::handle o) {
    kernel_argument a;
    if (is_array(o.ptr())) {
        a.is = kernel_argument::kind::pointer;
        a.memory = value_of(o.ptr());
        return a;
    }
    if (PyTuple_Check(o.ptr()) && PyTuple_GET_SIZE(o.ptr()) == 1) {
        a = argument_from(PyTuple_GET_ITEM(o.ptr(), 0));
        a.memory.writeable = false;
        return a;
    }
    if (PyBytes_Check(o.ptr())) {
        auto const* p = reinterpret_cast<std::byte const*>(PyBytes_AS_STRING(o.ptr()));
        a.bytes.assign(p, p + PyBytes_GET_SIZE(o.ptr()));
        return a;
    }
    a.is = kernel_argument::kind::python_integer;
    long long v = PyLong_AsLongLong(o.ptr());
    if (v == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        v = static_cast<long long>(PyLong_AsUnsignedLongLong(o.ptr()));
        if (PyErr_Occurred()) throw py::error_already_set();
    }
    a.bytes.resize(sizeof v);
    std::memcpy(a.bytes.data(), &v, sizeof v);
    return a;
}

void launch(std::string const& where, handle function, std::array<std::uint32_t, 3> grid,
            std::array<std::uint32_t, 3> block, std::uint32_t shared_bytes, py::tuple const& given) {
    device const d = find_device(where);
    launch_shape shape;
    std::copy(grid.begin(), grid.end(), shape.grid);
    std::copy(block.begin(), block.end(), shape.block);
    shape.shared_bytes = shared_bytes;
    std::vector<kernel_argument> arguments;
    for (py::handle const o : given) arguments.push_back(argument_from(o));
    {
        without_gil const released(true);
        launch_kernel(d, pointer(function), shape, arguments);
    }
}

void bind_streams(py::module_& m) {
    m.def("set_current_stream",
          [](std::string const& where, handle stream) { set_current_stream(find_device(where), pointer(stream)); });
    m.def("get_current_stream", [](std::string const& where) { return number(current_stream(find_device(where))); });
    m.def("has_streams", [](std::string const& where) { return find_device(where).api->streams != nullptr; });
    m.def("own_stream", [](std::string const& where) {
        device const d = find_device(where);
        return number(streams_of(d).own(d.index));
    });
    m.def("make_stream", [](std::string const& where, bool non_blocking, std::int32_t priority) {
        device const d = find_device(where);
        void* out = nullptr;
        throw_if(streams_of(d).create(d.index, non_blocking, priority, &out), d);
        return number(out);
    });
    m.def("drop_stream", [](std::string const& where, handle s) {
        device const d = find_device(where);
        streams_of(d).destroy(d.index, pointer(s));
    });
    m.def("stream_is_done", [](std::string const& where, handle s) {
        device const d = find_device(where);
        bool done = false;
        throw_if(streams_of(d).query(d.index, pointer(s), &done), d);
        return done;
    });
    m.def("stream_waits_for", [](std::string const& where, handle s, handle event) {
        device const d = find_device(where);
        throw_if(streams_of(d).wait_event(d.index, pointer(s), pointer(event)), d);
    });
}

// Arrays stay where they are from the beginning of a capture to the end of its graph.
void bind_graphs(py::module_& m) {
    m.def("begin_capture", [](std::string const& where, handle stream) {
        device const d = find_device(where);
        auto const& graphs = graphs_of(d);
        spill::begin_hold();
        status const s = graphs.begin_capture(d.index, pointer(stream));
        if (s == status::ok) return;
        spill::end_hold();
        throw_if(s, d);
    });
    m.def("end_capture", [](std::string const& where, handle stream) {
        device const d = find_device(where);
        void* graph = nullptr;
        status const s = graphs_of(d).end_capture(d.index, pointer(stream), &graph);
        if (s == status::ok) return number(graph);
        spill::end_hold();
        throw_if(s, d);
        return number(nullptr);
    });
    m.def("upload_graph", [](std::string const& where, handle graph, handle stream) {
        device const d = find_device(where);
        throw_if(graphs_of(d).upload_graph(d.index, pointer(graph), pointer(stream)), d);
    });
    m.def("launch_graph", [](std::string const& where, handle graph, handle stream) {
        device const d = find_device(where);
        without_gil const released(true);
        throw_if(graphs_of(d).launch_graph(d.index, pointer(graph), pointer(stream)), d);
    });
    m.def("drop_graph", [](std::string const& where, handle graph) {
        device const d = find_device(where);
        graphs_of(d).destroy_graph(d.index, pointer(graph));
        spill::end_hold();
    });
    m.def("set_writes_in_place", [](bool yes) { settings().writes_in_place = yes; });
}

void bind_events(py::module_& m) {
    m.def("make_event", [](std::string const& where, std::uint32_t flags) {
        device const d = find_device(where);
        void* out = nullptr;
        throw_if(streams_of(d).create_event(d.index, flags, &out), d);
        return number(out);
    });
    m.def("drop_event", [](std::string const& where, handle e) {
        device const d = find_device(where);
        streams_of(d).destroy_event(d.index, pointer(e));
    });
    m.def("record_event", [](std::string const& where, handle e, handle stream) {
        device const d = find_device(where);
        throw_if(streams_of(d).record(d.index, pointer(e), pointer(stream)), d);
    });
    m.def("event_is_done", [](std::string const& where, handle e) {
        device const d = find_device(where);
        bool done = false;
        throw_if(streams_of(d).query_event(d.index, pointer(e), &done), d);
        return done;
    });
    m.def("wait_for_event", [](std::string const& where, handle e) {
        device const d = find_device(where);
        status s;
        {
            without_gil const released(true);
            s = streams_of(d).synchronize_event(d.index, pointer(e));
        }
        throw_if(s, d);
    });
    m.def("elapsed_milliseconds", [](std::string const& where, handle from, handle to) {
        device const d = find_device(where);
        float ms = 0;
        throw_if(streams_of(d).elapsed(d.index, pointer(from), pointer(to), &ms), d);
        return ms;
    });
}

}  // namespace

void bind_programs(py::module_& m) {
    bind_graphs(m);
    m.def("compile_program", &compile);
    m.def("find_kernel", &find);
    m.def("find_variable", &global);
    m.def("kernel_attribute", &function_attribute);
    m.def("set_kernel_attribute", &set_function_attribute);
    m.def("launch_kernel", &launch);
    m.def("evaluate_waiting", [](std::string const& where) {
        device const d = find_device(where);
        without_gil const released(true);
        evaluate_waiting(d);
    });
    m.def("device_memory", [](std::string const& where) {
        device const d = find_device(where);
        std::int64_t free = 0, total = 0;
        throw_if(streams_of(d).memory(d.index, &free, &total), d);
        return std::pair(free, total);
    });
    m.def("device_attribute", [](std::string const& where, std::int32_t which) {
        device const d = find_device(where);
        std::int32_t value = 0;
        throw_if(streams_of(d).attribute(d.index, which, &value), d);
        return value;
    });
    bind_streams(m);
    bind_events(m);
}

}  // namespace bascule::python
