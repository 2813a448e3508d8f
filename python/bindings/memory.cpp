// Memory of devices: how much is in use, its limit, storages that were spilled from it, and the host's memory that
// devices copy to fastest.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <mutex>

#include "bascule/array/elementwise.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/spill.hpp"
#include "bascule/array/spill_file.hpp"
#include "bascule/core/device.hpp"
#include "bascule/core/device_services.hpp"
#include "functions.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

py::dict as_dict(backend_memory const& b, std::int64_t free_blocks) {
    py::dict r;
    r["in_use"] = b.in_use, r["held"] = b.held, r["peak"] = b.peak, r["limit"] = b.limit;
    r["free_blocks"] = free_blocks;
    return r;
}

// Pinned where the device supports it. The destructor waits until its copies are done.
class host_memory {
public:
    host_memory(device where, std::int64_t bytes) : where_(where), bytes_(bytes) {
        if (bytes < 0) throw value_error("[alloc_pinned_memory] a size is not negative, got " + std::to_string(bytes));
        auto const allocate = services_of(where.api).allocate_host;
        pinned_ = allocate != nullptr;
        if (pinned_) throw_if(allocate(where.index, bytes, &p_), where);
        else p_ = ::operator new(static_cast<std::size_t>(bytes));
    }
    ~host_memory() {
        if (!pinned_) {
            ::operator delete(p_);
            return;
        }
        where_.api->synchronize(where_.index, nullptr);
        services_of(where_.api).release_host(where_.index, p_, bytes_);
    }
    host_memory(host_memory const&) = delete;
    host_memory& operator=(host_memory const&) = delete;
    [[nodiscard]] void* address() const { return p_; }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }
    [[nodiscard]] bool is_pinned() const { return pinned_; }

private:
    device where_;
    std::int64_t bytes_;
    bool pinned_ = false;
    void* p_ = nullptr;
};

// Bytes that Python code keeps on disk, for any thread.
class temporary_file {
public:
    temporary_file(std::string directory, std::int64_t limit) : limit_(limit) { file_.lie_in(std::move(directory)); }
    std::int64_t write(py::buffer const& data) {
        auto const from = data.request();
        std::string problem;
        std::int64_t at = -1;
        bool done = false;
        {
            py::gil_scoped_release const released;
            std::lock_guard const locked(mutex_);
            std::int64_t const bytes = from.size * from.itemsize;
            at = file_.take(bytes, limit_, problem);
            done = at >= 0 && file_.write(at, from.ptr, bytes, problem);
            if (at >= 0 && !done) file_.give(at, bytes);
        }
        return done ? at : fails(problem);
    }
    void read(std::int64_t at, py::buffer const& to) {
        auto const there = to.request(true);
        std::string problem;
        bool done = false;
        {
            py::gil_scoped_release const released;
            std::lock_guard const locked(mutex_);
            done = file_.read(at, there.ptr, there.size * there.itemsize, problem);
        }
        if (!done) fails(problem);
    }

private:
    [[noreturn]] static std::int64_t fails(std::string const& problem) {
        PyErr_SetString(PyExc_OSError, ("[spill] " + problem).c_str());
        throw py::error_already_set();
    }
    std::mutex mutex_;
    spill::spill_file file_;
    std::int64_t limit_;
};

void bind_temporary_file(py::module_& m) {
    py::class_<temporary_file>(m, "TemporaryFile", "A file without a name, whose blocks have checksums.")
        .def(py::init<std::string, std::int64_t>(), py::arg("directory"), py::arg("limit"))
        .def("write", &temporary_file::write, py::arg("data"), "Where the bytes of a buffer are kept.")
        .def("read", &temporary_file::read, py::arg("at"), py::arg("to"), "Fill a buffer with bytes that are kept.");
}

