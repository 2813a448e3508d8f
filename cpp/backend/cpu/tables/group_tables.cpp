// Group numbers of keys that are far apart: hash tables, one a piece of rows for few groups, one a part of the keys for
// many.
#include <algorithm>
#include <memory>
#include <vector>

#include "backend/cpu/sort/sort_piece.hpp"
#include "backend/cpu/tables/group_codes.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

// Numbers distinct keys in order of arrival. Slots hold numbers only, so that clearing and misses are cheap.
class key_table {
public:
    key_table(u64* keys, u32* first, i64 expected) : keys_(keys), first_(first) { resize(expected); }

    u32 number_of(u64 key, u32 row) {
        for (u64 s = mix(key) & mask_;; s = (s + 1) & mask_) {
            u32 const at = slots_[static_cast<i64>(s)];
            if (at == null_group) return add(s, key, row);
            if (keys_[at] == key) return at;
        }
    }
    i64 count() const { return count_; }

private:
    u32 add(u64 slot, u64 key, u32 row) {
        keys_[count_] = key;
        first_[count_] = row;
        slots_[static_cast<i64>(slot)] = static_cast<u32>(count_);
        if (2 * ++count_ > slots_.size()) resize(2 * count_);
        return static_cast<u32>(count_ - 1);
    }
    void resize(i64 expected) {
        i64 slots = 64;
        while (slots < 2 * expected) slots *= 2;
        slots_ = scratch<u32>(slots);
        slots_.fill_bytes(0xff);
        mask_ = static_cast<u64>(slots) - 1;
        for (i64 i = 0; i < count_; ++i) {
            u64 s = mix(keys_[i]) & mask_;
            while (slots_[static_cast<i64>(s)] != null_group) s = (s + 1) & mask_;
            slots_[static_cast<i64>(s)] = static_cast<u32>(i);
        }
    }

    u64* keys_;
    u32* first_;
    scratch<u32> slots_;
    u64 mask_ = 0;
    i64 count_ = 0;
};

// Groups in the order of their keys; to[old number] = new one.
void sort_groups(u64* keys, u32* first, i64 n, u32* to) {
    scratch<sorting::keyed_row> order(n), spare(n);
    for (i64 i = 0; i < n; ++i) order[i] = {keys[i], first[i], static_cast<u32>(i)};
    auto const counts = std::make_unique_for_overwrite<sorting::bucket_counts>();
    auto const* const sorted = sorting::sort_piece(order.data(), spare.data(), n, *counts);
    for (i64 i = 0; i < n; ++i) {
        keys[i] = sorted[i].key;
        first[i] = sorted[i].row;
        to[sorted[i].small] = static_cast<u32>(i);
    }
}

// How keys are split into parts that fit a cache: fine bins of the key or of its hash, neighbours joined to even parts.
struct splitter {
    static constexpr int bits = 14;
    bool by_hash = false;
    int shift = 0;
    scratch<std::uint16_t> part_of{i64{1} << bits};
    i64 parts = 0, heaviest = 0;

    u64 bin(u64 key) const { return by_hash ? mix(key) >> (64 - bits) : key >> shift; }
    i64 part(u64 key) const { return part_of[static_cast<i64>(bin(key))]; }

    splitter(key_view keys, i64 n, u64 greatest, bool hash) : by_hash(hash) {
        shift = std::max(0, 64 - (greatest == 0 ? 63 : __builtin_clzll(greatest)) - bits);
        i64 const bins = i64{1} << bits;
        auto const chunks = table_chunks(n, bins * 4);
        scratch<u32> counts(chunks.count * bins);
        counts.fill_bytes(0);
        for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
            u32* const own = counts.data() + c * bins;
            for (i64 i = begin; i < end; ++i) ++own[bin(keys[i])];
        });
        i64 const target = std::max<i64>(8192, n / 1024);
        i64 filled = 0;
        for (i64 b = 0; b < bins; ++b) {
            i64 rows = 0;
            for (i64 c = 0; c < chunks.count; ++c) rows += counts[c * bins + b];
            if (filled > 0 && filled + rows > target) {
                ++parts;
                filled = 0;
            }
            part_of[b] = static_cast<std::uint16_t>(parts);
            filled += rows;
            heaviest = std::max(heaviest, filled);
        }
        ++parts;
    }
};

struct parted_rows {
    scratch<u64> key;
    scratch<u32> row;
    std::vector<i64> start;  // parts + 1
};

