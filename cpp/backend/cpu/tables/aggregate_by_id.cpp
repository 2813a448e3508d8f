// Aggregates by group number. Few groups: every task walks all rows and takes its own range of groups. Many: rows are
// parted by ranges of groups whose states fit a cache. Both keep each group's rows in order, so sums have one order only.
#include <algorithm>
#include <memory>
#include <vector>

#include "backend/cpu/run.hpp"
#include "backend/cpu/tables/group_algorithms.hpp"
#include "backend/cpu/tables/group_keys.hpp"
#include "backend/cpu/tables/group_states.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

// Rows to add: codes, values and validity at positions [begin, end), or those that `chosen` lists.
struct rows_view {
    u32 const* codes;
    u32 first_group;
    void const* values;
    u8 const* bitmap;  // by position; null: none
    u8 const* bytes;   // the same, a byte each
    u32 const* chosen;
    i64 begin, end;
};

struct kernel {
    i64 state_size = 0;
    void (*clear)(void* states, i64 groups) = nullptr;
    void (*add)(void* states, rows_view const&) = nullptr;
    void (*finish)(void const* states, i64 groups, i64 first_group, group_request const&) = nullptr;
};

template <class S, class T, bool Masked> void add_rows(S* states, rows_view const& r) {
    auto const* const values = static_cast<T const*>(r.values);
    auto const add = [&](i64 i) {
        if constexpr (Masked) {
            if (r.bytes != nullptr ? r.bytes[i] == 0 : !is_valid(r.bitmap, i)) return;
        } else {
            if (is_null(values[i])) return;
        }
        states[r.codes[i] - r.first_group].add(values[i]);
    };
    if (r.chosen != nullptr) {
        for (i64 j = r.begin; j < r.end; ++j) add(r.chosen[j]);
    } else {
        for (i64 i = r.begin; i < r.end; ++i) add(i);
    }
}

template <group_op Op, class T> kernel make_kernel() {
    using state = group_state<Op, T>;
    kernel k;
    k.state_size = sizeof(state);
    k.clear = [](void* states, i64 groups) { std::uninitialized_fill_n(static_cast<state*>(states), groups, state{}); };
    k.add = [](void* states, rows_view const& r) {
        auto* const s = static_cast<state*>(states);
        if (r.bitmap != nullptr || r.bytes != nullptr) add_rows<state, T, true>(s, r);
        else add_rows<state, T, false>(s, r);
    };
    k.finish = [](void const* states, i64 groups, i64 first_group, group_request const& r) {
        auto const* const s = static_cast<state const*>(states);
        using result = result_of<Op, T>;
        auto* const out = static_cast<result*>(r.out) + first_group;
        i64 const needed = values_needed<Op>(r);
        for (i64 g = 0; g < groups; ++g) {
            bool const valid = static_cast<i64>(s[g].n) >= needed;
            out[g] = valid ? static_cast<result>(s[g].result(r)) : null_value<result>();
            if (r.valid != nullptr) r.valid[first_group + g] = valid;
        }
    };
    return k;
}

template <group_op Op, type_id... Id> kernel kernel_of_type(type_id t) {
    kernel k;
    (void)((t == Id && (k = make_kernel<Op, element<Id>>(), true)) || ...);
    return k;
}

template <group_op Op> kernel kernel_of(type_id t) {
    using enum type_id;
    if constexpr (Op == group_op::prod) return kernel_of_type<Op, bool_, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64>(t);
    else return kernel_of_type<Op, bool_, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64, datetime64, timedelta64>(t);
}

template <group_op... Op> kernel find_kernel(group_request const& r) {
    kernel k;
    (void)((r.op == Op && (k = kernel_of<Op>(r.column.dtype), true)) || ...);
    return k;
}

// Size counts rows, whatever they hold: a count of the codes themselves.
kernel kernel_for(group_request const& r) {
    if (r.op == group_op::size) return kernel_of<group_op::count>(type_id::uint32);
    using enum group_op;
    return find_kernel<count, sum, mean, min, max, var, std_, first, last, prod, any, all>(r);
}
void const* values_of(aggregate_by_id_args const& a, group_request const& r) { return r.op == group_op::size ? a.codes : r.column.data; }
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
        k.add(states.data(), view);
    }
    k.finish(states.data(), groups, first_group, r);
}

void aggregate_directly(aggregate_by_id_args const& a, std::vector<kernel> const& kernels) {
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

struct group_parts {
    int shift = 0;
    i64 count = 0;
    row_chunks chunks;
    scratch<u32> at;      // where each chunk's rows of each part go
    scratch<u32> start;   // of each part, count + 1
    scratch<u32> codes;   // parted

    group_parts(aggregate_by_id_args const& a) : chunks(table_chunks(a.length, 4096)) {
        while ((a.groups - 1) >> shift >= 512) ++shift;
        count = ((a.groups - 1) >> shift) + 1;
        at = scratch<u32>(chunks.count * count);
        at.fill_bytes(0);
        start = scratch<u32>(count + 1);
        for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
            u32* const own = at.data() + c * count;
            for (i64 i = begin; i < end; ++i) {
                if (a.codes[i] != null_group) ++own[a.codes[i] >> shift];
            }
        });
        u32 total = 0;
        for (i64 p = 0; p < count; ++p) {
            start[p] = total;
            for (i64 c = 0; c < chunks.count; ++c) total += std::exchange(at[c * count + p], total);
        }
        start[count] = total;
        codes = scratch<u32>(total);
        place(a.codes, a.codes, codes.data());
    }

    // Rows of `from` to their parts; order within a part stays.
    template <class T> void place(u32 const* group, T const* from, T* to) const {
        for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
            std::vector<u32> next(at.data() + c * count, at.data() + (c + 1) * count);
            for (i64 i = begin; i < end; ++i) {
                if (group[i] != null_group) to[next[group[i] >> shift]++] = from[i];
            }
        });
    }
};

