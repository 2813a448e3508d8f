// Argument structs of the algorithms that search and change strings; those that change them are for devices with memory
// of their own, as Arrow's functions do that on the host. Plain data; bytes are UTF-8.
#pragma once
#include <cstdint>

#include "bascule/core/table_algorithms_strings.hpp"

namespace bascule {

enum class string_search : std::uint8_t {
    first,      // where the first occurrence begins, -1: nowhere
    last,       // where the last one begins
    count,      // how many there are that do not overlap
    at_begin,   // 1 where a text begins with it, else 0
    at_end,     // 1 where it ends with it
    past_set,   // how many bytes at the beginning are among those of the needle
    up_to_set,  // where bytes that are all among them begin at the end: the length without them
};

// algorithm_kind::find_strings. Positions are counted in bytes of each row's string. Null rows give -1 or 0, as if
// empty.
struct find_strings_args {
    string_column in;
    string_column needle;                // of length 1, not null
    std::int64_t const* from = nullptr;  // of first, a row each: the byte to begin at; null: 0
    string_search search = string_search::first;
    std::int64_t* out = nullptr;  // in.length
};

// One item of a format of times, as strptime's directives.
enum class time_field : std::uint8_t {
    literal,      // a byte, in either case
    space,        // one byte of white space or more
    year,         // %Y, four digits
    short_year,   // %y, two: of 1969 to 2068
    month,        // %m
    day,          // %d
    day_of_year,  // %j
    hour,         // %H
    half_hour,    // %I, of 12
    minute,       // %M
    second,       // %S, to 61
    fraction,     // %f, one to nine digits
    month_name,   // %B, in English and in either case as all names
    short_month,  // %b
    day_name,     // %A, of no effect
    short_day,    // %a
    half_day,     // %p, AM or PM
};
struct time_item {
    time_field field = time_field::literal;
    char byte = 0;  // of a literal
};
// As Python's regular expressions, within ASCII.
constexpr bool is_white_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f'); }
inline constexpr std::int64_t no_time = INT64_MIN;         // of a null, an empty string, and "nan" or "nat" in any of
                                                           // pandas' spellings
inline constexpr std::int64_t not_a_time = INT64_MIN + 1;  // of a string that the format does not match
inline constexpr std::int64_t most_time_items = 64;

// algorithm_kind::parse_times. Microseconds since 1970 of strings in a format. As with strptime, which makes a regular
// expression of it: of the numbers that an item can be the longest that lets the rest match; a day that its month does
// not have, or a fraction finer than microseconds, is not a time. No field appears twice.
struct parse_times_args {
    string_column in;
    time_item const* items = nullptr;
    std::int64_t nitems = 0;      // up to most_time_items
    std::int64_t* out = nullptr;  // in.length
};

// Rows of a part of a column: row i is text[i * step], of it `size` bytes from `begin`.
struct string_piece {
    string_column text;
    std::int64_t step = 1;                // 0: the same row for all
    std::int64_t const* begin = nullptr;  // in bytes, a row each; null: 0
    std::int64_t const* size = nullptr;   // null: to the end
};
inline constexpr std::int32_t most_string_pieces = 8;

// Row i is the concatenation of row i of all pieces; null where one of them is. The caller guarantees that pieces are
// within their strings.
struct assemble_strings_args {
    string_piece const* pieces = nullptr;
    std::int32_t npieces = 0;
    std::int64_t length = 0;
    void* owner = nullptr;
    void* (*allocate)(void* owner, std::int64_t bytes) = nullptr;
    string_result out;
};

// algorithm_kind::replace_strings. The first `most` occurrences of a needle that is not empty; negative: all.
struct replace_strings_args {
    string_column in;
    string_column needle, replacement;  // of length 1, not null
    std::int64_t most = -1;
    void* owner = nullptr;
    void* (*allocate)(void* owner, std::int64_t bytes) = nullptr;
    string_result out;
};

}  // namespace bascule