void bind_pools(py::module_& m) {
    m.def("memory", [](std::string const& name) {
        auto const d = find_device(name);
        backend_memory b{};
        throw_if(d.api->memory(d.index, &b), d);
        auto const count = services_of(d.api).free_blocks;
        return as_dict(b, count ? count(d.index) : 0);
    });
    m.def("host_memory", [](std::string const& name) {  // the host's memory that devices keep for copies
        auto const d = find_device(name);
        backend_memory b{};
        auto const& services = services_of(d.api);
        if (services.host_memory) throw_if(services.host_memory(d.index, &b), d);
        return as_dict(b, services.host_free_blocks ? services.host_free_blocks(d.index) : 0);
    });
    m.def("set_memory_limit", [](std::string const& name, std::int64_t bytes) {
        auto const d = find_device(name);
        throw_if(d.api->set_memory_limit(d.index, bytes), d);
    });
    m.def("trim", [](std::string const& name) {
        auto const d = find_device(name);
        py::gil_scoped_release const released;
        return d.api->trim(d.index);
    });
    m.def("trim_host", [](std::string const& name) {
        auto const d = find_device(name);
        py::gil_scoped_release const released;
        auto const trim = services_of(d.api).trim_host;
        return trim ? trim(d.index) : std::int64_t{0};
    });
    // Of all CUDA devices; the functions are addresses. False: a device has no other memory than its own pool's.
    m.def("set_memory_origin",
          [](std::string const& name, std::string const& from, std::uintptr_t allocate, std::uintptr_t release) {
              auto const d = find_device(name);
              auto const set = services_of(d.api).set_memory_origin;
              if (!set) return false;
              memory_functions functions;
              functions.allocate = reinterpret_cast<decltype(functions.allocate)>(allocate);
              functions.release = reinterpret_cast<decltype(functions.release)>(release);
              set(from == "functions" ? memory_origin::functions
                  : from == "driver"  ? memory_origin::driver
                                      : memory_origin::pool,
                  functions);
              return true;
          });
    // The elements in C order at an address of the host's; without a wait they may still be on their way.
    m.def("copy_to_host", [](py::object a, std::uintptr_t to, bool wait) {
        array const x = array_argument(a.ptr());
        without_gil const released(true);
        to_host(plain_booleans(x), reinterpret_cast<void*>(to), wait);
    });
    py::class_<host_memory>(m, "HostMemory", py::buffer_protocol())
        .def(py::init([](std::string const& name, std::int64_t bytes) {
            return std::make_unique<host_memory>(find_device(name), bytes);
        }))
        .def_property_readonly("ptr",
                               [](host_memory const& h) { return reinterpret_cast<std::uintptr_t>(h.address()); })
        .def_property_readonly("size", &host_memory::bytes)
        .def_property_readonly("is_pinned", &host_memory::is_pinned)
        .def_buffer([](host_memory& h) {
            return py::buffer_info(h.address(), 1, py::format_descriptor<unsigned char>::format(), h.bytes());
        });
}

void bind_spilling(py::module_& m) {
    m.def("set_spilling",
          [](bool to_host, bool to_disk, std::int64_t host_limit, std::int64_t disk_limit, std::string directory) {
              spill::configure({to_host, to_disk, host_limit, disk_limit, std::move(directory)});
          });
    m.def("spilling", [] {
        auto const s = spill::now();
        py::dict d;
        d["host_bytes"] = s.host_bytes, d["disk_bytes"] = s.disk_bytes;
        d["moved_out"] = s.moved_out, d["moved_out_bytes"] = s.moved_out_bytes;
        d["moved_in"] = s.moved_in, d["moved_in_bytes"] = s.moved_in_bytes;
        d["written_bytes"] = s.written_bytes, d["read_bytes"] = s.read_bytes;
        return d;
    });
    m.def("is_moved_out", [](py::object a) { return array_argument(a.ptr()).memory()->moved != nullptr; });
}

}  // namespace

void bind_memory(py::module_& m) {
    bind_pools(m);
    bind_spilling(m);
    bind_temporary_file(m);
}

}  // namespace bascule::python
