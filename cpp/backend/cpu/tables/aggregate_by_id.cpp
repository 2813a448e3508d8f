// Aggregates by group number. Few groups: every task walks all rows and takes its own range of groups. Many: rows are
// parted by ranges of groups whose states fit a cache. Both keep each group's rows in order, so sums have one order
// only.
#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <vector>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/tables/group_algorithms.hpp"
#include "backend/cpu/tables/group_chains.hpp"
#include "backend/cpu/tables/group_parts.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

void const* values_of(aggregate_by_id_args const& a, group_request const& r) {
    return counts_rows(r) ? a.codes : r.column.data;
}
u8 const* bitmap_of(group_request const& r) { return counts_rows(r) ? nullptr : r.column.validity; }

// ---- few groups

constexpr i64 block_rows = 1024;
constexpr i64 most_ranges = 8;  // walking the codes costs a quarter of adding a row: more ranges bring nothing
constexpr i64 shared_states = i64{1} << 20;  // bytes that the states of several requests may take together

using request_list = std::span<group_request const>;

// Rows whose group is in a range, for some requests; chosen without a branch, a block at a time. Where all rows are in
// the range none need be chosen.
void add_range(aggregate_by_id_args const& a, request_list requests, kernel const* kernels, group_span range,
               bool all_rows) {
    i64 const groups = range.end - range.begin;
    auto const first_group = static_cast<u32>(range.begin);
    std::vector<scratch<char>> states;
    for (std::size_t r = 0; r < requests.size(); ++r) {
        states.emplace_back(groups * kernels[r].state_size);
        kernels[r].clear(states[r].data(), groups);
    }
    u32 chosen[block_rows];
    for (i64 begin = 0; begin < a.length; begin += block_rows) {
        i64 const end = std::min(begin + block_rows, a.length);
        i64 const past = all_rows ? begin : end;
        i64 count = 0;
#pragma GCC unroll 4
        for (i64 i = begin; i < past; ++i) {
            chosen[count] = static_cast<u32>(i);
            count += a.codes[i] - first_group < static_cast<u32>(groups);
        }
        for (std::size_t r = 0; r < requests.size(); ++r) {
            auto const& q = requests[r];
            rows_view const view{a.codes,
                                 first_group,
                                 values_of(a, q),
                                 bitmap_of(q),
                                 nullptr,
                                 all_rows ? nullptr : chosen,
                                 all_rows ? begin : 0,
                                 all_rows ? end : count};
            q.running ? kernels[r].run(states[r].data(), view, q) : kernels[r].add(states[r].data(), view);
        }
    }
    for (std::size_t r = 0; r < requests.size(); ++r)
        if (!requests[r].running) kernels[r].finish(states[r].data(), groups, range.begin, requests[r]);
}

bool all_in_groups(aggregate_by_id_args const& a) {
    std::atomic<bool> all{true};
    for_each_chunk({a.length, chunk_rows}, [&](i64, i64 begin, i64 end) {
        bool lost = false;
        for (i64 i = begin; i < end; ++i) lost |= a.codes[i] == null_group;
        if (lost) all.store(false, std::memory_order_relaxed);
    });
    return all.load();
}

// How many rows of a sample each group has.
struct group_sample {
    scratch<u32> rows;
    i64 total = 0;

    explicit group_sample(aggregate_by_id_args const& a) : rows(a.groups) {
        rows.fill_bytes(0);
        i64 const step = std::max<i64>(1, a.length / 50000);
        for (i64 i = 0; i < a.length; i += step)
            if (a.codes[i] != null_group) ++rows[a.codes[i]], ++total;
    }
    double share(i64 g) const { return total == 0 ? 0 : static_cast<double>(rows[g]) / static_cast<double>(total); }
};

// Ranges of groups with about as many rows each, by a sample of them.
std::vector<group_span> even_ranges(aggregate_by_id_args const& a, i64 count) {
    std::vector<group_span> ranges;
    if (count == 1) return {{0, a.groups}};
    group_sample const sample(a);
    i64 begin = 0, seen = 0;
    for (i64 g = 0; g < a.groups; ++g) {
        seen += sample.rows[g];
        auto const done = static_cast<i64>(ranges.size()) + 1;
        if (done < count && seen * count >= sample.total * done) ranges.push_back({begin, g + 1}), begin = g + 1;
    }
    if (begin < a.groups) ranges.push_back({begin, a.groups});
    return ranges;
}

constexpr i64 counted_groups = i64{1} << 15;  // whose counts fit a cache, for each piece of the rows

