#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Bytes shifted by one count, eight at a time, because processors cannot shift them one by one. Bits that move into a
// neighbour are masked.
template <class Op, class T> struct byte_shift_loop {
    static void run(void* d_, void const* a_, void const* b_, void const*, std::size_t n) {
        constexpr bool left = __is_same(Op, ops::left_shift);
        constexpr std::uint64_t every_byte = 0x0101010101010101u;
        auto* const d = static_cast<T*>(d_);
        auto const* const a = static_cast<T const*>(a_);
        T const s = *static_cast<T const*>(b_);
        auto const count = static_cast<std::uint8_t>(s);
        std::size_t i = 0;
        if (count < 8) {
            std::uint64_t const kept = every_byte * ((left ? 0xffu << count : 0xffu >> count) & 0xffu);
#pragma GCC ivdep
            for (std::size_t word = 0; word < n / 8; ++word) {
                std::uint64_t x;
                __builtin_memcpy(&x, a + 8 * word, sizeof x);
                x = (left ? x << count : x >> count) & kept;
                __builtin_memcpy(d + 8 * word, &x, sizeof x);
            }
            i = n / 8 * 8;
        }
        for (; i < n; ++i) d[i] = Op{}(a[i], s);
    }
};

template <class Op, type_id Id> void add_byte_shift(kernel_table& t) {
    t.op[ops::number<Op>][static_cast<int>(Id)][vs] = byte_shift_loop<Op, element<Id>>::run;
}

}  // namespace

void fill_bitwise(kernel_table& t) {
    add_family(t, ops::bitwise_ops{});
    add_byte_shift<ops::left_shift, type_id::uint8>(t);
    add_byte_shift<ops::left_shift, type_id::int8>(t);
    add_byte_shift<ops::right_shift, type_id::uint8>(t);
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
