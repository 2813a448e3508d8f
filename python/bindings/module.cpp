// The extension module bascule._core, Python's interface to the C++ library. The types that are used most are written
// against Python's C API; the rest is pybind11, one to one with the C++ functions.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "bascule/array/arguments.hpp"
#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/numpy_rules.hpp"
#include "bascule/array/promote.hpp"
#include "bascule/array/wait.hpp"
#include "bascule/core/device.hpp"
#include "bascule/core/device_services.hpp"
#include "bascule/core/pool.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "bascule/sched/thread_pool.hpp"
#include "functions.hpp"
#include "pandas_scalars.hpp"

namespace py = pybind11;
using namespace bascule;
using python::value_of;

namespace bascule::python {
py::list op_table_rows();
py::list aggregate_table_rows();
void bind_dlpack(py::module_& m);
void bind_csv(py::module_& m);
void bind_recording(py::module_& m);
void bind_tables(py::module_& m);
void bind_windows(py::module_& m);
void bind_memory(py::module_& m);
void bind_string_functions(py::module_& m);
void bind_programs(py::module_& m);
void bind_sched(py::module_& m);
void bind_ufunc_methods(py::module_& m);
}  // namespace bascule::python

namespace {

array const& arr(py::handle h) { return python::array_argument(h.ptr()); }
py::object out_view(array a, py::object const& of) {
    return py::reinterpret_steal<py::object>(python::view_to_python(std::move(a), of.ptr()));
}
py::object out(array a) { return py::reinterpret_steal<py::object>(python::to_python(std::move(a))); }

// Runs f and lets bascule's exceptions become Python's.
template <class F> py::object call(F&& f) {
    PyObject* r = python::guarded([&]() -> PyObject* {
        try {
            return f().release().ptr();
        } catch (py::error_already_set& e) {  // Python's own exceptions pass unchanged
            e.restore();
            return nullptr;
        }
    });
    if (!r) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(r);
}
template <class F> py::object call_array(F&& f) {
    return call([&] { return out(f()); });
}
template <class F> py::object call_view(py::object const& of, F&& f) {
    return call([&] { return out_view(f(), of); });
}

plan_constant constant_from(py::handle value, type_id as) {
    python::held_argument h;
    python::to_argument(value.ptr(), h, python::accept::everything, device{cpu_backend(), 0});
    if (h.arg.a) return cast_constant(item(*h.arg.a), h.arg.a->type.id, as);
    check_python_integer(h.arg, as);
    return cast_constant(h.arg.value, h.arg.type, as);
}

void bind_table(py::module_& m) {
    m.def("op_table", [] {
        py::list rows = python::op_table_rows();
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i]["ufunc"] = py::reinterpret_steal<py::object>(python::new_ufunc(static_cast<std::uint16_t>(i)));
        return rows;
    });
    m.def("aggregate_table", &python::aggregate_table_rows);
    m.def("composite_ufunc", [](py::object target, py::str name, int nin, int nout) {
        return py::reinterpret_steal<py::object>(python::new_composite_ufunc(target.ptr(), name.ptr(), nin, nout));
    });
}

