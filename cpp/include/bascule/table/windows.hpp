// Moving windows over columns of float64; core/table_algorithms_window.hpp defines each result.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "bascule/array/array.hpp"
#include "bascule/core/table_algorithms_window.hpp"

namespace bascule::table {

// Windows by a start and an end each where they are listed, else at a fixed distance from every `step`-th row.
struct window_rows {
    bool listed = false;
    array start, end;
    std::int64_t low = 0, high = 1, step = 1;
};

// Segments are int64 offsets, from 0 to the number of rows. Sets start and end of each row's window, which is within
// its segment: rows from i + low to i + high,
window_rows rows_around(array const& segments, std::int64_t length, std::int64_t low, std::int64_t high);
// or those whose ticks are in the time before the row's, or around it.
struct tick_window {
    std::int64_t size = 0;
    bool centered = false, left_closed = false, right_closed = true;
};
window_rows rows_by_tick(array const& segments, array const& ticks, tick_window const& which);

// Whether the aggregate is of two columns.
bool takes_pairs(window_request const& r);

// One array of a value a window for each column; `others` as many, or none. `like` gives everything but buffers and
// windows.
std::vector<array> aggregate_windows(std::span<array const> columns, std::span<array const> others,
                                     window_rows const& rows, window_request const& like);

// The same for exponential weights, a value a row.
std::vector<array> exponential_windows(std::span<array const> columns, std::span<array const> others,
                                       array const& segments, std::optional<array> const& deltas,
                                       window_exponential_args const& like);

}  // namespace bascule::table
