// Aggregates of moving windows: pieces of a span in parallel, in each of them values enter and leave.
#include <algorithm>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/windows/order.hpp"
#include "backend/cpu/windows/windows.hpp"
#include "bascule/ops/window_moments.hpp"

namespace bascule::cpu::windows {
namespace {

namespace w = ops::window;

constexpr piece_rule summed{32768, 2}, ranked{1024, 4};

bool is_ranked(window_op op) {
    return op == window_op::median || op == window_op::quantile || op == window_op::rank || op == window_op::nunique;
}

// A state that values enter and leave; where it has `worn`, that says when the window has to be computed again.
template <class State, class Span, class Result>
void run_state(window_request const& r, Span const& span, piece p, Result const& result) {
    State state;
    double const* const x = r.values;
    auto const enter = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) state.enter(x[k]);
    };
    auto const anew = [&](rows of) {
        state = State{};
        enter(of);
    };
    auto const leave = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) state.leave(x[k]);
    };
    slide(span, p.begin, p.end, anew, leave, enter, [&](i64 i, rows now) {
        if constexpr (requires { state.worn(); })
            if (state.worn()) anew(now);
        r.out[i] = result(state);
    });
}

template <class Span> void run_pairs(window_request const& r, Span const& span, piece p) {
    w::window_comoment state;
    auto const enter = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) state.enter(r.values[k], r.others[k]);
    };
    auto const anew = [&](rows of) {
        state = w::window_comoment{};
        enter(of);
    };
    auto const leave = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) state.leave(r.values[k], r.others[k]);
    };
    slide(span, p.begin, p.end, anew, leave, enter, [&](i64 i, rows now) {
        if (state.worn()) anew(now);
        r.out[i] = r.op == window_op::cov ? state.covariance(r.min_periods, r.ddof) : state.correlation(r.min_periods);
    });
}

template <class Span> void run_count(window_request const& r, Span const& span, piece p) {
    i64 there = 0;
    auto const enter = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) there += r.values[k] == r.values[k];
    };
    auto const anew = [&](rows of) {
        there = 0;
        enter(of);
    };
    auto const leave = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) there -= r.values[k] == r.values[k];
    };
    slide(span, p.begin, p.end, anew, leave, enter, [&](i64 i, rows now) {
        r.out[i] = now.end - now.start >= r.min_periods ? static_cast<double>(there) : not_a_number();
    });
}

// Rows that may still become the result, the best one first: each is better than those after it, which stay longer.
template <bool greatest, class Span> void run_extremum(window_request const& r, Span const& span, piece p, i64 room) {
    scratch<i64> queue(room);
    i64 head = 0, tail = 0, values = 0;
    double const* const x = r.values;
    auto const enter = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) {
            if (!is_value(x[k])) continue;
            ++values;
            while (tail > head && (greatest ? x[queue[tail - 1]] <= x[k] : x[queue[tail - 1]] >= x[k])) --tail;
            queue[tail++] = k;
        }
    };
    auto const anew = [&](rows of) {
        head = tail = values = 0;
        enter(of);
    };
    auto const leave = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) values -= is_value(x[k]);
        while (head < tail && queue[head] < of.end) ++head;
    };
    slide(span, p.begin, p.end, anew, leave, enter,
          [&](i64 i, rows) { r.out[i] = values > 0 && values >= r.min_periods ? x[queue[head]] : not_a_number(); });
}

// The first value of the window, or the last: of each row the nearest one from it on, or until it.
template <bool last, class Span> void run_end(window_request const& r, Span const& span, piece p) {
    double const* const x = r.values;
    i64 values = 0, found = -1;
    auto const enter = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) {
            if (!is_value(x[k])) continue;
            if (last || values == 0) found = k;
            ++values;
        }
    };
    auto const anew = [&](rows of) {
        values = 0;
        enter(of);
    };
    auto const leave = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) values -= is_value(x[k]);
    };
    slide(span, p.begin, p.end, anew, leave, enter, [&](i64 i, rows now) {
        if constexpr (!last)
            if (values > 0)
                for (found = std::max(found, now.start); !is_value(x[found]);) ++found;
        r.out[i] = values > 0 && values >= r.min_periods ? x[found] : not_a_number();
    });
}

// All rows that the windows of a piece take.
template <class Span> rows covered(Span const& span, i64 begin, i64 end) {
    rows all = span(begin);
    for (i64 i = begin + 1; i < end; ++i) {
        rows const one = span(i);
        all = {std::min(all.start, one.start), std::max(all.end, one.end)};
    }
    return all;
}

// `Inside` knows which positions are inside the window; `result(i, window)`.
template <class Inside, class Span, class Result>
void run_places(ordered_values const& v, Inside& inside, Span const& span, i64 begin, i64 end, Result const& result) {
    rows last{0, 0};
    auto const enter = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k)
            if (i64 const at = v.place(k); at >= 0) inside.enter(at);
    };
    auto const leave = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k)
            if (i64 const at = v.place(k); at >= 0) inside.leave(at);
    };
    auto const anew = [&](rows of) {
        leave(last);
        enter(of);
    };
    slide(span, begin, end, anew, leave, enter, [&](i64 i, rows now) {
        result(i, now);
        last = now;
    });
}

