// Machine code for a run of steps: one loop over the elements of a block that keeps every intermediate in a register.
#pragma once
#include "backend/cpu/jit/assembler.hpp"
#include "backend/cpu/jit/jit_ops.hpp"

namespace bascule::cpu::jit {

// Steps in an order in which each comes after its operands. Slots are indices into the table of addresses that is
// passed to the code.
struct loop_text {
    static constexpr int max_steps = 96;
    step steps[max_steps];
    int nsteps = 0;
    // Of each slot that a step names:
    type_id type[max_slots];
    bool computed[max_slots];  // by a step; else it is read
    bool single[max_slots];    // read: one element for all
    bool number[max_slots];    // read: one element for all, a real number, not NaN
    bool fetched[max_slots];   // read: the elements that follow are prefetched
    // Read: it is so few elements behind this other input in memory, or is that one.
    std::uint16_t leader[max_slots];
    std::int8_t behind[max_slots];
    bool stored[max_slots];    // computed: needed after the code
    bool streamed[max_slots];  // stored: past the caches, to where a vector begins
    // Computed: summed, with a sum stored for each leaf of a sum's tree (pairwise_sums.hpp); these are the slots that
    // it needs. 0: none is.
    int reduced = 0, leaf_ends = 0, pairwise_sums = 0;
    // Computed, and stored interleaved item by item, in order of memory.
    int njoined = 0;
    std::uint16_t joined[max_interleaved];
    bool paired = false;            // two vectors at a time, alternately, where that is possible
    bool narrow = false;            // vectors of AVX2's size, whichever the instruction set
    std::int8_t stride[max_slots];  // read: elements from one to the next, 1 to most_apart or backwards
};
inline constexpr int most_apart = 4, backwards = -1;

// The code is a kernel(table of addresses, any, any, any, elements); null-sized where the registers do not suffice. The
// parts that differ between instruction sets are in derived classes: avx512_codegen, avx2_codegen.
class codegen {
public:
    bool write(assembler&) noexcept;

protected:
    static constexpr int max_vectors = 32, no_slot = -1, taken = -2;
    enum class place_of : std::uint8_t { memory, vector, mask };
    struct value_state {
        place_of lies;
        std::uint8_t reg;
        bool hoisted;        // stays in its register from iteration to iteration
        std::uint16_t uses;  // still to come in this iteration
        gpr address;         // rsp: read from the table at every use
    };
    // A divisor of all lanes, ready for quotients without a division.
    struct divisor {
        int slot;
        std::uint8_t reciprocal;  // a vector
        std::uint8_t usable;      // where the reciprocal is usable: of avx512_codegen a mask, of avx2_codegen a bound
    };
    // A count by which all bytes are shifted, and the bits that do not come from a neighbour.
    struct byte_shift {
        int slot;
        primitive direction;
        std::uint8_t count, kept;  // vectors
    };
    // Elements from one to the next, of strided operands, and the lanes of the last vector that are read (a mask).
    struct strided {
        int by;
        gpr position;
        int last;
    };
    // Code behind the loop for vectors with unusual elements: a division, or NaN to and from float16.
    struct detour {
        int from, end;  // labels
        primitive is;   // divide, sqrt, or a cast
        type_id type;   // of the result
        int d, a, by;
        int usable, mask, other, t, u;  // masks and vectors that it may use
        int spare = no_slot;            // one more vector
        int reciprocal = 0;             // of a divisor
    };
    static constexpr int max_byte_shifts = 6, max_divisors = 2, max_detours = 48, max_strides = most_apart;
    // The table of addresses, the number of remaining elements, the position, and a scratch register.
    static constexpr gpr table = gpr::rdi, left = gpr::r8, position = gpr::rax, scratch = gpr::rcx;

    // Of `vectors` registers of so many bytes. Elements that all are the same are kept in no more than `most_hoisted`
    // of them at first, then in fewer.
    codegen(loop_text const& text, coding code, int vectors, int bytes, int most_hoisted) noexcept
        : text_(text), bytes_(bytes), coding_(code), vectors_(vectors), most_hoisted_(most_hoisted) {}
    ~codegen() = default;

