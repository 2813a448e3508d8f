// Moving windows over columns of float64.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "array_object.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/table/windows.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

template <class F> auto released(F&& f) {
    without_gil const free(true);
    return f();
}

template <class E, std::size_t n> E named(std::string const& name, char const* const (&names)[n], char const* what) {
    for (std::size_t i = 0; i < n; ++i)
        if (name == names[i]) return static_cast<E>(i);
    throw value_error(std::string("[windows] no ") + what + " named " + name);
}
std::uint16_t aggregate_from(std::string const& name) {
    int const number = ops::find_aggregate(name.c_str());
    if (number < 0 || !ops::is_window_aggregate(number)) throw value_error("[windows] no aggregation named " + name);
    return static_cast<std::uint16_t>(number);
}
constexpr char const* interpolation_names[] = {"linear", "lower", "higher", "nearest", "midpoint"};
constexpr char const* ties_names[] = {"average", "min", "max"};
constexpr char const* exponential_names[] = {"mean", "sum", "cov"};

std::vector<array> arrays(py::sequence const& list) {
    std::vector<array> found;
    for (auto const& x : list) found.push_back(array_argument(x.ptr()));
    return found;
}
py::list out(std::vector<array> made) {
    py::list found;
    for (auto& a : made) found.append(py::reinterpret_steal<py::object>(to_python(std::move(a))));
    return found;
}
py::tuple out(table::window_rows rows) {
    auto const one = [](array a) { return py::reinterpret_steal<py::object>(to_python(std::move(a))); };
    return py::make_tuple(one(std::move(rows.start)), one(std::move(rows.end)));
}

void check_shares(window_request const& r) {
    if (!(r.share >= 0 && r.share <= 1))
        throw value_error("[windows] a quantile lies from 0 to 1, got " + std::to_string(r.share));
}

}  // namespace

void bind_windows(py::module_& m) {
    m.def(
        "window_rows",
        [](py::object segments, std::int64_t length, std::int64_t low, std::int64_t high) {
            array const& s = array_argument(segments.ptr());
            return out(released([&] { return table::rows_around(s, length, low, high); }));
        },
        "Start and end of each row's window from i + low to i + high within its segment.", py::arg("segments"),
        py::arg("length"), py::arg("low"), py::arg("high"));
    m.def(
        "window_ticks",
        [](py::object segments, py::object ticks, std::int64_t size, bool centered, bool left_closed,
           bool right_closed) {
            array const &s = array_argument(segments.ptr()), &t = array_argument(ticks.ptr());
            return out(released([&] {
                return table::rows_by_tick(s, t, {size, centered, left_closed, right_closed});
            }));
        },
        "Start and end of each row's window of so many ticks within its segment.", py::arg("segments"),
        py::arg("ticks"), py::arg("size"), py::arg("centered"), py::arg("left_closed"), py::arg("right_closed"));
    m.def(
        "window_aggregate",
        [](py::sequence const& columns, py::sequence const& others, std::string const& op, py::tuple const& rows,
           std::int64_t min_periods, std::int64_t ddof, double share, std::string const& interpolation,
           std::string const& ties, bool ascending, bool percent) {
            window_request r;
            r.aggregate = aggregate_from(op);
            r.min_periods = min_periods, r.ddof = ddof, r.share = share;
            r.interpolation = named<window_interpolation>(interpolation, interpolation_names, "interpolation");
            r.ties = named<window_ties>(ties, ties_names, "method of ranks");
            r.ascending = ascending, r.percent = percent;
            check_shares(r);
            auto const x = arrays(columns), y = arrays(others);
            if (table::takes_pairs(r) != !y.empty())
                throw value_error("[windows] cov and corr, and they alone, take other columns");
            table::window_rows span;
            if (span.listed = rows.size() == 2; span.listed) {
                span.start = array_argument(rows[0].ptr()), span.end = array_argument(rows[1].ptr());
            } else {
                span.low = rows[0].cast<std::int64_t>(), span.high = rows[1].cast<std::int64_t>();
                span.step = rows[2].cast<std::int64_t>();
            }
            return out(released([&] { return table::aggregate_windows(x, y, span, r); }));
        },
        "An array of a value a window for each column; rows: (start, end) of each window, or (low, high, step).",
        py::arg("columns"), py::arg("others"), py::arg("op"), py::arg("rows"), py::arg("min_periods"),
        py::arg("ddof") = 1, py::arg("share") = 0.5, py::arg("interpolation") = "linear", py::arg("ties") = "average",
        py::arg("ascending") = true, py::arg("percent") = false);
    m.def(
        "window_exponential",
        [](py::sequence const& columns, py::sequence const& others, std::string const& op, py::object segments,
           py::object deltas, double com, bool adjust, bool ignore_missing, bool bias, std::int64_t min_periods) {
            window_exponential_args like;
            like.op = named<exponential_op>(op, exponential_names, "exponential aggregation");
            like.com = com, like.adjust = adjust, like.ignore_missing = ignore_missing, like.bias = bias;
            like.min_periods = min_periods;
            auto const x = arrays(columns), y = arrays(others);
            if ((like.op == exponential_op::cov) != !y.empty())
                throw value_error("[windows] cov, and it alone, takes other columns");
            array const& s = array_argument(segments.ptr());
            std::optional<array> steps;
            if (!deltas.is_none()) steps = array_argument(deltas.ptr());
            return out(released([&] { return table::exponential_windows(x, y, s, steps, like); }));
        },
        "An array of a value a row for each column: exponentially weighted moments within segments.",
        py::arg("columns"), py::arg("others"), py::arg("op"), py::arg("segments"), py::arg("deltas"), py::arg("com"),
        py::arg("adjust"), py::arg("ignore_missing"), py::arg("bias"), py::arg("min_periods"));
}

}  // namespace bascule::python
