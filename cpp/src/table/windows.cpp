#include "bascule/table/windows.hpp"

#include <algorithm>
#include <cstring>

#include "bascule/array/arguments.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/core/window_rows.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "buffers.hpp"

namespace bascule::table {
namespace {

array const& checked(array const& a, type_id t, char const* who) {
    arguments::rank(a, 1, who);
    arguments::type(a, bit(t), who);
    return a;
}

// Columns of one length as buffers in use.
struct series {
    std::vector<array> columns, others;
    std::int64_t length = 0;
    device where;
    series(std::span<array const> c, std::span<array const> o, inputs& in, char const* who)
        : where(c.empty() ? device{} : c[0].where()) {
        if (c.empty()) throw value_error(std::string("[") + who + "] expected at least one column");
        if (!o.empty() && o.size() != c.size())
            throw value_error(std::string("[") + who + "] expected as many other columns as columns");
        length = c[0].size();
        auto const add = [&](array const& a, std::vector<array>& to) {
            if (checked(a, type_id::float64, who).size() != length)
                throw value_error(std::string("[") + who + "] columns differ in length: " + std::to_string(length) +
                                  " and " + std::to_string(a.size()));
            to.push_back(contiguous(a));
            in.hold(to.back());
        };
        for (auto const& a : c) add(a, columns);
        for (auto const& a : o) add(a, others);
    }
    double const* other(std::size_t i) const { return others.empty() ? nullptr : pointer<double const>(others[i]); }
};

// Offsets increase from 0 to the number of rows.
array checked_segments(array const& segments, std::int64_t length, char const* who) {
    checked(segments, type_id::int64, who);
    std::int64_t const n = segments.size() - 1;
    if (n < 0) throw value_error(std::string("[") + who + "] segments need at least one offset");
    array const s = contiguous(segments);
    arguments::positions(s, 0, length + 1, who);
    auto const from = [&](std::int64_t first, std::int64_t count) {
        return view(s, {count}, s.strides, s.offset + first * s.itemsize());
    };
    auto const value = [](array const& one) {
        std::int64_t v = 0;
        std::memcpy(&v, item(one).bytes, sizeof v);
        return v;
    };
    if (value(view(s, {}, {}, s.offset)) != 0 || value(view(s, {}, {}, s.offset + n * s.itemsize())) != length)
        throw value_error(std::string("[") + who + "] segments do not cover the " + std::to_string(length) + " rows");
    array const rises = reduce_with(ops::aggregate_number<ops::aggregate::all>,
                                    apply(ops::number<ops::less_equal>, from(0, n), from(n > 0 ? 1 : 0, n)));
    if (item(rises).bytes[0] == 0) throw value_error(std::string("[") + who + "] offsets of segments fall");
    return s;
}

window_rows bounded(array const& segments, std::int64_t length, window_bounds_args a, array const* ticks) {
    array const s = checked_segments(segments, length, "window_bounds");
    device const where = s.where();
    inputs in;
    in.hold(s);
    array const t = ticks ? contiguous(*ticks) : array{};
    if (ticks) in.hold(t);
    in.begin();
    window_rows made;
    made.listed = true;
    made.start = empty(where, make_dtype(type_id::int64), {length});
    made.end = empty(where, make_dtype(type_id::int64), {length});
    a.length = length;
    a.segments = pointer<std::int64_t const>(s), a.nsegments = s.size() - 1;
    if (ticks) a.ticks = pointer<std::int64_t const>(t);
    a.start = pointer<std::int64_t>(made.start), a.end = pointer<std::int64_t>(made.end);
    if (length > 0) run(where, algorithm_kind::window_bounds, &a);
    return made;
}

}  // namespace

window_rows rows_around(array const& segments, std::int64_t length, std::int64_t low, std::int64_t high) {
    window_bounds_args a;
    a.low = std::clamp(low, -length, length), a.high = std::clamp(high, -length, length);
    return bounded(segments, length, a, nullptr);
}

window_rows rows_by_tick(array const& segments, array const& ticks, tick_window const& which) {
    checked(ticks, type_id::int64, "window_bounds");
    window_bounds_args a;
    a.size = which.size, a.centered = which.centered;
    a.left_closed = which.left_closed, a.right_closed = which.right_closed;
    return bounded(segments, ticks.size(), a, &ticks);
}

bool takes_pairs(window_request const& r) {
    bool pairs = false;
    ops::with_window_aggregate(r.aggregate, [&]<class A>(A) { pairs = windows::takes_pairs<typename A::in_windows>; });
    return pairs;
}

std::vector<array> aggregate_windows(std::span<array const> columns, std::span<array const> others,
                                     window_rows const& rows, window_request const& like) {
    inputs in;
    series const s(columns, others, in, "window_aggregate");
    if (rows.step < 1) throw value_error("[window_aggregate] a step is at least 1, got " + std::to_string(rows.step));
    window_request r = like;
    r.length = s.length;
    array start, end;
    if (rows.listed) {
        start = contiguous(checked(rows.start, type_id::int64, "window_aggregate"));
        end = contiguous(checked(rows.end, type_id::int64, "window_aggregate"));
        if (start.size() != end.size())
            throw value_error("[window_aggregate] windows have " + std::to_string(start.size()) + " starts and " +
                              std::to_string(end.size()) + " ends");
        arguments::positions(start, 0, s.length + 1, "window_aggregate");
        arguments::positions(end, 0, s.length + 1, "window_aggregate");
        in.hold(start), in.hold(end);
        r.span.windows = start.size();
    } else {
        r.span.low = std::clamp(rows.low, -s.length, s.length),
        r.span.high = std::clamp(rows.high, -s.length, s.length);
        r.span.step = rows.step;
        r.span.windows = s.length == 0 ? 0 : (s.length - 1) / rows.step + 1;
    }
    in.begin();
    r.span.start = pointer<std::int64_t const>(start), r.span.end = pointer<std::int64_t const>(end);
    std::vector<array> out;
    std::vector<window_request> requests;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        out.push_back(empty(s.where, make_dtype(type_id::float64), {r.span.windows}));
        r.values = pointer<double const>(s.columns[i]), r.others = s.other(i);
        r.out = pointer<double>(out.back());
        requests.push_back(r);
    }
    window_aggregate_args a{requests.data(), static_cast<std::int64_t>(requests.size())};
    if (r.span.windows > 0) run(s.where, algorithm_kind::window_aggregate, &a);
    return out;
}

