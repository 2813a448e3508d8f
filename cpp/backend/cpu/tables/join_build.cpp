#include "backend/cpu/tables/join_build.hpp"

#include <atomic>

#include "backend/cpu/sort/limits.hpp"
#include "backend/cpu/sort/sort.hpp"

namespace bascule::cpu::tables::joining {
namespace {

using namespace sorting;

constexpr int part_count_bits = 9;  // 256 to 1,024 parts were measured to be level
constexpr std::int64_t ahead = 16;  // rows between a prefetch and its use
// A filter pays from so many look-ups a row on, where the tables leave the nearest caches.
constexpr std::int64_t filtered_probes = 2, filtered_rows = 4096;
constexpr std::int64_t filter_bits = 8;  // a row, or up to twice as many

void must(bool ready) {
    if (!ready) throw std::bad_alloc();
}

}  // namespace

bool fits_table(key_range const& r, std::int64_t rows) noexcept {
    if (r.empty()) return true;
    std::uint64_t const most = limits().table_ratio * static_cast<std::uint64_t>(std::max<std::int64_t>(rows, 128));
    return r.high - r.low < std::min<std::uint64_t>(most, 0xfffffff0u);
}

key_range const& join_keys::range() const {
    if (!range_) range_ = find_range();
    return *range_;
}

key_range join_keys::find_range() const {
    row_blocks const work(length());
    std::vector<key_range> each(static_cast<std::size_t>(work.count));
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        key_range r;
        for_each(
            begin, end,
            [&](std::int64_t, std::uint64_t k) {
                r.low = std::min(r.low, k);
                r.high = std::max(r.high, k);
            },
            [&](std::int64_t) { r.nulls = true; });
        each[static_cast<std::size_t>(t)] = r;
    });
    key_range all;
    for (auto const& r : each) all.merge(r);
    return all;
}

void slots_by_range(join_keys const& keys, key_range const& range, std::uint32_t* out) {
    std::uint64_t const width = range.empty() ? 0 : range.high - range.low;
    bool const none = range.empty(), shifted = range.nulls && keys.nulls_first();
    std::uint32_t const first = shifted ? 1 : 0, null_slot = !range.nulls      ? no_slot
                                                             : none || shifted ? 0
                                                                               : static_cast<std::uint32_t>(width + 1);
    row_blocks(keys.length()).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        keys.for_each(
            begin, end,
            [&](std::int64_t i, std::uint64_t k) {
                std::uint64_t const slot = k - range.low;
                out[i] = none || slot > width ? no_slot : static_cast<std::uint32_t>(slot) + first;
            },
            [&](std::int64_t i) { out[i] = null_slot; });
    });
}

std::int64_t slots_by_sorting(join_keys const& left, join_keys const& right, std::uint32_t* left_slots,
                              std::uint32_t* right_slots) {
    std::int64_t const n = left.length() + right.length();
    scratch<std::uint64_t> keys(n);
    scratch<std::uint8_t> null_flags(n);
    scratch<std::int64_t> order(n);
    must(keys.ready() && null_flags.ready() && order.ready());
    auto const load = [&](join_keys const& side, std::int64_t at) {
        row_blocks(side.length()).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            side.for_each(
                begin, end, [&](std::int64_t i, std::uint64_t k) { keys[at + i] = k, null_flags[at + i] = 0; },
                [&](std::int64_t i) { keys[at + i] = 0, null_flags[at + i] = 1; });
        });
    };
    load(left, 0);
    load(right, left.length());
    sort_key const by[] = {{.dtype = type_id::uint8, .data = null_flags.data(), .ascending = !left.nulls_first()},
                           {.dtype = type_id::uint64, .data = keys.data()}};
    argsort_args sort;
    sort.nkeys = 2;
    sort.keys = by;
    sort.length = n;
    sort.out = order.data();
    must(argsort(sort) == status::ok);
    auto const differs = [&](std::int64_t i) {
        std::int64_t const a = order[i - 1], b = order[i];
        return keys[a] != keys[b] || null_flags[a] != null_flags[b];
    };
    // Numbers of distinct keys: counted a block at a time, then given out.
    row_blocks const work(n);
    std::vector<std::int64_t> base(static_cast<std::size_t>(work.count) + 1);
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        std::int64_t count = 0;
        for (std::int64_t i = begin; i < end; ++i) count += i == 0 || differs(i);
        base[static_cast<std::size_t>(t) + 1] = count;
    });
    for (std::size_t t = 1; t < base.size(); ++t) base[t] += base[t - 1];
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        std::int64_t slot = base[static_cast<std::size_t>(t)] - 1;
        for (std::int64_t i = begin; i < end; ++i) {
            slot += i == 0 || differs(i);
            std::int64_t const row = order[i];
            if (row < left.length()) left_slots[row] = static_cast<std::uint32_t>(slot);
            else right_slots[row - left.length()] = static_cast<std::uint32_t>(slot);
        }
    });
    return base.back();
}