struct parted_column { scratch<u64> values; scratch<u8> valid; };

parted_column part_column(group_parts const& parts, aggregate_by_id_args const& a, group_column const& column) {
    parted_column out;
    i64 const rows = parts.codes.size();
    int const size = itemsize(column.dtype);
    out.values = scratch<u64>((rows * size + 7) / 8);
    auto const move = [&]<class T>(T) { parts.place(a.codes, static_cast<T const*>(column.data), reinterpret_cast<T*>(out.values.data())); };
    switch (size) {
        case 1: move(u8{}); break;
        case 2: move(std::uint16_t{}); break;
        case 4: move(u32{}); break;
        default: move(u64{});
    }
    if (column.validity == nullptr) return out;
    scratch<u8> bytes(a.length);
    for_each_chunk({a.length, chunk_rows}, [&](i64, i64 begin, i64 end) {
        for (i64 i = begin; i < end; ++i) bytes[i] = is_valid(column.validity, i);
    });
    out.valid = scratch<u8>(rows);
    parts.place(a.codes, bytes.data(), out.valid.data());
    return out;
}

void aggregate_part(group_parts const& parts, i64 p, i64 groups, rows_view rows, group_request const& r, kernel const& k) {
    i64 const first = p << parts.shift, last = std::min((p + 1) << parts.shift, groups);
    scratch<char> states((last - first) * k.state_size);
    k.clear(states.data(), last - first);
    rows.first_group = static_cast<u32>(first);
    rows.begin = parts.start[p];
    rows.end = parts.start[p + 1];
    k.add(states.data(), rows);
    k.finish(states.data(), last - first, first, r);
}

bool same_column(group_request const& x, group_request const& y) {
    return x.op != group_op::size && y.op != group_op::size && x.column.data == y.column.data && x.column.validity == y.column.validity && x.column.dtype == y.column.dtype;
}

void aggregate_by_parts(aggregate_by_id_args const& a, std::vector<kernel> const& kernels) {
    group_parts const parts(a);
    std::vector<bool> done(static_cast<std::size_t>(a.nrequests));
    for (std::size_t i = 0; i < done.size(); ++i) {
        if (done[i]) continue;
        auto const& lead = a.requests[i];
        bool const size = lead.op == group_op::size;
        auto const column = size ? parted_column{} : part_column(parts, a, lead.column);
        rows_view const rows{parts.codes.data(), 0, size ? static_cast<void const*>(parts.codes.data()) : column.values.data(), nullptr, column.valid.data(), nullptr, 0, 0};
        for (std::size_t j = i; j < done.size(); ++j) {
            if (j != i && (done[j] || !same_column(lead, a.requests[j]))) continue;
            done[j] = true;
            for_each_task(parts.count, [&](i64 p) { aggregate_part(parts, p, a.groups, rows, a.requests[j], kernels[j]); });
        }
    }
}

// States of this many groups stay in the caches two cores share; above, parting the rows first is cheaper.
constexpr i64 direct_groups = 200000;

status refuse(status s, char const* text) {
    set_last_error(text);
    return s;
}

status run(aggregate_by_id_args const& a) {
    if (a.length >= null_group || a.groups >= null_group) return refuse(status::not_supported, "[aggregate_by_id] fewer than 2^32 - 1 rows are expected");
    std::vector<kernel> kernels;
    for (int i = 0; i < a.nrequests; ++i) {
        auto const& r = a.requests[i];
        if (r.op != group_op::size && r.column.length != a.length) return refuse(status::value_error, "[aggregate_by_id] a column and the group numbers differ in length");
        kernels.push_back(kernel_for(r));
        if (kernels.back().add == nullptr || r.column.offsets != nullptr) return refuse(status::not_supported, "[aggregate_by_id] an aggregate does not exist for its column's element type");
    }
    if (a.groups <= 0 || a.nrequests <= 0) return status::ok;
    bool const direct = a.path == aggregate_path::automatic ? a.groups <= direct_groups : a.path == aggregate_path::direct;
    direct ? aggregate_directly(a, kernels) : aggregate_by_parts(a, kernels);
    return status::ok;
}

}  // namespace
}  // namespace bascule::cpu::tables::grouping

namespace bascule::cpu::tables {

status aggregate_by_id(aggregate_by_id_args const& a) noexcept {
    try {
        return grouping::run(a);
    } catch (std::bad_alloc const&) {
        return grouping::refuse(status::out_of_memory, "[aggregate_by_id] no memory for intermediate results");
    }
}

}  // namespace bascule::cpu::tables
