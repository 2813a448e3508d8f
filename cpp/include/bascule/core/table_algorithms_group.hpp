// Argument structs of the algorithms factorize, aggregate_by_id, aggregate_by_key and group_ranks. Plain data.
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
enum class factorize_path : std::uint8_t { automatic, runs, bitmap, small_table, partition };

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
    factorize_path path = factorize_path::automatic;               // tests choose one; afterwards: the one taken
    std::uint64_t hash_mask = ~std::uint64_t{0};                   // tests make string hashes collide
};

enum class group_op : std::uint8_t { size, count, sum, mean, min, max, var, std_, first, last, prod, any, all };

// One aggregate of one column. Nulls are skipped. `valid` (a byte a group, may be null) says which results are values;
// the others are NaN, NaT or 0.
struct group_request {
    group_op op = group_op::sum;
    group_column column;          // ignored for size
    std::int64_t ddof = 1;        // var, std
    std::int64_t min_count = -1;  // fewer values: no result; -1: 0 for sum and prod, 1 for the others
    void* out = nullptr;          // groups elements of group_result_type(op, column.dtype)
    std::uint8_t* valid = nullptr;
    // sum, prod, min, max: out and valid have an element a row, the aggregate of its group so far; null rows have none.
    bool running = false;
};

enum class aggregate_path : std::uint8_t { automatic, direct, partition };

// Groups that are those of one key, in key order, and are found while aggregating: for aggregates only, without a
// number a row. status::not_supported where factorize first is as good: few rows, keys that are few, far apart or
// missing.
struct aggregate_by_key_args {
    group_column keys;
    std::int64_t length = 0;
    group_request* requests = nullptr;  // `out` and `valid` are filled in
    std::int32_t nrequests = 0;
    void* owner = nullptr;
    void* (*allocate)(void* owner,
                      std::int64_t bytes) = nullptr;  // called for `key`, then for each request's out and valid
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
    aggregate_path path = aggregate_path::automatic;  // tests choose one
};

constexpr type_id group_result_type(group_op op, type_id t) {
    switch (op) {
        case group_op::size:
        case group_op::count: return type_id::int64;
        case group_op::any:
        case group_op::all: return type_id::bool_;
        case group_op::sum:
        case group_op::prod:
            return is_boolean(t) || is_signed_integer(t) ? type_id::int64
                   : is_unsigned_integer(t)              ? type_id::uint64
                                                         : t;
        case group_op::mean: return is_float(t) || is_time(t) ? t : type_id::float64;
        case group_op::var: return is_float(t) ? t : type_id::float64;
        case group_op::std_: return type_id::float64;  // pandas' also for float32
        default: return t;
    }
}

}  // namespace bascule
