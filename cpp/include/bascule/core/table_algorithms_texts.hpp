// Argument structs of the algorithms that search and change strings; those that change them are for devices with memory
// of their own, as Arrow's functions do that on the host. Plain data; bytes are UTF-8.
#pragma once
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
