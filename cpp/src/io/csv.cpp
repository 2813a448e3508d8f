#include "bascule/io/csv.hpp"

#include <algorithm>

#include "bascule/array/device_calls.hpp"
#include "bascule/sched/interrupt.hpp"
#include "csv_call.hpp"

namespace bascule::io {
namespace {

char const* python_class(csv_failure f) {
    switch (f) {
        case csv_failure::empty_data: return "pandas.errors.EmptyDataError";
        case csv_failure::unicode_error: return "UnicodeDecodeError";
        case csv_failure::value_error: return "ValueError";
        case csv_failure::file_error: return "OSError";
        default: return "pandas.errors.ParserError";
    }
}

void run(read_csv_args& a) {
    sched::interruptible const early(true);  // no array holds the rows read so far
    switch (device_calls::algorithm({cpu_backend(), 0}, algorithm_kind::read_csv, &a)) {
        case status::ok: return;
        case status::out_of_memory: throw memory_error(cpu_backend()->last_error());
        case status::interrupted: throw interrupted("[read_csv] interrupted");
        default: break;
    }
    if (a.failure == csv_failure::none) throw device_error(cpu_backend()->last_error());
    throw csv_error(python_class(a.failure), a.message);
}

std::vector<csv_bytes> as_bytes(std::vector<std::string> const& all) {
    std::vector<csv_bytes> out;
    for (auto const& s : all) out.push_back({s.data(), static_cast<std::int64_t>(s.size())});
    return out;
}

std::vector<std::string> read_names(read_csv_args a) {
    block_list blocks;
    a.names_only = true;
    a.owner = &blocks;
    run(a);
    std::vector<std::string> names;
    for (std::int64_t i = a.implicit_index; i < a.column_count; ++i) {
        csv_bytes const n = a.columns[i].name;
        names.push_back(n.data ? std::string(n.data, static_cast<std::size_t>(n.size)) : std::string());
    }
    return names;
}

void reject_unknown(std::vector<std::string> const& wanted, std::vector<std::string> const& names) {
    std::string missing;
    for (auto const& w : wanted)
        if (std::find(names.begin(), names.end(), w) == names.end())
            missing += (missing.empty() ? "'" : ", '") + w + "'";
    if (!missing.empty())
        throw csv_error("ValueError",
                        "Usecols do not match columns, columns expected but not found: [" + missing + "]");
}

csv_selection select(read_csv_args const& a, csv_options const& o) {
    csv_selection s;
    s.kinds = o.kinds_by_position;
    bool const some = !o.wanted_names.empty() || !o.wanted_positions.empty();
    if (!some && o.kinds.empty()) return s;
    std::vector<std::string> const names = read_names(a);
    reject_unknown(o.wanted_names, names);
    s.kinds.resize(std::max(s.kinds.size(), names.size()), csv_kind::automatic);
    if (some) s.wanted.assign(std::max<std::size_t>(names.size(), 1), 0);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (std::find(o.wanted_names.begin(), o.wanted_names.end(), names[i]) != o.wanted_names.end()) s.wanted[i] = 1;
        for (auto const& [name, kind] : o.kinds)
            if (name == names[i]) s.kinds[i] = kind;
    }
    for (std::int64_t p : o.wanted_positions) {
        if (p < 0 || p >= static_cast<std::int64_t>(names.size()))
            throw csv_error("pandas.errors.ParserError",
                            "Defining usecols with out-of-bounds indices is not allowed. [" + std::to_string(p) +
                                "] are out of bounds.");
        s.wanted[static_cast<std::size_t>(p)] = 1;
    }
    return s;
}

}  // namespace

csv_call::csv_call(read_csv_args const& input, csv_options const& o, block_list& blocks)
    : args(input), names_(as_bytes(o.names)), na_words_(as_bytes(o.na_words)) {
    read_csv_args& a = args;
    a.separator = o.separator;
    a.quote = o.quote;
    a.header = o.header;
    a.skip_rows = o.skip_rows;
    a.row_limit = o.row_limit;
    a.range_begin = o.range_begin;
    a.range_end = o.range_end;
    a.skip_blank_lines = o.skip_blank_lines;
    a.keep_default_na = o.keep_default_na;
    a.na_filter = o.na_filter;
    a.no_quoted_newlines = o.no_quoted_newlines;
    a.names = o.has_names || !names_.empty() ? names_.data() : nullptr;
    a.name_count = static_cast<std::int64_t>(names_.size());
    a.na_words = na_words_.data();
    a.na_word_count = static_cast<std::int64_t>(na_words_.size());
    a.allocate = block_list::allocate;
    a.release = block_list::release;
    a.owner = &blocks;
    chosen_ = select(a, o);
    if (!chosen_.wanted.empty()) {
        a.wanted = chosen_.wanted.data();
        a.wanted_count = static_cast<std::int64_t>(chosen_.wanted.size());
    }
    a.kinds = chosen_.kinds.data();
    a.kind_count = static_cast<std::int64_t>(chosen_.kinds.size());
}

void csv_call::run() { io::run(args); }

csv_table csv_table::read(read_csv_args a, csv_options const& o) {
    auto blocks = std::make_shared<block_list>();
    csv_call call(a, o, *blocks);
    call.run();
    a = call.args;
    csv_table t;
    t.memory_ = std::move(blocks);
    t.columns_ = a.columns;
    t.count_ = a.column_count;
    t.implicit_ = a.implicit_index;
    t.rows_ = a.length;
    return t;
}

csv_table read_csv_file(std::string const& path, csv_options const& o) {
    read_csv_args a;
    a.path = path.c_str();
    return csv_table::read(a, o);
}

csv_table read_csv_text(std::string_view text, csv_options const& o) {
    read_csv_args a;
    a.memory = {text.data(), static_cast<std::int64_t>(text.size())};
    return csv_table::read(a, o);
}

}  // namespace bascule::io
