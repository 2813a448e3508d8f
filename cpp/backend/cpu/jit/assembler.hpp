// Writes x86-64 machine code: the few instructions that fused loops are made of, in AVX2's encoding (VEX: 16 vectors of
// 16 or 32 bytes) or in AVX-512's (EVEX: 32 vectors of 16, 32 or 64 bytes, masks), as Intel's Software Developer's
// Manual, volume 2, chapters 2.3 and 2.7, describes them.
#pragma once
#include <cstdint>

namespace bascule::cpu::jit {

enum class gpr : std::uint8_t { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15 };

enum class coding : std::uint8_t { vex, evex };

// How a vector instruction is written: opcode map (1: 0F, 2: 0F 38, 3: 0F 3A, 5: one of float16's), mandatory prefix, W
// bit, opcode. Most are the same in both encodings.
enum class prefix : std::uint8_t { none, p66, pf3, pf2 };
struct encoding {
    std::uint8_t map;
    prefix pp;
    std::uint8_t w, opcode;
    bool w_in_evex_alone = false;
};

// The operand of an instruction that may be in memory: a register, base + index * scale + displacement, or a constant
// of the code. `index` may be a vector, with an index in every lane.
struct operand {
    enum class kind : std::uint8_t { reg, memory, constant } is;
    std::uint8_t number;  // of the register (vector or mask), or of the constant
    gpr base, index;
    std::uint8_t scale;  // log2
    std::int32_t displacement = 0;
    std::int8_t index_vector = -1;

    static operand of(int reg) noexcept { return {kind::reg, static_cast<std::uint8_t>(reg), {}, {}, 0}; }
    static operand at(gpr base) noexcept { return {kind::memory, 0, base, gpr::rsp, 0}; }  // rsp: no index
    static operand at(gpr base, gpr index, int log2_scale, int displacement = 0) noexcept {
        return {kind::memory, 0, base, index, static_cast<std::uint8_t>(log2_scale), displacement};
    }
    static operand at_each(gpr base, int index_vector, int log2_scale) noexcept {
        return {kind::memory,
                0,
                base,
                {},
                static_cast<std::uint8_t>(log2_scale),
                0,
                static_cast<std::int8_t>(index_vector)};
    }
    static operand constant(int number) noexcept {
        return {kind::constant, static_cast<std::uint8_t>(number), {}, {}, 0};
    }
};

struct masking {
    std::uint8_t by = 0;  // k1 to k7; 0: none
    bool zero = false;    // lanes left out become zero instead of staying as they are
};

class assembler {
public:
    static constexpr int capacity = 16 * 1024, max_constants = 40, max_labels = 240;

    explicit assembler(coding c) noexcept : coding_(c) {}

    // op reg, second, rm: on vectors of `bytes` bytes. Instructions of two operands have no `second`.
    void vector(encoding, int bytes, int reg, int second, operand rm, masking = {}) noexcept;
    void vector(encoding e, int bytes, int reg, operand rm, masking m = {}) noexcept {
        vector(e, bytes, reg, 0, rm, m);
    }
    // The same, with one element of a constant in all lanes.
    void vector_repeated(encoding, int bytes, int reg, int second, operand constant, masking = {}) noexcept;
    void immediate(int value) noexcept;  // of the instruction just written

    // op k, k, k: on 64 bits, of which vectors of fewer lanes use the lowest
    void mask(std::uint8_t opcode, int reg, int second, int third) noexcept;
    void mask_from(int k, gpr) noexcept;
    void test_none(int k) noexcept;            // equal: none of 16 is true
    void test_all(int k, int lanes) noexcept;  // below: so many, 8 or 16, are true

    void load(gpr to, gpr base, int displacement) noexcept;
    void move(gpr to, gpr from) noexcept;
    void address(gpr to, gpr base, gpr index, int log2_scale) noexcept;  // lea
    void add(gpr to, gpr from) noexcept;
    void subtract(gpr to, gpr from) noexcept;
    void compare(gpr a, gpr b) noexcept;
    void add(gpr to, std::int32_t number) noexcept;
    void subtract(gpr to, std::int32_t number) noexcept;
    void set(gpr to, std::int32_t number) noexcept;       // sign-extended
    void multiply(gpr to, std::int32_t number) noexcept;  // 32 bits, as in the two below
    void keep_bits(gpr to, std::int32_t bits) noexcept;
    void store(operand to, gpr from) noexcept;
    void zero(gpr) noexcept;
    void keep_low_bits(gpr to, gpr from, gpr count) noexcept;  // bzhi
    // Into that cache: 1 or 2.
    void prefetch(int cache, gpr base, gpr index, int log2_scale, int displacement) noexcept;
    void boolean_of_byte(gpr to, gpr address) noexcept;  // -1 where the byte is not 0, else 0
    void push(gpr) noexcept;
    void pop(gpr) noexcept;
    void end_vectors() noexcept;  // vzeroupper
    void ret() noexcept { byte(0xc3); }

    enum class condition : std::uint8_t {
        below = 2,
        not_below = 3,
        equal = 4,
        not_equal = 5,
        below_or_equal = 6,
        above = 7
    };
    int new_label() noexcept;
    void bind(int label) noexcept { labels_[label] = size_; }
    void jump(condition, int label) noexcept;
    void jump(int label) noexcept;

    // Its number; eight bytes, of which an instruction may read fewer, or, as in VEX it must, many times over.
    int constant(std::uint64_t bits) noexcept;
    int constants(std::uint64_t bits, std::uint64_t behind) noexcept;  // sixteen bytes; the number of the first eight

    // Puts the constants behind the code and fills in addresses; false: it did not fit.
    bool finish() noexcept;
    std::uint8_t const* data() const noexcept { return code_; }
    int size() const noexcept { return size_; }

private:
    void byte(int b) noexcept;
    void word32(std::int32_t) noexcept;
    void label(int) noexcept;
    void evex(encoding, int bytes, int reg, int second, operand const& rm, masking, bool repeated) noexcept;
    void vex(encoding, int bytes, int reg, int second, operand const& rm) noexcept;
    void address(int reg, operand const& rm) noexcept;
    void with_number(int which, gpr to, std::int32_t number) noexcept;
    void integer(int opcode, gpr reg, gpr rm, bool wide = true) noexcept;

    struct fixup {
        int at;  // of a 32-bit displacement, relative to its own end
        std::uint8_t number;
        bool is_constant;
        std::uint8_t behind;  // bytes of the instruction that follow the displacement
    };
    static constexpr int max_fixups = 768;

    coding coding_;
    std::uint8_t code_[capacity];
    int size_ = 0, nconstants_ = 0, nlabels_ = 0, nfixups_ = 0;
    bool overflow_ = false;
    std::uint64_t constants_[max_constants];
    int labels_[max_labels];
    fixup fixups_[max_fixups];
};

}  // namespace bascule::cpu::jit
