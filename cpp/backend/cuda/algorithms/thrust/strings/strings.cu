// gather_strings, concat_strings, compare_strings and validity_bits. Bytes move 64 at a time wherever rows begin, so
// that one long text is not one thread's.
#include <thrust/fill.h>

#include <string>
#include <vector>

#include "backend/cuda/algorithms/thrust/group_by_number.hpp"
#include "backend/cuda/algorithms/thrust/strings/text.hpp"
#include "backend/cuda/algorithms/thrust/strings/text_results.hpp"

namespace bascule::cuda::algorithms {
namespace {

struct gather_totals {
    std::int64_t nulls, bad, bytes;  // bad: a position that is none, counted from 1
};

// ---- gather
struct measure_strings {
    text_column in;
    std::int64_t in_length;
    std::int64_t const* positions;
    bool nulls;
    gather_totals* totals;
    BASCULE_HD std::int64_t operator()(std::int64_t i) const {
        std::int64_t const p = positions[i];
        bool const bad = p >= in_length || (p < 0 && !nulls);
        if (bad) raise_to(&totals->bad, i + 1);
        bool const null = bad || p < 0 || in.is_null(p);
        if (null) raise_to(&totals->nulls, std::int64_t{1});
        return null ? 0 : in[p].size;
    }
};
struct is_valid_position {
    text_column in;
    std::int64_t const* positions;
    BASCULE_HD bool operator()(std::int64_t i) const { return positions[i] >= 0 && !in.is_null(positions[i]); }
};
struct gathered_text {
    text_column in;
    std::int64_t const* positions;
    BASCULE_HD void operator()(std::int64_t row, std::int64_t begin, std::int64_t at, std::int64_t stop,
                               char* out) const {
        copy_text(in[positions[row]], begin, at, stop, out);
    }
};
// ---- concat
struct part_ends {
    std::int64_t const* offsets;
    std::int64_t length;
    std::int64_t* out;
    BASCULE_HD void operator()(std::int64_t i) const { out[i] = length > 0 ? offsets[i == 0 ? 0 : length] : 0; }
};
struct shift_offsets {
    std::int64_t const* from;
    std::int64_t by;
    std::int64_t* to;
    BASCULE_HD void operator()(std::int64_t i) const { to[i] = from[i] + by; }
};
struct copy_bytes {
    char const* from;
    char* to;
    BASCULE_HD void operator()(std::int64_t i) const { to[i] = from[i]; }
};
struct write_valid {
    text_column part;
    std::uint8_t* to;
    BASCULE_HD void operator()(std::int64_t i) const { to[i] = part.is_null(i) ? 0 : 1; }
};
struct valid_byte {
    std::uint8_t const* bytes;
    BASCULE_HD bool operator()(std::int64_t i) const { return bytes[i] != 0; }
};

// ---- compare
struct compare_rows {
    text_column left, right;
    std::int64_t step;  // of the right side
    string_comparison op;
    std::uint8_t* out;
    BASCULE_HD void operator()(std::int64_t i) const {
        bool const known = !left.is_null(i) && !right.is_null(i * step);
        out[i] = (known ? holds(left[i], right[i * step]) : op == string_comparison::not_equal) ? 1 : 0;
    }
    BASCULE_HD bool holds(text_column::text a, text_column::text b) const {
        if (op == string_comparison::equal) return text_order::equal(a, b);
        if (op == string_comparison::not_equal) return !text_order::equal(a, b);
        int const order = text_order::compare(a, b);
        switch (op) {
            case string_comparison::less: return order < 0;
            case string_comparison::less_equal: return order <= 0;
            case string_comparison::greater: return order > 0;
            default: return order >= 0;
        }
    }
};

struct unpack_rows {
    std::uint8_t const* bits;
    std::uint8_t* bytes;
    BASCULE_HD void operator()(std::int64_t i) const { bytes[i] = bit_at(bits, i) ? 1 : 0; }
};

}  // namespace

void gather_strings(context const& c, gather_strings_args& a) {
    std::int64_t const n = a.length;
    a.out = {};
    auto* const offsets = a.out.offsets = static_cast<std::int64_t*>(ask(a, 8 * (n + 1)));
    buffer<gather_totals> const totals(c, 1);
    auto* const t = totals.get();
    text_column const in(a.in);
    c.queue([=](auto const& policy) { thrust::fill(policy, t, t + 1, gather_totals{0, 0, 0}); });
    sums_before(c, offsets, n, measure_strings{in, a.in.length, a.positions, a.nulls, t});
    for_each_index(c, 1, copy_number{offsets + n, &t->bytes});
    auto const found = c.read(t);
    if (found.bad != 0)
        throw bad_index{"index " + std::to_string(c.read(a.positions + found.bad - 1)) +
                        " is out of bounds for axis 0 with size " + std::to_string(a.in.length)};
    std::int64_t const bytes = found.bytes;
    a.out.bytes = static_cast<char*>(ask(a, bytes));
    if (found.nulls) {
        a.out.validity = static_cast<std::uint8_t*>(ask(a, (n + 7) / 8));
        a.out.null_count = pack(c, is_valid_position{in, a.positions}, n, a.out.validity);
    }
    write_strings(c, gathered_text{in, a.positions}, a.out, n, bytes);
}

void concat_strings(context const& c, concat_strings_args& a) {
    struct part_place {
        std::int64_t row, byte, begin, bytes;
    };
    std::vector<part_place> part_starts;
    std::int64_t rows = 0, bytes = 0;
    bool nulls = false;
    buffer<std::int64_t> const ends(c, 2 * a.nparts);
    for (std::int32_t p = 0; p < a.nparts; ++p)
        for_each_index(c, 2, part_ends{a.parts[p].offsets, a.parts[p].length, ends.get() + 2 * p});
    std::vector<std::int64_t> known(static_cast<std::size_t>(2 * a.nparts));
    c.read(ends.get(), known.data(), 2 * a.nparts);
    for (std::int32_t p = 0; p < a.nparts; ++p) {
        std::int64_t const begin = known[static_cast<std::size_t>(2 * p)],
                           end = known[static_cast<std::size_t>(2 * p) + 1];
        part_starts.push_back({rows, bytes, begin, end - begin});
        rows += a.parts[p].length;
        bytes += end - begin;
        nulls = nulls || (a.parts[p].validity && a.parts[p].length > 0);
    }
    a.out = {};
    auto* const offsets = a.out.offsets = static_cast<std::int64_t*>(ask(a, 8 * (rows + 1)));
    auto* const out = a.out.bytes = static_cast<char*>(ask(a, bytes));
    c.queue([=](auto const& policy) { thrust::fill(policy, offsets, offsets + 1, std::int64_t{0}); });
    buffer<std::uint8_t> const valid(c, nulls ? rows : 0);
    for (std::int32_t p = 0; p < a.nparts; ++p) {
        auto const& part = a.parts[p];
        auto const& place = part_starts[static_cast<std::size_t>(p)];
        for_each_index(c, part.length,
                       shift_offsets{part.offsets + 1, place.byte - place.begin, offsets + 1 + place.row});
        for_each_index(c, place.bytes, copy_bytes{part.bytes + place.begin, out + place.byte});
        if (nulls) for_each_index(c, part.length, write_valid{text_column(part), valid.get() + place.row});
    }
    if (!nulls) return;
    a.out.validity = static_cast<std::uint8_t*>(ask(a, (rows + 7) / 8));
    a.out.null_count = pack(c, valid_byte{valid.get()}, rows, a.out.validity);
    if (a.out.null_count == 0) a.out.validity = nullptr;
}

void compare_strings(context const& c, compare_strings_args const& a) {
    if (a.right.length != a.left.length && a.right.length != 1)
        throw unsupported{"columns of different lengths are not compared"};
    std::int64_t const step = a.right.length == 1 ? 0 : 1;
    for_each_index(c, a.left.length, compare_rows{text_column(a.left), text_column(a.right), step, a.op, a.out});
}

void validity_bits(context const& c, validity_bits_args& a) {
    if (a.pack) a.null_count = pack(c, valid_byte{a.bytes}, a.length, a.bits, a.count_nulls);
    else for_each_index(c, a.length, unpack_rows{a.bits, a.bytes});
}

}  // namespace bascule::cuda::algorithms
