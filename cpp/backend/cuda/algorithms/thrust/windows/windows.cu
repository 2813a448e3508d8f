// window_bounds, window_exponential, and the aggregates of moving windows that need no state: how many rows there are,
// the first, the last, the least and the greatest.
#include <cmath>

#include "backend/cuda/algorithms/thrust/windows/windows.hpp"
#include "bascule/ops/windows/exponential.hpp"

namespace bascule::cuda::algorithms {
namespace {

namespace w = ops::window;
constexpr std::uint16_t count_number = ops::aggregate_number<ops::aggregate::count>;
using w::is_value;
using w::not_a_number;

// ---- bounds
struct bound_rows {
    window_bounds_args a;
    BASCULE_HD void operator()(std::int64_t i) const {
        std::int64_t const g = count_below(a.segments, a.nsegments + 1, i + 1) - 1;
        std::int64_t const first = a.segments[g], past = a.segments[g + 1];
        std::int64_t const start = clipped(i + a.low, first, past), end = clipped(i + a.high, first, past);
        a.start[i] = start;
        a.end[i] = start > end ? start : end;
    }
    BASCULE_HD static std::int64_t clipped(std::int64_t row, std::int64_t first, std::int64_t past) {
        return row < first ? first : row > past ? past : row;
    }
};
struct bound_ticks {
    window_bounds_args a;
    using wide = __int128;

