// count_tokens: pieces of documents are counted at once, each with a table of the terms that it saw; the tables become
// one list, and the rows are numbered by it.
#include <algorithm>
#include <array>
#include <numeric>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/strings/strings.hpp"
#include "backend/cpu/strings/tokens.hpp"

namespace bascule::cpu::strings {
namespace {

// Of a row.
struct entry {
    std::int32_t column, count;
};

// The entries of the rows of a piece, one row after another.
struct piece {
    std::vector<entry> entries;
    term_table terms;  // of a discovered vocabulary
};

term_table terms_of(string_column const& c) {
    term_table made;
    for (i64 i = 0; i < c.length; ++i) made.find_or_add(text_at(c, i), murmur(text_at(c, i)));
    return made;
}

class counter {
public:
    explicit counter(count_tokens_args& a) : a_(a), stop_words_(terms_of(a.stop_words)) {
        if (a.columns == token_columns::given) vocabulary_ = terms_of(a.vocabulary);
    }

    void run() {
        row_chunks const chunks(a_.in.length, rows_in_piece());
        std::vector<piece> pieces(static_cast<std::size_t>(chunks.count));
        a_.starts[0] = 0;
        for_each_chunk(chunks,
                       [&](i64 c, i64 begin, i64 end) { count(pieces[static_cast<std::size_t>(c)], begin, end); });
        std::partial_sum(a_.starts, a_.starts + a_.in.length + 1, a_.starts);
        if (a_.columns == token_columns::discovered) number_terms(pieces, chunks);
        a_.indices = result_memory<std::int32_t>(a_, a_.starts[a_.in.length]);
        a_.counts = result_memory<std::int32_t>(a_, a_.starts[a_.in.length]);
        for_each_chunk(chunks, [&](i64 c, i64 begin, i64) {
            i64 to = a_.starts[begin];
            for (entry const e : pieces[static_cast<std::size_t>(c)].entries)
                a_.indices[to] = e.column, a_.counts[to++] = e.count;
        });
    }

private:
    // Tables of terms are made one from another, so there are few of them.
    i64 rows_in_piece() const {
        i64 const most = a_.columns == token_columns::discovered ? 2 * static_cast<i64>(sched::thread_count()) : 64;
        return std::max<i64>(1, (a_.in.length + most - 1) / most);
    }

    // The rows from begin to end; starts[i + 1] is the number of entries of row i until they are added up.
    void count(piece& p, i64 begin, i64 end) {
        tokenizer documents(a_, stop_words_);
        std::vector<u32> found;
        for (i64 i = begin; i < end; ++i) {
            found.clear();
            documents.each_term(i, [&](std::string_view term) { add(p, found, term); });
            std::sort(found.begin(), found.end());
            auto const before = p.entries.size();
            for (u32 const key : found) {
                auto const column = static_cast<std::int32_t>(key >> 1);
                if (p.entries.size() == before || p.entries.back().column != column) p.entries.push_back({column, 0});
                p.entries.back().count += (key & 1) != 0 ? -1 : 1;
            }
            a_.starts[i + 1] = static_cast<i64>(p.entries.size() - before);
        }
    }

    // A term as its column, and below it whether it counts -1.
    void add(piece& p, std::vector<u32>& found, std::string_view term) const {
        u32 const hash = murmur(term);
        if (a_.columns == token_columns::hashed) {
            bool const negative = hash >> 31 != 0;
            u32 const size = negative ? ~hash + 1 : hash;  // at most 2^31
            found.push_back(size % static_cast<u32>(a_.hashed_columns) << 1 | (negative && a_.signs ? 1U : 0U));
            return;
        }
        u32 const number = a_.columns == token_columns::given ? vocabulary_.find(term, hash)
                                                              : p.terms.find_or_add(term, hash);
        if (number != term_table::none) found.push_back(number << 1);
    }

    // One list of the terms of all pieces, in the order in which they appear; entries are renumbered by it.
    void number_terms(std::vector<piece>& pieces, row_chunks const& chunks) {
        term_table all;
        std::vector<std::vector<u32>> numbers(pieces.size());  // of a piece's terms among all
        for (std::size_t k = 0; k < pieces.size(); ++k)
            for (u32 t = 0; t < pieces[k].terms.size(); ++t)
                numbers[k].push_back(all.find_or_add(pieces[k].terms.term(t), pieces[k].terms.hash(t)));
        for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
            auto const k = static_cast<std::size_t>(c);
            for (entry& e : pieces[k].entries)
                e.column = static_cast<std::int32_t>(numbers[k][static_cast<std::size_t>(e.column)]);
            auto const first = pieces[k].entries.begin();
            for (i64 i = begin; i < end; ++i)
                std::sort(first + (a_.starts[i] - a_.starts[begin]), first + (a_.starts[i + 1] - a_.starts[begin]),
                          [](entry x, entry y) { return x.column < y.column; });
        });
        deliver(all);
    }

    void deliver(term_table const& all) {
        a_.nterms = all.size();
        a_.terms = {};
        a_.terms.offsets = result_memory<i64>(a_, a_.nterms + 1);
        a_.terms.bytes = result_memory<char>(a_, all.bytes());
        a_.terms.offsets[0] = 0;
        for (u32 k = 0; k < all.size(); ++k) {
            auto const term = all.term(k);
            std::memcpy(a_.terms.bytes + a_.terms.offsets[k], term.data(), term.size());
            a_.terms.offsets[k + 1] = a_.terms.offsets[k] + static_cast<i64>(term.size());
        }
    }

    count_tokens_args& a_;
    term_table stop_words_, vocabulary_;
};

}  // namespace

status count_tokens(count_tokens_args& a) noexcept {
    return guarded("[count_tokens] no memory for the counts", [&] {
        counter(a).run();
        return status::ok;
    });
}

}  // namespace bascule::cpu::strings
