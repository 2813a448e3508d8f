// The rows of a window, the rows that enter and leave from one window to the next, and their entering. All devices
// share this source.
#pragma once
#include "bascule/core/table_algorithms_window.hpp"

namespace bascule::windows {

using i64 = std::int64_t;

struct rows {
    i64 start, end;
};

// Windows at a fixed distance from their row.
struct fixed_span {
    i64 low, high, step, length;
    explicit fixed_span(window_request const& r)
        : low(r.span.low), high(r.span.high), step(r.span.step), length(r.length) {}
    BASCULE_HD i64 clipped(i64 row) const { return row < 0 ? 0 : row > length ? length : row; }
    BASCULE_HD rows operator()(i64 i) const {
        i64 const start = clipped(i * step + low), end = clipped(i * step + high);
        return {start, start > end ? start : end};
    }
};

struct listed_span {
    i64 const *start, *end;
    explicit listed_span(window_request const& r) : start(r.span.start), end(r.span.end) {}
    BASCULE_HD rows operator()(i64 i) const { return {start[i], start[i] > end[i] ? start[i] : end[i]}; }
};

// Calls f with the span of a request.
template <class F> void with_span(window_request const& r, F const& f) {
    if (r.span.start != nullptr) f(listed_span(r));
    else f(fixed_span(r));
}

// A piece ends once it is long, and long compared with the window that the next one has to fill first.
struct piece_rule {
    i64 least, times;
};
// f(begin, end) for each piece.
template <class Span, class F> BASCULE_HD void cut_windows(Span const& span, i64 windows, piece_rule rule, F&& f) {
    i64 begin = 0;
    for (i64 i = rule.least; i < windows; i += rule.least) {
        rows const now = span(i);
        if (i - begin < rule.times * (now.end - now.start) || windows - i < rule.least / 2) continue;
        f(begin, i);
        begin = i;
    }
    f(begin, windows);
}

// Calls `anew(window)` where windows do not overlap or go backwards, `leave(rows)`, `enter(rows)`, and after each
// `result(i, window)`.
template <class Span, class Again, class Leave, class Enter, class Result>
BASCULE_HD void slide(Span const& span, i64 begin, i64 end, Again const& again, Leave const& leave, Enter const& enter,
                      Result const& result) {
    rows last{0, 0};
    for (i64 i = begin; i < end; ++i) {
        rows const now = span(i);
        if (i == begin || now.start >= last.end || now.start < last.start || now.end < last.end) again(now);
        else {
            leave(rows{last.start, now.start});
            enter(rows{last.end, now.end});
        }
        result(i, now);
        last = now;
    }
}

// A row's value, or its pair of values, enters or leaves the state of a window.
template <class State> BASCULE_HD void enter(State& s, double const* x, double const* y, i64 row) {
    if constexpr (requires { s.enter(x[row], y[row]); }) s.enter(x[row], y[row]);
    else s.enter(x[row]);
}
template <class State> BASCULE_HD void leave(State& s, double const* x, double const* y, i64 row) {
    if constexpr (requires { s.leave(x[row], y[row]); }) s.leave(x[row], y[row]);
    else s.leave(x[row]);
}
// The window has to be computed again.
template <class State> BASCULE_HD bool is_worn(State const& s) {
    if constexpr (requires { s.worn(); }) return s.worn();
    else return false;
}
// Aggregates of two columns.
template <class State> inline constexpr bool takes_pairs = requires(State s) { s.enter(0.0, 0.0); };

}  // namespace bascule::windows