    virtual void begin() noexcept {}  // another attempt
    // The remainder behind whole vectors, from `position` on of `left` elements: if there is none, the code ends at
    // `end`.
    virtual void write_rest(int end) noexcept = 0;
    virtual void load_bytes(int reg, int itemsize, operand from, bool floats) noexcept = 0;
    virtual void store_bytes(int reg, int itemsize, operand to, bool streamed) noexcept = 0;
    virtual void load_bool(int slot, gpr address) noexcept = 0;
    virtual void write_boolean(int reg, int mask) noexcept = 0;  // bytes 1 and 0 of a mask
    virtual void store_boolean(int mask, operand to, bool streamed) noexcept;
    virtual void prepare_strides() noexcept = 0;
    virtual void load_strided(int slot, int reg, gpr address) noexcept = 0;
    virtual void prepare_join() noexcept { failed_ = true; }
    virtual void join() noexcept {}
    virtual void put_in_order(int) noexcept {}  // permutes a loaded vector as join() needs it
    // The lanes from `first` on of two vectors after one another; false: not by one instruction.
    virtual bool join_lanes(int, int, int, int, int) noexcept { return false; }

    virtual int new_mask(int owner) noexcept = 0;
    virtual void free_mask(int) noexcept = 0;
    virtual void compare(primitive, type_id, int mask, int a, int b) noexcept = 0;
    virtual void test(type_id, int mask, int a) noexcept = 0;  // which are not zero
    virtual void classify(primitive, type_id, int mask, int a) noexcept = 0;
    virtual void test_none(int mask) noexcept = 0;  // equal: none is true
    virtual void combine(primitive, int mask, int a, int b) noexcept = 0;
    virtual void choose(type_id, int d, int mask, int a, int b) noexcept = 0;

    virtual void binary(primitive, type_id, int d, int a, int b) noexcept;
    virtual void extremum(primitive, type_id, int d, int a, int b, bool number) noexcept = 0;  // `number`: b is not NaN
    virtual void root(type_id, int d, int a) noexcept = 0;
    virtual void invert(type_id, int d, int a) noexcept = 0;
    virtual void absolute(type_id, int d, int a) noexcept = 0;               // of integers
    virtual void join_sign(type_id, int d, int a, int b) noexcept = 0;       // the size of a under the sign of b
    virtual void numbers_of_boolean(type_id, int d, int mask) noexcept = 0;  // 1 and 0
    virtual void narrow(type_id from, type_id to, int d, int a) noexcept = 0;
    // Integers that have no instruction of their own made real; false: they have.
    virtual bool make_real(type_id, type_id, int, int) noexcept { return false; }
    virtual void write_root(detour const&) noexcept { failed_ = true; }

    // Of twice the sizes of dividends and divisors (loop_division.cpp).
    struct bounds {
        std::uint64_t low, span, low_divisor, span_divisor;
    };
    static bounds bounds_of(type_id) noexcept;
    virtual int usable_divisors(type_id, int size) noexcept = 0;  // a register; `size` may be overwritten
    // `a` is the dividend; the other vectors may be overwritten.
    virtual void mark_usual(type_id, int mask, int a, int size, int near, int usable) noexcept = 0;
    virtual void mark_zeros(detour const&) noexcept = 0;              // in addition to marked ones; x.t is free from
                                                                      // then on
    virtual void choose_zeros(detour const&, int from) noexcept = 0;  // into the result, where those are
    virtual void test_all(type_id, int mask) noexcept = 0;            // not_below: not all are true

    void body(bool tail, int vectors = 1) noexcept;
    void load_single(int slot, int reg, gpr address) noexcept;
    int stride_of(int slot) const noexcept;
    strided const& strided_by(int stride) const noexcept;

