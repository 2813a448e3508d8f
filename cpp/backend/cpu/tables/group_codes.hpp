// From one order-preserving 64-bit key a row to group numbers.
#pragma once
#include "backend/cpu/tables/group_scratch.hpp"
#include "bascule/core/table_algorithms_group.hpp"

namespace bascule::cpu::tables::grouping {

// Keys may be a column's own memory: subtracting the least value makes them start at 0.
struct key_view {
    u64 const* p = nullptr;
    u64 base = 0;
    u64 operator[](i64 i) const { return p[i] - base; }
};

struct key_groups {
    i64 count = 0;
    scratch<u64> key;    // of each group
    scratch<u32> first;  // first row of each group; empty if not wanted
};

struct coding {
    group_order order = group_order::sorted;
    bool want_first = false;
    factorize_plan plan;
};

// `greatest` bounds the keys. Fills codes[0, n).
key_groups number_keys(key_view keys, i64 n, u64 greatest, coding const& how, u32* codes);

// Groups renumbered by their first rows.
void order_by_appearance(key_groups& groups, i64 n, u32* codes);

// The paths. Those that yield key order where order of appearance is needed are renumbered by number_keys.
key_groups number_runs(key_view keys, i64 n, u32* codes);
key_groups number_by_bitmap(key_view keys, i64 n, u64 greatest, u32* codes);
key_groups number_by_small_tables(key_view keys, i64 n, group_order order, u32* codes);
key_groups number_by_partition(key_view keys, i64 n, u64 greatest, group_order order, u32* codes);

// Numbers the elements of a set of positions: the number of a position is that of the marked positions before it.
struct rank_bitmap {
    explicit rank_bitmap(i64 positions) : words(positions / 64 + 1), before(words.size()) { words.fill_bytes(0); }
    void mark(u64 i) const { words[static_cast<i64>(i >> 6)] |= u64{1} << (i & 63); }
    i64 count();  // fills `before`; to be called once all is marked
    u32 rank(u64 i) const {
        auto const w = static_cast<i64>(i >> 6);
        return before[w] + static_cast<u32>(__builtin_popcountll(words[w] & ((u64{1} << (i & 63)) - 1)));
    }
    scratch<u64> words;
    scratch<u32> before;
};

inline u64 mix(u64 k) {
    k *= 0x9e3779b97f4a7c15ull;
    k ^= k >> 32;
    k *= 0xd6e8feb86659fd93ull;
    return k ^ (k >> 29);
}

}  // namespace bascule::cpu::tables::grouping