// ---- rows by slot
namespace {

// Where rows_by_slot takes the rows from.
struct all_rows {
    std::uint32_t const* slots;
    std::uint32_t slot(std::int64_t i) const noexcept { return slots[i]; }
    std::uint32_t row(std::int64_t i) const noexcept { return static_cast<std::uint32_t>(i); }
};
struct some_rows {
    slot_row const* rows;
    std::uint32_t slot(std::int64_t i) const noexcept { return rows[i].slot; }
    std::uint32_t row(std::int64_t i) const noexcept { return rows[i].row; }
};

}  // namespace

rows_by_slot::rows_by_slot(std::uint32_t const* slots, std::int64_t rows, std::int64_t slot_count)
    : first(slot_count + 1), row(rows) {
    build(all_rows{slots}, rows, slot_count);
}

rows_by_slot::rows_by_slot(slot_row const* some, std::int64_t rows, std::int64_t slot_count)
    : first(slot_count + 1), row(rows) {
    build(some_rows{some}, rows, slot_count);
}

template <class Rows> void rows_by_slot::build(Rows const& from, std::int64_t rows, std::int64_t slot_count) {
    must(first.ready() && row.ready());
    if (rows <= limits().small_build && slot_count <= 16 * limits().small_build) build_small(from, rows, slot_count);
    else build_parts(from, rows, slot_count);
}

template <class Rows> void rows_by_slot::build_small(Rows const& from, std::int64_t n, std::int64_t slot_count) {
    std::fill_n(first.data(), slot_count + 1, 0u);
    for (std::int64_t i = 0; i < n; ++i)
        if (from.slot(i) != no_slot) ++first[from.slot(i)];
    std::uint32_t sum = 0;
    for (std::int64_t s = 0; s <= slot_count; ++s) {
        sum += first[s];
        first[s] = sum;
    }
    for (std::int64_t i = n; i-- > 0;)
        if (from.slot(i) != no_slot) row[--first[from.slot(i)]] = from.row(i);
}

// A counting sort straight into a table larger than the cache takes ten times as long as moving the rows into parts
// that are counted inside it.
template <class Rows> void rows_by_slot::build_parts(Rows const& from, std::int64_t n, std::int64_t slot_count) {
    int const shift = std::max(0, bits_for(static_cast<std::uint64_t>(slot_count)) - part_count_bits);
    std::int64_t const parts = ((slot_count - 1) >> shift) + 1;  // one more takes the rows without a slot
    scratch<slot_row> moved(n);
    must(moved.ready());
    row_blocks const work(n);
    std::vector<std::int64_t> start;
    auto const part = [&](std::int64_t i) {
        return from.slot(i) == no_slot ? parts : static_cast<std::int64_t>(from.slot(i) >> shift);
    };
    auto at = positions(work, parts + 1, part, start);
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        auto* const next = at[static_cast<std::size_t>(t)].data();
        for (std::int64_t i = begin; i < end; ++i) moved[next[part(i)]++] = {from.slot(i), from.row(i)};
    });
    sched::parallel_for(parts, true, [&](std::int64_t p) {
        std::int64_t const low = p << shift, high = std::min((p + 1) << shift, slot_count);
        std::int64_t const begin = start[static_cast<std::size_t>(p)], end = start[static_cast<std::size_t>(p) + 1];
        std::fill(first.data() + low, first.data() + high, 0u);
        for (std::int64_t i = begin; i < end; ++i) ++first[moved[i].slot];
        auto sum = static_cast<std::uint32_t>(begin);
        for (std::int64_t s = low; s < high; ++s) {
            sum += first[s];
            first[s] = sum;
        }
        for (std::int64_t i = end; i-- > begin;) row[--first[moved[i].slot]] = moved[i].row;
    });
    first[slot_count] = static_cast<std::uint32_t>(start[static_cast<std::size_t>(parts)]);
}

