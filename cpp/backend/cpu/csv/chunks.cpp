#include <algorithm>
#include <exception>

#include "backend/cpu/csv/read_plan.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu::csv {
namespace {

std::int64_t chunk_bytes = std::int64_t{256} << 10;

csv_counts count_chunk(csv_source const& source, csv_dialect const& d, csv_chunk const& c) {
    scratch buffer(c.end - c.begin + 192);
    char* const text = buffer.data + 64;
    text[-1] = '\n';
    if (c.begin > 0) source.read(c.begin - 1, 1, text - 1);
    if (c.first && text[-1] != '\r') text[-1] = '\n';  // a byte-order mark is not part of a field
    source.read(c.begin, c.end - c.begin, text);
    csv_counts counts;
    csv_scan().count(text, c.end - c.begin, d.marks, &counts);
    return counts;
}

// Counts chunks [from, to) in order, with the state in which each begins. False: the text is not of the regular kind.
bool count_wave(csv_source const& source, csv_dialect const& d, csv_chunks& all, std::size_t from, std::size_t to,
                bool* inside) {
    std::vector<csv_counts> counts(to - from);
    std::vector<std::exception_ptr> failed(to - from);
    csv_watch watch(all.list[to - 1].end - all.list[from].begin);
    sched::parallel_for(static_cast<std::int64_t>(to - from), to - from > 1, [&](std::int64_t t) {
        auto const i = static_cast<std::size_t>(t);
        if (watch.ended()) return;
        try {
            counts[i] = count_chunk(source, d, all.list[from + i]);
        } catch (...) { failed[i] = std::current_exception(); }
        watch.did(all.list[from + i].end - all.list[from + i].begin);
    });
    watch.check();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (failed[i]) std::rethrow_exception(failed[i]);
        csv_chunk& c = all.list[from + i];
        if (counts[i].irregular[*inside]) return false;
        c.inside = *inside;
        c.lines = counts[i].newlines[*inside];
        *inside ^= counts[i].quotes & 1;
        if (c.end == source.size() && !*inside) --c.lines;  // no row begins behind the last newline
    }
    return true;
}

// Rows of irregular text are found one after the other.
void scan_exactly(csv_source const& source, csv_dialect const& d, csv_prologue const& p, csv_chunks& all) {
    for (csv_chunk& c : all.list) c.lines = 0, c.start = -1, c.inside = false;
    csv_row row;
    csv_watch watch(0);
    std::size_t k = 0;
    std::int64_t origin = p.data_begin, at = 0, piece = std::int64_t{4} << 20, line = p.lines;
    for (;;) {
        watch.check();
        scratch buffer(piece + 64);
        std::int64_t const loaded = source.read(origin, piece, buffer.data);
        for (at = 0; at < loaded; at = row.next) {
            std::int64_t const mark = std::max(origin + at - 1, p.data_begin);
            while (k < all.list.size() && mark >= all.list[k].end) ++k;
            if (k == all.list.size()) return;
            split_row(buffer.data, at, loaded, d, &row);
            if (!row.complete) break;
            csv_chunk& c = all.list[k];
            // A range's first chunk begins at the newline before its first row, the very first one at a row.
            if (mark < c.begin || (mark == p.data_begin && origin + at == p.data_begin && !c.first)) {
                ++line;
                continue;
            }
            if (c.start < 0) c.start = origin + at;
            ++c.lines;
            ++line;
        }
        if (origin + loaded >= source.size()) {
            if (at < loaded) all.unclosed_line = line;
            return;
        }
        if (at == 0) piece *= 4;
        origin += at;
    }
}

}  // namespace

std::int64_t csv_chunk_bytes() noexcept { return chunk_bytes; }
void set_csv_chunk_bytes(std::int64_t n) noexcept { chunk_bytes = n; }

void number_rows(csv_chunks& all, std::int64_t row_limit) {
    std::int64_t row = 0;
    for (csv_chunk& c : all.list) {
        if (row_limit >= 0) c.rows = std::min(c.rows, row_limit - row);
        c.first_row = row;
        row += c.rows;
    }
    all.rows = row;
}

csv_chunks find_chunks(csv_source const& source, csv_dialect const& d, read_csv_args const& a, csv_prologue const& p) {
    csv_chunks all;
    // A row belongs to the chunk with the newline in front of it; the first row has none that counts.
    std::int64_t const begin = a.range_begin <= p.data_begin ? p.data_begin
                                                             : std::min(a.range_begin - 1, source.size());
    std::int64_t const end = std::min(a.range_end < 0 ? source.size() : a.range_end - 1, source.size());
    bool const owns_first = a.range_begin <= p.data_begin && (a.range_end < 0 || a.range_end > p.data_begin) &&
                            p.data_begin < source.size();
    if (auto* const reported = sched::progress::here()) reported->begin(2 * (end - begin));  // counted, then decoded
    bool const from_here = a.no_quoted_newlines || !d.marks.quoting;
    for (std::int64_t at = from_here ? begin : p.data_begin; at < end || (owns_first && all.list.empty());) {
        csv_chunk c;
        c.begin = at;
        c.end = std::max(std::min(at + chunk_bytes, at < begin ? begin : end), at + 1);
        c.first = owns_first && all.list.empty();
        all.list.push_back(c);
        at = c.end;
    }
    bool inside = false;
    std::int64_t line = p.lines;
    std::size_t const wave = a.row_limit >= 0 ? 32 : std::max<std::size_t>(all.list.size(), 1);
    std::size_t done = 0;
    while (done < all.list.size() && !all.exact) {
        std::size_t const to = std::min(done + wave, all.list.size());
        if (!count_wave(source, d, all, done, to, &inside)) {
            all.exact = true;
            break;
        }
        done = to;
        std::int64_t have = 0;
        for (std::size_t i = 0; i < done; ++i)
            if (all.list[i].begin >= begin) have += all.list[i].lines;
        // Blank lines are counted as rows: if the file then has too few rows, it is counted again without the limit.
        if (a.row_limit >= 0 && have >= a.row_limit) all.list.resize(done);
    }
    if (all.exact) scan_exactly(source, d, p, all);
    for (csv_chunk& c : all.list) {
        if (c.first && !all.exact) ++c.lines;
        c.lines_before = line;
        line += c.lines;
        c.rows = c.begin >= begin ? c.lines : 0;
    }
    if (!all.exact && inside && !all.list.empty() && all.list.back().end == source.size()) all.unclosed_line = line - 1;
    number_rows(all, a.row_limit);
    return all;
}

}  // namespace bascule::cpu::csv
