#include "bascule/io/csv_text.hpp"

namespace bascule::io {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t'; }
bool ends_line(char c) { return c == '\n' || c == '\r'; }

class rewriter {
public:
    rewriter(std::string_view text, csv_spelling const& how)
        : p_(text.data()), end_(text.data() + text.size()), how_(how), mark_(how.spaces ? '\t' : how.separator) {
        made_.text.reserve(text.size());
    }

    plain_csv run() && {
        while (p_ < end_) row();
        return std::move(made_);
    }

private:
    bool at(char c) const { return p_ < end_ && *p_ == c; }
    bool at_comment() const { return how_.comment != '\0' && at(how_.comment); }
    bool at_end() const { return p_ == end_ || ends_line(*p_); }
    bool at_separator() const { return how_.spaces ? is_space(*p_) : *p_ == how_.separator; }
    void skip_spaces() {
        while (p_ < end_ && is_space(*p_) && (how_.spaces || *p_ != how_.separator)) ++p_;
    }
    void skip_line() {
        while (!at_end()) ++p_;
    }
    // Rows that are left out stay as blank lines: errors count the lines.
    void end_line() {
        char const* const from = p_;
        if (at('\r')) ++p_;
        if (at('\n')) ++p_;
        made_.text.append(from, p_);
        ++line_;
    }

    void row() {
        std::size_t const begin = made_.text.size();
        if (at_comment()) return skip_line(), end_line();
        char const* const first = p_;
        skip_spaces();
        bool const blank = at_end();
        if (!how_.spaces && !how_.initial_spaces && !at_comment()) made_.text.append(first, p_);
        std::int64_t fields = 1;
        bool const begins = p_ == first || how_.spaces || how_.initial_spaces;  // else the spaces belong to the field
        for (field(begins); !at_end() && !at_comment(); field(), ++fields) {
            if (how_.spaces) {
                skip_spaces();
                if (at_end() || at_comment()) break;
            } else {
                ++p_;
            }
            made_.text += mark_;
        }
        if (at_comment() && made_.text.size() == begin) {  // a row of one field, of spaces or empty, that is not blank
            made_.text += how_.quote;
            if (!how_.spaces && !how_.initial_spaces) made_.text.append(first, p_);
            made_.text += how_.quote;
        }
        skip_line();
        if (!blank) {
            ++rows_;
            if (rows_ == 1) width_ = fields;
            if (rows_ == 2) made_.second_row_is_longer = fields > width_;
            if (how_.drop_long_rows && fields > width_) {
                made_.text.resize(begin);
                made_.dropped.push_back({line_, width_, fields});
            }
        }
        end_line();
    }

    // Goes behind the quote that ends a field, or to the end of the text where there is none.
    void skip_quoted() {
        for (++p_; p_ < end_; ++p_) {
            if (*p_ != how_.quote) continue;
            if (++p_ == end_ || *p_ != how_.quote) {
                if (!at_end() && !at_separator()) ++p_;  // the rest is no quoted text, and this character is part of it
                return;
            }
        }
        made_.open_quote = true;
    }

    // Copies a field, up to its separator. A quote has a meaning at the begin of a field only.
    void field(bool may_be_quoted = true) {
        if (how_.initial_spaces) skip_spaces();
        char const* const from = p_;
        if (may_be_quoted && at(how_.quote)) skip_quoted();
        while (!at_end() && !at_separator() && !at_comment()) ++p_;
        made_.text.append(from, p_);
    }

    char const *p_, *end_;
    csv_spelling const& how_;
    char mark_;
    plain_csv made_;
    std::int64_t line_ = 1, rows_ = 0, width_ = 0;
};

}  // namespace

plain_csv rewrite_csv(std::string_view text, csv_spelling const& how) { return rewriter(text, how).run(); }

}  // namespace bascule::io
