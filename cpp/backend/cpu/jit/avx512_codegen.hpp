// Loops of AVX-512: 32 vectors of 64 bytes, or of 32 where the loop is narrow, and mask registers, a bit a lane.
#pragma once
#include "backend/cpu/jit/codegen.hpp"

namespace bascule::cpu::jit {

class avx512_codegen final : public codegen {
public:
    static constexpr coding code = coding::evex;
    static constexpr int bytes = 64, narrow_bytes = 32;
    explicit avx512_codegen(loop_text const& text) noexcept : codegen(text, code, 32, bytes_for(text), 16) {}
    static int bytes_for(loop_text const& text) noexcept { return text.narrow ? narrow_bytes : bytes; }

private:
    // The order in which the vector of that number joins those before it.
    struct order {
        int stride, size, vector, reg;
    };
    static constexpr int masks = 8, tail_mask = 1, max_orders = 8;

    void begin() noexcept override;
    void write_rest(int end) noexcept override;
    void load_bytes(int reg, int itemsize, operand from, bool floats) noexcept override;
    void store_bytes(int reg, int itemsize, operand to, bool streamed) noexcept override;
    void load_bool(int slot, gpr address) noexcept override;
    void write_boolean(int reg, int mask) noexcept override;
    void prepare_strides() noexcept override;
    void load_strided(int slot, int reg, gpr address) noexcept override;

    void prepare_join() noexcept override;
    void join() noexcept override;
    void put_in_order(int reg) noexcept override {
        if (orders_loads_) put_in_order(reg, reg);
    }

    bool join_lanes(int size, int d, int upper, int lower, int first) noexcept override;

    int new_mask(int owner) noexcept override;
    void free_mask(int reg) noexcept override { mask_owner_[reg] = no_slot; }
    void compare(primitive, type_id, int mask, int a, int b) noexcept override;
    void test(type_id, int mask, int a) noexcept override;
    void classify(primitive, type_id, int mask, int a) noexcept override;
    void test_none(int mask) noexcept override;
    void combine(primitive, int mask, int a, int b) noexcept override;
    void choose(type_id, int d, int mask, int a, int b) noexcept override;

    void extremum(primitive, type_id, int d, int a, int b, bool number) noexcept override;
    void root(type_id, int d, int a) noexcept override;
    void invert(type_id, int d, int a) noexcept override;
    void absolute(type_id, int d, int a) noexcept override;
    void join_sign(type_id, int d, int a, int b) noexcept override;
    void numbers_of_boolean(type_id, int d, int mask) noexcept override;
    void narrow(type_id from, type_id to, int d, int a) noexcept override;
    void write_root(detour const&) noexcept override;

    static std::uint64_t exponent_window(type_id) noexcept;
    void keep_window(type_id) noexcept;
    int usable_divisors(type_id, int size) noexcept override;
    void mark_usual(type_id, int mask, int a, int size, int near, int usable) noexcept override;
    void mark_zeros(detour const&) noexcept override;
    void choose_zeros(detour const&, int from) noexcept override;
    void test_all(type_id, int mask) noexcept override;

    int order_of(int stride, int size, int vector) const noexcept;
    void load_strided_rest(int slot, int reg, gpr address) noexcept;
    static operand bytes_of_lanes(assembler&, std::uint8_t const* from, int lanes) noexcept;

    int joined_size() const noexcept;
    bool orders_loads() const noexcept;
    void put_in_order(int reg, int from) noexcept;
    void unpack(int step, int size, int const* from, int* to) noexcept;
    void store_joined_rest(int const* parts, operand to) noexcept;

    int mask_owner_[masks];
    order orders_[max_orders];
    // Vectors that separate the usual exponents from the others (mark_usual), of elements of that type.
    int window_offset_ = no_slot, window_bit_ = no_slot;
    type_id window_type_ = type_id::float64;
    int norders_ = 0, joined_order_ = 0, end_ = 0;
    bool orders_loads_ = false;
};

}  // namespace bascule::cpu::jit
