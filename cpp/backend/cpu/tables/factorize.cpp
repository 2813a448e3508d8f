// Key columns to group numbers: each column to keys, keys packed side by side, or numbered first where they are too
// wide. Which are is no part of the plan: it follows from the exact range of each column, which the pass that makes the
// keys finds. A sample's range is too small: of 75 columns of a million lognormal, geometric or Zipf integers, 4,096
// rows showed fewer bits than there were in 69.
#include <algorithm>
#include <bit>
#include <vector>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/tables/group_algorithms.hpp"
#include "backend/cpu/tables/group_grid.hpp"
#include "backend/cpu/tables/group_keys.hpp"
#include "backend/cpu/tables/group_range.hpp"
#include "backend/cpu/tables/number_few_strings.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

int bits_of(column_keys const& k) { return std::bit_width(k.greatest + (k.has_null ? 1 : 0)); }

// One more column behind the packed ones.
void pack_part(column_keys const& p, i64 begin, i64 end, bool drops, u64 null_key, u64* out) {
    int const width = bits_of(p);
    auto const view = p.view;
    if (!drops) {
        int const shift = std::min(width, 63);  // a column of 64 bits is the only one
        for (i64 i = begin; i < end; ++i) out[i] = out[i] << shift | view[i];
        return;
    }
    u64 const most = p.has_null ? p.greatest : ~u64{0};
    for (i64 i = begin; i < end; ++i) {
        u64 const k = view[i];
        bool const null = out[i] == null_key || k > most;
        out[i] = null ? null_key : (width == 64 ? 0 : out[i] << width) | k;
    }
}

constexpr i64 tile = 1024;  // rows whose keys stay in the nearest cache while their parts are added

void pack(std::vector<column_keys>& parts, i64 n, column_keys& out, bool keep_nulls) {
    out.owned = scratch<u64>(n);
    int bits = 0;
    bool nulls = false;
    for (auto const& p : parts) bits += bits_of(p), nulls |= p.has_null;
    bool const drops = nulls && !keep_nulls;
    u64 const null_key = bits == 64 ? ~u64{0} : u64{1} << bits;
    for_each_chunk({n, chunk_rows}, [&](i64, i64 first, i64 last) {
        for (i64 begin = first; begin < last; begin += tile) {
            i64 const end = std::min(begin + tile, last);
            std::fill(out.owned.data() + begin, out.owned.data() + end, u64{0});
            for (auto const& p : parts) pack_part(p, begin, end, drops, null_key, out.owned.data());
        }
    });
    out.view = {out.owned.data(), 0};
    out.greatest = null_key - 1;
    out.has_null = drops;
}

// The plan for one of several columns.
factorize_plan plan_of(factorize_plan plan, bool partitioned) {
    plan.otherwise = partitioned ? factorize_path::partition : factorize_path::small_tables;
    return plan;
}

// Dense numbers in place of keys; the null rows stay apart.
void densify(column_keys& keys, i64 n, factorize_args const& a) {
    scratch<u32> codes(n);
    u64 const null_key = keys.greatest + 1;
    auto const groups = number_keys(keys.view, n, keys.greatest + (keys.has_null ? 1 : 0),
                                    {a.order, false, plan_of(a.plan, keys.partitioned)}, codes.data());
    // In key order the null group is the last already; in order of appearance it has to step aside.
    i64 null_code = groups.count;
    for (i64 g = 0; keys.has_null && g < groups.count; ++g) {
        if (groups.key[g] == null_key) null_code = g;
    }
    scratch<u64> dense(n);
    for_each_chunk({n, chunk_rows}, [&](i64, i64 begin, i64 end) {
        for (i64 i = begin; i < end; ++i) {
            i64 const c = codes[i];
            dense[i] = static_cast<u64>(c == null_code ? groups.count - 1 : c - (c > null_code));
        }
    });
    i64 const values = groups.count - (keys.has_null ? 1 : 0);
    keys.owned = std::move(dense);
    keys.view = {keys.owned.data(), 0};
    keys.greatest = values > 0 ? static_cast<u64>(values) - 1 : 0;
    if (values == 0 && keys.has_null) std::fill(keys.owned.data(), keys.owned.data() + n, u64{1});
}

// One key a row. A packed key reserves one value for dropped rows, hence at most 63 bits.
column_keys combine(std::vector<column_keys> parts, i64 n, factorize_args const& a) {
    if (parts.size() == 1) return std::move(parts[0]);
    auto const width = [&] {
        int bits = 0;
        for (auto const& p : parts) bits += bits_of(p);
        return bits;
    };
    while (width() > 63) {  // the widest first: one dense column often makes room for all others
        auto const widest = std::max_element(parts.begin(), parts.end(),
                                             [](auto const& x, auto const& y) { return bits_of(x) < bits_of(y); });
        if (bits_of(*widest) > static_cast<int>(std::bit_width(static_cast<u64>(n)))) {
            densify(*widest, n, a);
            continue;
        }
        // All are dense: the leading two become one.
        std::vector<column_keys> two;
        two.push_back(std::move(parts[0]));
        two.push_back(std::move(parts[1]));
        parts.erase(parts.begin());
        parts[0] = column_keys{};
        pack(two, n, parts[0], a.keep_nulls);
        parts[0].partitioned = a.plan.otherwise == factorize_path::partition;
        densify(parts[0], n, a);
    }
    if (parts.size() == 1) return std::move(parts[0]);
    column_keys out;
    pack(parts, n, out, a.keep_nulls);
    return out;
}

