// What bascule.ordered and its neighbours call: array/ordered.hpp, one to one.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "array_argument.hpp"
#include "bascule/array/ordered.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

array const& arr(py::handle h) { return array_argument(h.ptr()); }
std::vector<array> arrays(py::sequence const& s) {
    std::vector<array> all;
    for (auto h : s) all.push_back(arr(h));
    return all;
}
py::object out(array a) { return py::reinterpret_steal<py::object>(to_python(std::move(a))); }

std::int64_t rows_of(std::vector<array> const& columns) {
    if (columns.empty()) throw value_error("expected at least one column");
    return columns[0].size();
}

// The result of f, for which the GIL is not held where it may take long.
template <class F> auto released(std::int64_t elements, F&& f) {
    without_gil const guard(is_long_work(elements));
    return f();
}

}  // namespace

void bind_ordered(py::module_& m) {
    m.def(
        "sort",
        [](py::object a, int axis, bool like_input) {
            array const x = arr(a);
            return out(released(x.size(), [&] { return sort(x, axis, like_input); }));
        },
        py::arg("a"), py::arg("axis"), py::arg("like_input") = true);
    m.def("argsort", [](py::object a, int axis) {
        array const x = arr(a);
        return out(released(x.size(), [&] { return argsort(x, axis); }));
    });
    m.def("partition", [](py::object a, int axis, std::vector<std::int64_t> const& kth) {
        array const x = arr(a);
        return out(released(x.size(), [&] { return partition(x, axis, kth); }));
    });
    m.def("argpartition", [](py::object a, int axis, std::vector<std::int64_t> const& kth) {
        array const x = arr(a);
        return out(released(x.size(), [&] { return argpartition(x, axis, kth); }));
    });
    m.def("argsort_by", [](py::sequence const& keys) {
        auto const k = arrays(keys);
        return out(released(rows_of(k), [&] { return argsort_by(k); }));
    });
    m.def("searchsorted", [](py::object sorted, py::object values, bool right) {
        array const s = arr(sorted), v = arr(values);
        return out(released(s.size() + v.size(), [&] { return searchsorted(s, v, right); }));
    });
    m.def("select_ranks", [](py::object a, std::vector<std::int64_t> const& ranks) {
        array const x = arr(a);
        return out(released(x.size(), [&] { return select_ranks(x, ranks); }));
    });
    m.def("factorize", [](py::sequence const& columns, bool want_inverse) {
        auto const c = arrays(columns);
        auto r = released(rows_of(c), [&] { return factorize(c, want_inverse); });
        return py::make_tuple(out(std::move(r.first)), out(std::move(r.inverse)));
    });
    m.def("bincount", [](py::object index, std::int64_t bins) {
        array const i = arr(index);
        return out(released(i.size() + bins, [&] { return bincount(i, bins); }));
    });
    m.def("scatter_add", [](py::object to, py::object index, py::object values) {
        array const t = arr(to), i = arr(index), v = arr(values);
        released(i.size(), [&] {
            scatter_add(t, i, v);
            return 0;
        });
    });
    m.def("histogram", [](py::object a, py::object edges, double width, bool wide, py::object weights, int rounding) {
        array const x = arr(a), e = arr(edges);
        array w;
        if (!weights.is_none()) w = arr(weights);
        if (rounding < 0 || rounding > static_cast<int>(sum_rounding::result))
            throw value_error("[histogram] no such rounding");
        return out(released(x.size(), [&] {
            return histogram(x, e, width, wide, weights.is_none() ? nullptr : &w, static_cast<sum_rounding>(rounding));
        }));
    });
}

}  // namespace bascule::python
