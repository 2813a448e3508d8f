// Aggregates of moving windows: pieces of a span in parallel, in each of them values enter and leave.
#include <algorithm>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/windows/order.hpp"
#include "backend/cpu/windows/windows.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu::windows {
namespace {

namespace w = ops::window;

constexpr piece_rule summed{32768, 2}, ranked{1024, 4};

template <class A> constexpr bool is_ranked = ops::same_type<typename A::in_windows, w::ranked>;

// A state that values enter and leave, or pairs of them.
template <class State, class Span> void run_state(window_request const& r, Span const& span, piece p) {
    State state;
    double const *const x = r.values, *const y = r.others;
    auto const enter = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) bascule::windows::enter(state, x, y, k);
    };
    auto const again = [&](rows of) {
        state = State{};
        enter(of);
    };
    auto const leave = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) bascule::windows::leave(state, x, y, k);
    };
    slide(span, p.begin, p.end, again, leave, enter, [&](i64 i, rows now) {
        if (is_worn(state)) again(now);
        r.out[i] = state.result(r.min_periods, r.ddof);
    });
}

// Rows that may still become the result, the best one first: each is better than those after it, which stay longer.
template <class Extremum, class Span> void run_extremum(window_request const& r, Span const& span, piece p, i64 room) {
    scratch<i64> queue(room);
    i64 head = 0, tail = 0, values = 0;
    double const* const x = r.values;
    auto const enter = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) {
            if (!is_value(x[k])) continue;
            ++values;
            while (tail > head && Extremum::replaces(x[k], x[queue[tail - 1]])) --tail;
            queue[tail++] = k;
        }
    };
    auto const again = [&](rows of) {
        head = tail = values = 0;
        enter(of);
    };
    auto const leave = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) values -= is_value(x[k]);
        while (head < tail && queue[head] < of.end) ++head;
    };
    slide(span, p.begin, p.end, again, leave, enter,
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
    auto const again = [&](rows of) {
        values = 0;
        enter(of);
    };
    auto const leave = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k) values -= is_value(x[k]);
    };
    slide(span, p.begin, p.end, again, leave, enter, [&](i64 i, rows now) {
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
void run_positions(ordered_values const& v, Inside& inside, Span const& span, i64 begin, i64 end,
                   Result const& result) {
    rows last{0, 0};
    auto const enter = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k)
            if (i64 const at = v.place(k); at >= 0) inside.enter(at);
    };
    auto const leave = [&](rows of) {
        for (i64 k = of.start; k < of.end; ++k)
            if (i64 const at = v.place(k); at >= 0) inside.leave(at);
    };
    auto const again = [&](rows of) {
        leave(last);
        enter(of);
    };
    slide(span, begin, end, again, leave, enter, [&](i64 i, rows now) {
        result(i, now);
        last = now;
    });
}

template <bool median, class Span> void run_quantile(window_request const& r, Span const& span, piece p) {
    ordered_values const v(r.values, covered(span, p.begin, p.end));
    positions_inside inside(v.count());
    run_positions(v, inside, span, p.begin, p.end, [&](i64 i, rows) {
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
    run_positions(v, counts, span, p.begin, p.end, [&](i64 i, rows) {
        r.out[i] = counts.values >= r.min_periods ? static_cast<double>(counts.distinct) : not_a_number();
    });
}

double rank_of(window_request const& r, counted_positions const& inside, ordered_values const& v, i64 place) {
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
    counted_positions inside(v.count());
    double rank = 0;
    i64 end = 0;
    run_positions(v, inside, span, begin, p.end, [&](i64 i, rows now) {
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

template <class A, class Span> void run_ranked(window_request const& r, Span const& span, piece p) {
    if constexpr (ops::same_type<A, ops::aggregate::nunique>) run_nunique(r, span, p);
    else if constexpr (!ops::same_type<A, ops::aggregate::rank>)
        run_quantile<ops::same_type<A, ops::aggregate::median>>(r, span, p);
    else {
        i64 widest = 0;
        for (i64 i = 0; i < r.span.windows && widest == 0; ++i) widest = span(i).end - span(i).start;
        run_rank(r, span, p, widest);
    }
}

template <class A, class Span> void run_piece(window_request const& r, Span const& span, piece p) {
    using in_windows = typename A::in_windows;
    if constexpr (is_ranked<A>) run_ranked<A>(r, span, p);
    else if constexpr (requires { in_windows::is_last; }) run_end<in_windows::is_last>(r, span, p);
    else if constexpr (requires { in_windows::none(); }) {
        rows const all = covered(span, p.begin, p.end);
        run_extremum<in_windows>(r, span, p, all.end - all.start);
    } else run_state<in_windows>(r, span, p);
}

}  // namespace

status window_aggregate(window_aggregate_args const& a) noexcept {
    return guarded("[windows] no memory for the windows", [&] {
        std::vector<piece> pieces;
        for (i64 k = 0; k < a.nrequests; ++k) {
            window_request const& r = a.requests[k];
            piece_rule rule = summed;
            if (!ops::with_window_aggregate(r.aggregate, [&]<class A>(A) { rule = is_ranked<A> ? ranked : summed; }))
                return fail(status::not_supported, "[windows] this aggregate has no windows");
            with_span(r, [&](auto const& span) { cut(span, k, r.span.windows, rule, pieces); });
        }
        chunked::for_each_task(static_cast<i64>(pieces.size()), [&](i64 t) {
            piece const p = pieces[static_cast<std::size_t>(t)];
            window_request const& r = a.requests[p.request];
            if (p.begin == p.end) return;
            ops::with_window_aggregate(
                r.aggregate, [&]<class A>(A) { with_span(r, [&](auto const& span) { run_piece<A>(r, span, p); }); });
        });
        return status::ok;
    });
}

}  // namespace bascule::cpu::windows