void bind_creation(py::module_& m) {
    m.def(
        "empty",
        [](py::object shape, py::object dtype, py::object device, bool fortran) {
            return call_array([&] {
                return empty(python::device_of(device.ptr()), python::dtype_from(dtype.ptr()),
                             python::dims_from(shape.ptr()), fortran);
            });
        },
        py::arg("shape"), py::arg("dtype"), py::arg("device") = py::none(), py::arg("fortran") = false);
    m.def(
        "full",
        [](py::object shape, py::object value, py::object dtype, py::object device, bool fortran) {
            return call_array([&] {
                auto const t = python::dtype_from(dtype.ptr());
                return full(python::device_of(device.ptr()), t, python::dims_from(shape.ptr()),
                            constant_from(value, t.id), fortran);
            });
        },
        py::arg("shape"), py::arg("value"), py::arg("dtype"), py::arg("device") = py::none(),
        py::arg("fortran") = false);
    m.def("arange", [](py::object start, py::object step, std::int64_t n, py::object dtype, py::object device) {
        return call_array([&] {
            auto const t = python::dtype_from(dtype.ptr());
            return arange(python::device_of(device.ptr()), t, n, constant_from(start, t.id), constant_from(step, t.id));
        });
    });
    m.def(
        "from_numpy",
        [](py::object x, py::object device, bool share) {
            return call_array(
                [&] { return python::array_from_numpy(x.ptr(), share, python::device_of(device.ptr())); });
        },
        py::arg("x"), py::arg("device") = py::none(), py::arg("share") = false);
    m.def("to_numpy", [](py::object a) {
        if (python::is_numpy_scalar(a.ptr())) return py::module_::import("numpy").attr("asarray")(a).cast<py::object>();
        return call([&] {
            array const x = arr(a);
            auto np = py::reinterpret_borrow<py::object>(python::numpy_module());
            py::object r = np.attr("empty")(py::reinterpret_steal<py::object>(python::to_tuple(x.shape)),
                                            py::reinterpret_steal<py::object>(python::numpy_dtype(x.type)));
            auto* const p = reinterpret_cast<void*>(py::cast<std::uintptr_t>(r.attr("ctypes").attr("data")));
            python::without_gil const released(python::is_long_work(x.size()));
            to_host(x, p);
            return r;
        });
    });
}

void bind_views(py::module_& m) {
    m.def(
        "reshape",
        [](py::object a, py::object shape, bool fortran) {
            return call_view(a, [&] { return reshape_view_or_copy(arr(a), python::dims_from(shape.ptr()), fortran); });
        },
        py::arg("a"), py::arg("shape"), py::arg("fortran") = false);
    m.def(
        "reshape_view",
        [](py::object a, py::object shape, bool fortran) {
            return call([&]() -> py::object {
                auto v = reshape_view(arr(a), python::dims_from(shape.ptr()), fortran);
                return v ? out_view(*v, a) : py::none();
            });
        },
        py::arg("a"), py::arg("shape"), py::arg("fortran") = false);
    m.def("transpose", [](py::object a, std::vector<int> const& axes) {
        return call_view(a, [&] { return transpose(arr(a), axes); });
    });
    m.def("broadcast_to", [](py::object a, py::object shape) {
        return call_view(a, [&] { return broadcast_to(arr(a), python::dims_from(shape.ptr())); });
    });
    m.def(
        "view",
        [](py::object a, py::object shape, py::object strides, std::int64_t offset, py::object dtype) {
            return call_view(a, [&] {
                array v = arr(a);
                if (!dtype.is_none()) {
                    python::evaluate_released(v);  // other types see bytes, which a pending value does not have yet
                    auto const before = std::exchange(v.type, python::dtype_from(dtype.ptr()));
                    if (is_boolean(before.id) != is_boolean(v.type.id)) v.memory()->noncanonical_bools = true;
                }
                std::int64_t from;
                if (__builtin_add_overflow(v.offset, offset, &from))
                    throw value_error("[view] the offset is too large");
                return aligned(view(v, python::dims_from(shape.ptr()), python::dims_from(strides.ptr()), from));
            });
        },
        py::arg("a"), py::arg("shape"), py::arg("strides"), py::arg("offset") = 0, py::arg("dtype") = py::none());
}

void bind_conversions(py::module_& m) {
    // Booleans along the last axis, eight in each word of 64 bits, to be read. There are a multiple of eight.
    m.def("words_of_booleans", [](py::object a) {
        return call_array([&] {
            arguments::type(arr(a), types::boolean, "words_of_booleans");
            array const given = arr(a);
            if (given.ndim() == 0 || given.shape[given.ndim() - 1] % 8 != 0)
                throw value_error("[words_of_booleans] expected a multiple of eight booleans");
            python::without_gil const released(python::is_long_work(given.size()));
            array const plain = plain_booleans(given);
            bool const in_order = is_c_contiguous(plain.shape, plain.strides, plain.itemsize());
            array words = in_order ? plain : copy(plain, 'C');
            evaluate(words.memory());
            words.type = make_dtype(type_id::uint64), words.writeable = false;
            words.shape[words.ndim() - 1] /= words.type.itemsize;
            words.strides = contiguous_strides(words.shape, words.type.itemsize);
            return words;
        });
    });
    m.def(
        "astype",
        [](py::object a, py::object dtype, bool copy, char order) {
            return call_array([&] {
                auto const t = python::dtype_from(dtype.ptr());
                python::checked_call const scope;
                return astype(arr(a), t, copy, order);
            });
        },
        py::arg("a"), py::arg("dtype"), py::arg("copy") = true, py::arg("order") = 'K');
    m.def(
        "to_device",
        [](py::object a, std::string const& name, bool copy) {
            return call_array([&] {
                array const x = arr(a);
                device const to = find_device(name);
                if (x.where() == to && !copy) return x;
                python::without_gil const released(true);
                return bascule::to_device(x, to);
            });
        },
        py::arg("a"), py::arg("device"), py::arg("copy") = false);
}

