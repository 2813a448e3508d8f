// Values of groups by rank, and the number of distinct ones. Rows are partitioned by group, and each group is searched
// by itself: only the few values near a rank are sorted.
#include <algorithm>
#include <cmath>
#include <limits>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/sort/sort.hpp"
#include "backend/cpu/tables/group_algorithms.hpp"
#include "backend/cpu/tables/group_parts.hpp"
#include "bascule/core/element_dispatch.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

using ops::is_nan;
using ops::aggregate::number_of;

constexpr i64 few = 1024;            // values for which nth_element is as fast as a sample
constexpr i64 sampled = 256;         // values read to estimate the position of a rank
constexpr i64 alone = i64{1} << 20;  // values of one group that all threads search
constexpr int part_bits = 9;

struct ranks {
    i64 low, high;
};
inline ranks ranks_of(double share, i64 n) {
    auto const low = static_cast<i64>(std::floor(share * static_cast<double>(n - 1)));
    return {low, std::min(low + 1, n - 1)};
}

// The two values at neighbouring ranks among a few.
template <class V> void pick_few(V* v, i64 n, ranks r, V& low, V& high) {
    std::nth_element(v, v + r.low, v + n);
    low = v[r.low];
    high = r.high == r.low ? low : *std::min_element(v + r.high, v + n);
}

// A sample shows between which values a rank is; those between are copied without a branch, the others counted. `room`
// holds n + 1 values.
template <class V> void pick(V* v, i64 n, ranks r, V* room, V& low, V& high) {
    if (n <= few) return pick_few(v, n, r, low, high);
    V sample[sampled];
    for (i64 i = 0; i < sampled; ++i)
        sample[i] = v[static_cast<i64>((static_cast<double>(i) + 0.5) * static_cast<double>(n) / sampled)];
    std::sort(sample, sample + sampled);
    i64 const margin = 24;  // three times the deviation of a rank in the sample, at most
    i64 const at = r.low * sampled / n;
    bool const from_start = at - margin < 0, to_end = at + margin >= sampled;
    V const least = sample[std::max<i64>(at - margin, 0)], most = sample[std::min<i64>(at + margin, sampled - 1)];
    i64 before = 0, count = 0;
    for (i64 i = 0; i < n; ++i) {
        V const x = v[i];
        bool const below = !from_start & (x < least), above = !to_end & (x > most);
        before += below;
        room[count] = x;
        count += !(below | above);
    }
    if (r.low < before || r.high >= before + count) return pick_few(v, n, r, low, high);  // the guess was wrong
    if (!from_start && !to_end && !(least < most)) {
        low = high = least;
        return;
    }
    pick_few(room, count, {r.low - before, r.high - before}, low, high);
}

constexpr i64 compared = 12;  // values that are compared with one another faster than a table is cleared

// The number of distinct values: by a bitmap where they are close together, else by a hash table.
template <class V> i64 count_distinct(V* v, i64 n) {
    if (n <= compared) {
        i64 count = 0;
        for (i64 i = 0; i < n; ++i) {
            bool met = false;
            for (i64 j = 0; j < i; ++j) met |= v[j] == v[i];
            count += !met;
        }
        return count;
    }
    if constexpr (std::is_integral_v<V>) {
        auto const [least, most] = std::minmax_element(v, v + n);
        u64 const span = static_cast<u64>(*most) - static_cast<u64>(*least);
        if (span < 16 * static_cast<u64>(n)) {
            V const base = *least;
            scratch<u64> met(static_cast<i64>(span / 64) + 1);
            met.fill_bytes(0);
            i64 count = 0;
            for (i64 i = 0; i < n; ++i) {
                u64 const at = static_cast<u64>(v[i]) - static_cast<u64>(base), bit = u64{1} << (at & 63);
                u64& word = met[static_cast<i64>(at >> 6)];
                count += (word & bit) == 0;
                word |= bit;
            }
            return count;
        }
    }
    i64 positions = 16;
    while (positions < 2 * n) positions *= 2;
    scratch<u32> met(positions);  // a value's position, one up; 0: none
    met.fill_bytes(0);
    i64 count = 0;
    for (i64 i = 0; i < n; ++i) {
        V const x = v[i] + V{0};  // -0 becomes 0
        u64 bits = 0;
        std::memcpy(&bits, &x, sizeof x);
        i64 at = static_cast<i64>(mix(bits)) & (positions - 1);
        while (met[at] != 0 && !(v[met[at] - 1] == x)) at = (at + 1) & (positions - 1);
        if (met[at] == 0) met[at] = static_cast<u32>(i) + 1, ++count;
    }
    return count;
}

