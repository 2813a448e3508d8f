// Reading CSV text into columns, and writing it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "array_object.hpp"
#include "bascule/io/csv_frame.hpp"
#include "bascule/io/csv_text.hpp"
#include "bascule/io/csv_writer.hpp"
#include "bascule/sched/progress.hpp"

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
    static constexpr char const* names[] = {"", "empty", "boolean_nulls", "huge_integers", "unknown_dates"};
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

template <class F> auto read(sched::progress* reported, F&& f) {
    std::optional<io::csv_error> failed;
    {
        sched::progress_reported const telling(reported);
        without_gil const released(true);
        try {
            return f();
        } catch (io::csv_error const& e) { failed = e; }
    }
    raise(*failed);
}

// The rows, the width of the implicit index, the columns (name or None, remark of the reader, values), and how many
// numbers a device left to the host.
py::object parts_of(io::csv_frame const& f, std::int64_t host_fields = 0) {
    py::list columns;
    for (auto const& c : f.columns)
        columns.append(py::make_tuple(c.named ? py::object(py::str(c.name)) : py::none(), remark_name(c.remark),
                                      std::const_pointer_cast<table::column>(c.values)));
    return py::make_tuple(f.rows, f.implicit_index, columns, host_fields);
}

py::object read_csv(py::object const& source, py::dict const& options, sched::progress* reported) {
    auto const o = options_from(options);
    io::csv_input input;
    input.is_file = !py::isinstance<py::bytes>(source);
    if (input.is_file) input.path = py::cast<std::string>(source);
    else input.text = py::cast<std::string_view>(source);
    if (device const to = default_device(); !to.api->host_memory) {
        io::csv_of_device const found = read(reported, [&] { return io::read_csv_on(to, input, o); });
        return found.left_to_cpu.empty() ? parts_of(found.frame, found.host_fields)
                                         : py::object(py::str(found.left_to_cpu));
    }
    return parts_of(read(reported, [&] {
        return io::to_frame(input.is_file ? io::read_csv_file(input.path, o) : io::read_csv_text(input.text, o));
    }));
}

io::csv_spelling spelling_from(py::dict const& d) {
    io::csv_spelling how;
    for (auto const& [key, value] : d) {
        auto const k = py::cast<std::string>(key);
        if (k == "separator") how.separator = py::cast<char>(value);
        else if (k == "quote") how.quote = py::cast<char>(value);
        else if (k == "comment") how.comment = py::cast<char>(value);
        else if (k == "spaces") how.spaces = py::cast<bool>(value);
        else if (k == "initial_spaces") how.initial_spaces = py::cast<bool>(value);
        else if (k == "drop_long_rows") how.drop_long_rows = py::cast<bool>(value);
        else throw value_error("[rewrite_csv] no option named " + k);
    }
    return how;
}

csv_form float_form(std::string const& name) {
    if (name == "f") return csv_form::fixed;
    if (name == "e") return csv_form::scientific;
    if (name == "g") return csv_form::general;
    return csv_form::shortest;
}

// (column, form of floats, digits of theirs, whether it is a number, whether all times have one form, text of missing)
using written = std::tuple<std::shared_ptr<table::column>, std::string, int, bool, bool, std::string>;

std::vector<io::csv_written_column> written_columns(std::vector<written> const& given) {
    std::vector<io::csv_written_column> columns;
    for (auto const& [values, form, precision, number, one_form, missing] : given) {
        if (!values) throw type_error("[write_csv] expected a column, got None");
        if (precision < 0 || precision > 100)
            throw value_error("[write_csv] floats have 0 to 100 digits, not " + std::to_string(precision));
        if (!columns.empty() && values->length() != columns[0].values->length())
            throw value_error("[write_csv] columns differ in length: " + std::to_string(columns[0].values->length()) +
                              " and " + std::to_string(values->length()));
        columns.push_back({values, float_form(form), precision, number, one_form, missing});
    }
    return columns;
}

