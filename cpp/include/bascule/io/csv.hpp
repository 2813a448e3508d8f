// CSV text to columns, by pandas' rules: whole-column types, its names for columns, its errors in its words.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bascule/core/error.hpp"
#include "bascule/core/table_algorithms_csv.hpp"

namespace bascule::io {

struct csv_options {
    char separator = ',', quote = '"';  // quote '\0': none
    std::int64_t header = 0;            // -1: none
    std::vector<std::string> names;     // in place of the header's
    bool has_names = false;
    std::vector<std::string> wanted_names;  // usecols; empty together with the next: all
    std::vector<std::int64_t> wanted_positions;
    std::int64_t range_begin = 0, range_end = -1;
    std::int64_t skip_rows = 0, row_limit = -1;
    std::vector<std::pair<std::string, csv_kind>> kinds;  // dtype and parse_dates, by name
    std::vector<csv_kind> kinds_by_position;              // the same, where columns are numbered
    std::vector<std::string> na_words;
    bool keep_default_na = true, na_filter = true, skip_blank_lines = true;
    bool no_quoted_newlines = false;  // lets a byte range be read without looking at the bytes before it
};

// A failure of reading. `python_class` is where Python finds its class: "pandas.errors.ParserError", "ValueError", …
struct csv_error : value_error {
    std::string python_class;
    csv_error(std::string c, std::string const& text) : value_error(text), python_class(std::move(c)) {}
};

// Columns over memory of the host's pool. Those of an implicit index come first and have no name.
class csv_table {
public:
    std::int64_t rows() const noexcept { return rows_; }
    std::int64_t implicit_index() const noexcept { return implicit_; }
    std::int64_t size() const noexcept { return count_; }
    csv_column const& column(std::int64_t i) const { return columns_[i]; }
    // A column without a name of its own has its number's.
    bool is_named(std::int64_t i) const { return columns_[i].name.data != nullptr; }
    std::string_view name(std::int64_t i) const {
        return {columns_[i].name.data, static_cast<std::size_t>(columns_[i].name.size)};
    }
    // Every block lives as long as some copy of this does: for buffers that are handed on one by one.
    std::shared_ptr<void> owner() const noexcept { return memory_; }

private:
    friend csv_table read_csv_file(std::string const& path, csv_options const&);
    friend csv_table read_csv_text(std::string_view text, csv_options const&);
    static csv_table read(read_csv_args, csv_options const&);
    std::shared_ptr<void> memory_;
    csv_column const* columns_ = nullptr;
    std::int64_t count_ = 0, implicit_ = 0, rows_ = 0;
};

// Throws csv_error, memory_error. Cost: one pass over the text to count rows and quotes, one to decode, one more for
// each time that a column turns out to be of a wider type than its first thousand rows.
csv_table read_csv_file(std::string const& path, csv_options const& = {});
csv_table read_csv_text(std::string_view text, csv_options const& = {});

}  // namespace bascule::io
