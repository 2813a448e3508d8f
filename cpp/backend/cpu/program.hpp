// A plan compiled for the block interpreter: instructions over registers of one block each. Lives on the stack;
// building it costs some ten nanoseconds a value.
#pragma once
#include <memory>

#include "backend/cpu/geometry.hpp"
#include "bascule/sched/interrupt.hpp"

namespace bascule::cpu {

inline constexpr int block_elements =
    1024;  // 8 KiB of float64: a few registers fit in L1; so many bytes of the narrower
inline constexpr int crowded_block_elements = 512;      // when more than four registers are alive
inline constexpr int interleaved_block_elements = 256;  // when operands lie between each other
// Of these, when results are streamed: memory writes a block while the next one is read, as far ahead as a processor
// sees (complex products of 160 MB: 47 GB/s with a quarter, 39 with the whole).
inline constexpr int streamed_share = 4;
inline constexpr int streaming_block_elements = 8 * block_elements;  // when none is: what lies around a block counts
inline constexpr int long_block_elements = 32 * block_elements;      // of which every thread has several
inline constexpr int folded_block_bytes = 16 * 1024;                 // when it is all that is kept, to be folded
inline constexpr std::int64_t task_elements = 32 * 1024;
// Smaller results are likely to be read from a cache by what comes next.
inline constexpr std::int64_t streamed_bytes = std::int64_t{1} << 25;

enum class place : std::uint8_t {
    unused,
    reg,      // a register
    fixed,    // one value for the whole run (constant, broadcast scalar)
    flat,     // used where it lies, advances with the position
    rows,     // used where it lies while the block is inside one row, else packed into its register
    per_row,  // one value a row
    packed,   // copied into its register
    strided,  // used where it lies, by fused code alone
    beside,   // the same, together with what lies beside it
    counted,  // an iota written into its register
    chosen,   // what a selection leaves of another program's values (selection.hpp)
    table,    // the places of all slots themselves, for fused code
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

// How the floating-point conditions of a result are found. `hardware`: the kernel computes nothing but the operation,
// so the processor's flags tell. `values`: told from inputs and results, where a result is not finite.
// `values_if_noted`: so too, but only where there are flags, which the kernel raises for unusual arguments.
enum class inspection : std::uint8_t { none, hardware, values, values_if_noted };
constexpr bool reads_values(inspection i) { return i >= inspection::values; }
inspection inspection_of(plan_value const&, type_id first_input, kernel_table const&) noexcept;

// What an operation raised, as ops::fp bits; d, a, b, c as its kernel had them.
// By reference: copying what was written piece by piece makes the processor wait until all its stores have reached the
// cache, the block's results before them.
std::uint8_t conditions_of(plan_value const&, type_id first_input, condition_args const&, kernel_table const&) noexcept;

// What instructions are beside ops of the table.
inline constexpr std::uint16_t op_sum_of_three = max_ops, op_fill = max_ops + 1, op_other = max_ops + 2;

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
    std::uint8_t wanted;   // conditions to tell, of both values of a pair
    std::uint16_t second;  // the other value of a pair, or of a sine and cosine; else `value`
};

struct output {
    std::uint16_t value;
    layout shape;
    bool direct;    // the last instruction writes it in place
    bool streamed;  // too large to be found in a cache again, so it is written past them
    plan_operand const* out;
};

// What is known of every op by its number.
enum class role : std::uint8_t {
    other,
    add,
    subtract,
    multiply,
    divide,
    power,
    square,
    sine,
    cosine,
    multiply_add,
    multiply_subtract,
    subtract_multiply,
    count
};
struct op_traits {
    role is;
    bool is_cast, is_counter;
    bool is_draw;  // its kernels are found by the type of the result
    bool plain;  // its kernels on real numbers compute nothing beside: the processor's flags are those of the operation
    bool plain_complex;
    std::uint8_t notes;  // conditions for which its kernels on real numbers raise flags: for all arguments of which the
                         // result might raise them
    std::uint8_t raises, complex_raises, integers_raise;
    float cost;
};
op_traits const& traits_of(std::uint16_t op) noexcept;
std::uint16_t op_with(role) noexcept;

// Packed loads whose items lie between each other (interleaved.hpp), in order of memory.
inline constexpr int most_neighbours = 8, most_groups = 4;
struct neighbours {
    std::uint16_t value[most_neighbours];
    int count;
};

class selection_reader;
struct selection;

inline constexpr int max_slots = 2 * max_plan_values;  // values, then what the compiler adds

// `careful` programs skip peepholes, so that each checked value has an instruction of its own.
struct program {
    plan const* source;
    kernel_table const* kernels;
    geometry space;
    int ninstructions = 0, noutputs = 0, nmoving = 0, nslots = 0, nregisters = 0, nreciprocals = 0;
    int block = block_elements;
    std::int64_t register_bytes = 0;
    bool inspects = false;     // some instruction is inspected
    bool rereads = false;      // and its inputs are looked at after it
    bool streams = false;      // some output is streamed
    int streamed_vector = 0;   // bytes: the only output is, by fused code, in such vectors, where one begins
    int nneighbours = 0;       // groups of them
    bool interleaves = false;  // its outputs are stored together (interleaved.hpp)
    bool joins = false;        // and so by fused code, where they lie
    bool alone = false;        // runs on one thread
    std::uint16_t leaf_ends = 0, leaf_sums = 0;  // slots, where code adds up what it computes (leaf_sums.hpp)
    selection const* from = nullptr;             // of slots that are chosen
    float cost = 0;                              // nanoseconds an element on one thread, roughly
    sched::early_end* early = nullptr;           // asked before every task
    char const* fault = nullptr;
    std::uint16_t faulty_value = 0;
    slot slots[max_slots];
    instruction code[max_slots];
    std::uint16_t moving[max_plan_values];  // slots whose place depends on the position
    output outputs[max_plan_outputs];
    plan_constant reciprocals[8];
    neighbours beside[most_groups];

