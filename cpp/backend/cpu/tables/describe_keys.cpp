// Statistics of keys by a sample of their rows.
#include <algorithm>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/tables/group_algorithms.hpp"
#include "backend/cpu/tables/group_keys.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

// One row of each of many equal pieces, at a position in it that no period of the data can follow; or all rows.
void choose_rows(i64 n, i64* rows, i64 count) {
    i64 const piece = n / std::max<i64>(count, 1);
    for (i64 s = 0; s < count; ++s)
        rows[s] = s * piece + static_cast<i64>(mix(static_cast<u64>(s)) % static_cast<u64>(piece));
}

i64 count_distinct(u64 const* hashes, i64 n) {
    i64 slots = 64;
    while (slots < 2 * n) slots *= 2;
    scratch<u64> table(slots);
    table.fill_bytes(0);
    i64 found = 0;
    for (i64 i = 0; i < n; ++i) {
        u64 const h = hashes[i] | 1;  // no empty slot
        i64 s = static_cast<i64>(h >> 1) & (slots - 1);
        while (table[s] != 0 && table[s] != h) s = (s + 1) & (slots - 1);
        found += table[s] == 0;
        table[s] = h;
    }
    return found;
}

// Which rows are in order so far, and whether the last key decided it.
void compare_neighbours(u64 const* order, i64 n, signed char* so_far) {
    for (i64 i = 1; i < n; ++i)
        if (so_far[i] == 0) so_far[i] = static_cast<signed char>((order[i] > order[i - 1]) - (order[i] < order[i - 1]));
}

status run(describe_keys_args& a) {
    if (a.nkeys < 1)
        return fail(status::value_error, "[describe_keys] at least one key column was expected, none came");
    i64 const n = std::min(a.length, most_described_rows);
    scratch<i64> rows(n);
    scratch<u64> order(n), hash(n), together(a.nkeys > 1 ? n : 0);
    scratch<signed char> compared(n);
    choose_rows(a.length, rows.data(), n);
    together.fill_bytes(0), compared.fill_bytes(0);
    for (int k = 0; k < a.nkeys; ++k) {
        a.columns[k] = sample_column(a.keys[k], {rows.data(), n, order.data(), hash.data()});
        a.columns[k].rows = n;
        a.columns[k].distinct = count_distinct(hash.data(), n);
        a.columns[k].ascending = std::is_sorted(order.data(), order.data() + n);
        compare_neighbours(order.data(), n, compared.data());
        for (i64 i = 0; i < together.size(); ++i) together[i] = mix(together[i] ^ hash[i]);
    }
    a.together.rows = n;
    a.together.distinct = a.nkeys > 1 ? count_distinct(together.data(), n) : a.columns[0].distinct;
    a.together.ascending = std::none_of(compared.data(), compared.data() + n, [](auto c) { return c < 0; });
    return status::ok;
}

}  // namespace
}  // namespace bascule::cpu::tables::grouping

namespace bascule::cpu::tables {

status describe_keys(describe_keys_args& a) noexcept {
    return guarded("[describe_keys] no memory for intermediate results", [&] { return grouping::run(a); });
}

}  // namespace bascule::cpu::tables
