// Columns to CSV text, by pandas' rules for values and Python's for fields.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bascule/core/table_algorithms_csv.hpp"
#include "bascule/table/column.hpp"

namespace bascule::io {

// Values of the host's memory: numbers, booleans, datetimes or text.
struct csv_written_column {
    table::column_ref values;
    csv_form form = csv_form::shortest;  // of floats
    int precision = 6;
    bool is_number = true, one_form = false;
    std::string missing;
};

struct csv_write_options {
    char separator = ',', quote = '"';
    std::string line_end = "\n", decimal = ".";
    double single_limit = 1e16;  // from which on float32 has an exponent
    bool quote_all = false, quote_text = false;
    std::array<csv_effect, 128> effects{};
    std::array<char, 128> prefixes{};
    std::string empty_row;
    bool refuses_empty_row = false;
    std::int64_t group = 1;  // rows among which times are said as finely as the finest of them
};

enum class csv_refusal : std::uint8_t { none, character, empty_row };

// Text in pieces, which live as long as it does.
struct csv_text {
    std::vector<std::string_view> pieces;
    bool is_ascii = true;
    csv_refusal refused = csv_refusal::none;
    std::shared_ptr<void> owner;
};

// Rows [first, past) of columns of one length. Throws memory_error, type_error.
csv_text write_csv(std::span<csv_written_column const> columns, csv_write_options const& o, std::int64_t first,
                   std::int64_t past);

}  // namespace bascule::io