void bind_facts(py::module_& m) {
    // The result of a call for an array without axes: NumPy's own scalar where the host has its memory, else a flagged
    // array.
    m.def("as_scalar", [](py::object a) {
        if (python::is_numpy_scalar(a.ptr())) return a;
        return call([&] {
            array v = arr(a);
            v.scalar = true;
            return py::reinterpret_steal<py::object>(python::scalar_or_array(std::move(v)));
        });
    });
    m.def("keep_scalar", [](py::object a) {
        return call_array([&] {
            array v = arr(a);
            v.scalar = true;
            return v;
        });
    });
    m.def("is_scalar", [](py::object a) { return python::is_numpy_scalar(a.ptr()) || arr(a).scalar; });
    m.def("set_writeable", [](py::object a, bool yes) {
        arr(a);  // throws if it is not an array
        auto& v = value_of(a.ptr());
        if (yes && !v.memory()->writeable) throw py::value_error("cannot set WRITEABLE flag to True of this array");
        v.writeable = yes;
    });
    m.def("is_aligned", [](py::object a) { return is_aligned(arr(a)); });
    m.def("is_writeable", [](py::object a) { return arr(a).writeable && arr(a).memory()->writeable; });
    m.def("shares_storage", [](py::object a, py::object b) { return arr(a).memory() == arr(b).memory(); });
    // a takes over the value of b: another layout, perhaps over other memory.
    m.def("become", [](py::object a, py::object b) {
        array v = arr(b);
        v.scalar = arr(a).scalar && v.ndim() == 0;
        value_of(a.ptr()) = std::move(v);
    });
    // How many arrays and foreign views know the memory.
    m.def("holders", [](py::object a) { return arr(a).memory()->handles() + arr(a).memory()->exports.load(); });
    m.def("owns_storage", [](py::object a) {
        return arr(a).offset == 0 && arr(a).size() * arr(a).itemsize() == arr(a).memory()->bytes();
    });
}

void bind_operations(py::module_& m) {
    m.def("item", [](py::object a, std::int64_t i) {
        if (python::is_numpy_scalar(a.ptr())) return py::object(a.attr("item")(i));
        return call([&] {
            python::evaluate_released(arr(a));
            return py::reinterpret_steal<py::object>(python::item_to_python(item(arr(a), i), arr(a).type));
        });
    });
    m.def("set_general_form",
          [](std::string const& name, py::object f) { return python::set_general_form(name, f.ptr()); });
    m.def("set_take_over", [](py::object const& f, py::object const& folder) {
        python::set_take_over(f.ptr()), python::set_package_folder(folder.ptr());
    });
    m.def("note_numpys_call", [](py::object const& theirs, py::object const& counted) {
        python::note_numpys_call(theirs.ptr(), counted.ptr());
    });
    m.def("forget_calls", &python::forget_calls);
    m.def("import_filter", [](py::object const& names, py::object const& hook, py::object const& usual) {
        return call([&] {
            return py::reinterpret_steal<py::object>(python::import_filter(names.ptr(), hook.ptr(), usual.ptr()));
        });
    });
    m.def("set_signature_rules", [](py::object f) { python::set_signature_rules(f.release().ptr()); });
    m.def("set_time_rules", [](py::object f) { python::set_time_rules(f.release().ptr()); });
    m.def("assign", [](py::object to, py::object from) {
        call([&]() -> py::object {
            python::held_argument h;
            python::to_argument(from.ptr(), h, python::accept::everything, arr(to).where());
            check_python_integer(h.arg, arr(to).type.id);
            h.own();
            array const target = arr(to);
            python::checked_call const scope(python::checked_call::gil{python::is_long_work(target.size())});
            {
                python::without_gil const released(python::is_long_work(target.size()));
                assign(target, h.arg);
            }
            return py::none();
        });
    });
    m.def("may_share_memory", [](py::object a, py::object b) {
        array const &x = arr(a), &y = arr(b);
        if (x.memory() != y.memory()) return false;
        auto const p = extent(x.shape, x.strides, x.offset, x.itemsize()),
                   q = extent(y.shape, y.strides, y.offset, y.itemsize());
        return x.size() > 0 && y.size() > 0 && p.first < q.second && q.first < p.second;
    });
}