// Takes the null group out of the numbers: its rows get none, the groups behind it move up.
void drop_nulls(key_groups& groups, u64 null_key, i64 n, u32* codes) {
    auto const* const found = std::find(groups.key.data(), groups.key.data() + groups.count, null_key);
    i64 const at = found - groups.key.data();
    if (at == groups.count) return;
    for_each_chunk({n, chunk_rows}, [&](i64, i64 begin, i64 end) {
        for (i64 i = begin; i < end; ++i) {
            u32 const c = codes[i];
            codes[i] = c == at ? null_group : c - (c > at);
        }
    });
    if (groups.first.size() > 0)
        std::copy(groups.first.data() + at + 1, groups.first.data() + groups.count, groups.first.data() + at);
    --groups.count;
}

void deliver(factorize_args& a, key_groups const& groups, u32 const* codes) {
    a.groups = groups.count;
    if (a.want_first) {
        a.first = static_cast<i64*>(a.allocate(a.owner, groups.count * 8));
        if (a.first == nullptr && groups.count > 0) throw std::bad_alloc();
        for (i64 g = 0; g < groups.count; ++g) a.first[g] = groups.first[g];
    }
    if (a.wide_codes == nullptr) return;
    for_each_chunk({a.length, chunk_rows}, [&](i64, i64 begin, i64 end) {
        for (i64 i = begin; i < end; ++i) a.wide_codes[i] = codes[i] == null_group ? -1 : static_cast<i64>(codes[i]);
    });
}

status check(factorize_args const& a) {
    if (a.nkeys < 1) return fail(status::value_error, "[factorize] at least one key column was expected, none came");
    if (a.length < 0 || a.length >= null_group)
        return fail(status::not_supported, "[factorize] fewer than 2^32 - 1 rows are expected");
    for (int k = 0; k < a.nkeys; ++k) {
        if (a.keys[k].length != a.length) return fail(status::value_error, "[factorize] key columns differ in length");
        if (a.keys[k].offsets == nullptr && is_complex(a.keys[k].dtype))
            return fail(status::not_supported, "[factorize] complex numbers have no order and cannot be keys");
    }
    return status::ok;
}

bool number_directly(factorize_args const& a, u32* codes, key_groups& groups) {
    switch (a.plan.direct) {
        case direct_path::none: break;
        case direct_path::range: return number_small_range(a, codes, groups);
        case direct_path::few_strings: return number_few_strings(a, codes, groups);
        case direct_path::grid: return number_in_grid(a, codes, groups);
    }
    return false;
}

status run(factorize_args& a) {
    scratch<u32> own(a.codes == nullptr ? a.length : 0);
    u32* const codes = a.codes == nullptr ? own.data() : a.codes;
    if (key_groups groups; number_directly(a, codes, groups)) {
        deliver(a, groups, codes);
        return status::ok;
    }
    std::vector<column_keys> parts;
    for (int k = 0; k < a.nkeys; ++k) {
        column_keys made[2];
        int count = 0;
        auto const planned = [&](u64 columns) { return ((columns >> std::min(k, 63)) & 1) != 0; };
        bool const partitioned = planned(a.plan.partitioned);
        if (!column_to_keys(a.keys[k],
                            {a.order, a.hash_mask, plan_of(a.plan, partitioned), planned(a.plan.short_strings)}, made,
                            &count))
            return fail(status::not_supported, "[factorize] a key column has an element type that cannot be a key");
        for (int m = 0; m < count; ++m) made[m].partitioned = partitioned, parts.push_back(std::move(made[m]));
    }
    auto const keys = combine(std::move(parts), a.length, a);
    auto groups = number_keys(keys.view, a.length, keys.greatest + (keys.has_null ? 1 : 0),
                              {a.order, a.want_first, a.plan}, codes);
    if (keys.has_null && !a.keep_nulls) drop_nulls(groups, keys.greatest + 1, a.length, codes);
    deliver(a, groups, codes);
    return status::ok;
}

}  // namespace
}  // namespace bascule::cpu::tables::grouping

namespace bascule::cpu::tables {

status factorize(factorize_args& a) noexcept {
    return guarded("[factorize] no memory for intermediate results", [&] {
        auto const s = grouping::check(a);
        return s == status::ok ? grouping::run(a) : s;
    });
}

}  // namespace bascule::cpu::tables