    program() noexcept {}  // the arrays stay uninitialised
};
bool compile(program&, plan const&, kernel_table const&, bool careful) noexcept;
// The array side passes outputs that lie exactly on an input or apart from all of them.
bool overwrites_input(plan const&, plan_operand const& out) noexcept;

// Evaluates blocks of a program on one thread. After block(i, n), at[v] points at n elements of value v (one where
// slots[v].single), for every value that is stored or reduced.
class evaluator {
public:
    // `arena` tells apart the scratch memory of programs that are alive at the same time.
    evaluator(program const&, int arena) noexcept;
    ~evaluator();
    // Whether there is memory for all that its blocks need; if not, none may be asked for.
    bool ready() const noexcept { return registers_ != nullptr; }
    // Values of flattened positions [i, i + n). What checked values raise is or-ed into flags, one a value of the plan;
    // returns whether a pair raised something, which only a careful program can tell apart.
    bool block(std::int64_t i, std::int64_t n, std::uint8_t* flags) noexcept;
    void compute(std::int64_t i, std::int64_t n) noexcept;  // whatever it raises
    void run_all(std::int64_t n) noexcept;                  // of what `at` points at
    // The same for a program whose code adds up what it computes, which what `at` has for leaf_ends and leaf_sums says.
    void fold(std::int64_t i, std::int64_t n) noexcept;
    void store(std::int64_t i, std::int64_t n) noexcept;
    // n elements of a value that is reduced, whether they differ or not; at most the program's block where they do not.
    char const* whole(std::uint16_t v, std::int64_t n) const noexcept;
    char* at[max_slots];

private:
    char* make_room(int arena) noexcept;
    void place(std::int64_t i, std::int64_t n) noexcept;
    void place_moving(std::int64_t i, std::int64_t n, position& here) noexcept;
    char* packed(slot const&, std::uint16_t v, std::int64_t i, std::int64_t n) noexcept;
    char* counted(slot const&, std::uint16_t v, std::int64_t i, std::int64_t n) noexcept;
    void place_outputs(position& here) noexcept;
    void fetch_ahead(std::int64_t n, int step) const noexcept;
    static bool note_rounded(instruction const&, std::uint8_t found, std::uint8_t* flags) noexcept;
    bool run_checked(std::int64_t n, std::uint8_t* flags) noexcept;
    void classify(instruction const&, std::size_t n, std::uint8_t* flags) noexcept;
    char* reg(int r) const noexcept { return registers_ + r * program_.register_bytes; }

    program const& program_;
    std::unique_ptr<selection_reader> reader_;  // where the program sees a selection of another's values
    char* registers_;
    std::int64_t filled_[max_slots];  // elements that the register of a repeating load holds
};

// Scratch memory of the calling thread, kept between calls; each arena is one growing block. Null: out of memory.
char* scratch(int arena, std::int64_t bytes) noexcept;

}  // namespace bascule::cpu
