// Text that is nearly CSV, rewritten as CSV: comments, several spaces between fields, rows of too many fields.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bascule::io {

struct csv_spelling {
    char separator = ',', quote = '"';
    char comment = '\0';          // begins a comment, up to the end of the line; '\0': none does
    bool spaces = false;          // runs of spaces and tabs separate fields: tabs do in the result
    bool initial_spaces = false;  // spaces and tabs in front of a field are left out
    bool drop_long_rows = false;  // rows of more fields than the first are left out
};

struct csv_dropped_row {
    std::int64_t line, expected, fields;
};

struct plain_csv {
    std::string text;
    std::vector<csv_dropped_row> dropped;
    bool second_row_is_longer = false;  // than the first: it may have labels in front
    bool open_quote = false;            // the text ends within a quoted field
};

// The fields are found as by pandas' tokenizer, which skips blank lines. `quote` encloses fields, too, that would look
// like blank lines without.
plain_csv rewrite_csv(std::string_view text, csv_spelling const& how);

}  // namespace bascule::io
