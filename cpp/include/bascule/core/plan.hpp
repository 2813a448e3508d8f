// A fused program as plain data: the form in which the array side passes it to a device, without pointers to its own
// objects.
//
// A plan has an iteration space (`shape`, outermost dimension first, already coalesced and put in memory order),
// operands laid over it by byte strides, and a list of values in which each refers only to earlier ones. Stores write
// values to operands; reductions combine values over the dimensions marked in `reduced`. A device evaluates every value
// as if in its dtype, rounded once (design rule 10), in any order and block size it likes; the summation tree of a
// reduction is fixed (see plan_reduction).
#pragma once
#include "bascule/core/dtype.hpp"

namespace bascule {

inline constexpr std::uint32_t plan_abi = 2;

// Memory laid over the iteration space. Stride 0 broadcasts, negative strides are legal, `base` is the element at index
// 0.
struct plan_operand {
    void* base = nullptr;
    std::int64_t const* strides = nullptr;  // ndim entries, in bytes
    type_id dtype = type_id::float64;
};

enum class value_kind : std::uint8_t {
    load,      // element of operand `operand`
    constant,  // constants[operand]
    iota,      // int64: iotas[operand].start + sum(index[d] * iotas[operand].strides[d])
    op,        // op number `op` applied to args; a cast's target is `dtype`
};

struct plan_value {
    value_kind kind = value_kind::op;
    type_id dtype = type_id::float64;  // of the result. Ops never see float16: they come between two casts
    std::uint8_t nargs = 0;
    std::uint8_t check = 0;  // ops::fp bits to report for this value
    std::uint16_t op = 0;
    std::uint16_t operand = 0;
    std::uint16_t args[4] = {};
};

union plan_constant {
    double f64[2];
    float f32[2];
    std::int64_t i64;
    std::uint64_t u64;
    std::uint8_t bytes[16];
};

struct plan_iota {
    std::int64_t start = 0;
    std::int64_t const* strides = nullptr;  // ndim entries, in elements
};

struct plan_store {
    std::uint16_t value = 0;  // its dtype equals out.dtype
    plan_operand out;
};

// The tree of a sum (rule 8), NumPy's own: dimensions are walked in plan order. If the innermost dimension is reduced,
// each run (the flattened innermost `run_dims` dimensions, all reduced) is summed pairwise (n < 8: one by one; n <=
// 128: eight accumulators joined as
// ((0+1)+(2+3))+((4+5)+(6+7)), then the rest; larger: halves, the first rounded down to a multiple of 8), and runs are
// added to the result in order, starting from 0. If it is kept, results are added element by element in order of the
// reduced dimensions. prod uses the same tree with 1; mean divides the sum once; var is described in ops/aggregate.hpp.
struct plan_reduction {
    std::uint16_t aggregate = 0;  // number in ops/aggregate.hpp
    std::uint16_t value = 0;      // input; its dtype is the one the state is made for
    plan_operand out;             // strides are 0 in reduced dimensions; dtype is the result's
    double ddof = 0;              // var, std
    std::uint8_t check = 0;       // ops::fp bits to report of the reduction's own arithmetic
};

// Of a space of one dimension, the elements that a store or a reduction sees, one after another: those whose bit is
// set, the lowest of the first word that of the first element. `starts` says how many there are before each piece of so
// many elements, a multiple of 64, and in the last place in all. A plan without stores and reductions writes both, as
// `mask`, a value of booleans, has it.
struct plan_selection {
    std::uint16_t mask = 0;
    std::int64_t piece = 0;
    std::int64_t* starts = nullptr;
    std::uint64_t* bits = nullptr;
};

struct plan {
    std::uint32_t abi = plan_abi;
    std::int32_t ndim = 0;
    std::int64_t const* shape = nullptr;
    std::uint8_t const* reduced = nullptr;  // ndim entries, 1 where reduced; null: none
    std::int32_t run_dims = 1;  // reductions whose innermost dimension is reduced: how many innermost dimensions,
                                // all reduced, make up one run of the tree. More than 1 when the logical array is
                                // contiguous there but an operand (a broadcast row, say) could not be coalesced.
    plan_operand const* operands = nullptr;
    plan_constant const* constants = nullptr;
    plan_iota const* iotas = nullptr;
    plan_value const* values = nullptr;
    plan_store const* stores = nullptr;
    plan_reduction const* reductions = nullptr;
    std::uint16_t noperands = 0, nconstants = 0, niotas = 0, nvalues = 0, nstores = 0, nreductions = 0;
    bool fastmath = false;
    plan_selection const* selection = nullptr;  // null: all elements; only for devices that say they select
    // ops::fp bits that were raised, or-ed in: a word for each value, limited to those of its check, then one for each
    // reduction's own arithmetic. May be null, or memory of the device: then the call need not wait for them.
    std::uint32_t* fp_flags = nullptr;
};

// Limits the array side keeps, so that a device can size its tables.
inline constexpr int max_plan_values = 128, max_plan_operands = 32, max_plan_outputs = 16, max_dims = 64;

}  // namespace bascule
