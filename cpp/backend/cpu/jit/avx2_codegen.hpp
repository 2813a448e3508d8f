// Loops of AVX2: 16 vectors of 32 bytes. A mask is a vector too, all bits of a lane, and its lanes are those of the
// loop's widest elements; it is cut and widened where narrower ones are compared or chosen.
#pragma once
#include "backend/cpu/jit/codegen.hpp"

namespace bascule::cpu::jit {

class avx2_codegen final : public codegen {
public:
    static constexpr coding code = coding::vex;
    static constexpr int bytes = 32;
    explicit avx2_codegen(loop_text const& text) noexcept : codegen(text, code, 16, bytes, 6) {}

private:
    void write_rest(int end) noexcept override;
    void load_bytes(int reg, int itemsize, operand from, bool floats) noexcept override;
    void store_bytes(int reg, int itemsize, operand to, bool streamed) noexcept override;
    void load_bool(int slot, gpr address) noexcept override;
    void write_boolean(int reg, int mask) noexcept override;
    void store_boolean(int mask, operand to, bool streamed) noexcept override;
    void prepare_strides() noexcept override {}
    void load_strided(int slot, int reg, gpr address) noexcept override;

    int new_mask(int owner) noexcept override { return new_vector(owner); }
    void free_mask(int reg) noexcept override { free_vector(reg); }
    void compare(primitive, type_id, int mask, int a, int b) noexcept override;
    void test(type_id, int mask, int a) noexcept override;
    void classify(primitive, type_id, int mask, int a) noexcept override;
    void test_none(int mask) noexcept override;
    void combine(primitive, int mask, int a, int b) noexcept override;
    void choose(type_id, int d, int mask, int a, int b) noexcept override;

    void binary(primitive, type_id, int d, int a, int b) noexcept override;
    void extremum(primitive, type_id, int d, int a, int b, bool number) noexcept override;
    void root(type_id, int d, int a) noexcept override;
    void invert(type_id, int d, int a) noexcept override;
    void absolute(type_id, int d, int a) noexcept override;
    void join_sign(type_id, int d, int a, int b) noexcept override;
    void numbers_of_boolean(type_id, int d, int mask) noexcept override;
    void narrow(type_id from, type_id to, int d, int a) noexcept override;
    bool make_real(type_id from, type_id to, int d, int a) noexcept override;

    int usable_divisors(type_id, int size) noexcept override;
    void mark_usual(type_id, int mask, int a, int size, int near, int usable) noexcept override;
    void mark_zeros(detour const&) noexcept override;
    void choose_zeros(detour const&, int from) noexcept override;
    void test_all(type_id, int mask) noexcept override;

    int mask_lane() const noexcept { return bytes / lanes_; }
    operand repeated(std::uint64_t bits) noexcept { return operand::constant(to_->constant(bits)); }
    void turn(int reg, int size, operand from) noexcept;
    void take_every_second(int reg, int size, operand first, operand second) noexcept;
    template <class At> void collect(int reg, int size, At const& at) noexcept;
    void zero(int reg) noexcept;
    void complement(int reg) noexcept;
    void widen_mask(int reg, int from) noexcept;
    void blend(int size, int d, int mask, int a, int b) noexcept;
    void compare_whole(primitive, type_id, int mask, int a, int b) noexcept;
    void greater(type_id, int mask, int a, int b) noexcept;
    void multiply_wide(int d, int a, int b) noexcept;
    void shift_right_with_sign(int d, int a, int b) noexcept;
    void cut(int d, int a, int from, int to, bool booleans) noexcept;
};

}  // namespace bascule::cpu::jit
