// Argument structs of backend::algorithm for arrays in order: insertion points in a sorted array, counts and sums by
// number, histograms, elements by rank. Plain data; contiguous columns.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

// algorithm_kind::searchsorted. For each value how many elements of `data` are less than it, or with `right` not
// greater. NaN and NaT come last and equal one another, -0.0 equals 0.0. Complex types are status::not_supported.
struct searchsorted_args {
    type_id dtype = type_id::float64;  // of data and values
    void const* data = nullptr;        // ascending
    std::int64_t length = 0;
    void const* values = nullptr;
    std::int64_t count = 0;
    bool right = false;
    std::int64_t* out = nullptr;  // count positions
};

// How bincount combines an element and the next value.
enum class bincount_op : std::uint8_t { add, maximum, minimum };

// algorithm_kind::bincount. out[index[i]] += values[i], one after the other in order of i, so that sums do not depend
// on the threads, or the greater or less of them; without values, counts. An index outside [0, bins) is
// status::index_error with bad_value filled, and the contents of `out` are then undefined.
struct bincount_args {
    std::int64_t const* index = nullptr;
    std::int64_t length = 0;
    type_id dtype =
        type_id::float64;          // of values and out: integers, or floats and complex numbers of 4 and 8 bytes a part
    void const* values = nullptr;  // null: 1 each, and out is int64
    std::int64_t step = 1;         // elements from one value to the next; 0: one value for all
    bincount_op op = bincount_op::add;  // maximum and minimum only for values that are neither complex nor NaN
    bool within = false;                // the caller guarantees that no index is out of bounds: a device need not wait
                                        // to check
    void* out = nullptr;                // bins elements, not cleared
    std::int64_t bins = 0;
    std::int64_t bad_value = 0;
    std::uint32_t* fp_flags = nullptr;  // ops::fp bits that were raised, or-ed in; may be null
};

// The sums that are rounded to float32 when the sum of a block is added to those before it.
enum class sum_rounding : std::uint8_t { none, both, result };

// algorithm_kind::histogram. Bins of equal width: the bin of x is (x - edges[0]) / width * bins, taken one down or up
// where the edges say so; the last holds its right edge. Values outside, and NaN, are not counted. Weights are summed
// block by block of `block` elements, the sums of the blocks in order.
struct histogram_args {
    type_id dtype = type_id::float64;  // float32 or float64: of data and edges
    bool wide = true;                  // float32: whether to divide in float64
    void const* data = nullptr;
    std::int64_t length = 0;
    void const* edges = nullptr;  // bins + 1, ascending
    std::int64_t bins = 0;
    double width = 0;               // of all bins together, as the caller rounded it
    void const* weights = nullptr;  // float64; null: count
    sum_rounding rounding = sum_rounding::none;
    std::int64_t block = 65536;
    std::int64_t* counts = nullptr;  // bins counts,
    void* sums = nullptr;            // or bins sums in float64
};

// algorithm_kind::select_ranks. out[k] is the element that sorting would put at ranks[k]; nulls last as in sort. The
// same of each of several rows, which lie one behind the other, as do their elements in `out`.
struct select_ranks_args {
    type_id dtype = type_id::float64;
    void const* data = nullptr;
    std::int64_t length = 0;
    std::int64_t const* ranks = nullptr;  // ascending, each in [0, length)
    std::int64_t count = 0;
    void* out = nullptr;  // count elements of each row
    std::int64_t rows = 1;
};

}  // namespace bascule
