// Aggregates by group number. Few groups: every task walks all rows and takes its own range of groups. Many: rows are
// parted by ranges of groups whose states fit a cache. Both keep each group's rows in order, so sums have one order
// only.
#include <algorithm>
#include <vector>

#include "backend/cpu/run.hpp"
#include "backend/cpu/tables/group_algorithms.hpp"
#include "backend/cpu/tables/group_parts.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

void const* values_of(aggregate_by_id_args const& a, group_request const& r) {
    return r.op == group_op::size ? a.codes : r.column.data;
}
u8 const* bitmap_of(group_request const& r) { return r.op == group_op::size ? nullptr : r.column.validity; }

// ---- few groups

// Rows of one request whose group lies in a range; chosen without a branch, 1,024 at a time.
void add_range(aggregate_by_id_args const& a, group_request const& r, kernel const& k, i64 first_group, i64 groups) {
    constexpr i64 block = 1024;
    scratch<char> states(groups * k.state_size);
    k.clear(states.data(), groups);
    u32 chosen[block];
    rows_view view{a.codes, static_cast<u32>(first_group), values_of(a, r), bitmap_of(r), nullptr, chosen, 0, 0};
    for (i64 begin = 0; begin < a.length; begin += block) {
        i64 const end = std::min(begin + block, a.length);
        view.end = 0;
        for (i64 i = begin; i < end; ++i) {
            chosen[view.end] = static_cast<u32>(i);
            view.end += a.codes[i] - view.first_group < static_cast<u32>(groups);
        }
        if (r.running) k.run(states.data(), view, r);
        else k.add(states.data(), view);
    }
    if (!r.running) k.finish(states.data(), groups, first_group, r);
}

void aggregate_directly(aggregate_by_id_args const& a, std::vector<kernel> const& kernels) {
    for (std::int32_t i = 0; i < a.nrequests; ++i) {
        if (!a.requests[i].running) continue;
        for_each_chunk({a.length, chunk_rows}, [&](i64, i64 begin, i64 end) {
            kernels[static_cast<std::size_t>(i)].leave_out(begin, end, a.codes, a.requests[i]);
        });
    }
    if (a.groups == 0) return;
    // Walking the codes costs a quarter of adding a row: more ranges than eight bring nothing.
    i64 const threads = sched::thread_count();
    i64 const wanted = a.length < chunk_rows ? 1 : std::min<i64>(8, (2 * threads + a.nrequests - 1) / a.nrequests);
    i64 const ranges = std::clamp<i64>(threads == 1 ? 1 : wanted, 1, a.groups);
    for_each_task(a.nrequests * ranges, [&](i64 task) {
        i64 const request = task / ranges, range = task % ranges;
        i64 const begin = a.groups * range / ranges, end = a.groups * (range + 1) / ranges;
        add_range(a, a.requests[request], kernels[static_cast<std::size_t>(request)], begin, end - begin);
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

status refuse(status s, char const* text) {
    set_last_error(text);
    return s;
}

status run(aggregate_by_id_args const& a) {
    if (a.length >= null_group || a.groups >= null_group)
        return refuse(status::not_supported, "[aggregate_by_id] fewer than 2^32 - 1 rows are expected");
    std::vector<kernel> kernels;
    for (int i = 0; i < a.nrequests; ++i) {
        auto const& r = a.requests[i];
        if (r.op != group_op::size && r.column.length != a.length)
            return refuse(status::value_error, "[aggregate_by_id] a column and the group numbers differ in length");
        kernels.push_back(kernel_for(r));
        if (kernels.back().add == nullptr || r.column.offsets != nullptr ||
            (r.running && kernels.back().run == nullptr))
            return refuse(status::not_supported,
                          "[aggregate_by_id] an aggregate does not exist for its column's element type");
    }
    bool const running = std::any_of(a.requests, a.requests + a.nrequests, [](auto const& r) { return r.running; });
    if ((a.groups <= 0 && !running) || a.nrequests <= 0) return status::ok;
    bool const direct = running || (a.path == aggregate_path::automatic
                                        ? a.groups <= direct_groups
                                        : a.path == aggregate_path::direct);  // running: rows stay where they are
    direct ? aggregate_directly(a, kernels) : aggregate_by_parts(a, kernels);
    return status::ok;
}

}  // namespace
}  // namespace bascule::cpu::tables::grouping

namespace bascule::cpu::tables {

status aggregate_by_id(aggregate_by_id_args const& a) noexcept {
    if (a.by_key != nullptr) return aggregate_by_key(*a.by_key);
    if (a.ranks != nullptr) return group_ranks(*a.ranks);
    try {
        return grouping::run(a);
    } catch (std::bad_alloc const&) {
        return grouping::refuse(status::out_of_memory, "[aggregate_by_id] no memory for intermediate results");
    }
}

}  // namespace bascule::cpu::tables
