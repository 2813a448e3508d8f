// Reading CSV text into columns.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "array_object.hpp"
#include "bascule/io/csv_frame.hpp"

namespace py = pybind11;

namespace bascule::python {
namespace {

csv_kind kind_from(std::string const& name) {
    static constexpr std::pair<char const*, csv_kind> all[] = {{"automatic", csv_kind::automatic},
                                                               {"int64", csv_kind::int64},
                                                               {"uint64", csv_kind::uint64},
                                                               {"float64", csv_kind::float64},
                                                               {"bool", csv_kind::boolean},
                                                               {"text", csv_kind::text},
                                                               {"date", csv_kind::date}};
    for (auto const& [n, k] : all)
        if (name == n) return k;
    throw value_error("[read_csv] no kind of column named " + name);
}

char const* remark_name(csv_remark r) {
    static constexpr char const* names[] = {"", "empty", "boolean_holes", "huge_integers", "unknown_dates"};
    return names[static_cast<int>(r)];
}

io::csv_options options_from(py::dict const& d) {
    io::csv_options o;
    for (auto const& [key, value] : d) {
        auto const k = py::cast<std::string>(key);
        if (k == "separator") o.separator = py::cast<char>(value);
        else if (k == "quote") o.quote = value.is_none() ? '\0' : py::cast<char>(value);
        else if (k == "header") o.header = py::cast<std::int64_t>(value);
        else if (k == "names") o.names = py::cast<std::vector<std::string>>(value), o.has_names = true;
        else if (k == "wanted_names") o.wanted_names = py::cast<std::vector<std::string>>(value);
        else if (k == "wanted_positions") o.wanted_positions = py::cast<std::vector<std::int64_t>>(value);
        else if (k == "range_begin") o.range_begin = py::cast<std::int64_t>(value);
        else if (k == "range_end") o.range_end = py::cast<std::int64_t>(value);
        else if (k == "skip_rows") o.skip_rows = py::cast<std::int64_t>(value);
        else if (k == "row_limit") o.row_limit = py::cast<std::int64_t>(value);
        else if (k == "na_words") o.na_words = py::cast<std::vector<std::string>>(value);
        else if (k == "keep_default_na") o.keep_default_na = py::cast<bool>(value);
        else if (k == "na_filter") o.na_filter = py::cast<bool>(value);
        else if (k == "skip_blank_lines") o.skip_blank_lines = py::cast<bool>(value);
        else if (k == "no_quoted_newlines") o.no_quoted_newlines = py::cast<bool>(value);
        else if (k == "kinds")
            for (auto const& [name, kind] : py::cast<py::dict>(value))
                o.kinds.emplace_back(py::cast<std::string>(name), kind_from(py::cast<std::string>(kind)));
        else if (k == "kinds_by_position")
            for (auto const& kind : py::cast<py::list>(value))
                o.kinds_by_position.push_back(kind_from(py::cast<std::string>(kind)));
        else throw value_error("[read_csv] no option named " + k);
    }
    return o;
}

[[noreturn]] void raise(io::csv_error const& e) {
    auto const dot = e.python_class.rfind('.');
    py::object const where =
        py::module_::import(dot == std::string::npos ? "builtins" : e.python_class.substr(0, dot).c_str());
    py::object const type = where.attr(e.python_class.substr(dot == std::string::npos ? 0 : dot + 1).c_str());
    if (e.python_class == "UnicodeDecodeError") {
        PyErr_SetObject(type.ptr(), type("utf-8", py::bytes(""), 0, 1, e.what()).ptr());
    } else {
        PyErr_SetString(type.ptr(), e.what());
    }
    throw py::error_already_set();
}

template <class F> io::csv_frame read(F&& f) {
    std::optional<io::csv_error> failed;
    {
        without_gil const released(true);
        try {
            return io::to_frame(f());
        } catch (io::csv_error const& e) { failed = e; }
    }
    raise(*failed);
}

}  // namespace

// (rows, width of the implicit index, [(name or None, kind's remark, Column), …])
void bind_csv(py::module_& m) {
    m.def("read_csv", [](py::object source, py::dict options) {
        // Never a frame of the host where one of another device was asked for.
        if (device const to = default_device(); !to.api->host_memory)
            throw not_supported("[read_csv] reads into the host's memory, not into that of " + to.name() +
                                ": read within `with bascule.device(\"cpu\"):`");
        auto const o = options_from(options);
        io::csv_frame f;
        if (py::isinstance<py::bytes>(source)) {
            auto const text = py::cast<std::string_view>(source);
            f = read([&] { return io::read_csv_text(text, o); });
        } else {
            auto const path = py::cast<std::string>(source);
            f = read([&] { return io::read_csv_file(path, o); });
        }
        py::list columns;
        for (auto const& c : f.columns)
            columns.append(py::make_tuple(c.named ? py::object(py::str(c.name)) : py::none(), remark_name(c.remark),
                                          std::const_pointer_cast<table::column>(c.values)));
        return py::make_tuple(f.rows, f.implicit_index, columns);
    });
}

}  // namespace bascule::python
