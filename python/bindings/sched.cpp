// Expressions recorded for blocks, and graphs of tasks that are Python's, run by the executor of the library. Threads
// that run them are Python's, too, and hold the GIL but for the time in which they only wait.
#include "bascule/sched/task_graph.hpp"

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>

#include "array_object.hpp"
#include "bascule/array/block_program.hpp"
#include "bascule/core/error.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

using sched::task_id;

// The tasks of a run as Python functions of their numbers.
struct task_functions {
    py::object run;       // (task) -> bytes of the output, or None
    py::object release;   // (tasks): their outputs are not needed any more
    py::object finished;  // (task, done, all), or None
    py::object call;      // (n, help): have n threads call help(), or None
    py::object spill;     // (task) -> whether its output left the memory, or None
};

class python_program final : public sched::task_program {
public:
    explicit python_program(task_functions f) : functions_(std::move(f)) {}

    std::int64_t run(task_id t) override {
        py::object const bytes = functions_.run(t);
        return bytes.is_none() ? sched::task_graph::unknown_size : py::cast<std::int64_t>(bytes);
    }
    void release(std::span<task_id const> outputs) noexcept override {
        if (outputs.empty()) return;
        try {
            py::list dead(outputs.size());
            for (std::size_t i = 0; i < outputs.size(); ++i) dead[i] = outputs[i];
            functions_.release(dead);
        } catch (py::error_already_set& e) {
            e.discard_as_unraisable("bascule.sched");
        } catch (std::exception const&) {  // no memory for the list: they go when the run does
        }
    }
    bool spill(task_id t) override { return py::cast<bool>(functions_.spill(t)); }
    void finished(task_id t, std::int64_t done, std::int64_t all) override {
        if (!functions_.finished.is_none()) functions_.finished(t, done, all);
    }
    void wait_begins() noexcept override { waiting_ = PyEval_SaveThread(); }
    void wait_ends() noexcept override { PyEval_RestoreThread(waiting_); }
    bool interrupted() override {
        if (PyErr_CheckSignals() < 0) throw py::error_already_set();
        return false;
    }
    bool has_threads() const noexcept override { return true; }
    void call_threads(int n, std::function<void()> const& help) override {
        if (!functions_.call.is_none()) functions_.call(n, py::cpp_function(help));
    }

private:
    task_functions const functions_;
    static inline thread_local PyThreadState* waiting_ = nullptr;
};

std::int64_t run_graph(sched::task_graph const& graph, std::vector<task_id> const& wanted, task_functions functions,
                       int threads, std::int64_t memory_limit) {
    bool const spills = !functions.spill.is_none();
    auto program = std::make_shared<python_program>(std::move(functions));
    sched::task_run run(graph, program, wanted, {.threads = threads, .memory_limit = memory_limit, .spills = spills});
    try {
        run.run();
    } catch (sched::task_error const& e) {  // the exception of the task itself, with its traceback
        std::rethrow_exception(e.cause);
    } catch (sched::run_interrupted const&) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw py::error_already_set();
    }
    return run.peak_bytes();
}

block_program::operand operand_from(block_program& p, py::handle o) {
    if (py::isinstance<py::tuple>(o)) return py::cast<block_program::value>(py::cast<py::tuple>(o)[0]);
    held_argument h;
    to_argument(o.ptr(), h, accept::everything, default_device());
    if (h.arg.a) return p.constant(*h.arg.a);
    return block_program::scalar{h.arg.value, h.arg.type, h.arg.weak};
}

std::optional<type_id> type_from(py::object const& dtype) {
    return dtype.is_none() ? std::nullopt : std::optional(dtype_from(dtype.ptr()).id);
}

std::vector<array> arrays_of(py::list const& from) {
    std::vector<array> found;
    for (py::handle const x : from) found.push_back(array_argument(x.ptr()));
    return found;
}

// The results of a function that runs without the GIL if its work is long.
template <class F> py::list results_of(bool is_long, F const& run) {
    std::vector<array> results;
    {
        checked_call const scope(checked_call::gil{true});
        without_gil const released(is_long);
        results = run();
    }
    if (errstate::current.found && !report_fp_errors()) throw py::error_already_set();
    py::list out;
    for (array& a : results) out.append(py::reinterpret_steal<py::object>(scalar_or_array(std::move(a))));
    return out;
}