// ---- rows by key
rows_by_key::rows_by_key(join_keys const& keys, std::int64_t probes) : row_(keys.length()) {
    std::int64_t const n = keys.length();
    if (probes >= filtered_probes * n && n >= filtered_rows) {
        filter_mask_ = std::bit_ceil(static_cast<std::uint64_t>(filter_bits * n)) - 1;
        filter_ = std::make_unique<scratch<std::uint64_t>>(static_cast<std::int64_t>(filter_mask_ / 64) + 1);
        must(filter_->ready());
        std::fill_n(filter_->data(), filter_mask_ / 64 + 1, std::uint64_t{0});
    }
    scratch<std::uint64_t> key(n);
    scratch<std::uint8_t> null(n);
    scratch<keyed_row> moved(n);
    must(row_.ready() && key.ready() && null.ready() && moved.ready());
    part_bits_ = n <= limits().small_build ? 0 : part_count_bits;
    std::int64_t const parts = std::int64_t{1} << part_bits_;
    row_blocks const work(n);
    work.run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        keys.for_each(
            begin, end, [&](std::int64_t i, std::uint64_t k) { key[i] = k, null[i] = 0; },
            [&](std::int64_t i) { key[i] = 0, null[i] = 1; });
    });
    std::vector<std::int64_t> start;
    auto const part = [&](std::int64_t i) {
        return null[i] != 0 ? parts : static_cast<std::int64_t>(part_of(hash(key[i])));
    };
    auto at = positions(work, parts + 1, part, start);
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        auto* const next = at[static_cast<std::size_t>(t)].data();
        for (std::int64_t i = begin; i < end; ++i) moved[next[part(i)]++] = {key[i], static_cast<std::uint32_t>(i), 0};
    });
    size_tables(start);
    auto const each_part = [&](auto const& f) {
        sched::parallel_for(parts, true, [&](std::int64_t p) {
            auto const s = static_cast<std::size_t>(p);
            f(moved.data(), start[s], start[s + 1], s);
        });
    };
    std::int64_t const first_null = start[static_cast<std::size_t>(parts)];
    if (n - first_null > 1) repeats_.store(true);
    each_part([&](auto const&... a) { fill_part(a...); });
    if (unique()) {
        if (first_null < n) nulls_ = {moved[first_null].row, 1};
        return;
    }
    each_part([&](auto const&... a) { list_part(a...); });
    for (std::int64_t i = first_null; i < n; ++i) row_[i] = moved[i].row;
    nulls_ = {static_cast<std::uint32_t>(first_null), static_cast<std::uint32_t>(n - first_null)};
}

void rows_by_key::size_tables(std::vector<std::int64_t> const& start) {
    std::int64_t total = 0;
    for (std::size_t p = 0; p + 2 < start.size(); ++p) {
        std::uint64_t const size = std::bit_ceil(static_cast<std::uint64_t>(2 * (start[p + 1] - start[p]) + 2));
        tables_.push_back({total, size - 1});
        total += static_cast<std::int64_t>(size);
    }
    entries_ = std::make_unique<scratch<entry>>(total);
    must(entries_->ready());
}

