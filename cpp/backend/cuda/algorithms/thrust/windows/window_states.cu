// Aggregates of moving windows whose values enter and leave one by one: a thread takes a piece of windows, cut where
// the windows say, as on the CPU.
#include "backend/cuda/algorithms/thrust/windows/windows.hpp"

namespace bascule::cuda::algorithms {
namespace {

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

template <class State> struct run_piece {
    any_span span;
    std::int64_t const* ends;
    window_request r;
    BASCULE_HD void enter(State& state, rows of) const {
        for (std::int64_t k = of.start; k < of.end; ++k) windows::enter(state, r.values, r.others, k);
    }
    BASCULE_HD void operator()(std::int64_t p) const {
        State state;
        auto const again = [&](rows of) {
            state = State{};
            enter(state, of);
        };
        auto const leave = [&](rows of) {
            for (std::int64_t k = of.start; k < of.end; ++k) windows::leave(state, r.values, r.others, k);
        };
        windows::slide(
            span, p == 0 ? 0 : ends[p - 1], ends[p], again, leave, [&](rows of) { enter(state, of); },
            [&](std::int64_t i, rows now) {
                if (windows::is_worn(state)) again(now);
                r.out[i] = state.result(r.min_periods, r.ddof);
            });
    }
};

template <class State> void run(context const& c, window_request const& r) {
    std::int64_t const n = r.span.windows, least = std::max(least_windows, (n + most_pieces - 1) / most_pieces);
    std::int64_t const pieces = (n + least - 1) / least;
    buffer<std::int64_t> const ends(c, pieces);
    any_span const span(r);
    for_each_index(c, 1, cut_pieces{span, n, least, pieces, ends.get()});
    for_each_index(c, pieces, run_piece<State>{span, ends.get(), r});
}

}  // namespace

void window_states(context const& c, window_request const& r) {
    ops::with_window_aggregate(r.aggregate, [&]<class A>(A) {
        if constexpr (requires(typename A::in_windows s) { s.result(0, 0); }) run<typename A::in_windows>(c, r);
    });
}

}  // namespace bascule::cuda::algorithms