template <class Span> void run_quantile(window_request const& r, Span const& span, piece p) {
    ordered_values const v(r.values, covered(span, p.begin, p.end));
    places_inside inside(v.count());
    bool const median = r.op == window_op::median;
    run_places(v, inside, span, p.begin, p.end, [&](i64 i, rows) {
        i64 const n = inside.count();
        if (n == 0 || n < r.min_periods) r.out[i] = not_a_number();
        else if (!median) r.out[i] = quantile_of(inside, v, r.share, r.interpolation);
        else {
            i64 const here = inside.at((n - 1) / 2);
            r.out[i] = n % 2 == 1 ? v.value(here) : (v.value(here) + v.value(inside.after(here))) / 2;
        }
    });
}

// Distinct values, counted by the place where the run of equal ones begins.
struct value_counts {
    ordered_values const& v;
    scratch<i64> times, begins;
    i64 values = 0, distinct = 0;
    explicit value_counts(ordered_values const& all) : v(all), times(all.count()), begins(all.count()) {
        times.fill_bytes(0);
        for (i64 k = 0; k < v.count(); ++k) begins[k] = k > 0 && v.value(k) == v.value(k - 1) ? begins[k - 1] : k;
    }
    void enter(i64 place) {
        ++values;
        distinct += times[begins[place]]++ == 0;
    }
    void leave(i64 place) {
        --values;
        distinct -= --times[begins[place]] == 0;
    }
};

template <class Span> void run_nunique(window_request const& r, Span const& span, piece p) {
    ordered_values const v(r.values, covered(span, p.begin, p.end));
    value_counts counts(v);
    run_places(v, counts, span, p.begin, p.end, [&](i64 i, rows) {
        r.out[i] = counts.values >= r.min_periods ? static_cast<double>(counts.distinct) : not_a_number();
    });
}

double rank_of(window_request const& r, counted_places const& inside, ordered_values const& v, i64 place) {
    i64 const below = inside.below(v.run_begin(place)), to = v.run_end(place);
    i64 const until = to == v.count() ? inside.count() : inside.below(to);
    i64 const n = inside.count();
    double const least = static_cast<double>(r.ascending ? below + 1 : n - until + 1),
                 most = static_cast<double>(r.ascending ? until : n - below);
    switch (r.ties) {
        case window_ties::min: return least;
        case window_ties::max: return most;
        default: return (least + most) / 2;
    }
}

// The rank of the row that entered last. A window that no row entered has that of the window before, as in pandas; a
// piece therefore begins where a row enters.
template <class Span> void run_rank(window_request const& r, Span const& span, piece p, i64 widest) {
    i64 begin = p.begin;
    while (begin > 0 && span(begin).end == span(begin - 1).end) --begin;
    ordered_values const v(r.values, covered(span, begin, p.end));
    counted_places inside(v.count());
    double rank = 0;
    i64 end = 0;
    run_places(v, inside, span, begin, p.end, [&](i64 i, rows now) {
        bool const entered = now.end > now.start && (i == begin || now.end != end);
        end = now.end;
        if (entered) {
            i64 const place = v.place(now.end - 1);
            rank = place < 0 ? not_a_number() : rank_of(r, inside, v, place);
        }
        if (i < p.begin) return;
        bool const there = inside.count() >= r.min_periods && widest > 0;
        r.out[i] = !there ? not_a_number() : r.percent ? rank / static_cast<double>(inside.count()) : rank;
    });
}

template <class Span> void run_ranked(window_request const& r, Span const& span, piece p) {
    if (r.op == window_op::nunique) return run_nunique(r, span, p);
    if (r.op != window_op::rank) return run_quantile(r, span, p);
    i64 widest = 0;
    for (i64 i = 0; i < r.span.windows && widest == 0; ++i) widest = span(i).end - span(i).start;
    run_rank(r, span, p, widest);
}

template <class Span> void run_piece(window_request const& r, Span const& span, piece p) {
    if (p.begin == p.end) return;
    i64 const least = r.min_periods;
    auto const plain = [&](auto const& state) { return state.result(least); };
    switch (r.op) {
        case window_op::count: return run_count(r, span, p);
        case window_op::sum: return run_state<w::window_sum>(r, span, p, plain);
        case window_op::mean: return run_state<w::window_mean>(r, span, p, plain);
        case window_op::var:
            return run_state<w::window_variance>(r, span, p, [&](auto const& s) { return s.result(least, r.ddof); });
        case window_op::skew: return run_state<w::window_shape<3>>(r, span, p, plain);
        case window_op::kurt: return run_state<w::window_shape<4>>(r, span, p, plain);
        case window_op::cov:
        case window_op::corr: return run_pairs(r, span, p);
        case window_op::first: return run_end<false>(r, span, p);
        case window_op::last: return run_end<true>(r, span, p);
        case window_op::min:
        case window_op::max: {
            rows const all = covered(span, p.begin, p.end);
            if (r.op == window_op::max) return run_extremum<true>(r, span, p, all.end - all.start);
            return run_extremum<false>(r, span, p, all.end - all.start);
        }
        default: return run_ranked(r, span, p);
    }
}

}  // namespace

status window_aggregate(window_aggregate_args const& a) noexcept {
    return guarded("[windows] no memory for the windows", [&] {
        std::vector<piece> pieces;
        for (i64 k = 0; k < a.nrequests; ++k) {
            window_request const& r = a.requests[k];
            with_span(
                r, [&](auto const& span) { cut(span, k, r.span.windows, is_ranked(r.op) ? ranked : summed, pieces); });
        }
        chunked::for_each_task(static_cast<i64>(pieces.size()), [&](i64 t) {
            piece const p = pieces[static_cast<std::size_t>(t)];
            window_request const& r = a.requests[p.request];
            with_span(r, [&](auto const& span) { run_piece(r, span, p); });
        });
        return status::ok;
    });
}

}  // namespace bascule::cpu::windows
