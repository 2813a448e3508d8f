// Aggregates of moving windows whose values enter and leave one by one: a thread takes a piece of windows, cut where
// the windows say, as on the CPU.
#include "backend/cuda/algorithms/thrust/windows/windows.hpp"

namespace bascule::cuda::algorithms {
namespace {

namespace w = ops::window;

constexpr std::int64_t least_windows = 64, most_pieces = 4096;

struct cut_pieces {
    any_span span;
    std::int64_t windows, least, pieces;
    std::int64_t* ends;
    BASCULE_HD void operator()(std::int64_t) const {
        std::int64_t count = 0;
        auto* const to = ends;
        windows::cut_windows(span, windows, {least, 2}, [&](std::int64_t, std::int64_t end) { to[count++] = end; });
        for (; count < pieces; ++count) ends[count] = windows;
    }
};

struct summed_result {
    std::int64_t least;
    template <class State> BASCULE_HD double operator()(State const& s) const { return s.result(least); }
};
struct variance_result {
    std::int64_t least, ddof;
    BASCULE_HD double operator()(w::window_variance const& s) const { return s.result(least, ddof); }
};
struct comoment_result {
    std::int64_t least, ddof;
    bool correlation;
    BASCULE_HD double operator()(w::window_comoment const& s) const {
        return correlation ? s.correlation(least) : s.covariance(least, ddof);
    }
};

template <class State> BASCULE_HD void enter_row(State& s, double const* x, double const*, std::int64_t k) {
    s.enter(x[k]);
}
template <class State> BASCULE_HD void leave_row(State& s, double const* x, double const*, std::int64_t k) {
    s.leave(x[k]);
}
BASCULE_HD void enter_row(w::window_comoment& s, double const* x, double const* y, std::int64_t k) {
    s.enter(x[k], y[k]);
}
BASCULE_HD void leave_row(w::window_comoment& s, double const* x, double const* y, std::int64_t k) {
    s.leave(x[k], y[k]);
}
template <class State> BASCULE_HD bool is_worn(State const& s) {
    if constexpr (requires { s.worn(); }) return s.worn();
    else return false;
}

template <class State, class Result> struct run_piece {
    any_span span;
    std::int64_t const* ends;
    double const *x, *y;
    double* out;
    Result result;
    BASCULE_HD void enter(State& state, rows of) const {
        for (std::int64_t k = of.start; k < of.end; ++k) enter_row(state, x, y, k);
    }
    BASCULE_HD void operator()(std::int64_t p) const {
        State state;
        auto const anew = [&](rows of) {
            state = State{};
            enter(state, of);
        };
        auto const leave = [&](rows of) {
            for (std::int64_t k = of.start; k < of.end; ++k) leave_row(state, x, y, k);
        };
        windows::slide(
            span, p == 0 ? 0 : ends[p - 1], ends[p], anew, leave, [&](rows of) { enter(state, of); },
            [&](std::int64_t i, rows now) {
                if (is_worn(state)) anew(now);
                out[i] = result(state);
            });
    }
};

template <class State, class Result> void run(context const& c, window_request const& r, Result result) {
    std::int64_t const n = r.span.windows, least = std::max(least_windows, (n + most_pieces - 1) / most_pieces);
    std::int64_t const pieces = (n + least - 1) / least;
    buffer<std::int64_t> const ends(c, pieces);
    any_span const span(r);
    for_each_index(c, 1, cut_pieces{span, n, least, pieces, ends.get()});
    for_each_index(c, pieces, run_piece<State, Result>{span, ends.get(), r.values, r.others, r.out, result});
}

}  // namespace

void window_states(context const& c, window_request const& r) {
    std::int64_t const least = r.min_periods;
    switch (r.op) {
        case window_op::sum: return run<w::window_sum>(c, r, summed_result{least});
        case window_op::mean: return run<w::window_mean>(c, r, summed_result{least});
        case window_op::var: return run<w::window_variance>(c, r, variance_result{least, r.ddof});
        case window_op::skew: return run<w::window_shape<3>>(c, r, summed_result{least});
        case window_op::kurt: return run<w::window_shape<4>>(c, r, summed_result{least});
        default: return run<w::window_comoment>(c, r, comoment_result{least, r.ddof, r.op == window_op::corr});
    }
}

}  // namespace bascule::cuda::algorithms
