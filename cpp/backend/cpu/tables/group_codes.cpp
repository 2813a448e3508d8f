#include "backend/cpu/tables/group_codes.hpp"

#include <algorithm>

namespace bascule::cpu::tables::grouping {
namespace {

bool is_sorted(key_view keys, i64 n) {
    std::atomic<bool> sorted{true};
    for_each_chunk({n, chunk_rows}, [&](i64, i64 begin, i64 end) {
        if (!sorted.load(std::memory_order_relaxed)) return;
        for (i64 i = std::max<i64>(begin, 1); i < end; ++i) {
            if (keys[i] < keys[i - 1]) return sorted.store(false, std::memory_order_relaxed);
        }
    });
    return sorted.load();
}

// The plan's way for keys up to `greatest`.
factorize_path way_for(factorize_plan const& plan, key_view keys, i64 n, u64 greatest) {
    if (plan.runs && is_sorted(keys, n)) return factorize_path::runs;
    return greatest <= plan.bitmap_range ? factorize_path::bitmap : plan.otherwise;
}

// Every row's group is known; backwards, so that the last store to a group is its first row.
scratch<u32> first_rows(u32 const* codes, i64 n, i64 groups) {
    auto const chunks = table_chunks(n, groups * 4);
    scratch<u32> tables(chunks.count * groups);
    for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
        u32* const table = tables.data() + c * groups;
        std::fill(table, table + groups, null_group);
        for (i64 i = end - 1; i >= begin; --i) table[codes[i]] = static_cast<u32>(i);
    });
    scratch<u32> first(groups);
    for_each_chunk({groups, chunk_rows}, [&](i64, i64 begin, i64 end) {
        for (i64 g = begin; g < end; ++g) {
            u32 row = null_group;
            for (i64 c = 0; c < chunks.count; ++c) row = std::min(row, tables[c * groups + g]);
            first[g] = row;
        }
    });
    return first;
}

}  // namespace

i64 rank_bitmap::count() {
    row_chunks const chunks(words.size(), 4096);
    scratch<u32> sums(chunks.count + 1);
    for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
        u32 sum = 0;
        for (i64 w = begin; w < end; ++w) {
            before[w] = sum;
            sum += static_cast<u32>(__builtin_popcountll(words[w]));
        }
        sums[c] = sum;
    });
    u32 total = 0;
    for (i64 c = 0; c < chunks.count; ++c) total += std::exchange(sums[c], total);
    for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
        for (i64 w = begin; w < end; ++w) before[w] += sums[c];
    });
    return total;
}

void order_by_appearance(key_groups& groups, i64 n, u32* codes) {
    rank_bitmap rows(n);
    for (i64 g = 0; g < groups.count; ++g) rows.mark(groups.first[g]);
    rows.count();
    scratch<u32> to(groups.count), first(groups.count);
    scratch<u64> key(groups.count);
    for_each_chunk({groups.count, chunk_rows}, [&](i64, i64 begin, i64 end) {
        for (i64 g = begin; g < end; ++g) {
            u32 const at = rows.rank(groups.first[g]);
            to[g] = at;
            first[at] = groups.first[g];
            key[at] = groups.key[g];
        }
    });
    for_each_chunk({n, chunk_rows}, [&](i64, i64 begin, i64 end) {
        for (i64 i = begin; i < end; ++i) codes[i] = to[codes[i]];
    });
    groups.first = std::move(first);
    groups.key = std::move(key);
}

key_groups number_runs(key_view keys, i64 n, u32* codes) {
    row_chunks const chunks(n, chunk_rows);
    scratch<i64> start(chunks.count);
    auto const begins_group = [&](i64 i) { return i == 0 || keys[i] != keys[i - 1]; };
    for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
        i64 found = 0;
        for (i64 i = begin; i < end; ++i) found += begins_group(i);
        start[c] = found;
    });
    i64 total = 0;
    for (i64 c = 0; c < chunks.count; ++c) total += std::exchange(start[c], total);
    key_groups groups{total, scratch<u64>(total), scratch<u32>(total)};
    for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
        i64 next = start[c], i = begin;
        i64 const last = c + 1 < chunks.count ? start[c + 1] : total;
        // Whether a group begins cannot be predicted: what is written of other rows is overwritten by the next group.
        for (; next < last; ++i) {
            groups.key[next] = keys[i];
            groups.first[next] = static_cast<u32>(i);
            next += begins_group(i);
            codes[i] = static_cast<u32>(next - 1);
        }
        std::fill(codes + i, codes + end, static_cast<u32>(next - 1));
    });
    return groups;
}

key_groups number_by_bitmap(key_view keys, i64 n, u64 greatest, u32* codes) {
    auto const range = static_cast<i64>(greatest) + 1;
    rank_bitmap present(range);
    i64 const words = present.words.size();
    auto const chunks = table_chunks(n, words * 8);
    scratch<u64> marks(chunks.count * words);
    for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
        u64* const own = marks.data() + c * words;
        std::memset(own, 0, static_cast<std::size_t>(words) * 8);
        for (i64 i = begin; i < end; ++i) own[keys[i] >> 6] |= u64{1} << (keys[i] & 63);
    });
    row_chunks const word_chunks(words, 4096);
    for_each_chunk(word_chunks, [&](i64, i64 begin, i64 end) {
        for (i64 w = begin; w < end; ++w) {
            u64 any = 0;
            for (i64 c = 0; c < chunks.count; ++c) any |= marks[c * words + w];
            present.words[w] = any;
        }
    });
    key_groups groups;
    groups.count = present.count();
    groups.key = scratch<u64>(groups.count);
    for_each_chunk(word_chunks, [&](i64, i64 begin, i64 end) {
        for (i64 w = begin; w < end; ++w) {
            i64 next = present.before[w];
            for (u64 left = present.words[w]; left != 0; left &= left - 1) {
                groups.key[next++] = static_cast<u64>(w) * 64 + static_cast<u64>(__builtin_ctzll(left));
            }
        }
    });
    for_each_chunk({n, chunk_rows}, [&](i64, i64 begin, i64 end) {
        for (i64 i = begin; i < end; ++i) codes[i] = present.rank(keys[i]);
    });
    return groups;
}

key_groups number_keys(key_view keys, i64 n, u64 greatest, coding const& how, u32* codes) {
    if (n == 0) return {};
    key_groups groups;
    switch (way_for(how.plan, keys, n, greatest)) {
        case factorize_path::runs: return number_runs(keys, n, codes);  // sorted: both orders are this one
        case factorize_path::small_tables: return number_by_small_tables(keys, n, how.order, codes);
        case factorize_path::partition: return number_by_partition(keys, n, greatest, how.order, codes);
        case factorize_path::bitmap: groups = number_by_bitmap(keys, n, greatest, codes);
    }
    if (how.want_first || how.order == group_order::appearance) groups.first = first_rows(codes, n, groups.count);
    if (how.order == group_order::appearance) order_by_appearance(groups, n, codes);
    return groups;
}

}  // namespace bascule::cpu::tables::grouping
