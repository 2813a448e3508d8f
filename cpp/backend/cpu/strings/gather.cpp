// gather_strings in two passes: the length and the address of each string, then the bytes.
#include <cstdio>
#include <limits>
#include <vector>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/strings/rows.hpp"
#include "backend/cpu/strings/strings.hpp"

namespace bascule::cpu::strings {
namespace {

constexpr i64 ahead = 24;  // rows between a prefetch and its use
constexpr i64 no_text = -1;

i64 at_least_zero(i64 v) { return v & ~(v >> 63); }

struct piece_total {
    i64 bytes = 0, nulls = 0;
    i64 const* bad = nullptr;  // the first position that is none
};

// Ends relative to the piece's first byte, and the first byte of each text in the column.
piece_total measure(gather_strings_args const& a, i64 begin, i64 end, i64* ends, i64* starts) {
    piece_total total;
    auto const& in = a.in;
    i64 const least = a.nulls ? std::numeric_limits<i64>::min() : 0;
    for (i64 i = begin; i < end; ++i) {
        i64 const next = at_least_zero(a.positions[std::min(i + ahead, end - 1)]);
        __builtin_prefetch(in.offsets + next);
        if (in.validity != nullptr) __builtin_prefetch(in.validity + next / 8);
        i64 const p = a.positions[i];
        bool const bad = p >= in.length || p < least;
        if (bad && total.bad == nullptr) total.bad = a.positions + i;
        bool const null = bad || p < 0 || !is_valid(in.validity, p);
        i64 const from = null ? 0 : in.offsets[p];
        total.bytes += null ? 0 : in.offsets[p + 1] - from;
        total.nulls += null;
        starts[i] = null ? no_text : from;
        ends[i] = total.bytes;
    }
    return total;
}

void move_strings(gather_strings_args const& a, i64 const* starts, i64 begin, i64 end, i64 first_byte,
                  char const* to_end) {
    char const* const in_end = end_of(a.in);
    i64* const ends = a.out.offsets + 1;
    i64 before = 0;
    for (i64 i = begin; i < end; ++i) {
        __builtin_prefetch(a.in.bytes + at_least_zero(starts[std::min(i + ahead, end - 1)]));
        i64 const length = ends[i] - before;
        char const* const from = a.in.bytes + at_least_zero(starts[i]);
        copy_text(a.out.bytes + first_byte + before, to_end, from, in_end, length);
        before = ends[i];
        ends[i] += first_byte;
    }
}

void mark_nulls(u8* bits, i64 const* starts, i64 begin, i64 end) {
    for (i64 i = begin; i < end; i += 64) {
        i64 const n = std::min<i64>(64, end - i);
        u64 word = 0;
        for (i64 k = 0; k < n; ++k) word |= static_cast<u64>(starts[i + k] != no_text) << k;
        put_bits(bits, i / 64, word, n);
    }
}

status out_of_bounds(i64 position, i64 length) {
    char text[128];
    std::snprintf(text, sizeof text, "index %lld is out of bounds for axis 0 with size %lld",
                  static_cast<long long>(position), static_cast<long long>(length));
    return fail(status::index_error, text);
}

status gather(gather_strings_args& a) {
    auto const pieces = pieces_of(a.length);
    scratch<i64> starts(a.length);
    std::vector<i64> first_byte(static_cast<std::size_t>(pieces.count) + 1),
        nulls(static_cast<std::size_t>(pieces.count));
    std::vector<i64 const*> bad(static_cast<std::size_t>(pieces.count));
    a.out = {};
    a.out.offsets = result_memory<i64>(a, a.length + 1);
    a.out.offsets[0] = 0;
    for_each_chunk(pieces, [&](i64 c, i64 begin, i64 end) {
        auto const total = measure(a, begin, end, a.out.offsets + 1, starts.data());
        first_byte[static_cast<std::size_t>(c) + 1] = total.bytes;
        nulls[static_cast<std::size_t>(c)] = total.nulls;
        bad[static_cast<std::size_t>(c)] = total.bad;
    });
    for (i64 const* const p : bad)
        if (p != nullptr) return out_of_bounds(*p, a.in.length);
    for (std::size_t c = 0; c < nulls.size(); ++c) {
        first_byte[c + 1] += first_byte[c];
        a.out.null_count += nulls[c];
    }
    a.out.bytes = result_memory<char>(a, first_byte.back());
    if (a.out.null_count > 0) a.out.validity = result_memory<u8>(a, (a.length + 7) / 8);
    for_each_chunk(pieces, [&](i64 c, i64 begin, i64 end) {
        auto const* const bounds = first_byte.data() + c;
        move_strings(a, starts.data(), begin, end, bounds[0], a.out.bytes + bounds[1]);
        if (a.out.validity != nullptr) mark_nulls(a.out.validity, starts.data(), begin, end);
    });
    return status::ok;
}

}  // namespace
}  // namespace bascule::cpu::strings

namespace bascule::cpu::strings {

status gather_strings(gather_strings_args& a) noexcept {
    return guarded("[gather_strings] no memory for the result", [&] { return strings::gather(a); });
}

}  // namespace bascule::cpu::strings
