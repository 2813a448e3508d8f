// Columns and labels of tables, one to one with the C++ room.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "array_object.hpp"
#include "bascule/array/arguments.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "bascule/table/groups.hpp"
#include "bascule/table/labels.hpp"
#include "tables.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

using table::column;
using table::column_ref;
using table::labels;

array const& arr(py::handle h) { return array_argument(h.ptr()); }
template <class F> decltype(auto) released(F&& f) {
    without_gil const free(true);
    return f();
}

// Buffers and positions that come from Python are checked before they are used; those made by the library's own
// algorithms are not checked again.
constexpr auto uint8_only = bit(type_id::uint8), int64_only = bit(type_id::int64), uint32_only = bit(type_id::uint32);

array const& checked(array const& a, type_set allowed, char const* who) {
    arguments::rank(a, 1, who);
    arguments::type(a, allowed, who);
    return a;
}
array const& group_numbers(py::handle h, std::int64_t groups) {
    if (groups < 0) throw value_error("[aggregate] a number of groups is not negative, got " + std::to_string(groups));
    return checked(arr(h), uint32_only, "aggregate");
}

// Arrow's: each row begins where the one before ends, and all are within the bytes.
void check_offsets(array const& offsets, array const& bytes) {
    checked(offsets, int64_only, "column");
    checked(bytes, uint8_only, "column");
    std::int64_t const n = offsets.size();
    if (n == 0) throw value_error("[column] text needs at least one offset");
    array const from = view(offsets, {n - 1}, offsets.strides, offsets.offset),
                to = view(offsets, {n - 1}, offsets.strides, offsets.offset + (n > 1 ? offsets.strides[0] : 0));
    auto const end = [&](std::int64_t at) { return view(offsets, {1}, {8}, offsets.offset + at * offsets.strides[0]); };
    auto const number = [](std::int64_t k) {
        return argument{nullptr, {.i64 = k}, type_id::int64, weak_kind::integer};
    };
    array const rises =
        reduce_with(ops::aggregate_number<ops::aggregate::all>, apply(ops::number<ops::less_equal>, from, to));
    array const inside = apply(ops::number<ops::bitwise_and>, apply(ops::number<ops::greater_equal>, end(0), number(0)),
                               apply(ops::number<ops::less_equal>, end(n - 1), number(bytes.size())));
    // One value is read, so that a device is waited for once.
    if (item(reduce_with(ops::aggregate_number<ops::aggregate::all>,
                         apply(ops::number<ops::bitwise_and>, inside, rises)))
            .bytes[0] != 0)
        return;
    arguments::positions(offsets, 0, bytes.size() + 1, "column");
    throw value_error("[column] offsets fall");
}

void check_codes(array const& codes, column const* dictionary) {
    if (!dictionary || !dictionary->is_text()) throw type_error("[column] expected a dictionary of text");
    checked(codes, bit(type_id::int32), "column");
    arguments::positions(codes, -1, dictionary->length(), "column");
}

array booleans_or_none(py::handle h) { return h.is_none() ? array{} : checked(arr(h), types::boolean, "column"); }

void check_slice(std::int64_t length, std::int64_t start, std::int64_t step, std::int64_t count) {
    std::int64_t last = start;
    bool const fits = count >= 0 && !(count > 0 && (start < 0 || start >= length)) &&
                      !(count > 1 && (__builtin_mul_overflow(count - 1, step, &last) ||
                                      __builtin_add_overflow(last, start, &last) || last < 0 || last >= length));
    if (!fits)
        throw index_error("[slice] " + std::to_string(count) + " rows from " + std::to_string(start) + " by " +
                          std::to_string(step) + " do not lie within " + std::to_string(length));
}

py::object out(array a) {
    if (!a.memory()) return py::none();
    return py::reinterpret_steal<py::object>(to_python(std::move(a)));
}
column_ref share(column c) { return std::make_shared<column const>(std::move(c)); }

using columns = std::vector<std::shared_ptr<column>>;
// None, which pybind11 takes for a column, is none.
template <class T> T const& there(std::shared_ptr<T> const& p) {
    if (!p) throw type_error("expected a column or labels, got None");
    return *p;
}
std::vector<column const*> pointers(columns const& c) {
    std::vector<column const*> p;
    for (auto const& x : c) p.push_back(&there(x));
    return p;
}
std::vector<column_ref> constant(columns const& c) {
    pointers(c);
    return {c.begin(), c.end()};
}
// pybind11 needs pointers to non-const; columns and labels are immutable all the same.
std::shared_ptr<column> py_column(column_ref c) { return std::const_pointer_cast<column>(std::move(c)); }
std::shared_ptr<labels> py_labels(table::labels_ref l) { return std::const_pointer_cast<labels>(std::move(l)); }

