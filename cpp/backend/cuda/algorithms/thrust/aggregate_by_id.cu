// Aggregates of groups: rows in order of their groups, then a tree of states (group_rows.hpp). The states are shared by
// all devices.
#include "backend/cuda/algorithms/thrust/group_rows.hpp"
#include "backend/cuda/algorithms/thrust/order_key.hpp"

namespace bascule::cuda::algorithms {
namespace {

template <class S, class T> struct add_rows {
    cell_reader cells;
    std::uint32_t const* order;
    cut_segments cut;
    S* states;
    BASCULE_HD void operator()(std::int64_t p) const {
        if (!cut.has(p)) return;
        auto const part = cut(p);
        S state{};
        for (std::int64_t i = part.begin; i < part.end; ++i)
            if (!cells.is_null(order[i])) state.add(cells.read<T>(order[i]));
        states[p] = state;
    }
};

template <class S> struct write_results {
    S const* states;
    std::int64_t const* starts;
    group_request request;
    std::int64_t needed;
    cell_writer out;
    BASCULE_HD void operator()(std::int64_t g) const {
        S const state = starts[g] < starts[g + 1] ? states[starts[g]] : S{};
        bool const valid = static_cast<std::int64_t>(state.n) >= needed;
        if (valid) out.write(g, state.result(request.ddof));
        else out.write_null(g);
        if (request.valid) request.valid[g] = valid ? 1 : 0;
    }
};

struct write_sizes {
    std::int64_t const* starts;
    group_request request;
    BASCULE_HD void operator()(std::int64_t g) const {
        static_cast<std::int64_t*>(request.out)[g] = starts[g + 1] - starts[g];
        if (request.valid) request.valid[g] = 1;
    }
};

template <class S, class T> struct run_rows {
    cell_reader cells;
    std::uint32_t const* order;
    cut_segments cut;
    S const* before;
    group_request request;
    cell_writer out;
    BASCULE_HD void operator()(std::int64_t p) const {
        if (!cut.has(p)) return;
        auto const part = cut(p);
        S state = before[p];
        for (std::int64_t i = part.begin; i < part.end; ++i) {
            std::int64_t const row = order[i];
            bool const missing = cells.is_null(row);
            if (!missing) state.add(cells.read<T>(row));
            bool const valid = ops::aggregate::has_result_at_missing<S> ? state.n != 0 : !missing;
            if (valid) out.write(row, state.result(request.ddof));
            else out.write_null(row);
            request.valid[row] = valid ? 1 : 0;
        }
    }
};
struct leave_out {
    std::uint32_t const* codes;
    group_request request;
    cell_writer out;
    BASCULE_HD void operator()(std::int64_t row) const {
        if (codes[row] != null_group) return;
        out.write_null(row);
        request.valid[row] = 0;
    }
};

class aggregating {
public:
    aggregating(context const& c, aggregate_by_id_args const& a)
        : c_(c), a_(a), rows_(c, a.codes, a.length, a.groups), pieces_(c, rows_.starts(), a.groups, a.length),
          longest_(pieces_in(a.length)) {}

    void run(group_request const& r) const {
        if (r.aggregate == ops::aggregate_number<ops::aggregate::size> && !r.running)
            return for_each_index(c_, a_.groups, write_sizes{rows_.starts(), r});
        if (r.column.length != a_.length) throw unsupported{"a column and the group numbers differ in length"};
        cell_reader const cells(r.column);
        if (!contains(ops::aggregate_table[r.aggregate].group_types, cells.type)) throw unsupported{no_such_aggregate};
        ops::with_aggregate(r.aggregate, [&]<class A>(A) {
            if constexpr (A::meta.group_types != 0)
                cells.with_wide_type(
                    [&](auto zero) { run_as<A, typename A::template in_groups<decltype(zero)>::input>(r, cells); });
        });
    }

private:
    template <class A, class T> void run_as(group_request const& r, cell_reader const& cells) const {
        if (!r.running) whole<A, typename A::template in_groups<T>, T>(r, cells);
        else if constexpr (ops::has_running<A>) running<typename A::template running<T>, T>(r, cells);
        else throw unsupported{"this aggregate has no running form"};
    }
    static cell_writer to(group_request const& r) {
        return {r.out, ops::group_result_type(r.aggregate, r.column.dtype)};
    }
    template <class S, class T> void add_up(cell_reader const& cells, S* states) const {
        for_each_index(c_, pieces_.most(), add_rows<S, T>{cells, rows_.order(), pieces_.cut(), states});
    }
    template <class A, class S, class T> void whole(group_request const& r, cell_reader const& cells) const {
        buffer<S> const states(c_, pieces_.most());
        add_up<S, T>(cells, states.get());
        std::int64_t const needed = ops::aggregate::values_needed<A>(r.ddof, r.min_count);
        merge_segments(c_, static_cast<S const*>(states.get()), pieces_.starts(), a_.groups, pieces_.most(), longest_,
                       [&](S const* merged, std::int64_t const* starts) {
                           for_each_index(c_, a_.groups, write_results<S>{merged, starts, r, needed, to(r)});
                       });
    }
    template <class S, class T> void running(group_request const& r, cell_reader const& cells) const {
        buffer<S> const states(c_, pieces_.most());
        add_up<S, T>(cells, states.get());
        exclusive_states(c_, states.get(), pieces_.starts(), a_.groups, pieces_.most(), longest_);
        for_each_index(c_, pieces_.most(), run_rows<S, T>{cells, rows_.order(), pieces_.cut(), states.get(), r, to(r)});
        for_each_index(c_, a_.length, leave_out{a_.codes, r, to(r)});
    }