    gpr address_of(int slot) noexcept;
    int in_vector(int slot) noexcept;  // loads it if need be
    int in_mask(int slot) noexcept;
    int new_vector(int owner) noexcept;
    int vector_for(int slot) noexcept;  // the register of the slot's value from now on
    int mask_for(int slot) noexcept;
    void free_vector(int reg) noexcept { vector_owner_[reg] = no_slot; }
    int constant_of(type_id, double) noexcept;
    void add_detour(detour const&) noexcept;
    bool has_room_for_detour() const noexcept { return ndetours_ < max_detours; }
    int bytes_of(type_id t) const noexcept { return lanes_ * itemsize(t); }
    operand elements_at(gpr address, int itemsize) const noexcept;  // of the vector that is written
    int width(int itemsize) const noexcept { return lanes_ * itemsize < 16 ? 16 : lanes_ * itemsize; }

    loop_text const& text_;
    int const bytes_;
    assembler* to_ = nullptr;
    value_state states_[2][max_slots];
    value_state* state_ = states_[0];  // of the vector that is written
    strided strides_[max_strides];
    int nslots_ = 0, nstrides_ = 0, lanes_ = 8, sum_ = 0;
    bool named_[max_slots];
    bool tail_ = false, failed_ = false;

private:
    bool write_paired(assembler&, bool paired) noexcept;
    bool write_hoisting(assembler&, int most_hoisted) noexcept;
    void survey() noexcept;
    void write_vectors() noexcept;
    void write_loop(int vectors, bool first) noexcept;
    void write_vector(int vectors = 1) noexcept;
    void turn_to(int vector) noexcept;
    void begin_vector(int vector) noexcept;
    void end_vector(int vector) noexcept;
    void write_leaves() noexcept;
    void add_lanes() noexcept;
    // Of the registers for addresses: those that something else is in.
    int reserved() const noexcept { return nstrides_ + (text_.reduced ? 2 : 0); }
    void assign_addresses() noexcept;
    void hoist_singles(int most) noexcept;
    void write_step(step const&) noexcept;
    void store(int slot) noexcept;
    void release_inputs(step const&) noexcept;
    void load(int slot) noexcept;
    void load_block(int slot, int reg, gpr address) noexcept;
    bool follows(int slot) const noexcept { return is_read(slot) && text_.leader[slot] != slot; }
    bool is_read(int slot) const noexcept { return named_[slot] && !text_.computed[slot]; }
    bool take_from_leader(int slot, int reg) noexcept;
    void release(int slot) noexcept;
    void find_stride(int stride) noexcept;

    int boolean(int slot, int temporary) noexcept;  // a mask of the nonzero elements
    void free_slot(int slot) noexcept;
    bool evict() noexcept;
    int next_use(int slot) const noexcept;

    void arithmetic(step const&) noexcept;
    void unary(step const&, int d, int a) noexcept;
    void prepare_divisors() noexcept;
    void prepare_byte_shifts() noexcept;
    void shift_bytes(step const&, int d, int a) noexcept;
    void quotient(step const&, int d, int a) noexcept;
    void write_quotient(type_id, int d, int a, int by, int reciprocal, int near) noexcept;
    void divide_unusual(detour const&) noexcept;
    void write_detours() noexcept;
    void widen_half(step const&, int d, int a) noexcept;
    void narrow_to_half(step const&, int d, int a) noexcept;
    bool is_quiet(int slot) const noexcept;  // none of its NaN signals
    bool is_read_by_arithmetic(int slot) const noexcept;
    void expect_numbers(type_id to, int d, int a, int looked_at) noexcept;
    void not_numbers_of_half(detour const&) noexcept;
    void not_numbers_to_half(detour const&) noexcept;
    void comparison(step const&) noexcept;
    void logic(step const&) noexcept;
    void select(step const&) noexcept;
    void convert(step const&) noexcept;
    void widen(type_id from, type_id to, int d, int a) noexcept;

    coding const coding_;
    int const vectors_, most_hoisted_;
    std::uint16_t uses_[max_slots];
    int vector_owner_[max_vectors];
    byte_shift byte_shifts_[max_byte_shifts];
    divisor divisors_[max_divisors];
    detour detours_[max_detours];
    int nbyte_shifts_ = 0, ndivisors_ = 0, ndetours_ = 0, at_step_ = 0, at_vector_ = 0, vectors_at_once_ = 1;
    bool paired_ = false;
};

}  // namespace bascule::cpu::jit
