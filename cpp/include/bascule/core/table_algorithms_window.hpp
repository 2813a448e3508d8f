// Argument structs of the algorithms window_bounds, window_aggregate and window_exponential. Plain data.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

// clang-format off
enum class window_interpolation : std::uint8_t { linear, lower, higher, nearest, midpoint };
enum class window_ties : std::uint8_t { average, min, max };
// clang-format on

// Which rows each window takes: [start[i], end[i]), or where `start` is null [i * step + low, i * step + high), both
// clipped to the rows that there are. A window that would end before it starts takes none.
struct window_span {
    std::int64_t windows = 0;
    std::int64_t const *start = nullptr, *end = nullptr;
    std::int64_t low = 0, high = 1, step = 1;
};

// One aggregate of one column in every window. Values that are not finite are missing: NaN and, as in pandas,
// infinities. A result is NaN where a window has fewer than `min_periods` values (`count`: rows).
struct window_request {
    std::uint16_t aggregate = 0;  // number in ops/aggregate.hpp
    double const* values = nullptr;
    double const* others = nullptr;  // cov, corr: a row counts where both are there
    std::int64_t length = 0;
    window_span span;
    std::int64_t min_periods = 1;
    std::int64_t ddof = 1;  // var, cov
    double share = 0.5;     // quantile: in [0, 1]
    window_interpolation interpolation = window_interpolation::linear;
    window_ties ties = window_ties::average;  // rank: that of the window's last row, missing where that is
    bool ascending = true, percent = false;   // rank
    double* out = nullptr;                    // an element a window
};

// Sums are compensated. Results do not depend on the number of threads: long spans are cut where the windows say, and
// each piece begins with a window of its own.
struct window_aggregate_args {
    window_request const* requests = nullptr;
    std::int64_t nrequests = 0;
};

// Windows of rows in consecutive segments and never reach beyond their own: a window a row. Where `ticks` is null the
// window of row i is [i + low, i + high) within its segment. Else a window ends at the row's tick and is `size` ticks
// long, or is centred on it (`centered`); ticks increase or decrease within each segment.
struct window_bounds_args {
    std::int64_t length = 0;
    std::int64_t const* segments = nullptr;  // nsegments + 1 offsets from 0 to length
    std::int64_t nsegments = 0;
    std::int64_t low = 0, high = 1;
    std::int64_t const* ticks = nullptr;
    std::int64_t size = 0;
    bool centered = false, left_closed = false, right_closed = true;
    std::int64_t *start = nullptr, *end = nullptr;
};

enum class exponential_op : std::uint8_t { mean, sum, cov };

// Exponentially weighted moments of each row and all before it in its segment; alpha = 1 / (1 + com). Values that are
// not finite are missing and, unless `ignore_missing`, still decrease the weights of earlier values.
struct window_exponential_args {
    exponential_op op = exponential_op::mean;
    double const *values = nullptr, *others = nullptr;  // others: of cov
    std::int64_t length = 0;
    std::int64_t const* segments = nullptr;  // nsegments + 1 offsets from 0 to length
    std::int64_t nsegments = 0;
    double const* deltas = nullptr;  // mean: how many half-lives (of 1 / (1 + com)) row i + 1 is behind row i; null: 1
    double com = 0;
    bool adjust = true, ignore_missing = false, bias = false;
    std::int64_t min_periods = 1;
    double* out = nullptr;
};

}  // namespace bascule