py::list run_block(block_program const& p, py::list const& inputs, bool computed) {
    std::vector<array> blocks = arrays_of(inputs);
    std::int64_t elements = p.elements();
    for (array const& b : blocks) elements += b.size();
    return results_of(is_long_work(elements), [&] {
        auto const given = std::exchange(blocks, {});  // released without the GIL, too
        return p.run(given, computed);
    });
}

py::list run_rows(block_program const& p, py::list const& rows, py::list const& whole, std::int64_t step,
                  std::int64_t first, std::int64_t count) {
    std::vector<array> const cut = arrays_of(rows), held = arrays_of(whole);
    return results_of(true, [&] { return p.run_rows(cut, held, step, first, count); });
}

void bind_blocks(py::module_& m) {
    using value = block_program::value;
    py::class_<block_program>(m, "BlockProgram")
        .def(py::init<>())
        .def("input", &block_program::input)
        .def("constant", [](block_program& p, py::object const& a) { return p.constant(array_argument(a.ptr())); })
        .def("apply",
             [](block_program& p, std::uint16_t op, py::list const& operands, py::object const& dtype) {
                 std::vector<block_program::operand> given;
                 for (py::handle const o : operands) given.push_back(operand_from(p, o));
                 return p.apply(op, std::move(given), type_from(dtype));
             })
        .def("cast", [](block_program& p, value v, py::object const& to) { return p.cast(v, dtype_from(to.ptr())); })
        .def("index", [](block_program& p, value v,
                         py::object const& key) { return p.index(v, index_from(key.ptr(), default_device())); })
        .def("reduce",
             [](block_program& p, std::string const& name, value v, std::uint64_t axes, bool keepdims,
                py::object const& dtype) {
                 int const number = ops::find_aggregate(name.c_str());
                 if (number < 0) throw value_error("[block_program] no aggregate named " + name);
                 return p.reduce(static_cast<std::uint16_t>(number), v, axes, keepdims, type_from(dtype));
             })
        .def("concatenate", &block_program::concatenate)
        .def("reshape",
             [](block_program& p, value v, py::object const& shape) { return p.reshape(v, dims_from(shape.ptr())); })
        .def("transpose", &block_program::transpose)
        .def("product", &block_program::product)
        .def("output", &block_program::output)
        .def("run", &run_block, py::arg("inputs"), py::arg("computed") = true)
        .def("run_rows", &run_rows, py::arg("rows"), py::arg("whole"), py::arg("step"), py::arg("first"),
             py::arg("count"));
}

}  // namespace

void bind_sched(py::module_& m) {
    bind_blocks(m);
    py::class_<sched::task_graph>(m, "TaskGraph")
        .def(py::init<>())
        .def("__len__", &sched::task_graph::count)
        .def(
            "add",
            [](sched::task_graph& g, std::vector<task_id> const& dependencies, std::int64_t priority,
               std::int64_t size) { return g.add(dependencies, priority, size); },
            py::arg("dependencies"), py::arg("priority") = 0, py::arg("size") = sched::task_graph::unknown_size)
        .def(
            "extend",
            [](sched::task_graph& g, py::list const& dependencies, py::object const& priorities) {
                std::vector<std::int64_t> const ranks = priorities.is_none()
                                                            ? std::vector<std::int64_t>{}
                                                            : py::cast<std::vector<std::int64_t>>(priorities);
                if (!priorities.is_none() && ranks.size() != dependencies.size())
                    throw py::value_error("[sched] as many priorities as tasks are needed");
                for (std::size_t i = 0; i < dependencies.size(); ++i)
                    g.add(py::cast<std::vector<task_id>>(dependencies[i]), ranks.empty() ? 0 : ranks[i]);
            },
            py::arg("dependencies"), py::arg("priorities") = py::none())
        .def(
            "run",
            [](sched::task_graph const& g, std::vector<task_id> const& wanted, py::object run, py::object release,
               py::object finished, py::object call, int threads, std::int64_t memory_limit, py::object spill) {
                return run_graph(
                    g, wanted,
                    {std::move(run), std::move(release), std::move(finished), std::move(call), std::move(spill)},
                    threads, memory_limit);
            },
            py::arg("wanted"), py::arg("run"), py::arg("release"), py::arg("finished") = py::none(),
            py::arg("call") = py::none(), py::arg("threads") = 1, py::arg("memory_limit") = 0,
            py::arg("spill") = py::none());
}

}  // namespace bascule::python
