// Rows of string columns: their bytes by wide loads where those stay inside the column, their null bits 64 at a time.
#pragma once
#include <algorithm>
#include <cstring>

#include "backend/cpu/common/row_chunks.hpp"
#include "bascule/core/table_algorithms_string_search.hpp"

namespace bascule::cpu::strings {

using chunked::for_each_chunk;
using chunked::i64;
using chunked::row_chunks;
using chunked::scratch;
using chunked::u64;
using chunked::u8;

// Pieces of rows. A multiple of 64, so that no word of a bitmap is written by two of them.
inline constexpr i64 piece_rows = 16384;
inline row_chunks pieces_of(i64 rows) { return {rows, piece_rows}; }

inline u64 load_word(char const* p) {
    u64 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

inline bool is_valid(u8 const* bits, i64 i) { return bits == nullptr || (bits[i / 8] >> (i % 8) & 1) != 0; }

// Bits [i, i + n), n from 1 to 64, in the low end of a word; reads no byte without one of them.
inline u64 bits_at(u8 const* bits, i64 i, i64 n) {
    i64 const first = i / 8, bytes = (i % 8 + n + 7) / 8;
    int const shift = static_cast<int>(i % 8);
    u64 low = 0;
    std::memcpy(&low, bits + first, static_cast<std::size_t>(std::min<i64>(bytes, 8)));
    low >>= shift;
    if (bytes == 9) low |= u64{bits[first + 8]} << (64 - shift);
    return n == 64 ? low : low & ((u64{1} << n) - 1);
}

// Writes the n low bits of a word at bit 64 * w; only bytes with one of them are written.
inline void put_bits(u8* bits, i64 w, u64 word, i64 n) {
    std::memcpy(bits + w * 8, &word, static_cast<std::size_t>((n + 7) / 8));
}

// Just behind the last byte of the column.
inline char const* end_of(string_column const& c) { return c.length > 0 ? c.bytes + c.offsets[c.length] : c.bytes; }

// Copies n bytes. Up to 32 go by whole 16-byte moves where source and target have room for them: the bytes written too
// many are those of rows that follow.
inline void copy_text(char* to, char const* to_end, char const* from, char const* from_end, i64 n) {
    if (n <= 32 && to_end - to >= 32 && from_end - from >= 32) {
        std::memcpy(to, from, 16);
        if (n > 16) std::memcpy(to + 16, from + 16, 16);
    } else if (n > 0) {
        std::memcpy(to, from, static_cast<std::size_t>(n));
    }
}

// Memory for a result, from the caller.
template <class T, class Args> T* result_memory(Args const& a, i64 count) {
    auto* const p = static_cast<T*>(a.allocate(a.owner, count * static_cast<i64>(sizeof(T))));
    if (p == nullptr && count > 0) throw std::bad_alloc();
    return p;
}

}  // namespace bascule::cpu::strings
