// concat_strings: every part's bytes move as one block, offsets are shifted, null bits are put together 64 at a time.
#include <bit>
#include <vector>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/strings/rows.hpp"
#include "backend/cpu/strings/strings.hpp"

namespace bascule::cpu::strings {
namespace {

constexpr i64 piece_bytes = i64{1} << 18;

struct layout {
    std::vector<i64> row, byte;  // where each part begins in the result; one more for the end
    explicit layout(concat_strings_args const& a) : row(static_cast<std::size_t>(a.nparts) + 1), byte(row.size()) {
        for (std::size_t p = 0; p + 1 < row.size(); ++p) {
            auto const& part = a.parts[p];
            row[p + 1] = row[p] + part.length;
            byte[p + 1] = byte[p] + (part.length > 0 ? part.offsets[part.length] - part.offsets[0] : 0);
        }
    }
};

// f(part, begin, end): the section of each part that falls into [begin, end) of the result, in the result's own
// numbers.
template <class F> void for_each_overlap(std::vector<i64> const& starts, i64 begin, i64 end, F const& f) {
    auto p = static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), begin) - starts.begin()) - 1;
    for (; begin < end; ++p) {
        i64 const stop = std::min(end, starts[p + 1]);
        if (stop > begin) f(p, begin, stop);
        begin = stop;
    }
}

i64 count_nulls(concat_strings_args const& a) {
    i64 nulls = 0;
    for (i64 p = 0; p < a.nparts; ++p) {
        auto const& part = a.parts[p];
        for (i64 i = 0; part.validity != nullptr && i < part.length; i += 64) {
            i64 const n = std::min<i64>(64, part.length - i);
            nulls += n - std::popcount(bits_at(part.validity, i, n));
        }
    }
    return nulls;
}

void shift_offsets(concat_strings_args const& a, layout const& to, i64 begin, i64 end) {
    for_each_overlap(to.row, begin, end, [&](std::size_t p, i64 from, i64 stop) {
        auto const& part = a.parts[p];
        i64 const shift = to.byte[p] - part.offsets[0];
        for (i64 i = from; i < stop; ++i) a.out.offsets[i + 1] = part.offsets[i - to.row[p] + 1] + shift;
    });
}

void join_bits(concat_strings_args const& a, layout const& to, i64 begin, i64 end) {
    for (i64 i = begin; i < end; i += 64) {
        i64 const n = std::min<i64>(64, end - i);
        u64 word = 0;
        for_each_overlap(to.row, i, i + n, [&](std::size_t p, i64 from, i64 stop) {
            auto const* const bits = a.parts[p].validity;
            i64 const count = stop - from;
            u64 const all = count == 64 ? ~u64{0} : (u64{1} << count) - 1;
            word |= (bits == nullptr ? all : bits_at(bits, from - to.row[p], count)) << (from - i);
        });
        put_bits(a.out.validity, i / 64, word, n);
    }
}

void copy_bytes(concat_strings_args const& a, layout const& to, i64 begin, i64 end) {
    for_each_overlap(to.byte, begin, end, [&](std::size_t p, i64 from, i64 stop) {
        auto const& part = a.parts[p];
        std::memcpy(a.out.bytes + from, part.bytes + part.offsets[0] + (from - to.byte[p]),
                    static_cast<std::size_t>(stop - from));
    });
}

void concat(concat_strings_args& a) {
    layout const to(a);
    i64 const rows = to.row.back(), bytes = to.byte.back();
    a.out = {};
    a.out.null_count = count_nulls(a);
    a.out.offsets = result_memory<i64>(a, rows + 1);
    a.out.bytes = result_memory<char>(a, bytes);
    if (a.out.null_count > 0) a.out.validity = result_memory<u8>(a, (rows + 7) / 8);
    a.out.offsets[0] = 0;
    for_each_chunk(pieces_of(rows), [&](i64, i64 begin, i64 end) {
        shift_offsets(a, to, begin, end);
        if (a.out.validity != nullptr) join_bits(a, to, begin, end);
    });
    for_each_chunk({bytes, piece_bytes}, [&](i64, i64 begin, i64 end) { copy_bytes(a, to, begin, end); });
}

}  // namespace
}  // namespace bascule::cpu::strings

namespace bascule::cpu::strings {

status concat_strings(concat_strings_args& a) noexcept {
    return guarded("[concat_strings] no memory for the result", [&] {
        strings::concat(a);
        return status::ok;
    });
}

}  // namespace bascule::cpu::strings