// Sizes of groups do not depend on an order: each piece of the rows is counted by itself. Neighbours of one group would
// wait for one another, so they count in two tables.
void count_rows(aggregate_by_id_args const& a, request_list requests) {
    i64 const positions = a.groups + 1;  // the last is for rows of no group
    auto const most = static_cast<u32>(a.groups);
    auto const pieces = table_chunks(a.length, 2 * positions * static_cast<i64>(sizeof(u32)));
    scratch<u32> counts(std::max<i64>(pieces.count, 1) * 2 * positions);
    counts.fill_bytes(0);
    for_each_chunk(pieces, [&](i64 c, i64 begin, i64 end) {
        u32 *const even = counts.data() + 2 * c * positions, *const odd = even + positions;
        i64 i = begin;
        for (; i + 2 <= end; i += 2) ++even[std::min(a.codes[i], most)], ++odd[std::min(a.codes[i + 1], most)];
        if (i < end) ++even[std::min(a.codes[i], most)];
    });
    for (i64 g = 0; g < a.groups; ++g) {
        i64 total = 0;
        for (i64 t = 0; t < 2 * pieces.count; ++t) total += counts[t * positions + g];
        for (auto const& r : requests) {
            static_cast<i64*>(r.out)[g] = total;
            if (r.valid != nullptr) r.valid[g] = 1;
        }
    }
}

void aggregate_in_ranges(aggregate_by_id_args const& a, request_list requests, std::vector<kernel> const& kernels) {
    bool running = false;
    for (std::size_t r = 0; r < requests.size(); ++r) {
        if (!requests[r].running) continue;
        running = true;
        for_each_chunk({a.length, chunk_rows},
                       [&](i64, i64 begin, i64 end) { kernels[r].leave_out(begin, end, a.codes, requests[r]); });
    }
    if (a.groups == 0) return;
    // A task takes a range of the groups and all requests, or one request and all groups: then rows are not chosen.
    i64 const threads = a.length < chunk_rows ? 1 : sched::thread_count(), n = std::ssize(requests);
    i64 state_bytes = 0;
    for (auto const& k : kernels) state_bytes += k.state_size;
    bool const by_request = n >= 2 * threads || state_bytes * a.groups > shared_states;
    i64 const wanted = std::min<i64>(by_request ? (2 * threads + n - 1) / n : threads, most_ranges);
    auto const ranges = even_ranges(a, threads == 1 ? 1 : std::min(wanted, a.groups));
    auto const parts = static_cast<i64>(ranges.size());
    bool const all_rows = parts == 1 && !running && all_in_groups(a);
    for_each_task(by_request ? n * parts : parts, [&](i64 task) {
        auto const first = static_cast<std::size_t>(by_request ? task / parts : 0);
        add_range(a, requests.subspan(first, by_request ? 1 : requests.size()), kernels.data() + first,
                  ranges[static_cast<std::size_t>(task % parts)], all_rows);
    });
}

// Rows of which every one counts: those of the groups, and values of types that lack none.
bool counts_all(group_request const& r) {
    return counts_rows(r) || (r.aggregate == ops::aggregate_number<ops::aggregate::count> &&
                              r.column.validity == nullptr && !is_float(r.column.dtype) && !is_time(r.column.dtype));
}

constexpr i64 chained_rows = 16384;           // fewer are added before the rows of a block are listed
constexpr double likely_neighbours = 1. / 9;  // the chance that two rows are of one group, from which on they wait

// The part of the rows that each group has, if additions to one group would wait for one another; else nothing.
std::vector<double> waiting_shares(aggregate_by_id_args const& a) {
    if (a.groups > most_chained_groups || a.length < chained_rows) return {};
    group_sample const sample(a);
    std::vector<double> shares;
    double chance = 0;
    for (i64 g = 0; g < a.groups; ++g) shares.push_back(sample.share(g)), chance += shares.back() * shares.back();
    return chance < likely_neighbours ? std::vector<double>{} : shares;
}

// Sums of the same column are made once for all requests.
void aggregate_in_chains(aggregate_by_id_args const& a, request_list requests, std::vector<kernel> const& kernels,
                         std::span<double const> shares) {
    std::vector<std::size_t> first;  // the first request of each column
    std::vector<std::size_t> column_of;
    for (auto const& q : requests) {
        std::size_t c = 0;
        while (c < first.size() && !same_column(requests[first[c]], q)) ++c;
        if (c == first.size()) first.push_back(column_of.size());
        column_of.push_back(c);
    }
    std::vector<chained_sum> sums(first.size() * static_cast<std::size_t>(a.groups));
    std::vector<summed_column> columns;
    for (std::size_t c = 0; c < first.size(); ++c) {
        columns.push_back({requests[first[c]].column, sums.data() + c * static_cast<std::size_t>(a.groups)});
    }
    sum_in_chains(a.codes, a.length, a.groups, shares, columns);
    for (std::size_t r = 0; r < requests.size(); ++r) {
        auto const& k = kernels[r];
        scratch<char> states(a.groups * k.state_size);
        k.clear(states.data(), a.groups);
        for (i64 g = 0; g < a.groups; ++g) {
            auto const& s = columns[column_of[r]].sums[g];
            k.put(states.data(), g, s.value, s.n);
        }
        k.finish(states.data(), a.groups, 0, requests[r]);
    }
}

