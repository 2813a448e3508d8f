// Argument structs of the algorithms describe_keys, factorize, aggregate_by_id, aggregate_by_key and group_ranks. Plain
// data.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

// A column as the algorithms read it. Where `validity` is null, NaN and NaT are the null values; where it is not, only
// the bitmap says which values are null.
struct group_column {
    type_id dtype = type_id::float64;        // ignored for strings
    void const* data = nullptr;              // of strings: the bytes
    std::uint8_t const* validity = nullptr;  // one bit a row, least significant first; null: no bitmap
    std::int64_t const* offsets = nullptr;   // of strings: length + 1 of them; else null
    std::int64_t length = 0;
};

inline constexpr std::uint32_t null_group = 0xffffffffu;

enum class group_order : std::uint8_t { sorted, appearance };

// Statistics of some rows of the keys: all rows of a short column, one of each of many equal pieces of a long one.
struct key_statistics {
    std::int64_t rows = 0;      // that were looked at
    std::int64_t distinct = 0;  // different ones among them
    bool ascending = false;     // each is at least the one before
    std::uint64_t least = ~std::uint64_t{0},
                  greatest = 0;  // of integers and times in the order of their values; or none
    std::int64_t longest = 0;    // of strings, in bytes
};
inline constexpr std::int64_t most_described_rows = 4096;

struct describe_keys_args {
    group_column const* keys = nullptr;
    std::int32_t nkeys = 0;
    std::int64_t length = 0;
    key_statistics* columns = nullptr;  // nkeys
    key_statistics together;            // rows, distinct and ascending of the keys side by side
};

// The ways to number keys that are 64-bit numbers. Runs: the keys ascend. Bitmap: a bit for each number up to the
// greatest. Small tables: a hash table for each piece of the rows. Partition: a hash table for each part of the keys.
enum class factorize_path : std::uint8_t { runs, bitmap, small_tables, partition };

// Ways that number the rows of columns as they are: range and few_strings those of one, grid those of several integers.
// They work only where the columns are as their statistics say.
enum class direct_path : std::uint8_t { none, range, few_strings, grid };
inline constexpr std::int64_t most_grid_cells = 65536;  // the product of the ranges

// How a device numbers rows; table/group_plan.hpp makes it. A device without several ways ignores it.
struct factorize_plan {
    direct_path direct = direct_path::none;  // tried first; where it does not work, what follows
    std::uint64_t low = 0;                   // of a range: its least value, in the order of key_statistics
    std::int64_t values = 0;                 // of a range: how many values it has
    bool runs = false;                       // if the keys ascend indeed
    std::uint64_t bitmap_range = 0;          // the bitmap is for keys that are not greater
    factorize_path otherwise = factorize_path::small_tables;
    std::uint64_t partitioned = 0;  // a bit a column: partition is its `otherwise` while numbered by itself
    // A bit a column: its key are the bits in which its strings differ, if there is room; else hashes are numbered.
    std::uint64_t short_strings = ~std::uint64_t{0};
};

// Gives equal rows equal numbers 0 .. groups-1. Sorted: by column, first column first, numbers and times by value (-0
// equals 0), strings by bytes, nulls last. Fewer than 2^32 - 1 rows.
struct factorize_args {
    group_column const* keys = nullptr;
    std::int32_t nkeys = 0;
    std::int64_t length = 0;
    group_order order = group_order::sorted;
    bool keep_nulls = false;  // false: rows with a null in any key are in no group
    bool want_first = false;
    std::uint32_t* codes = nullptr;      // group of each row, null_group where none; null: not wanted
    std::int64_t* wide_codes = nullptr;  // the same with -1; null: not wanted
    void* owner = nullptr;
    void* (*allocate)(void* owner, std::int64_t bytes) = nullptr;  // for results whose size the call finds out
    std::int64_t groups = 0;                                       // result
    std::int64_t* first = nullptr;                                 // result, if wanted: first row of each group
    factorize_plan plan;
    std::uint64_t hash_mask = ~std::uint64_t{0};  // tests make string hashes collide
};

// One aggregate of one column. Nulls are skipped. `valid` (a byte a group, may be null) says which results are values;
// the others are NaN, NaT or 0.
struct group_request {
    std::uint16_t aggregate = 0;  // number in ops/aggregate.hpp
    group_column column;          // ignored for size
    std::int64_t ddof = 1;        // var, std
    // Fewer values: no result; -1: 0 for aggregates with an identity, 1 for the others. Not for size and count.
    std::int64_t min_count = -1;
    void* out = nullptr;  // groups elements of ops::group_result_type(aggregate, column.dtype)
    std::uint8_t* valid = nullptr;
    // sum, prod, min, max, last: out and valid have an element a row, the aggregate of its group so far. Null rows have
    // none, but for the last.
    bool running = false;
};

// Few groups: the rows are added where they are. Many: they are parted by their groups first.
enum class aggregate_path : std::uint8_t { in_place, parted };

// Groups that are those of one key of 64 bits, in key order, and are found while aggregating: for aggregates only,
// without a number a row.
struct aggregate_by_key_args {
    group_column keys;
    std::int64_t length = 0;
    group_request* requests = nullptr;  // `out` and `valid` are filled in
    std::int32_t nrequests = 0;
    void* owner = nullptr;
    void* (*allocate)(void* owner,
                      std::int64_t bytes) = nullptr;  // called for `key`, then for each request's out and valid
    std::uint64_t most_range = 0;                     // greatest distance of two keys that is allowed
    bool found = false;                               // result: no key is missing, and all are within the range
    std::int64_t groups = 0;                          // result
    void* key = nullptr;                              // result: key of each group, of the keys' type
};

// Quantiles of each group's values, and the number of distinct values. Nulls are left out, so a group of n values has
// `low` at rank floor(share * (n - 1)) and `high` at the next, or the last; both are 0 where n is. Rows are not put in
// order.
struct group_ranks_args {
    std::uint32_t const* codes = nullptr;  // null_group: the row is in no group
    std::int64_t length = 0;
    std::int64_t groups = 0;
    group_column column;             // numbers and times
    double const* shares = nullptr;  // each in [0, 1]
    std::int32_t nshares = 0;
    std::int64_t* counts = nullptr;        // groups: values
    std::int64_t* distinct = nullptr;      // groups; null: not wanted. -0 equals 0
    void *low = nullptr, *high = nullptr;  // nshares * groups elements of the column's type
};

// Values are added in row order within each group, sums and means with compensation in the column's own precision, so
// results do not depend on the number of threads. They are pandas' bit for bit where pandas compensates: its sums of
// rows that are sorted by the key, and of resample, are not compensated since pandas 3.1.
struct aggregate_by_id_args {
    std::uint32_t const* codes = nullptr;  // null_group: the row is in no group
    std::int64_t length = 0;
    std::int64_t groups = 0;
    group_request const* requests = nullptr;
    std::int32_t nrequests = 0;
    aggregate_path path = aggregate_path::in_place;
    bool runs = false;  // add run by run if the numbers do ascend, but for rows of no group before and behind them
};

}  // namespace bascule
