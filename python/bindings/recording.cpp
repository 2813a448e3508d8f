// The data of bascule.profile: the calls of devices while it records, and the progress of this thread's operation.
#include <pybind11/pybind11.h>

#include "bascule/core/recording.hpp"
#include "bascule/sched/progress.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

py::tuple as_tuple(recording::span const& s) {
    static constexpr char const* kinds[] = {"plan", "algorithm", "copy", "part"};
    return py::make_tuple(kinds[static_cast<int>(s.kind)], s.name, s.device, s.call, s.thread, s.begin, s.end, s.bytes,
                          s.elements);
}

}  // namespace

void bind_recording(py::module_& m) {
    m.def("begin_recording", recording::begin);
    // ([(kind, name, device, call, thread, begin, end, bytes, elements), ...], how many were left out)
    m.def("end_recording", [](std::int64_t began) {
        recording::recorded const r = recording::end(began);
        py::list spans;
        for (auto const& s : r.spans) spans.append(as_tuple(s));
        return py::make_tuple(spans, r.dropped);
    });
    // Calls and bytes of all recordings of the process so far.
    m.def("recorded", [] {
        auto const t = recording::counted();
        return py::make_tuple(t.calls, t.bytes);
    });
    // From now on this thread's operations count their tasks there. The caller keeps it, until it says None.
    m.def(
        "report_progress", [](sched::progress* to) { sched::progress::here() = to; }, py::arg("to").none(true));
    m.def("reports_progress", [] { return sched::progress::here() != nullptr; });
}

}  // namespace bascule::python
