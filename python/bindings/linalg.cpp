// What bascule.linalg calls: array/linalg.hpp, one to one.
#include "bascule/array/linalg.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "array_argument.hpp"
#include "bascule/core/blas_library.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

array const& arr(py::handle h) { return array_argument(h.ptr()); }
py::object out(array a) { return py::reinterpret_steal<py::object>(to_python(std::move(a))); }

// A product takes about as long as its number of multiplications says.
bool is_long_product(array const& a, array const& b) {
    std::int64_t const last = b.ndim() > 1 ? b.shape[b.ndim() - 1] : 1;
    return is_long_work(a.size() * std::max<std::int64_t>(last, 1)) || !a.memory()->ready() || !b.memory()->ready();
}

}  // namespace

void bind_linalg(py::module_& m) {
    m.def(
        "product",
        [](int form, py::object a, py::object b, py::object dtype, py::object to, bool dot) {
            if (form < 0) throw value_error("[product] no such form");
            array const x = arr(a), y = arr(b);
            std::optional<type_id> type;
            if (!dtype.is_none()) type = dtype_from(dtype.ptr()).id;
            array z;
            if (!to.is_none()) z = arr(to);
            bool const long_work = is_long_product(x, y);
            checked_call const scope(checked_call::gil{long_work});
            std::optional<errstate::naming> whole_name;
            if (dot) whole_name.emplace(errstate::kind::ufunc, errstate::dot_call);
            array r = [&] {
                without_gil const guard(long_work);
                return product(static_cast<product_form>(form), x, y, type, to.is_none() ? nullptr : &z);
            }();
            if (errstate::current.found && !tell_errors()) throw py::error_already_set();
            if (!to.is_none()) return to;
            r.scalar = r.ndim() == 0;
            return out(std::move(r));
        },
        py::arg("form"), py::arg("a"), py::arg("b"), py::arg("dtype") = py::none(), py::arg("out") = py::none(),
        py::arg("dot") = false);
    m.def(
        "factor",
        [](int task, py::object a, py::object b, bool wide, bool vectors, bool full, bool upper, double tolerance) {
            array const x = arr(a);
            array y;
            if (!b.is_none()) y = arr(b);
            if (task < 0) throw value_error("[factor] no such task");
            factor_request const q{static_cast<matrix_task>(task), wide, vectors, full, upper, tolerance};
            factorization_result r = [&] {
                without_gil const guard(true);
                return factor(q, x, b.is_none() ? nullptr : &y);
            }();
            py::list all;
            for (auto& o : r.out) all.append(out(std::move(o)));
            return py::make_tuple(all, r.failed);
        },
        py::arg("task"), py::arg("a"), py::arg("b") = py::none(), py::arg("wide") = true, py::arg("vectors") = true,
        py::arg("full") = false, py::arg("upper") = false, py::arg("tolerance") = -1.0);
    m.def("set_blas_library", &set_blas_library);
}

}  // namespace bascule::python