io::csv_write_options write_options(py::dict const& d) {
    io::csv_write_options o;
    for (auto const& [key, value] : d) {
        auto const k = py::cast<std::string>(key);
        if (k == "separator") o.separator = py::cast<char>(value);
        else if (k == "quote") o.quote = py::cast<char>(value);
        else if (k == "line_end") o.line_end = py::cast<std::string>(value);
        else if (k == "decimal") o.decimal = py::cast<std::string>(value);
        else if (k == "single_limit") o.single_limit = py::cast<double>(value);
        else if (k == "quote_all") o.quote_all = py::cast<bool>(value);
        else if (k == "quote_text") o.quote_text = py::cast<bool>(value);
        else if (k == "group") o.group = std::max<std::int64_t>(py::cast<std::int64_t>(value), 1);
        else if (k == "empty_row") {
            o.refuses_empty_row = value.is_none();
            if (!value.is_none()) o.empty_row = py::cast<std::string>(value);
        } else if (k == "effects") {
            auto const given = py::cast<std::string>(value);
            for (std::size_t i = 0; i < std::min<std::size_t>(given.size(), 128); ++i)
                o.effects[i] = static_cast<csv_effect>(std::clamp(given[i] - '0', 0, 4));
        } else if (k == "prefixes") {
            auto const given = py::cast<std::string>(value);
            std::copy_n(given.begin(), std::min<std::size_t>(given.size(), 128), o.prefixes.begin());
        } else throw value_error("[write_csv] no option named " + k);
    }
    return o;
}

// The pieces one after the other, as str or as bytes.
py::object joined(io::csv_text const& t, bool as_str) {
    std::size_t size = 0;
    for (auto const p : t.pieces) size += p.size();
    bool const plain = as_str && t.is_ascii;
    auto const made =
        py::reinterpret_steal<py::object>(plain ? PyUnicode_New(static_cast<Py_ssize_t>(size), 127)
                                                : PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
    if (!made) throw py::error_already_set();
    if (size > 0) {
        char* to = plain ? static_cast<char*>(PyUnicode_DATA(made.ptr())) : PyBytes_AS_STRING(made.ptr());
        without_gil const released(true);
        for (auto const p : t.pieces) to = std::copy(p.begin(), p.end(), to);
    }
    if (!as_str || plain) return made;
    auto* const text = PyUnicode_DecodeUTF8(PyBytes_AS_STRING(made.ptr()), PyBytes_GET_SIZE(made.ptr()), "strict");
    if (!text) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(text);
}

py::object write(std::vector<written> const& given, py::dict const& options, std::int64_t first, std::int64_t past,
                 bool as_str) {
    auto const columns = written_columns(given);
    auto const o = write_options(options);
    if (!columns.empty() && (first < 0 || past < first || past > columns[0].values->length()))
        throw value_error("[write_csv] rows " + std::to_string(first) + " to " + std::to_string(past) +
                          " do not lie within " + std::to_string(columns[0].values->length()));
    io::csv_text text;
    {
        without_gil const released(true);
        text = io::write_csv(columns, o, first, past);
    }
    if (text.refused == io::csv_refusal::none) return joined(text, as_str);
    return py::int_(text.refused == io::csv_refusal::character ? 0 : 1);
}

}  // namespace

void bind_csv(py::module_& m) {
    py::class_<sched::progress>(m, "Progress", "How far a long operation is, in units of its own.")
        .def(py::init<>())
        .def_readwrite("counts_tasks", &sched::progress::counts_tasks)
        .def_property_readonly("steps", [](sched::progress const& p) { return p.steps.load(); })
        .def_property_readonly("done", [](sched::progress const& p) { return p.done.load(); })
        .def_property_readonly("total", [](sched::progress const& p) { return p.total.load(); });
    m.def("read_csv", read_csv,
          "The columns of a file or of bytes on the default device; a str says why only the CPU device can read them.",
          py::arg("source"), py::arg("options"), py::arg("progress") = nullptr);
    m.def(
        "rewrite_csv",
        [](py::bytes const& source, py::dict const& spelling) {
            auto const how = spelling_from(spelling);
            auto const text = py::cast<std::string_view>(source);
            io::plain_csv made;
            {
                without_gil const released(true);
                made = io::rewrite_csv(text, how);
            }
            py::list dropped;
            for (auto const& d : made.dropped) dropped.append(py::make_tuple(d.line, d.expected, d.fields));
            return py::make_tuple(py::bytes(made.text), dropped, made.second_row_is_longer, made.open_quote);
        },
        "The text as CSV, rows left out as (line, expected fields, fields), whether row 2 is longer than row 1, and "
        "whether a quote is open at "
        "the end.");
    m.def(
        "write_csv", write,
        "Rows of columns as text: str, or bytes of UTF-8; 0 where a character cannot be written, 1 where a row cannot.",
        py::arg("columns"), py::arg("options"), py::arg("first"), py::arg("past"), py::arg("as_str"));
}

}  // namespace bascule::python