// Requests by the way in which they are computed.
void aggregate_directly(aggregate_by_id_args const& a, std::vector<kernel> const& kernels) {
    std::vector<group_request> counted, chained, others;
    std::vector<kernel> of_chained, of_others;
    std::optional<std::vector<double>> shares;
    auto const waits = [&](group_request const& q, kernel const& k) {
        if (k.put == nullptr || q.running || !sums_in_chains(q.column.dtype)) return false;
        if (!shares) shares = waiting_shares(a);
        return !shares->empty();
    };
    for (std::size_t r = 0; r < kernels.size(); ++r) {
        auto const& q = a.requests[r];
        if (counts_all(q) && a.groups <= counted_groups) counted.push_back(q);
        else if (waits(q, kernels[r])) chained.push_back(q), of_chained.push_back(kernels[r]);
        else others.push_back(q), of_others.push_back(kernels[r]);
    }
    if (!counted.empty()) count_rows(a, counted);
    if (!chained.empty()) aggregate_in_chains(a, chained, of_chained, *shares);
    if (!others.empty()) aggregate_in_ranges(a, others, of_others);
}

// ---- rows in the order of their groups

void aggregate_runs(aggregate_by_id_args const& a, group_span rows, std::vector<kernel> const& kernels) {
    i64 const tasks = rows.end - rows.begin < chunk_rows ? 1 : 2 * static_cast<i64>(sched::thread_count());
    std::vector<i64> cuts{rows.begin};  // where a group begins
    for (i64 k = 1; k < tasks * lanes; ++k) {
        i64 const at = rows.begin + (rows.end - rows.begin) * k / (tasks * lanes);
        cuts.push_back(at <= cuts.back()
                           ? cuts.back()
                           : std::upper_bound(a.codes + at, a.codes + rows.end, a.codes[at - 1]) - a.codes);
    }
    cuts.push_back(rows.end);
    auto const first_group = [&](i64 task) {
        i64 const row = cuts[static_cast<std::size_t>(task * lanes)];
        return task == 0 ? 0 : row < rows.end ? static_cast<i64>(a.codes[row]) : a.groups;
    };
    for_each_task(tasks, [&](i64 task) {
        i64 const begin = first_group(task), groups = first_group(task + 1) - begin;
        i64 const* const spans = cuts.data() + task * lanes;
        for (std::size_t r = 0; r < kernels.size(); ++r) {
            auto const& k = kernels[r];
            auto const& q = a.requests[r];
            scratch<char> states(groups * k.state_size);
            k.clear(states.data(), groups);
            k.add(states.data(), {a.codes, static_cast<u32>(begin), values_of(a, q), bitmap_of(q), nullptr, nullptr,
                                  spans[0], spans[lanes], spans});
            k.finish(states.data(), groups, begin, q);
        }
    });
}

// ---- many groups

void aggregate_by_parts(aggregate_by_id_args const& a, std::vector<kernel> const& kernels) {
    int shift = 0;
    while ((a.groups - 1) >> shift >= 512) ++shift;
    i64 const count = ((a.groups - 1) >> shift) + 1;
    auto const part_of = [&](i64 i) { return a.codes[i] >> shift; };  // above all parts where in no group
    row_parts const parts(a.length, count, part_of);
    scratch<u32> codes(parts.rows());
    parts.place(part_of, [&](u32 to, i64 i) { codes[to] = a.codes[i]; });
    auto const part = [&](i64 p) { return group_span{p << shift, std::min((p + 1) << shift, a.groups)}; };
    aggregate_parted(
        parts, part_of, codes.data(), part, [](group_span g) { return static_cast<u32>(g.begin); },
        {a.requests, static_cast<std::size_t>(a.nrequests)}, kernels);
}

status run(aggregate_by_id_args const& a) {
    if (a.length >= null_group || a.groups >= null_group)
        return fail(status::not_supported, "[aggregate_by_id] fewer than 2^32 - 1 rows are expected");
    std::vector<kernel> kernels;
    for (int i = 0; i < a.nrequests; ++i) {
        auto const& r = a.requests[i];
        if (!counts_rows(r) && r.column.length != a.length)
            return fail(status::value_error, "[aggregate_by_id] a column and the group numbers differ in length");
        kernels.push_back(kernel_for(r));
        if (kernels.back().state_size == 0 || r.column.offsets != nullptr)
            return fail(status::not_supported,
                        "[aggregate_by_id] an aggregate does not exist for its column's element type");
    }
    bool const running = std::any_of(a.requests, a.requests + a.nrequests, [](auto const& r) { return r.running; });
    if ((a.groups <= 0 && !running) || a.nrequests <= 0) return status::ok;
    if (auto const rows = a.runs && !running ? ascending_rows(a.codes, a.length) : group_span{0, 0}; rows.end > 0) {
        aggregate_runs(a, rows, kernels);
        return status::ok;
    }
    bool const parted = a.path == aggregate_path::parted && !running;  // results of running ones are where the rows are
    parted ? aggregate_by_parts(a, kernels) : aggregate_directly(a, kernels);
    return status::ok;
}

}  // namespace
}  // namespace bascule::cpu::tables::grouping

namespace bascule::cpu::tables {

status aggregate_by_id(aggregate_by_id_args const& a) noexcept {
    return guarded("[aggregate_by_id] no memory for intermediate results", [&] { return grouping::run(a); });
}

}  // namespace bascule::cpu::tables