join_how how_from(std::string const& how) {
    if (how == "inner") return join_how::inner;
    if (how == "left") return join_how::left;
    if (how == "right") return join_how::right;
    if (how == "outer") return join_how::outer;
    throw value_error("[join] how must be inner, left, right or outer, not " + how);
}

std::uint16_t aggregate_from(std::string const& name) {
    int const number = ops::find_aggregate(name.c_str());
    if (number < 0 || ops::aggregate_table[number].group_types == 0)
        throw value_error("[aggregate] no aggregation named " + name);
    return static_cast<std::uint16_t>(number);
}

string_comparison comparison_from(std::string const& name) {
    static constexpr char const* all[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    for (int i = 0; i < 6; ++i)
        if (name == all[i]) return static_cast<string_comparison>(i);
    throw value_error("[compare_text] no comparison named " + name);
}

void bind_column(py::module_& m) {
    py::class_<column, std::shared_ptr<column>>(m, "Column",
                                                "Immutable values of one type, and which of them are missing.")
        .def_static(
            "plain",
            [](py::object values, py::object valid) {
                return py_column(share(column(arr(values), booleans_or_none(valid))));
            },
            py::arg("values"), py::arg("valid") = py::none())
        .def_static(
            "text",
            // `known`: of offsets that were checked before they were copied to a device.
            [](py::object bytes, py::object offsets, py::object valid, bool known) {
                array const b = arr(bytes), o = arr(offsets);
                if (!known) released([&] { check_offsets(o, b); });
                return py_column(share(column::text(b, o, booleans_or_none(valid))));
            },
            py::arg("bytes"), py::arg("offsets"), py::arg("valid") = py::none(), py::arg("known") = false)
        .def_static("coded",
                    [](py::object codes, std::shared_ptr<column> dictionary) {
                        array const c = arr(codes);
                        released([&] { check_codes(c, dictionary.get()); });
                        return py_column(share(column::coded(c, dictionary)));
                    })
        .def_static("recoded",
                    [](py::object codes, std::shared_ptr<column> text) {
                        array const c = arr(codes);
                        return py_column(released([&] {
                            check_codes(c, text.get());
                            return share(table::recode(c, there(text)));
                        }));
                    })
        .def("__len__", &column::length)
        .def_property_readonly(
            "form",
            [](column const& c) {
                return c.kind() == column::form::plain ? "plain" : c.kind() == column::form::text ? "text" : "coded";
            })
        .def_property_readonly("is_text", &column::is_text)
        .def_property_readonly("values", [](column const& c) { return out(c.values()); })
        .def_property_readonly("offsets", [](column const& c) { return out(c.offsets()); })
        .def_property_readonly("valid", [](column const& c) { return out(c.valid()); })
        .def_property_readonly("dictionary", [](column const& c) { return py_column(c.dictionary()); })
        .def_property_readonly("device", [](column const& c) { return c.where().name(); })
        .def("has_missing", [](column const& c) { return released([&] { return c.has_missing(); }); })
        .def("encoded", [](column const& c) { return py_column(released([&] { return c.encoded(); })); })
        .def("decoded", [](column const& c) { return py_column(released([&] { return c.decoded(); })); })
        .def(
            "take",
            [](column const& c, py::object positions, bool nulls) {
                array const p = checked(arr(positions), types::integers, "take");
                return py_column(released([&] { return share(table::take(c, p, nulls)); }));
            },
            py::arg("positions"), py::arg("holes") = false)
        .def("filter",
             [](column const& c, py::object mask) {
                 array const k = checked(arr(mask), types::boolean, "filter");
                 if (k.size() != c.length())
                     throw value_error("[filter] " + std::to_string(c.length()) + " rows need as many booleans, got " +
                                       std::to_string(k.size()));
                 return py_column(released([&] { return share(table::filter(c, k)); }));
             })
        .def("slice",
             [](column const& c, std::int64_t start, std::int64_t step, std::int64_t count) {
                 check_slice(c.length(), start, step, count);
                 return py_column(released([&] { return share(table::slice(c, {start, step, count})); }));
             })
        .def("missing", [](column const& c) { return out(released([&] { return table::missing(c); })); })
        .def("compare", [](column const& a, column const& b, std::string const& op) {
            auto const o = comparison_from(op);
            return out(released([&] { return compare_text(a, b, o); }));
        });
    m.def("concat_columns", [](columns const& parts) {
        auto const p = constant(parts);
        return py_column(released([&] { return share(table::concat(p)); }));
    });
}

using aggregations = std::vector<std::tuple<std::shared_ptr<column>, std::string, std::int64_t, std::int64_t>>;
std::vector<table::aggregation> from_python(aggregations const& what) {
    std::vector<table::aggregation> a;
    for (auto const& [of, op, ddof, min_count] : what) {
        bool const running = op.starts_with("cum");
        a.push_back({of, aggregate_from(running ? op.substr(3) : op), ddof, min_count, running});
    }
    return a;
}
columns py_columns(std::vector<column> made) {
    columns out;
    for (auto& c : made) out.push_back(py_column(share(std::move(c))));
    return out;
}

array const& first_rows(py::handle h, std::int64_t groups) {
    array const& first = checked(arr(h), int64_only, "groups");
    if (groups < 0 || (first.size() != 0 && first.size() != groups))
        throw value_error("[groups] " + std::to_string(groups) + " groups have as many first rows, or none, got " +
                          std::to_string(first.size()));
    return first;
}

void bind_groups(py::module_& m) {
    using table::row_groups;
    auto const numbers = [](row_groups const& g) -> table::numbering const& {
        return released([&]() -> table::numbering const& { return g.numbers(); });
    };
    py::class_<row_groups, std::shared_ptr<row_groups>>(m, "Groups", "The groups of rows with equal keys.")
        .def(py::init([](columns const& keys, bool sorted, bool keep_missing) {
                 return std::make_shared<row_groups>(constant(keys), sorted, keep_missing);
             }),
             py::arg("keys"), py::arg("sorted"), py::arg("keep_missing"))
        .def_static("known",
                    [](py::object codes, py::object first, std::int64_t count) {
                        return std::make_shared<row_groups>(checked(arr(codes), uint32_only, "groups"),
                                                            first_rows(first, count), count);
                    })
        .def_property_readonly("codes", [numbers](row_groups const& g) { return out(numbers(g).codes); })
        .def_property_readonly("first", [numbers](row_groups const& g) { return out(numbers(g).first); })
        .def_property_readonly("count", [](row_groups const& g) { return released([&] { return g.count(); }); })
        .def_property_readonly("keys",
                               [](row_groups const& g) {
                                   columns keys;
                                   for (auto const& k : released([&] { return g.keys(); }))
                                       keys.push_back(py_column(k));
                                   return keys;
                               })
        .def(
            "aggregate",
            [](row_groups const& g, aggregations const& what) {
                auto const a = from_python(what);
                return py_columns(released([&] { return g.aggregate(a); }));
            },
            "One column a request, as aggregate_columns.");
}

std::unique_ptr<bool[]> directions(std::vector<bool> const& ascending, std::size_t keys) {
    if (ascending.size() != keys) throw value_error("[sort] expected one direction a key");
    auto up = std::make_unique<bool[]>(keys);
    std::copy(ascending.begin(), ascending.end(), up.get());
    return up;
}

void bind_keys(py::module_& m) {
    m.def(
        "factorize_columns",
        [](columns const& keys, bool sorted, bool keep_missing) {
            auto const p = pointers(keys);
            auto const n = released([&] { return table::factorize(p, sorted, keep_missing, true); });
            return py::make_tuple(out(n.codes), out(n.first), n.count);
        },
        py::arg("keys"), py::arg("sorted"), py::arg("keep_missing"));
    m.def(
        "aggregate_columns",
        [](py::object codes, std::int64_t groups, aggregations const& what) {
            auto const a = from_python(what);
            array const ids = group_numbers(codes, groups);
            return py_columns(released([&] { return table::aggregate(ids, groups, a); }));
        },
        "One column a request (column or None, op, ddof, min_count); min_count -1 is the op's own; cumsum, cumprod, "
        "cummin and cummax give a row a row.");
    m.def(
        "group_ranks",
        [](py::object codes, std::int64_t groups, std::shared_ptr<column> const& of, std::vector<double> const& shares,
           bool distinct) {
            array const ids = group_numbers(codes, groups);
            auto const r = released([&] { return table::group_ranks(ids, groups, there(of), shares, distinct); });
            return py::make_tuple(out(r.counts), out(r.low), out(r.high), distinct ? out(r.distinct) : py::none());
        },
        "Of each group: how many values it has, and a row a share with the value that lies there in its order, and the "
        "next; and how many different ones, if asked for.",
        py::arg("codes"), py::arg("groups"), py::arg("of"), py::arg("shares"), py::arg("distinct") = false);
    m.def(
        "order_columns",
        [](columns const& keys, std::vector<bool> const& ascending, bool missing_first) {
            auto const p = pointers(keys);
            auto const up = directions(ascending, keys.size());
            return out(released([&] { return table::order(p, {up.get(), ascending.size()}, missing_first); }));
        },
        "Positions of the rows in the stable order of the keys.");
    m.def(
        "sort_columns",
        [](columns const& keys, std::vector<bool> const& ascending, bool missing_first, columns const& others) {
            auto const p = pointers(keys);
            auto const o = constant(others);
            auto const up = directions(ascending, keys.size());
            auto const made = released([&] {
                return table::sort_rows(p, {up.get(), ascending.size()}, missing_first, o);
            });
            auto const or_none = [](column_ref const& c) { return c ? py::cast(py_column(c)) : py::none(); };
            py::list moved;
            for (auto const& c : made.carried) moved.append(or_none(c));
            return py::make_tuple(out(made.rows), or_none(made.key), moved);
        },
        "Positions as order_columns gives them, and in that order the rows of the one key and of other columns: None "
        "where they have to be gathered.");
    m.def("join_columns", [](columns const& left, columns const& right, std::string const& how, bool sorted) {
        auto const l = constant(left), r = constant(right);
        auto const h = how_from(how);
        auto const p = released([&] { return table::join(l, r, h, sorted); });
        return py::make_tuple(out(p.left), out(p.right));
    });
    m.def("join_nearest", [](py::handle bounds, py::handle left, py::handle right, std::int64_t count, bool backward) {
        array const b = array_argument(bounds.ptr()), l = array_argument(left.ptr()), r = array_argument(right.ptr());
        auto found = released([&] { return table::join_nearest(b, l, r, count, backward); });
        return found ? out(*found) : py::object(py::none());
    });
}

void bind_labels(py::module_& m) {
    py::class_<labels, std::shared_ptr<labels>>(m, "Labels", "The labels of a table's rows, in one or several levels.")
        .def_static("range",
                    [](std::int64_t start, std::int64_t step, std::int64_t count) {
                        return std::make_shared<labels>(default_device(), table::label_range{start, step, count});
                    })
        .def(py::init([](columns const& levels) { return std::make_shared<labels>(constant(levels)); }))
        .def("__len__", &labels::length)
        .def_property_readonly("nlevels", &labels::nlevels)
        .def_property_readonly("as_range",
                               [](labels const& l) -> py::object {
                                   if (!l.range()) return py::none();
                                   return py::make_tuple(l.range()->start, l.range()->step, l.range()->count);
                               })
        .def("level", [](labels const& l, int i) { return py_column(released([&] { return l.level(i); })); })
        .def("is_unique", [](labels const& l) { return released([&] { return l.is_unique(); }); })
        .def("is_increasing", [](labels const& l) { return released([&] { return l.is_increasing(); }); })
        .def("is_decreasing", [](labels const& l) { return released([&] { return l.is_decreasing(); }); })
        .def("equals", [](labels const& l, labels const& o) { return released([&] { return l.equals(o); }); })
        .def("find",
             [](labels const& l, columns const& label) {
                 auto const k = constant(label);
                 return out(released([&] { return l.find(k); }));
             })
        .def("positions_of", [](labels const& l,
                                labels const& target) { return out(released([&] { return l.positions_of(target); })); })
        .def("between", [](labels const& l, std::shared_ptr<column> low, std::shared_ptr<column> high) {
            return released([&] { return l.between(low, high); });
        });
    m.def("align_labels", [](std::shared_ptr<labels> left, std::shared_ptr<labels> right, std::string const& how) {
        auto const h = how_from(how);
        there(left), there(right);
        auto const a = released([&] { return table::align(left, right, h); });
        return py::make_tuple(py_labels(a.joined), out(a.left), out(a.right));
    });
    m.def("range_of", [](column const& c) -> py::object {
        auto const r = released([&] { return table::as_range(c); });
        if (!r) return py::none();
        return py::make_tuple(r->start, r->step, r->count);
    });
}

}  // namespace

table::labels_ref labels_from(PyObject* o) {
    auto const l = py::cast<std::shared_ptr<labels>>(py::handle(o));
    there(l);
    return l;
}

table::column_ref column_from(PyObject* o) {
    auto const c = py::cast<std::shared_ptr<column>>(py::handle(o));
    there(c);
    return c;
}

void bind_tables(py::module_& m) {
    if (!add_lookup_type(m.ptr()) || !add_elements_type(m.ptr()) || !add_shown_labels(m.ptr()))
        throw py::error_already_set();
    bind_column(m);
    bind_groups(m);
    bind_keys(m);
    bind_labels(m);
}

}  // namespace bascule::python
