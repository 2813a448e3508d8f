// find_strings, assemble_strings and replace_strings. Searching and replacing are a thread a row's; bytes that are put
// together move 64 at a time wherever rows begin.
#include <thrust/fill.h>

#include <string>

#include "backend/cuda/algorithms/thrust/strings/text_results.hpp"

namespace bascule::cuda::algorithms {
namespace {

using text = text_column::text;

BASCULE_HD bool is_at(text t, text needle, std::int64_t at) {
    for (std::int64_t k = 0; k < needle.size; ++k)
        if (t.data[at + k] != needle.data[k]) return false;
    return true;
}
// Where a needle begins at or behind a byte; -1: nowhere.
BASCULE_HD std::int64_t next_at(text t, text needle, std::int64_t from) {
    for (std::int64_t at = from; at + needle.size <= t.size; ++at)
        if (is_at(t, needle, at)) return at;
    return -1;
}
BASCULE_HD std::int64_t last_at(text t, text needle) {
    for (std::int64_t at = t.size - needle.size; at >= 0; --at)
        if (is_at(t, needle, at)) return at;
    return -1;
}
BASCULE_HD bool is_among(text set, unsigned char byte) {
    for (std::int64_t k = 0; k < set.size; ++k)
        if (set.data[k] == byte) return true;
    return false;
}
BASCULE_HD std::int64_t count_of(text t, text needle, std::int64_t most) {
    std::int64_t count = 0;
    if (needle.size == 0) return count;
    for (std::int64_t at = next_at(t, needle, 0); at >= 0 && (most < 0 || count < most);
         at = next_at(t, needle, at + needle.size))
        ++count;
    return count;
}

struct search_rows {
    text_column in, needle;
    std::int64_t const* from;
    string_search search;
    std::int64_t* out;
    BASCULE_HD void operator()(std::int64_t i) const {
        text t = in[i];
        if (in.is_null(i)) t.size = 0;
        out[i] = found(t, needle[0], from ? from[i] : 0);
    }
    BASCULE_HD std::int64_t found(text t, text n, std::int64_t begin) const {
        std::int64_t at = 0;
        switch (search) {
            case string_search::first: return next_at(t, n, begin);
            case string_search::last: return last_at(t, n);
            case string_search::count: return count_of(t, n, -1);
            case string_search::at_begin: return n.size <= t.size && is_at(t, n, 0) ? 1 : 0;
            case string_search::at_end: return n.size <= t.size && is_at(t, n, t.size - n.size) ? 1 : 0;
            case string_search::past_set:
                while (at < t.size && is_among(n, t.data[at])) ++at;
                return at;
            default:
                at = t.size;
                while (at > 0 && is_among(n, t.data[at - 1])) --at;
                return at;
        }
    }
};

// ---- assemble
struct device_piece {
    text_column column;
    std::int64_t step;
    std::int64_t const *begin, *size;
    BASCULE_HD text operator()(std::int64_t row) const {
        text t = column[row * step];
        std::int64_t const skip = begin ? begin[row] : 0;
        return {t.data + skip, size ? size[row] : t.size - skip};
    }
};
struct piece_list {
    device_piece pieces[most_string_pieces];
    std::int32_t count;
    BASCULE_HD bool is_null(std::int64_t row) const {
        for (std::int32_t p = 0; p < count; ++p)
            if (pieces[p].column.is_null(row * pieces[p].step)) return true;
        return false;
    }
    BASCULE_HD void operator()(std::int64_t row, std::int64_t begin, std::int64_t at, std::int64_t stop,
                               char* out) const {
        for (std::int32_t p = 0; p < count && at < stop; ++p) {
            text const t = pieces[p](row);
            at = copy_text(t, begin, at, stop, out);
            begin += t.size;
        }
    }
};
struct assembled_totals {
    std::int64_t nulls, bytes;
};
struct measure_pieces {
    piece_list list;
    assembled_totals* totals;
    BASCULE_HD std::int64_t operator()(std::int64_t row) const {
        std::int64_t size = 0;
        bool const null = list.is_null(row);
        if (null) raise_to(&totals->nulls, std::int64_t{1});
        for (std::int32_t p = 0; p < list.count && !null; ++p) size += list.pieces[p](row).size;
        return size;
    }
};
struct is_known {
    piece_list list;
    BASCULE_HD bool operator()(std::int64_t row) const { return !list.is_null(row); }
};

// ---- replace
struct measure_replaced {
    text_column in, needle, replacement;
    std::int64_t most;
    BASCULE_HD std::int64_t operator()(std::int64_t i) const {
        text const t = in[i], n = needle[0];
        return in.is_null(i) ? 0 : t.size + count_of(t, n, most) * (replacement[0].size - n.size);
    }
};
struct write_replaced {
    text_column in, needle, replacement;
    std::int64_t most;
    std::int64_t const* offsets;
    char* out;
    BASCULE_HD void operator()(std::int64_t i) const {
        if (in.is_null(i)) return;
        text const t = in[i], n = needle[0], r = replacement[0];
        char* to = out + offsets[i];
        std::int64_t at = 0;
        for (std::int64_t k = 0; most < 0 || k < most; ++k) {
            std::int64_t const found = n.size == 0 ? -1 : next_at(t, n, at);
            if (found < 0) break;
            for (; at < found; ++at) *to++ = static_cast<char>(t.data[at]);
            for (std::int64_t b = 0; b < r.size; ++b) *to++ = static_cast<char>(r.data[b]);
            at += n.size;
        }
        for (; at < t.size; ++at) *to++ = static_cast<char>(t.data[at]);
    }
};
struct is_valid_row {
    text_column in;
    BASCULE_HD bool operator()(std::int64_t i) const { return !in.is_null(i); }
};

}  // namespace

void find_strings(context const& c, find_strings_args const& a) {
    for_each_index(c, a.in.length, search_rows{text_column(a.in), text_column(a.needle), a.from, a.search, a.out});
}

void assemble_strings(context const& c, assemble_strings_args& a) {
    if (a.npieces < 1 || a.npieces > most_string_pieces)
        throw unsupported{"texts of " + std::to_string(a.npieces) + " pieces"};
    auto const piece_of = [&](std::int32_t p) {
        auto const& from = a.pieces[p < a.npieces ? p : 0];
        return device_piece{text_column(from.text), from.step, from.begin, from.size};
    };
    piece_list const list{
        {piece_of(0), piece_of(1), piece_of(2), piece_of(3), piece_of(4), piece_of(5), piece_of(6), piece_of(7)},
        a.npieces};
    std::int64_t const n = a.length;
    a.out = {};
    auto* const offsets = a.out.offsets = static_cast<std::int64_t*>(ask(a, 8 * (n + 1)));
    buffer<assembled_totals> const totals(c, 1);
    auto* const t = totals.get();
    c.queue([=](auto const& policy) { thrust::fill(policy, t, t + 1, assembled_totals{0, 0}); });
    sums_before(c, offsets, n, measure_pieces{list, t});
    for_each_index(c, 1, copy_number{offsets + n, &t->bytes});
    auto const found = c.read(t);
    a.out.bytes = static_cast<char*>(ask(a, found.bytes));
    if (found.nulls != 0) {
        a.out.validity = static_cast<std::uint8_t*>(ask(a, (n + 7) / 8));
        a.out.null_count = pack(c, is_known{list}, n, a.out.validity);
    }
    write_strings(c, list, a.out, n, found.bytes);
}

void replace_strings(context const& c, replace_strings_args& a) {
    std::int64_t const n = a.in.length;
    text_column const in(a.in), needle(a.needle), replacement(a.replacement);
    a.out = {};
    auto* const offsets = a.out.offsets = static_cast<std::int64_t*>(ask(a, 8 * (n + 1)));
    sums_before(c, offsets, n, measure_replaced{in, needle, replacement, a.most});
    a.out.bytes = static_cast<char*>(ask(a, c.read(offsets + n)));
    if (a.in.validity) {
        a.out.validity = static_cast<std::uint8_t*>(ask(a, (n + 7) / 8));
        a.out.null_count = pack(c, is_valid_row{in}, n, a.out.validity);
    }
    for_each_index(c, n, write_replaced{in, needle, replacement, a.most, offsets, a.out.bytes});
}

}  // namespace bascule::cuda::algorithms
