// Which rows a window takes, and pieces of a span of windows that are computed apart from each other.
#pragma once
#include <algorithm>
#include <vector>

#include "backend/cpu/common/row_chunks.hpp"
#include "bascule/core/table_algorithms_window.hpp"

namespace bascule::cpu::windows {

using chunked::i64;

struct rows {
    i64 start, end;
};

// Windows at a fixed distance from their row.
struct fixed_span {
    i64 low, high, step, length;
    explicit fixed_span(window_request const& r)
        : low(r.span.low), high(r.span.high), step(r.span.step), length(r.length) {}
    rows operator()(i64 i) const {
        i64 const start = std::clamp<i64>(i * step + low, 0, length);
        return {start, std::max(start, std::clamp<i64>(i * step + high, 0, length))};
    }
};

struct listed_span {
    i64 const *start, *end;
    explicit listed_span(window_request const& r) : start(r.span.start), end(r.span.end) {}
    rows operator()(i64 i) const { return {start[i], std::max(start[i], end[i])}; }
};

// Calls f with the span of a request.
template <class F> void with_span(window_request const& r, F const& f) {
    if (r.span.start != nullptr) f(listed_span(r));
    else f(fixed_span(r));
}

// A piece ends where it is long, and long beside the window that the next one has to fill.
struct piece_rule {
    i64 least, times;
};
struct piece {
    i64 request, begin, end;
};

template <class Span>
void cut(Span const& span, i64 request, i64 windows, piece_rule rule, std::vector<piece>& pieces) {
    i64 begin = 0;
    for (i64 i = rule.least; i < windows; i += rule.least) {
        auto const [s, e] = span(i);
        if (i - begin < rule.times * (e - s) || windows - i < rule.least / 2) continue;
        pieces.push_back({request, begin, i});
        begin = i;
    }
    pieces.push_back({request, begin, windows});
}

// What enters and leaves from one window to the next. `anew(window)` where they do not overlap or go backwards,
// `leave(rows)`, `enter(rows)`, and after each `result(i, window)`.
template <class Span, class Anew, class Leave, class Enter, class Result>
void slide(Span const& span, i64 begin, i64 end, Anew const& anew, Leave const& leave, Enter const& enter,
           Result const& result) {
    rows last{0, 0};
    for (i64 i = begin; i < end; ++i) {
        rows const now = span(i);
        if (i == begin || now.start >= last.end || now.start < last.start || now.end < last.end) anew(now);
        else {
            leave(rows{last.start, now.start});
            enter(rows{last.end, now.end});
        }
        result(i, now);
        last = now;
    }
}

}  // namespace bascule::cpu::windows
