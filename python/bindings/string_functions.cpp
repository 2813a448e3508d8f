// String algorithms of devices that have them: searching, concatenating, replacing.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <string_view>

#include "array_object.hpp"
#include "bascule/table/strings.hpp"
#include "bascule/table/tokens.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

using table::column;

template <class F> auto released(F&& f) {
    without_gil const free(true);
    return f();
}
array array_or_none(py::handle h) { return h.is_none() ? array{} : array_argument(h.ptr()); }
std::shared_ptr<column> share(column c) { return std::make_shared<column>(std::move(c)); }

string_search search_from(std::string const& name) {
    static constexpr char const* all[] = {"first", "last", "count", "at_begin", "at_end", "past_set", "up_to_set"};
    for (int i = 0; i < 7; ++i)
        if (name == all[i]) return static_cast<string_search>(i);
    throw value_error("[find_text] no search named " + name);
}

py::object given_out(array a) { return py::reinterpret_steal<py::object>(to_python(std::move(a))); }

py::tuple counts_out(table::token_counts found) {
    auto terms = found.terms ? py::cast(std::make_shared<column>(*found.terms)) : py::none();
    return py::make_tuple(given_out(std::move(found.starts)), given_out(std::move(found.columns)),
                          given_out(std::move(found.counts)), std::move(terms));
}

// Whether an object stands for a missing string: None, NaN, and NA and NaT of pandas, which may not be imported.
bool is_missing(PyObject* o) {
    if (o == Py_None || (PyFloat_Check(o) && std::isnan(PyFloat_AS_DOUBLE(o)))) return true;
    std::string_view const kind = Py_TYPE(o)->tp_name;
    return kind == "NAType" || kind == "NaTType";
}

// The bytes of strings one behind another in UTF-8, where each begins and the last ends, and which are there (None: all
// of them). Strings that are not valid Unicode raise UnicodeEncodeError, other objects TypeError.
py::tuple encoded_text(py::handle values, py::handle on) {
    reference const all{PySequence_Fast(values.ptr(), "expected a sequence of strings")};
    if (!all.p) throw py::error_already_set();
    Py_ssize_t const n = PySequence_Fast_GET_SIZE(all.p);
    std::string bytes;
    std::vector<std::int64_t> offsets{0};
    std::vector<char> valid(static_cast<std::size_t>(n), 1);
    offsets.reserve(static_cast<std::size_t>(n) + 1);
    bool some_missing = false;
    for (Py_ssize_t k = 0; k < n; ++k) {
        PyObject* const o = PySequence_Fast_GET_ITEM(all.p, k);
        if (PyUnicode_Check(o)) {
            Py_ssize_t size = 0;
            bool const plain = PyUnicode_IS_COMPACT_ASCII(o);
            reference const encoded{plain ? nullptr : PyUnicode_AsUTF8String(o)};
            char const* text = nullptr;
            if (plain) text = PyUnicode_AsUTF8AndSize(o, &size);
            else if (encoded.p) text = PyBytes_AS_STRING(encoded.p), size = PyBytes_GET_SIZE(encoded.p);
            if (!text) throw py::error_already_set();
            bytes.append(text, static_cast<std::size_t>(size));
        } else if (is_missing(o)) {
            valid[static_cast<std::size_t>(k)] = 0, some_missing = true;
        } else {
            throw py::type_error(std::string("expected a string or a missing value, got ") + Py_TYPE(o)->tp_name);
        }
        offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    }
    device const where = device_of(on.ptr());
    auto const copied = [&](void const* data, type_id t, std::size_t count) {
        dtype const type = make_dtype(t);
        return given_out(from_host(where, data, type, {static_cast<std::int64_t>(count)}, {type.itemsize}));
    };
    py::object there = some_missing ? copied(valid.data(), type_id::bool_, valid.size()) : py::none();
    return py::make_tuple(copied(bytes.data(), type_id::uint8, bytes.size()),
                          copied(offsets.data(), type_id::int64, offsets.size()), std::move(there));
}

using part = std::tuple<std::shared_ptr<column>, py::object, py::object>;

}  // namespace

void bind_string_functions(py::module_& m) {
    m.def("encoded_text", &encoded_text, py::arg("values"), py::arg("device") = py::none());
    m.def(
        "find_text",
        [](column const& c, column const& needle, std::string const& search, py::object from) {
            auto const how = search_from(search);
            array const begin = array_or_none(from);
            return py::reinterpret_steal<py::object>(
                to_python(released([&] { return table::find_text(c, needle, how, begin); })));
        },
        py::arg("column"), py::arg("needle"), py::arg("search"), py::arg("start") = py::none());
    m.def("parse_times", [](column const& c, std::string const& format) -> py::object {
        auto found = released([&] { return table::parse_times(c, format); });
        return found ? py::reinterpret_steal<py::object>(to_python(std::move(*found))) : py::none();
    });
    m.def("assemble_text", [](std::vector<part> const& parts, std::int64_t rows) {
        std::vector<table::text_part> given;
        for (auto const& [text, begin, size] : parts) {
            if (!text) throw type_error("[assemble_text] expected columns, got None");
            given.push_back({text, array_or_none(begin), array_or_none(size)});
        }
        return released([&] { return share(table::assemble_text(given, rows)); });
    });
    using shared = std::shared_ptr<column>;
    m.def(
        "hash_tokens",
        [](column const& documents, std::int64_t columns, bool signs, bool lower_case, std::pair<int, int> ngrams,
           shared const& stop_words) {
            table::term_rule const rule{lower_case, ngrams.first, ngrams.second, stop_words};
            return counts_out(released([&] { return table::hash_tokens(documents, rule, columns, signs); }));
        },
        py::arg("documents"), py::arg("columns"), py::arg("signs"), py::arg("lower_case"), py::arg("ngrams"),
        py::arg("stop_words") = py::none());
    m.def(
        "count_tokens",
        [](column const& documents, shared const& vocabulary, bool lower_case, std::pair<int, int> ngrams,
           shared const& stop_words) {
            table::term_rule const rule{lower_case, ngrams.first, ngrams.second, stop_words};
            return counts_out(released([&] { return table::count_tokens(documents, rule, vocabulary); }));
        },
        py::arg("documents"), py::arg("vocabulary"), py::arg("lower_case"), py::arg("ngrams"),
        py::arg("stop_words") = py::none());
    m.def("replace_text", [](column const& c, column const& needle, column const& replacement, std::int64_t most) {
        return released([&] { return share(table::replace_text(c, needle, replacement, most)); });
    });
}

}  // namespace bascule::python
