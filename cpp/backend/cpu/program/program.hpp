// A plan compiled for the block interpreter: instructions over registers of one block each. Lives on the stack;
// building it costs some ten nanoseconds a value.
#pragma once
#include "backend/cpu/dispatch/interleave_kernels.hpp"
#include "backend/cpu/program/fp_inspection.hpp"
#include "backend/cpu/program/geometry.hpp"
#include "bascule/sched/interrupt.hpp"

namespace bascule::cpu {

inline constexpr int block_elements =
    1024;  // 8 KiB of float64: a few registers fit in L1; so many bytes of the narrower
inline constexpr int crowded_block_elements = 512;      // when more than four registers are alive
inline constexpr int interleaved_block_elements = 256;  // when operands are interleaved
// Of these, when results are streamed: memory writes a block while the next one is read, as far ahead as a processor
// sees (complex products of 160 MB: 47 GB/s with a quarter, 39 with the whole).
inline constexpr int streamed_share = 4;
inline constexpr int streaming_block_elements = 8 * block_elements;  // when none is: the overhead per block counts
inline constexpr int long_block_elements = 32 * block_elements;      // of which every thread has several
inline constexpr int reduced_block_bytes = 16 * 1024;                // when it is all that is kept, to be reduced
inline constexpr std::int64_t task_elements = 32 * 1024;
// Smaller results are likely to be read from a cache by the operations that follow.
inline constexpr std::int64_t streamed_bytes = std::int64_t{1} << 25;

enum class place : std::uint8_t {
    unused,
    reg,          // a register
    fixed,        // one value for the whole run (constant, broadcast scalar)
    flat,         // used in place, advances with the position
    rows,         // used in place while the block is inside one row, else packed into its register
    per_row,      // one value a row
    packed,       // copied into its register
    strided,      // used in place, by fused code alone
    interleaved,  // the same, together with the elements between its items
    counted,      // an iota written into its register
    selected,     // elements that a selection takes of another program's values (selection_reader.hpp)
    table,        // the addresses of all slots themselves, for fused code
};

struct slot {
    char* base;                   // fixed: the value; flat, rows, packed, per_row: the element at index 0
    std::int64_t const* strides;  // of loads and iotas
    place where;
    std::uint8_t itemsize;
    bool single;  // one element instead of a block
    std::uint8_t reg;
    bool repeats;  // packed: every row has the same content
};

// Instructions other than ops of the table.
inline constexpr std::uint16_t op_add_add = max_ops, op_fill = max_ops + 1, op_other = max_ops + 2;

struct instruction {
    kernel run;
    std::uint16_t d, a, b, c;
    std::uint16_t value;  // of the plan
    std::uint16_t op;
    type_id type;  // of the inputs, but for the condition of a selection
    bool single;   // computes one element
    inspection inspect;
    bool pair;             // more than one operation: a product, or a sum, and the sum it is part of; fused code
    bool rounds;           // on float16, without a kernel: `second` in float32, rounded to `value`
    std::uint8_t wanted;   // errors to report, of both values of a pair
    std::uint16_t second;  // the other value of a pair, or of a sine and cosine; else `value`
};

struct output {
    std::uint16_t value;
    layout shape;
    bool direct;    // the last instruction writes it in place
    bool streamed;  // too large to be found in a cache again, so it is written past them
    plan_operand const* out;
};

// Packed loads that are interleaved item by item (copy/interleave.hpp), in order of memory.
inline constexpr int most_groups = 4;
struct interleaved_loads {
    std::uint16_t value[max_interleaved];
    int count;
};

struct selection;

inline constexpr int max_slots = 2 * max_plan_values;  // values, then those that the compiler adds

// `careful` programs skip peepholes, so that each checked value has an instruction of its own.
struct program {
    plan const* source;
    kernel_table const* kernels;
    geometry space;
    int ninstructions = 0, noutputs = 0, nmoving = 0, nslots = 0, nregisters = 0, nreciprocals = 0;
    int block = block_elements;
    std::int64_t register_bytes = 0;
    bool inspects = false;     // some instruction is inspected
    bool rereads = false;      // and its inputs are read again after it
    bool streams = false;      // some output is streamed
    int streamed_vector = 0;   // bytes: the only output is, by fused code, in such vectors, where one begins
    int ninterleaved = 0;      // groups of them
    bool interleaves = false;  // its outputs are stored together (copy/interleave.hpp)
    bool joins = false;        // and so by fused code, in place
    bool alone = false;        // runs on one thread
    std::uint16_t leaf_ends = 0, pairwise_sums = 0;  // slots, where code sums its own results (pairwise_sums.hpp)
    selection const* from = nullptr;                 // of slots that are chosen
    float cost = 0;                                  // nanoseconds an element on one thread, roughly
    sched::early_end* early = nullptr;               // asked before every task
    char const* fault = nullptr;
    std::uint16_t faulty_value = 0;
    slot slots[max_slots];
    instruction code[max_slots];
    std::uint16_t moving[max_plan_values];  // slots whose place depends on the position
    output outputs[max_plan_outputs];
    plan_constant reciprocals[8];
    interleaved_loads alongside[most_groups];

    program() noexcept {}  // the arrays stay uninitialised
};
// The array side passes outputs that coincide with an input or do not overlap any.
bool overwrites_input(plan const&, plan_operand const& out) noexcept;

}  // namespace bascule::cpu
