// Argument structs of backend::algorithm for sorting and joining table columns. Plain data; contiguous columns.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

// NaN in floats and NaT in times are null, regardless of the bitmap. Complex columns are status::not_supported.
struct sort_key {
    type_id dtype = type_id::float64;        // ignored where `offsets` is set
    void const* data = nullptr;              // values, or the bytes of strings
    std::uint8_t const* validity = nullptr;  // Arrow bitmap, bit set = valid; null: all valid
    std::int64_t const* offsets = nullptr;   // strings (Arrow large_string, compared as bytes): length + 1 entries
    bool ascending = true;
};

// Rows that are moved along with a sort: `out` gets those of `data` in its order.
struct carried_column {
    void const* data = nullptr;
    void* out = nullptr;
    std::int32_t bytes = 0;  // an item
};

// algorithm_kind::argsort. The stable order by keys[0], then keys[1], ...; -0.0 equals 0.0; nulls come last, or first,
// of every key in either direction. With `rows` above 1 the one key, without bitmap and strings, is a matrix in C order
// whose rows are sorted each by itself.
struct argsort_args {
    std::int32_t nkeys = 0;
    sort_key const* keys = nullptr;
    std::int64_t length = 0;  // below 2^32 - 1
    std::int64_t rows = 1;
    bool nulls_first = false;
    bool wide = true;     // out holds int64, else int32
    void* out = nullptr;  // rows * length positions
    // Null, or where the values of the one key go in that order, bit by bit as they are; for a key of fixed width
    // without a bitmap and one row.
    void* sorted = nullptr;
    // With one row also other columns: at most one with items of 1, 2 or 4 bytes and two with items of 8.
    carried_column const* carried = nullptr;
    std::int32_t ncarried = 0;
    // As in sort_args, for the one key of a matrix or of one row, without a bitmap.
    std::int64_t const* kth = nullptr;
    std::int32_t nkth = 0;
};

// algorithm_kind::sort. Values alone, ascending, NaN and NaT last (all NaN are written alike), -0.0 before 0.0.
struct sort_args {
    type_id dtype = type_id::float64;
    void const* data = nullptr;
    void* out = nullptr;  // may be data
    std::int64_t length = 0;
    std::int64_t rows = 1;
    // Null, or ascending positions in each row at which alone the sorted elements are needed, with nothing greater
    // before them and nothing less behind them; a device may sort all the same.
    std::int64_t const* kth = nullptr;
    std::int32_t nkth = 0;
};

enum class join_how : std::uint8_t { inner, left, right, outer };

struct join_side {
    void const* data = nullptr;
    std::uint8_t const* validity = nullptr;
    std::int64_t length = 0;  // below 2^32 - 1
};

// algorithm_kind::join_pairs. Rows whose keys are equal, as pairs of row numbers in pandas' order: inner and left
// follow the left rows, then the right rows of a key; right follows the right rows, then the left. Outer, and every
// kind with `sorted`, follows the keys first; null comes last, but first where keys are times. Null matches null.
struct join_pairs_args {
    join_how how = join_how::inner;
    bool sorted = false;
    bool wide = true;                // results are int64, else int32
    bool negative_is_null = false;   // keys are codes of a factorisation
    type_id dtype = type_id::int64;  // of both keys; strings come as codes
    join_side left, right;
    void* owner = nullptr;
    void* (*allocate)(void* owner, std::int64_t bytes) = nullptr;  // asked twice: left_rows, right_rows
    void *left_rows = nullptr, *right_rows = nullptr;              // results; -1: no row
    std::int64_t count = 0;                                        // result: pairs
};

// algorithm_kind::join_nearest. For each left row the last right row of its group in front of a bound, or the first one
// from the bound on; -1: none. Groups are numbers below `groups`, bounds ascend.
struct join_nearest_args {
    std::int64_t const* bounds = nullptr;  // left_rows, each from 0 to right_rows
    std::uint32_t const *left = nullptr, *right = nullptr;
    std::int64_t left_rows = 0, right_rows = 0, groups = 0;
    bool backward = true;
    std::int64_t* out = nullptr;  // left_rows
};

}  // namespace bascule
