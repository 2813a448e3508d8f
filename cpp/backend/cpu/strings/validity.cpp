// validity_bits: eight rows at a time, within one 64-bit word.
#include <bit>
#include <vector>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/strings/rows.hpp"
#include "backend/cpu/strings/strings.hpp"

namespace bascule::cpu::strings {
namespace {

constexpr u64 ones = 0x0101010101010101, low_seven = 0x7f7f7f7f7f7f7f7f;

// Bit k of the result: byte k is not 0.
u8 pack_word(u64 bytes) {
    u64 const flags = (((bytes & low_seven) + low_seven) | bytes) >> 7 & ones;
    return static_cast<u8>(flags * 0x0102040810204080 >> 56);
}

// Byte k of the result: bit k.
u64 unpack_word(u8 bits) {
    u64 const one_each = bits * ones & 0x8040201008040201;
    return (one_each + low_seven) >> 7 & ones;
}

i64 pack(validity_bits_args const& a, i64 begin, i64 end) {
    i64 valid = 0;
    for (i64 i = begin; i < end; i += 8) {
        u64 word = 0;
        if (end - i >= 8) std::memcpy(&word, a.bytes + i, 8);
        else std::memcpy(&word, a.bytes + i, static_cast<std::size_t>(end - i));
        u8 const bits = pack_word(word);
        a.bits[i / 8] = bits;
        valid += std::popcount(bits);
    }
    return end - begin - valid;
}

void unpack(validity_bits_args const& a, i64 begin, i64 end) {
    for (i64 i = begin; i < end; i += 8) {
        u64 const word = unpack_word(a.bits[i / 8]);
        if (end - i >= 8) std::memcpy(a.bytes + i, &word, 8);
        else std::memcpy(a.bytes + i, &word, static_cast<std::size_t>(end - i));
    }
}

}  // namespace
}  // namespace bascule::cpu::strings

namespace bascule::cpu::strings {

status validity_bits(validity_bits_args& a) noexcept {
    std::atomic<i64> nulls{0};
    for_each_chunk(pieces_of(a.length), [&](i64, i64 begin, i64 end) {
        if (a.pack) nulls.fetch_add(pack(a, begin, end), std::memory_order_relaxed);
        else unpack(a, begin, end);
    });
    if (a.pack) a.null_count = nulls.load();
    return status::ok;
}

}  // namespace bascule::cpu::strings