// Called for arrays that are there as often as for those that are not: a raw function, which is soon done.
PyObject* evaluate_all(PyObject*, PyObject* const* arrays, Py_ssize_t n) noexcept {
    return python::guarded([&]() -> PyObject* {
        for (PyObject* a : std::span(arrays, static_cast<std::size_t>(n)))
            python::evaluate_released(python::array_argument(a));
        Py_RETURN_NONE;
    });
}

void bind_graph(py::module_& m) {
    static PyMethodDef raw[] = {
        {"evaluate", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(evaluate_all)), METH_FASTCALL, nullptr},
        {},
    };
    if (PyModule_AddFunctions(m.ptr(), raw) < 0) throw py::error_already_set();
    m.def("explain", [](py::object a) { return explain(arr(a)); });
    m.def("is_pending", [](py::object a) { return !arr(a).memory()->ready() && !arr(a).memory()->moved; });
    m.def("statistics", [] {
        auto const s = statistics();
        py::dict d;
        d["plans"] = s.plans, d["values"] = s.values, d["stored_intermediates"] = s.stored_intermediates,
        d["pending"] = s.pending;
        static constexpr char const* reasons[] = {"read",       "write", "barrier", "limit", "shared_memory",
                                                  "fusion_off", "small", "overlap", "errors"};
        py::dict by;
        for (int i = 0; i < 9; ++i) by[reasons[i]] = s.by_reason[i];
        d["flushes"] = by;
        return d;
    });
    m.def("get_fusion", [] { return settings().fusion.load(); });
    m.def("set_fusion", [](bool on) { settings().fusion = on; });
    m.def("get_fastmath", [] { return settings().fastmath.load(); });
    m.def("set_fastmath", [](bool on) { settings().fastmath = on; });
    m.def("get_late_index_errors", [] { return settings().late_index_errors.load(); });
    m.def("set_late_index_errors", [](bool yes) { settings().late_index_errors = yes; });
    m.def("get_fp_warnings", [] { return static_cast<int>(python::warnings_come); });
    m.def("set_squares_are_products", [](bool yes) { squares_are_products = yes; });
    m.def("set_signs_of_durations_are_numbers", [](bool yes) { signs_of_durations_are_numbers = yes; });
    m.def("set_times_that_overflow_raise", [](bool yes) { times_that_overflow_raise = yes; });
    m.def("set_fp_warnings", [](int when) { python::warnings_come = static_cast<python::warning_time>(when); });
    m.def("get_eager_below", [] { return settings().eager_below.load(); });
    m.def("set_eager_below", [](std::int64_t n) { settings().eager_below = n; });
    // The address of an array's memory, which is then shared until end_export (rule 15).
    m.def("begin_export", [](py::object a) {
        return call([&] {
            array const x = arr(a);
            {
                python::without_gil const released(true);
                begin_export(x);
            }
            return py::object(py::int_(reinterpret_cast<std::uintptr_t>(x.memory()->data() + x.offset)));
        });
    });
    m.def("end_export", [](py::object a) {
        auto& exports = arr(a).memory()->exports;
        if (exports.load() <= 0) throw value_error("[end_export] nobody has the address of this memory");
        order_streams(arr(a).where(), nullptr, legacy_stream);
        exports.fetch_sub(1);
    });
    // Whether the elements are within the memory that the array holds.
    m.def("lies_in_storage", [](py::object a) { return arguments::lies_in_storage(arr(a)); });
    m.def("export_count", [](py::object a) { return arr(a).memory()->exports.load(); });
}