template <class T> struct looking {
    using value = ops::aggregate::number<T>;  // times compare as their counts
    group_ranks_args const& a;

    // One group's values, without nulls; they may be reordered.
    void group(i64 g, value* v, i64 n, value* room) const {
        a.counts[g] = n;
        auto *const low = static_cast<value*>(a.low), *const high = static_cast<value*>(a.high);
        for (i64 k = 0; k < a.nshares; ++k) {
            i64 const to = k * a.groups + g;
            if (n == 0) {
                low[to] = high[to] = value{};
                continue;
            }
            ranks const r = ranks_of(a.shares[k], n);
            if (n < alone) {
                pick(v, n, r, room, low[to], high[to]);
                continue;
            }
            i64 const both[] = {r.low, r.high};
            value found[2];
            select_ranks_args s;
            s.dtype = id_of<value>::value, s.data = v, s.length = n, s.ranks = both, s.count = 2, s.out = found;
            if (sorting::select_ranks(s) != status::ok) throw std::bad_alloc();
            low[to] = found[0], high[to] = found[1];
        }
        if (a.distinct != nullptr) a.distinct[g] = count_distinct(v, n);
    }

    // The values of rows [begin, end) that are in the order of their groups.
    void runs(group_span groups, i64 begin, i64 end) const {
        auto const* const values = static_cast<T const*>(a.column.data);
        scratch<value> own(end - begin + 1), room(std::min(end - begin, alone) + 1);
        for (i64 g = groups.begin, i = begin; g < groups.end; ++g) {
            i64 count = 0;
            for (; i < end && a.codes[i] == static_cast<u32>(g); ++i) {
                own[count] = number_of(values[i]);
                count += is_valid(a.column.validity, i) && !is_nan(values[i]);
            }
            group(g, own.data(), count, room.data());
        }
    }

    // The values of a part's rows [begin, end) by group; those of one group are contiguous where `codes` is null.
    void part(group_span groups, u32 const* codes, T const* values, u8 const* valid, i64 begin, i64 end) const {
        i64 const n = end - begin;
        scratch<value> own(n + 1), room(std::min(n, alone) + 1);
        // A NaN that the bitmap calls a value has no place in an order.
        auto const there = [&](i64 i) { return (valid == nullptr || valid[i] != 0) && !is_nan(values[i]); };
        if (codes == nullptr) {
            i64 count = 0;
            for (i64 i = begin; i < end; ++i) {
                own[count] = number_of(values[i]);
                count += there(i);
            }
            return group(groups.begin, own.data(), count, room.data());
        }
        scratch<u32> at(groups.end - groups.begin + 1);
        at.fill_bytes(0);
        u32* const next = at.data() + 1;  // the start of the next group, then, one element back, the position of this
                                          // one's next value
        for (i64 i = begin; i < end; ++i) next[codes[i] - groups.begin] += there(i);
        for (i64 g = 1; g < at.size(); ++g) at[g] += at[g - 1];
        for (i64 i = begin; i < end; ++i)
            if (there(i)) own[at[codes[i] - groups.begin]++] = number_of(values[i]);
        u32 from = 0;
        for (i64 g = groups.begin; g < groups.end; ++g) {
            u32 const to = at[g - groups.begin];
            group(g, own.data() + from, to - from, room.data());
            from = to;
        }
    }
};

// Rows in the order of their groups stay where they are: a task takes those of some groups.
template <class T> void look_at_runs(group_ranks_args const& a, group_span rows) {
    i64 const tasks = (rows.end - rows.begin + chunk_rows - 1) / chunk_rows;
    // The first row, from an even share on, that begins a group.
    auto const cut = [&](i64 task) {
        i64 const at = rows.begin + task * chunk_rows;
        return task == 0 || at >= rows.end
                   ? std::min(at, rows.end)
                   : std::upper_bound(a.codes + at, a.codes + rows.end, a.codes[at - 1]) - a.codes;
    };
    auto const group_at = [&](i64 task, i64 row) {
        return task == 0 ? 0 : row < rows.end ? static_cast<i64>(a.codes[row]) : a.groups;
    };
    looking<T> const each{a};
    for_each_task(tasks, [&](i64 task) {
        i64 const begin = cut(task), end = cut(task + 1);
        each.runs({group_at(task, begin), group_at(task + 1, end)}, begin, end);
    });
}

template <class T> void look(group_ranks_args const& a) {
    if (auto const rows = ascending_rows(a.codes, a.length); rows.end > 0) return look_at_runs<T>(a, rows);
    int shift = 0;
    while ((a.groups - 1) >> shift >= (i64{1} << part_bits)) ++shift;
    auto const part_of = [&](i64 i) { return a.codes[i] >> shift; };  // above all parts where in no group
    row_parts const parts(a.length, ((a.groups - 1) >> shift) + 1, part_of);
    scratch<u32> codes(shift == 0 ? 0 : parts.rows());
    if (shift != 0) parts.place(part_of, [&](u32 to, i64 i) { codes[to] = a.codes[i]; });
    auto const column = part_column(parts, part_of, a.column);
    looking<T> const each{a};
    for_each_task(parts.count(), [&](i64 p) {
        each.part({p << shift, std::min((p + 1) << shift, a.groups)}, shift == 0 ? nullptr : codes.data(),
                  reinterpret_cast<T const*>(column.values.data()), column.valid.data(), parts.begin(p), parts.end(p));
    });
}

status run(group_ranks_args const& a) {
    if (a.length >= null_group || a.groups >= null_group)
        return fail(status::not_supported, "[group_ranks] fewer than 2^32 - 1 rows are expected");
    if (a.groups <= 0) return status::ok;
    bool const known = a.column.offsets == nullptr &&
                       with_element<ops::aggregate::groupable_types>(a.column.dtype, [&]<class T>(T) { look<T>(a); });
    return known ? status::ok : fail(status::not_supported, "[group_ranks] values of this element type have no ranks");
}

}  // namespace
}  // namespace bascule::cpu::tables::grouping

namespace bascule::cpu::tables {

status group_ranks(group_ranks_args& a) noexcept {
    return guarded("[group_ranks] no memory for intermediate results", [&] { return grouping::run(a); });
}

}  // namespace bascule::cpu::tables
