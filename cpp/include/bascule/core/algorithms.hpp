// Argument structs of backend::algorithm. Plain data; strides in bytes; iteration spaces as in core/plan.hpp.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

// out[i] = base[i . base_strides + sum_k wrap(index_k[i]) * index_step_k], and back for scatter (last writer in C order
// of the iteration space wins). Negative indices count from the end. A bad index is status::index_error, found before
// anything is written, with bad_value/bad_axis/bad_size filled for the message.
struct gather_args {
    std::int32_t ndim = 0;
    std::int64_t const* shape = nullptr;
    void* base = nullptr;                        // gather reads it, scatter writes it
    std::int64_t const* base_strides = nullptr;  // 0 in dimensions that come from index arrays alone
    std::int32_t nindex = 0;
    plan_operand const* index = nullptr;       // int64 each
    std::int64_t const* index_step = nullptr;  // bytes per unit of index k
    std::int64_t const* index_size = nullptr;  // extent of the axis index k walks
    std::int32_t const* index_axis = nullptr;  // axis number for the message
    plan_operand other;                        // gather's output; scatter's values
    std::int32_t itemsize = 0;
    std::int64_t bad_value = 0, bad_size = 0;
    std::int32_t bad_axis = 0;
    // Four words of device memory: the call returns at once, and the device writes there when it is done: the number of
    // the first item with a bad index, -1 if there is none; the index, its axis, that axis' extent. Bad items of a
    // gather become 0, a scatter with any writes nothing. Null: the call waits.
    std::int64_t* found_later = nullptr;
};

// nonzero and compress are called twice. On a device that is not the host the first call leaves in `chunk_offsets`,
// which has this many elements, where in the results each chunk of the mask begins, so that the second need not count
// again.
constexpr std::int64_t items_of_chunk = 2048;
constexpr std::int64_t count_of_chunk_offsets(std::int64_t items) {
    return (items + items_of_chunk - 1) / items_of_chunk + 1;
}

// Positions of true elements in C order. First call with out null counts them into `count`; second fills
// out[d * out_stride + j] with the index along dimension d of the j-th.
struct nonzero_args {
    std::int32_t ndim = 0;
    std::int64_t const* shape = nullptr;
    plan_operand mask;  // bool
    std::int64_t count = 0;
    std::int64_t* out = nullptr;
    std::int64_t out_stride = 0;
    std::int64_t* chunk_offsets = nullptr;
};

// out takes data's elements where mask is true, in C order of the iteration space. `out` null: count only.
struct compress_args {
    std::int32_t ndim = 0;
    std::int64_t const* shape = nullptr;
    plan_operand mask, data;
    std::int32_t itemsize = 0;
    std::int64_t count = 0;
    void* out = nullptr;
    std::int64_t* chunk_offsets = nullptr;
};

// algorithm_kind::expand, the inverse of compress: data takes the values, one after the other, where mask is true, in C
// order of the iteration space. Where there are not as many, `count` says how many it takes, and nothing is written.
struct expand_args {
    std::int32_t ndim = 0;
    std::int64_t const* shape = nullptr;
    plan_operand mask, data;  // apart from each other and from the values
    std::int32_t itemsize = 0;
    void const* values = nullptr;
    std::int64_t count = 0;
    bool repeats = false;  // one value is assigned to all positions, however many there are; the mask may be the data
};

// Running aggregate along the last dimension of the iteration space, one by one in order, as NumPy's accumulate. A
// device that is not the host may join pieces of long rows of an associative op, in order, by a tree that the shape
// decides.
struct scan_args {
    std::int32_t ndim = 0;
    std::int64_t const* shape = nullptr;
    std::uint16_t op = 0;  // a binary op of the table, applied in its T, T -> T loop for in.dtype
    plan_operand in, out;
    std::uint32_t* fp_flags =
        nullptr;             // ops::fp bits that were raised, or-ed in; may be null, or a word of the device's memory
    std::uint8_t check = 0;  // those that are checked
};

// algorithm_kind::reduce_segments. The segments of each row begin at `starts` and end where the next one begins, the
// last at the row's end; one that would end before its second element holds one. Each is reduced one by one in order,
// sums of float32 and float64 as the first element and the pairwise sum of the others: NumPy's reduceat.
struct reduce_segments_args {
    std::uint16_t op = 0;  // a binary op of the table, applied in its T, T -> T loop for dtype; not float16
    type_id dtype = type_id::float64;
    void const* data = nullptr;  // rows one after the other
    std::int64_t rows = 0, length = 0;
    std::int64_t const* starts = nullptr;  // each in [0, length)
    std::int64_t count = 0;
    void* out = nullptr;                // count elements for each row
    std::uint32_t* fp_flags = nullptr;  // ops::fp bits that were raised, or-ed in; may be null
};

}  // namespace bascule
