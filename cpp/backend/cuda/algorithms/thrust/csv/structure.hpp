// Where the fields of CSV text end: pandas' tokenizer as a machine of five states, whose steps over pieces of the text
// are joined by a scan.
#pragma once
#include "backend/cuda/algorithms/thrust/execution.hpp"
#include "bascule/core/table_algorithms_csv.hpp"

namespace bascule::cuda::algorithms {

struct csv_machine {
    // at a field's begin; in a field without quotes, or behind them; in quotes; behind a quote in quotes; behind a
    // carriage return that ended a row
    enum state : unsigned { begin, plain, quoted, closing, returned };
    static constexpr unsigned states = 5;

    char separator, quote;
    bool quoting;

    BASCULE_HD bool is_mark(char c) const { return c == separator || c == '\n' || c == '\r'; }
    BASCULE_HD unsigned next(unsigned s, char c) const {
        bool const is_quote = quoting && c == quote;
        if (s == quoted) return is_quote ? closing : quoted;
        if (is_quote && s != plain) return quoted;
        return c == '\r' && separator != '\r' ? returned : is_mark(c) ? begin : plain;
    }
    // Whether a field ends here. A newline behind a carriage return is part of the same end.
    BASCULE_HD bool ends_field(unsigned s, char c) const {
        return s != quoted && is_mark(c) && !(s == returned && c == '\n');
    }
    BASCULE_HD bool ends_row(char c) const { return c != separator; }  // of a character that ends a field
};

// For each state before a piece of text the state behind it, three bits each.
struct csv_steps {
    std::uint32_t behind;
    BASCULE_HD unsigned after(unsigned s) const { return behind >> (3 * s) & 7; }
};

// The rows of a text that are not blank, and the ends of their fields.
struct csv_rows {
    char const* text;
    std::int64_t const* ends;    // of each field of each row, in the text
    std::int64_t const* first;   // of each row: the number of its first field
    std::int64_t const* fields;  // of each row

    // Where a field begins: behind the end of the one before.
    BASCULE_HD std::int64_t begin_of(std::int64_t field) const {
        if (field == 0) return 0;
        std::int64_t const end = ends[field - 1];
        return end + 1 + (text[end] == '\r' && text[end + 1] == '\n' ? 1 : 0);
    }
};

struct csv_totals {
    std::int64_t fields, rows, last_state;
};

// How many fields and rows the text has, which is waited for, and then where they are.
class csv_structure {
public:
    csv_structure(context const& c, read_csv_args const& a);
    csv_totals const& totals() const { return totals_; }

    // Fills `ends`, of all fields, and `first` and `fields`, of the rows that are kept, in order; `kept` becomes their
    // number, at most `limit` where that is not negative.
    void find(std::int64_t* ends, std::int64_t* first, std::int64_t* fields, std::int64_t limit, bool skip_blank,
              std::int64_t* kept) const;

private:
    context const& c_;
    csv_machine machine_;
    char const* text_;
    std::int64_t size_, blocks_;
    buffer<csv_steps> steps_;
    buffer<std::int64_t> fields_before_, rows_before_;
    csv_totals totals_;
};

}  // namespace bascule::cuda::algorithms
