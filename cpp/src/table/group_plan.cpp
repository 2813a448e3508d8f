#include "bascule/table/group_plan.hpp"

#include <algorithm>
#include <vector>

#include "bascule/array/device_calls.hpp"

namespace bascule::table {
namespace {

using u64 = std::uint64_t;
using i64 = std::int64_t;

// Below, statistics cost more than the best way saves.
constexpr i64 described_rows = 128;
// Below, passes over the rows cost less than clearing tables.
constexpr i64 many_rows = 65536;
// States of this many groups stay in the caches that two cores share; above, parting the rows first is cheaper.
constexpr i64 cached_groups = 200000;
// Tables over this range, one a thread, stay in the threads' caches.
constexpr u64 cached_range = u64{1} << 18;
// Above, a bitmap leaves the caches, and a partition wins.
constexpr u64 cached_bitmap = u64{1} << 26;
constexpr u64 most_key_range = u64{1} << 28;
constexpr i64 few_strings_rows = 16384, few_strings_most = 640;
// In bytes. Of longer strings the bits in which they differ hardly ever fit a key of 64.
constexpr i64 short_string = 16;
// Groups of which a hash table for each piece of the rows stays in its cache.
constexpr i64 few_groups = 134000;

bool is_text(group_column const& c) { return c.offsets != nullptr; }
bool is_whole(group_column const& c) { return !is_text(c) && is_integer(c.dtype); }

// Groups of equal size have about rows^2 / (2 groups) equal pairs in a sample.
bool looks_few(key_statistics const& s, i64 length) {
    return length <= 4 * most_described_rows || s.rows - s.distinct > s.rows * s.rows / (2 * few_groups);
}

// The range of the sample, and somewhat more on either side.
void plan_range(key_statistics const& s, i64 length, factorize_plan& plan) {
    if (s.least > s.greatest || s.greatest - s.least > cached_range) return;
    u64 const more = (s.greatest - s.least) / 8 + 64, low = s.least - std::min(s.least, more);
    i64 const values = static_cast<i64>(s.greatest - low + std::min(~s.greatest, more)) + 1;
    if (values > length / 16) return;
    plan.direct = direct_path::range, plan.low = low, plan.values = values;
}

// Keys whose sampled ranges fill at most a part of the cells that a grid may have: the exact ones may be wider.
bool fits_grid(std::span<group_column const> keys, describe_keys_args const& seen) {
    u64 cells = 1;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        auto const& s = seen.columns[k];
        bool const narrow = is_whole(keys[k]) && keys[k].dtype != type_id::uint64 && s.least <= s.greatest &&
                            s.greatest - s.least < static_cast<u64>(most_grid_cells);
        if (!narrow) return false;
        cells *= s.greatest - s.least + 2;
        if (cells > static_cast<u64>(most_grid_cells / 2)) return false;
    }
    return true;
}

void plan_column(key_statistics const& s, group_column const& key, std::size_t k, factorize_plan& plan) {
    if (!looks_few(s, key.length)) plan.partitioned |= u64{1} << k;
    if (is_text(key) && s.longest > short_string) plan.short_strings &= ~(u64{1} << k);
}

u64 key_range(group_column const& key, key_statistics const& s) {
    bool const of_64_bits = !is_text(key) && itemsize(key.dtype) == 8 && (is_integer(key.dtype) || is_time(key.dtype));
    if (!of_64_bits || key.validity != nullptr || key.length < many_rows || s.least > s.greatest) return 0;
    u64 const seen = s.greatest - s.least, most = std::min(most_key_range, 64 * static_cast<u64>(key.length)) - 1;
    return seen >= static_cast<u64>(cached_groups) && seen <= most ? most : 0;
}

}  // namespace

group_plan plan_groups(std::span<group_column const> keys, describe_keys_args const* seen, group_result wanted) {
    group_plan plan;
    if (seen == nullptr) return plan;
    auto const& key = keys[0];
    i64 const n = key.length;
    auto& numbering = plan.numbering;
    numbering.runs = seen->together.ascending;
    numbering.bitmap_range = std::min(cached_bitmap, 64 * (static_cast<u64>(n) + 1024) + 64) - 1;
    numbering.otherwise = looks_few(seen->together, n) ? factorize_path::small_tables : factorize_path::partition;
    for (std::size_t k = 0; k < std::min<std::size_t>(keys.size(), 64); ++k)
        plan_column(seen->columns[k], keys[k], k, numbering);
    if (keys.size() > 1) {
        if (n >= many_rows && !numbering.runs && fits_grid(keys, *seen)) numbering.direct = direct_path::grid;
        return plan;
    }
    key_statistics const& s = seen->columns[0];
    plan.repeats = dictionary_pays(s.rows, s.distinct);
    if (wanted == group_result::aggregates) plan.key_range = key_range(key, s);
    if (is_whole(key) && n >= many_rows) plan_range(s, n, numbering);
    if (is_text(key) && n >= few_strings_rows && s.longest <= short_string && s.distinct <= few_strings_most)
        numbering.direct = direct_path::few_strings;
    return plan;
}

group_plan plan_groups(device where, std::span<group_column const> keys, group_result wanted) {
    if (keys[0].length < described_rows || !where.api->supports(algorithm_kind::describe_keys, keys[0].dtype))
        return plan_groups(keys, nullptr, wanted);
    std::vector<key_statistics> columns(keys.size());
    describe_keys_args a;
    a.keys = keys.data(), a.nkeys = static_cast<std::int32_t>(keys.size()), a.length = keys[0].length;
    a.columns = columns.data();
    throw_if(device_calls::algorithm(where, algorithm_kind::describe_keys, &a), where);
    return plan_groups(keys, &a, wanted);
}

bool dictionary_pays(i64 rows, i64 distinct) { return distinct <= rows / 2; }

bool codes_are_groups(i64 rows, i64 dictionary) { return dictionary > 0 && dictionary <= 2 * rows + 1024; }

aggregate_path plan_aggregates(i64 groups) {
    return groups <= cached_groups ? aggregate_path::in_place : aggregate_path::parted;
}

}  // namespace bascule::table
