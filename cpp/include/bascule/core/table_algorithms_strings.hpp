// Argument structs of the algorithms on string columns (Arrow large_string) and on validity bitmaps. Plain data; every
// result of unknown size is in memory from the caller's `allocate`. Bytes are UTF-8.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

struct string_column {
    char const* bytes = nullptr;
    std::int64_t const* offsets = nullptr;   // length + 1 of them; the first need not be 0
    std::uint8_t const* validity = nullptr;  // one bit a row, least significant first; null: all valid
    std::int64_t length = 0;
};

struct string_result {
    char* bytes = nullptr;
    std::int64_t* offsets = nullptr;   // the first is 0
    std::uint8_t* validity = nullptr;  // null: all valid
    std::int64_t null_count = 0;
};

// algorithm_kind::gather_strings. out[i] = in[positions[i]]. A position is in [0, in.length), or, if `holes` is set,
// negative, which gives a null. Any other is status::index_error.
struct gather_strings_args {
    string_column in;
    std::int64_t const* positions = nullptr;
    std::int64_t length = 0;  // of positions
    bool nulls = false;
    void* owner = nullptr;
    void* (*allocate)(void* owner,
                      std::int64_t bytes) = nullptr;  // called for offsets, then bytes, then validity if needed
    string_result out;
};

// algorithm_kind::concat_strings. The rows of all parts, one after another.
struct concat_strings_args {
    string_column const* parts = nullptr;
    std::int32_t nparts = 0;
    void* owner = nullptr;
    void* (*allocate)(void* owner, std::int64_t bytes) = nullptr;
    string_result out;
};

enum class string_comparison : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };

// algorithm_kind::compare_strings. One byte a row, 0 or 1. With a null on either side not_equal is 1 and the others 0,
// as in pandas' str columns. Order is by bytes, which is the order of code points.
struct compare_strings_args {
    string_column left;
    string_column right;  // of the same length, or of length 1: compared with every row
    string_comparison op = string_comparison::equal;
    std::uint8_t* out = nullptr;  // left.length
};

// algorithm_kind::validity_bits. From a byte a row (0: null) to a bitmap, or back; bits behind the end are 0.
struct validity_bits_args {
    bool pack = true;
    std::uint8_t* bits = nullptr;   // (length + 7) / 8 bytes
    std::uint8_t* bytes = nullptr;  // length
    std::int64_t length = 0;
    bool count_nulls = true;      // when packing; a device that runs behind has to be waited for
    std::int64_t null_count = 0;  // result, where wanted
};

}  // namespace bascule