    // The first row from `low` on whose tick is not before `mark`; `beyond`: not at it either.
    BASCULE_HD std::int64_t find(std::int64_t low, std::int64_t high, int sign, wide mark, bool beyond) const {
        while (low < high) {
            std::int64_t const middle = low + (high - low) / 2;
            wide const tick = wide{a.ticks[middle]} * (2 * sign);  // so that half a size is a whole number
            if (tick < mark || (beyond && tick == mark)) low = middle + 1;
            else high = middle;
        }
        return low;
    }
    BASCULE_HD void operator()(std::int64_t i) const {
        std::int64_t const g = count_below(a.segments, a.nsegments + 1, i + 1) - 1;
        std::int64_t const first = a.segments[g], past = a.segments[g + 1];
        int const sign = a.ticks[past - 1] < a.ticks[first] ? -1 : 1;
        wide const tick = wide{a.ticks[i]} * (2 * sign), size = a.size;
        wide const from = tick - (a.centered ? size : 2 * size), to = tick + (a.centered ? size : 0);
        std::int64_t const start = find(first, i, sign, from, !a.left_closed);
        std::int64_t const end = a.right_closed && !a.centered ? i + 1 : find(first, past, sign, to, a.right_closed);
        a.start[i] = start;
        a.end[i] = start > end ? start : end;
    }
};

// ---- exponential: a segment is one chain of steps
struct run_exponential {
    window_exponential_args a;
    w::exponential_rule rule;
    BASCULE_HD void operator()(std::int64_t g) const {
        std::int64_t const first = a.segments[g], past = a.segments[g + 1];
        if (a.op == exponential_op::mean) mean(first, past);
        else if (a.op == exponential_op::sum) sum(first, past);
        else comoment(first, past);
    }
    BASCULE_HD void mean(std::int64_t first, std::int64_t past) const {
        w::exponential_mean state;
        bool const halves = a.com == 1;  // pandas: a new value gets all of the weight that earlier ones have lost
        for (std::int64_t i = first; i < past; ++i) {
            double const kept = !a.deltas || i == first ? rule.keep : pow(rule.keep, a.deltas[i - 1]);
            state.enter(a.values[i], rule, kept, halves);
            a.out[i] = state.values >= a.min_periods ? state.mean : not_a_number();
        }
    }
    BASCULE_HD void sum(std::int64_t first, std::int64_t past) const {
        w::exponential_sum state;
        for (std::int64_t i = first; i < past; ++i) {
            state.enter(a.values[i], rule);
            a.out[i] = state.values >= a.min_periods ? state.sum : not_a_number();
        }
    }
    BASCULE_HD void comoment(std::int64_t first, std::int64_t past) const {
        w::exponential_comoment state;
        for (std::int64_t i = first; i < past; ++i) {
            state.enter(a.values[i], a.others[i], rule);
            a.out[i] = state.result(a.min_periods, a.bias);
        }
    }
};

// ---- values that are there
struct is_there {
    double const* values;
    bool not_nan_alone;  // infinities, too
    BASCULE_HD std::int64_t operator()(std::int64_t i) const {
        double const v = values[i];
        return (not_nan_alone ? v == v : is_value(v)) ? 1 : 0;
    }
};
// How many values are there before each row, and before the end.
class counted_values {
public:
    counted_values(context const& c, window_request const& r) : counts_(c, r.length + 1) {
        sums_before(c, counts_.get(), r.length, is_there{r.values, r.aggregate == count_number});
    }
    std::int64_t const* get() const { return counts_.get(); }

private:
    buffer<std::int64_t> counts_;
};

struct write_count {
    any_span span;
    window_request r;
    std::int64_t const* before;
    BASCULE_HD void operator()(std::int64_t i) const {
        rows const now = span(i);
        r.out[i] = now.end - now.start >= r.min_periods ? static_cast<double>(before[now.end] - before[now.start])
                                                        : not_a_number();
    }
};
// The first or the last row that is there: the rank-th of all.
struct write_rows_there {
    std::int64_t const* before;
    std::int64_t* rows_there;
    BASCULE_HD void operator()(std::int64_t i) const {
        if (before[i + 1] > before[i]) rows_there[before[i]] = i;
    }
};
template <bool is_last> struct write_end {
    any_span span;
    window_request r;
    std::int64_t const *before, *rows_there;
    BASCULE_HD void operator()(std::int64_t i) const {
        rows const now = span(i);
        std::int64_t const from = before[now.start], to = before[now.end];
        bool const there = to > from && to - from >= r.min_periods;
        r.out[i] = there ? r.values[rows_there[is_last ? to - 1 : from]] : not_a_number();
    }
};

template <class Extremum> BASCULE_HD double choose(double sooner, double later) {
    return Extremum::replaces(later, sooner) ? later : sooner;
}
template <class Extremum> struct begin_extrema {
    double const* values;
    double* best;
    BASCULE_HD void operator()(std::int64_t i) const { best[i] = is_value(values[i]) ? values[i] : Extremum::none(); }
};
// best[i]: of the `width` rows from i on.
template <class Extremum> struct double_width {
    double const* best;
    std::int64_t length, width;
    double* next;
    BASCULE_HD void operator()(std::int64_t i) const {
        next[i] = i + width < length ? choose<Extremum>(best[i], best[i + width]) : best[i];
    }
};
// Windows of `width` rows, and those that two of them cover.
template <class Extremum> struct write_extremum {
    any_span span;
    window_request r;
    std::int64_t const* before;
    double const* best;
    std::int64_t width;
    BASCULE_HD void operator()(std::int64_t i) const {
        rows const now = span(i);
        std::int64_t const n = now.end - now.start;
        if (n == 0 && width == 1) r.out[i] = not_a_number();
        if (n < width || n >= 2 * width) return;
        std::int64_t const values = before[now.end] - before[now.start];
        r.out[i] = values > 0 && values >= r.min_periods ? choose<Extremum>(best[now.start], best[now.end - width])
                                                         : not_a_number();
    }
};

template <class Extremum> void extremum(context const& c, window_request const& r) {
    std::int64_t const n = r.length, windows = r.span.windows;
    std::int64_t const widest = r.span.start ? n : std::min(n, std::max<std::int64_t>(r.span.high - r.span.low, 1));
    any_span const span(r);
    counted_values const before(c, r);
    buffer<double> const one(c, n), other(c, n);
    double *best = one.get(), *next = other.get();
    for_each_index(c, n, begin_extrema<Extremum>{r.values, best});
    for (std::int64_t width = 1; width == 1 || width <= widest; width *= 2) {
        for_each_index(c, windows, write_extremum<Extremum>{span, r, before.get(), best, width});
        for_each_index(c, n, double_width<Extremum>{best, n, width, next});
        std::swap(best, next);
    }
}

template <bool is_last> void end_value(context const& c, window_request const& r) {
    counted_values const before(c, r);
    buffer<std::int64_t> const there(c, r.length);
    for_each_index(c, r.length, write_rows_there{before.get(), there.get()});
    for_each_index(c, r.span.windows, write_end<is_last>{any_span(r), r, before.get(), there.get()});
}

// Sums of the rows before each say how many values any window has.
void count(context const& c, window_request const& r) {
    counted_values const before(c, r);
    for_each_index(c, r.span.windows, write_count{any_span(r), r, before.get()});
}

template <class A> void aggregate(context const& c, window_request const& r) {
    using in_windows = typename A::in_windows;
    if constexpr (ops::same_type<A, ops::aggregate::count>) count(c, r);
    else if constexpr (ops::same_type<in_windows, w::ranked>) window_ranks(c, r);
    else if constexpr (requires { in_windows::none(); }) extremum<in_windows>(c, r);
    else if constexpr (requires { in_windows::is_last; }) end_value<in_windows::is_last>(c, r);
    else window_states(c, r);
}

}  // namespace

void window_bounds(context const& c, window_bounds_args const& a) {
    if (a.ticks) for_each_index(c, a.length, bound_ticks{a});
    else for_each_index(c, a.length, bound_rows{a});
}

void window_aggregate(context const& c, window_aggregate_args const& a) {
    for (std::int64_t i = 0; i < a.nrequests; ++i) {
        window_request const& r = a.requests[i];
        if (!ops::with_window_aggregate(r.aggregate, [&]<class A>(A) { aggregate<A>(c, r); }))
            throw unsupported{"this aggregate has no windows"};
    }
}

void window_exponential(context const& c, window_exponential_args const& a) {
    for_each_index(c, a.nsegments, run_exponential{a, w::exponential_rule(a.com, a.adjust, a.ignore_missing)});
}

}  // namespace bascule::cuda::algorithms