void bind_devices(py::module_& m) {
    m.def("device_count", [](std::string const& name) { return find_device(name).api->device_count(); });
    m.def("check_device",
          [](std::string const& name) { return call([&] { return py::object(py::str(find_device(name).name())); }); });
    m.def("describe", [](std::string const& name) {
        auto const d = find_device(name);
        return std::string(d.api->describe(d.index));
    });
    // Without opening NVIDIA's libraries, which takes seconds.
    m.def("describe_card", [](std::string const& name) {
        auto const d = find_device(name);
        auto const card = services_of(d.api).describe_card;
        return std::string(card ? card(d.index) : d.api->describe(d.index));
    });
    m.def("why_no_cuda", &why_no_cuda);
    m.def("set_plugin_directories", &set_plugin_directories);
    m.def("numpy_arrays_are_instances", &python::count_numpys_arrays);
    m.def("get_default_device", [] { return python::default_device().name(); });
    m.def("set_default_device", [](std::string const& name) {
        call([&]() -> py::object {
            python::set_default_device(find_device(name));
            return py::none();
        });
    });
    m.def("set_cache_limit", [](std::int64_t bytes) {  // of the CPU's pool
        py::gil_scoped_release const released;
        host_pool().set_cache_limit(bytes);
    });
    m.def("synchronize", [](std::string const& name) {
        call([&]() -> py::object {
            auto const d = find_device(name);
            {
                python::without_gil const released(true);
                wait_for(d);
            }
            return py::none();
        });
    });
    m.def("get_num_threads", &sched::thread_count);
    m.def("set_num_threads", &sched::set_thread_count);
}

}  // namespace

PYBIND11_MODULE(core_of_the_process, m) {
    m.doc() = "bascule's C++ core";
    m.attr("__version__") = BASCULE_VERSION;
    py::register_exception_translator([](std::exception_ptr p) {
        try {
            if (p) std::rethrow_exception(p);
        } catch (error const&) { python::raise_current(); } catch (python::python_error const&) {
        }
    });
    if (!python::numpy_module() || !python::add_array_type(m.ptr()) || !python::add_ufunc_type(m.ptr()) ||
        !python::add_functions(m.ptr()) || !python::add_refusal(m.ptr()) || !python::add_pandas_scalars(m.ptr()))
        throw py::error_already_set();
    python::watch_signals();
    python::watch_errors();
    bind_table(m);
    bind_creation(m);
    bind_views(m);
    bind_conversions(m);
    bind_facts(m);
    bind_operations(m);
    bind_graph(m);
    bind_devices(m);
    python::bind_dlpack(m);
    python::bind_csv(m);
    python::bind_recording(m);
    python::bind_tables(m);
    python::bind_string_functions(m);
    python::bind_windows(m);
    python::bind_memory(m);
    python::bind_programs(m);
    python::bind_sched(m);
    python::bind_ufunc_methods(m);
}

// Types, devices and threads belong to the process, so only its main interpreter may have them.
static bool refused_here() {
    if (PyInterpreterState_Get() == PyInterpreterState_Main()) return false;
    PyErr_SetString(PyExc_ImportError, "bascule does not run in sub-interpreters: import it in the main interpreter");
    return true;
}

static int (*fill_core_of_the_process)(PyObject*) = nullptr;
static int fill_core(PyObject* m) { return refused_here() ? -1 : fill_core_of_the_process(m); }

// Asked before pybind11, which would wait for the lock of the main interpreter for ever; and where the module is
// filled, because from Python 3.13 on it is the main interpreter that calls this for all others.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
    PyObject* const definition = refused_here() ? nullptr : PyInit_core_of_the_process();
    if (!definition) return nullptr;
    for (PyModuleDef_Slot* s = reinterpret_cast<PyModuleDef*>(definition)->m_slots; s->slot != 0; ++s)
        if (s->slot == Py_mod_exec && !fill_core_of_the_process) {
            fill_core_of_the_process = reinterpret_cast<int (*)(PyObject*)>(s->value);
            s->value = reinterpret_cast<void*>(&fill_core);
        }
    return definition;
}