// The entry of the key, or the free one where it belongs.
[[gnu::always_inline]] inline rows_by_key::entry* rows_by_key::seek(std::uint64_t key, std::uint64_t h) const noexcept {
    table const& t = tables_[part_of(h)];
    entry* const begin = entries_->data() + t.begin;
    for (std::uint64_t at = (h >> 16) & t.mask;; at = (at + 1) & t.mask)
        if (begin[at].rows.count == 0 || begin[at].key == key) return begin + at;
}

void rows_by_key::fill_part(keyed_row const* rows, std::int64_t begin, std::int64_t end, std::size_t part) noexcept {
    entry* const entries = entries_->data() + tables_[part].begin;
    std::fill_n(entries, static_cast<std::int64_t>(tables_[part].mask) + 1, entry{0, {0, 0}});
    bool repeats = false;
    for (std::int64_t i = begin; i < end; ++i) {
        entry* const e = seek(rows[i].key, hash(rows[i].key));
        repeats |= e->rows.count > 0;
        *e = {rows[i].key, {rows[i].row, e->rows.count + 1}};
    }
    if (filter_)
        for (std::int64_t i = begin; i < end; ++i) {
            std::uint64_t const h = hash(rows[i].key);
            std::atomic_ref((*filter_)[static_cast<std::int64_t>(filter_bit(h) >> 6)])
                .fetch_or(std::uint64_t{1} << (h & 63), std::memory_order_relaxed);
        }
    if (repeats) repeats_.store(true, std::memory_order_relaxed);
}

// Lists in place of rows, which the entries have after fill_part.
void rows_by_key::list_part(keyed_row const* rows, std::int64_t begin, std::int64_t end, std::size_t part) noexcept {
    entry* const entries = entries_->data() + tables_[part].begin;
    auto const size = static_cast<std::int64_t>(tables_[part].mask) + 1;
    auto sum = static_cast<std::uint32_t>(begin);
    for (std::int64_t e = 0; e < size; ++e) {
        sum += entries[e].rows.count;
        entries[e].rows.first = sum;
    }
    for (std::int64_t i = end; i-- > begin;) row_[--seek(rows[i].key, hash(rows[i].key))->rows.first] = rows[i].row;
}

// f(j, list or row of its key) for the j-th of the rows [begin, end).
template <class F>
void rows_by_key::each_found(join_keys const& probe, std::int64_t begin, std::int64_t end, F const& f) const noexcept {
    constexpr std::int64_t block = 256;
    for (std::int64_t done = 0; begin < end; begin += block, done += block) {
        std::int64_t const n = std::min(block, end - begin);
        std::uint64_t key[block], h[block];
        bool null[block] = {};
        probe.for_each(
            begin, begin + n, [&](std::int64_t i, std::uint64_t k) { key[i - begin] = k, h[i - begin] = hash(k); },
            [&](std::int64_t i) { key[i - begin] = 0, h[i - begin] = 0, null[i - begin] = true; });
        std::uint16_t some[block];
        std::int64_t count = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            some[count] = static_cast<std::uint16_t>(i);
            count += !filter_ || null[i] || may_have(h[i]);
        }
        if (count < n)
            for (std::int64_t i = 0; i < n; ++i) f(done + i, match_list{0, 0});
        for (std::int64_t j = 0; j < std::min(ahead, count); ++j) __builtin_prefetch(start_of(h[some[j]]));
        for (std::int64_t j = 0; j < count; ++j) {
            if (j + ahead < count) __builtin_prefetch(start_of(h[some[j + ahead]]));
            std::int64_t const i = some[j];
            f(done + i, null[i] ? nulls_ : seek(key[i], h[i])->rows);
        }
    }
}

void rows_by_key::find(join_keys const& probe, std::int64_t begin, std::int64_t end, match_list* out) const noexcept {
    each_found(probe, begin, end, [&](std::int64_t j, match_list const& m) { out[j] = m; });
}

void rows_by_key::find_numbers(join_keys const& probe, std::int64_t begin, std::int64_t end,
                               std::uint32_t* out) const noexcept {
    each_found(probe, begin, end,
               [&](std::int64_t j, match_list const& m) { out[j] = m.count > 0 ? m.first : no_slot; });
}

}  // namespace bascule::cpu::tables::joining