std::vector<array> exponential_windows(std::span<array const> columns, std::span<array const> others,
                                       array const& segments, std::optional<array> const& deltas,
                                       window_exponential_args const& like) {
    inputs in;
    series const s(columns, others, in, "window_exponential");
    array const offsets = checked_segments(segments, s.length, "window_exponential");
    in.hold(offsets);
    array steps;
    if (deltas) {
        steps = contiguous(checked(*deltas, type_id::float64, "window_exponential"));
        if (steps.size() + 1 < s.length)
            throw value_error("[window_exponential] expected " + std::to_string(s.length - 1) + " deltas, got " +
                              std::to_string(steps.size()));
        in.hold(steps);
    }
    in.begin();
    std::vector<array> out;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        out.push_back(empty(s.where, make_dtype(type_id::float64), {s.length}));
        window_exponential_args a = like;
        a.values = pointer<double const>(s.columns[i]), a.others = s.other(i), a.length = s.length;
        a.segments = pointer<std::int64_t const>(offsets), a.nsegments = offsets.size() - 1;
        a.deltas = deltas ? pointer<double const>(steps) : nullptr;
        a.out = pointer<double>(out.back());
        if (s.length > 0) run(s.where, algorithm_kind::window_exponential, &a);
    }
    return out;
}

}  // namespace bascule::table