// Stable: rows of a part keep their order.
parted_rows part_rows(key_view keys, i64 n, splitter const& split) {
    i64 const parts = split.parts;
    auto const chunks = table_chunks(n, parts * 8);
    parted_rows out{scratch<u64>(n), scratch<u32>(n), std::vector<i64>(static_cast<std::size_t>(parts) + 1)};
    scratch<i64> at(chunks.count * parts);
    at.fill_bytes(0);
    for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
        for (i64 i = begin; i < end; ++i) ++at[c * parts + split.part(keys[i])];
    });
    i64 total = 0;
    for (i64 p = 0; p < parts; ++p) {
        out.start[static_cast<std::size_t>(p)] = total;
        for (i64 c = 0; c < chunks.count; ++c) total += std::exchange(at[c * parts + p], total);
    }
    out.start.back() = total;
    for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
        i64* const next = at.data() + c * parts;
        for (i64 i = begin; i < end; ++i) {
            i64 const to = next[split.part(keys[i])]++;
            out.key[to] = keys[i];
            out.row[to] = static_cast<u32>(i);
        }
    });
    return out;
}

}  // namespace

key_groups number_by_small_tables(key_view keys, i64 n, group_order order, u32* codes) {
    auto const chunks = table_chunks(n, 1);
    struct found {
        scratch<u64> key;
        scratch<u32> first;
        i64 count = 0;
        scratch<u32> to;
    };
    std::vector<found> parts(static_cast<std::size_t>(chunks.count));
    for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
        auto& part = parts[static_cast<std::size_t>(c)];
        part.key = scratch<u64>(end - begin);
        part.first = scratch<u32>(end - begin);
        key_table table(part.key.data(), part.first.data(), 1024);
        for (i64 i = begin; i < end; ++i) codes[i] = table.number_of(keys[i], static_cast<u32>(i));
        part.count = table.count();
    });
    i64 most = 0;
    for (auto const& part : parts) most += part.count;
    key_groups groups{0, scratch<u64>(most), scratch<u32>(most)};
    key_table all(groups.key.data(), groups.first.data(), 1024);
    for (auto& part : parts) {  // in row order, so that numbers are those of first appearance
        part.to = scratch<u32>(part.count);
        for (i64 g = 0; g < part.count; ++g) part.to[g] = all.number_of(part.key[g], part.first[g]);
    }
    groups.count = all.count();
    scratch<u32> sorted(groups.count);
    if (order == group_order::sorted) {
        sort_groups(groups.key.data(), groups.first.data(), groups.count, sorted.data());
        for (auto& part : parts) {
            for (i64 g = 0; g < part.count; ++g) part.to[g] = sorted[part.to[g]];
        }
    }
    for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
        u32 const* const to = parts[static_cast<std::size_t>(c)].to.data();
        for (i64 i = begin; i < end; ++i) codes[i] = to[codes[i]];
    });
    return groups;
}

key_groups number_by_partition(key_view keys, i64 n, u64 greatest, group_order order, u32* codes) {
    bool const sorted = order == group_order::sorted;
    splitter split(keys, n, greatest, !sorted);
    // Values crowded in few bins: the hash spreads them, and the groups are sorted at the end.
    bool const uneven = sorted && split.heaviest > 16 * std::max<i64>(8192, n / 1024);
    if (uneven) split = splitter(keys, n, greatest, true);
    auto rows = part_rows(keys, n, split);
    scratch<u32> local(n), first(n);
    std::vector<i64> start(static_cast<std::size_t>(split.parts) + 1);
    for_each_task(split.parts, [&](i64 p) {
        i64 const begin = rows.start[static_cast<std::size_t>(p)], end = rows.start[static_cast<std::size_t>(p) + 1];
        // Distinct keys take the place of the part's own: there are never more of them than rows read.
        key_table table(rows.key.data() + begin, first.data() + begin, std::min<i64>(end - begin, 1 << 16));
        for (i64 j = begin; j < end; ++j) local[j] = table.number_of(rows.key[j], rows.row[j]);
        start[static_cast<std::size_t>(p)] = table.count();
        if (!sorted || uneven) return;
        scratch<u32> to(table.count());
        sort_groups(rows.key.data() + begin, first.data() + begin, table.count(), to.data());
        for (i64 j = begin; j < end; ++j) local[j] = to[local[j]];
    });
    i64 total = 0;
    for (auto& s : start) total += std::exchange(s, total);
    key_groups groups{total, scratch<u64>(total), scratch<u32>(total)};
    for_each_task(split.parts, [&](i64 p) {
        i64 const from = rows.start[static_cast<std::size_t>(p)], to = start[static_cast<std::size_t>(p)];
        i64 const count = start[static_cast<std::size_t>(p) + 1] - to;
        std::copy_n(rows.key.data() + from, count, groups.key.data() + to);
        std::copy_n(first.data() + from, count, groups.first.data() + to);
        for (i64 j = from; j < rows.start[static_cast<std::size_t>(p) + 1]; ++j)
            codes[rows.row[j]] = local[j] + static_cast<u32>(to);
    });
    if (!sorted) order_by_appearance(groups, n, codes);
    if (uneven) {
        scratch<u32> to(total);
        sort_groups(groups.key.data(), groups.first.data(), total, to.data());
        for_each_chunk({n, chunk_rows}, [&](i64, i64 begin, i64 end) {
            for (i64 i = begin; i < end; ++i) codes[i] = to[codes[i]];
        });
    }
    return groups;
}

}  // namespace bascule::cpu::tables::grouping