    context const& c_;
    aggregate_by_id_args const& a_;
    group_rows rows_;
    segment_pieces pieces_;
    std::int64_t longest_;
};

// ---- ranks
template <class K> struct group_of_value {
    key_at<K> column;
    group_or_last group;
    BASCULE_HD std::uint32_t operator()(std::uint32_t row) const {
        return column.is_null(row) ? static_cast<std::uint32_t>(group.groups) : group(row);
    }
};
struct write_lengths {
    std::int64_t const* starts;
    std::int64_t* counts;
    BASCULE_HD void operator()(std::int64_t g) const { counts[g] = starts[g + 1] - starts[g]; }
};
template <class K> struct write_ranks {
    K const* data;
    std::uint32_t const* order;
    std::int64_t const* starts;
    double share;
    K *low, *high;
    BASCULE_HD void operator()(std::int64_t g) const {
        std::int64_t const n = starts[g + 1] - starts[g];
        if (n == 0) {
            low[g] = high[g] = K{0};
            return;
        }
        auto const rank = static_cast<std::int64_t>(share * static_cast<double>(n - 1));
        low[g] = data[order[starts[g] + rank]];
        high[g] = data[order[starts[g] + (rank + 1 < n ? rank + 1 : rank)]];
    }
};
template <class K> struct mark_different {
    key_at<K> column;
    std::uint32_t const* order;
    std::uint32_t* marks;
    BASCULE_HD void operator()(std::int64_t i) const {
        marks[i] = i == 0 || column(order[i]) != column(order[i - 1]) ? 1 : 0;
    }
};
struct write_distinct {
    std::uint32_t const* marks;  // summed
    std::int64_t const* starts;
    std::int64_t* distinct;
    BASCULE_HD void operator()(std::int64_t g) const {
        // The first of a group always counts.
        std::int64_t const from = starts[g], to = starts[g + 1];
        distinct[g] =
            from == to ? 0 : 1 + static_cast<std::int64_t>(marks[to - 1]) - static_cast<std::int64_t>(marks[from]);
    }
};

void ranks(context const& c, group_ranks_args const& a) {
    std::int64_t const n = a.length;
    if (a.groups <= 0) return;
    cell_reader const known(a.column);
    sort_key const by{.dtype = a.column.dtype, .data = a.column.data, .validity = a.column.validity};
    buffer<std::uint32_t> const order(c, n), marks(c, a.distinct ? n : 0);
    buffer<std::int64_t> const starts(c, a.groups + 1);
    auto *const o = order.get(), *const m = marks.get();
    auto* const s = starts.get();
    order_rows(c, &by, 1, n, false, o);
    with_key(a.column.dtype, [&](auto zero) {
        using K = decltype(zero);
        auto const column = key_column<K>(by);
        group_rows::sort_by_group(c, group_of_value<K>{column, {a.codes, a.groups}}, n, a.groups, o, s);
        for_each_index(c, a.groups, write_lengths{s, a.counts});
        for (std::int32_t k = 0; k < a.nshares; ++k)
            for_each_index(c, a.groups,
                           write_ranks<K>{static_cast<K const*>(a.column.data), o, s, a.shares[k],
                                          static_cast<K*>(a.low) + k * a.groups,
                                          static_cast<K*>(a.high) + k * a.groups});
        if (!a.distinct) return;
        for_each_index(c, n, mark_different<K>{column, o, m});
        c.queue([=](auto const& policy) { thrust::inclusive_scan(policy, m, m + n, m); });
        for_each_index(c, a.groups, write_distinct{m, s, a.distinct});
    });
}

void refuse_too_many(std::int64_t rows, std::int64_t groups) {
    if (rows >= most_positions || groups >= most_positions) throw unsupported{"2^32 rows or more"};
}

}  // namespace

void group_ranks(context const& c, group_ranks_args const& a) {
    refuse_too_many(a.length, a.groups);
    ranks(c, a);
}

void aggregate_by_id(context const& c, aggregate_by_id_args const& a) {
    refuse_too_many(a.length, a.groups);
    bool running = false;
    for (std::int32_t i = 0; i < a.nrequests; ++i) running = running || a.requests[i].running;
    if (a.nrequests == 0 || (a.groups <= 0 && !running)) return;
    aggregating const all(c, a);
    for (std::int32_t i = 0; i < a.nrequests; ++i) all.run(a.requests[i]);
}

}  // namespace bascule::cuda::algorithms
