// The op table as rows that Python builds ufuncs, docstrings and test cases from.
#include <pybind11/pybind11.h>

#include "bascule/array/promote.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace py = pybind11;

namespace bascule::python {

namespace {

py::list loops_of(int op) {
    py::list types;
    for (int t = 0; t < type_count; ++t) {
        auto const id = static_cast<type_id>(t);
        if (contains(ops::loops(op), id))
            types.append(py::make_tuple(type_name(id), type_name(ops::result_type(op, id))));
    }
    return types;
}

}  // namespace

py::list op_table_rows() {
    py::list rows;
    for (int i = 0; i < ops::op_count; ++i) {
        auto const& s = ops::table[i];
        py::dict d;
        d["name"] = s.name, d["aliases"] = s.aliases, d["space"] = s.space, d["nin"] = s.nin,
        d["form"] = static_cast<int>(s.call), d["types"] = loops_of(i);
        d["integers_as"] = type_name(s.integers_as), d["cost"] = s.cost, d["low"] = s.range.low,
        d["high"] = s.range.high;
        d["ulp64"] = s.ulp64, d["ulp32"] = s.ulp32, d["has_ufunc"] = s.has_ufunc, d["doc"] = s.doc,
        d["source"] = s.source, d["raises"] = static_cast<int>(s.raises);
        rows.append(d);
    }
    return rows;
}

py::list aggregate_table_rows() {
    py::list rows;
    for (int i = 0; i < ops::aggregate_count; ++i) {
        auto const& s = ops::aggregate_table[i];
        py::dict d;
        d["name"] = s.name, d["aliases"] = s.aliases, d["doc"] = s.doc, d["cost"] = s.cost;
        d["arrays"] = s.types != 0, d["groups"] = s.group_types != 0, d["windows"] = ops::is_window_aggregate(i);
        rows.append(d);
    }
    return rows;
}

}  // namespace bascule::python
