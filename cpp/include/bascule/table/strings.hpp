// Operations on strings for devices that have algorithms for them; others raise. Positions and sizes are in bytes.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "bascule/core/table_algorithms_string_search.hpp"
#include "bascule/table/column.hpp"

namespace bascule::table {

// For each row the position of `needle`, or its count: see string_search. `from`, int64: the byte to begin at.
array find_text(column const& c, column const& needle, string_search search, array const& from = {});

// A part of each row of a column, or of its one row.
struct text_part {
    column_ref text;
    array begin, size;  // int64, a row each; without memory: from 0, to the end
};
// The parts of each row put together; missing where one is.
column assemble_text(std::span<text_part const> parts, std::int64_t rows);

// Replaces the first `most` occurrences of `needle`, which is not empty; negative: all.
column replace_text(column const& c, column const& needle, column const& replacement, std::int64_t most);

// Microseconds since 1970 of strings in a format of strptime; `no_time` and `not_a_time`
// among them. Nothing for a format with other directives than those of time_field, or with one of them twice.
std::optional<array> parse_times(column const& c, std::string_view format);

}  // namespace bascule::table
