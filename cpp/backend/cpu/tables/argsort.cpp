// The order of rows: keys of the first level are split and sorted piece by piece; rows still equal are told apart level
// by level.
#include <atomic>
#include <memory>

#include "backend/cpu/tables/guarded.hpp"
#include "backend/cpu/tables/limits.hpp"
#include "backend/cpu/tables/ordering.hpp"
#include "backend/cpu/tables/short_lines.hpp"
#include "backend/cpu/tables/sort_plan.hpp"

namespace bascule::cpu::tables::ordering {
namespace {

constexpr std::int64_t countable = 2048;  // so few distinct keys need no records: rows go straight to their places

class row_sorter {
public:
    row_sorter(sort_plan const& plan, argsort_args const& a) noexcept
        : plan_(plan), out_(a.out), wide_(a.wide), n_(a.length) {}
    status run() {
        if (plan_.levels() == 0 || n_ < 2)
            row_blocks(n_).run([&](std::int64_t, std::int64_t b, std::int64_t e) { put_identity(b, e); });
        else if (n_ <= limits().small_sort) sort_few();
        else sort_many();
        return failed_.load() ? fail(status::out_of_memory, "[argsort] no memory for the records of a piece")
                              : status::ok;
    }

private:
    void put(std::int64_t at, std::int64_t row) noexcept {
        if (wide_) static_cast<std::int64_t*>(out_)[at] = row;
        else static_cast<std::int32_t*>(out_)[at] = static_cast<std::int32_t>(row);
    }
    void put_identity(std::int64_t begin, std::int64_t end) noexcept {
        for (std::int64_t i = begin; i < end; ++i) put(i, i);
    }
    void put_rows(keyed_row const* a, std::int64_t n, std::int64_t at) noexcept {
        for (std::int64_t i = 0; i < n; ++i) put(at + i, a[i].row);
    }

    void sort_few() {
        scratch<keyed_row> rows(n_), spare(n_);
        if (!rows.ready() || !spare.ready()) throw std::bad_alloc();
        for (std::int64_t i = 0; i < n_; ++i) rows[i] = {0, static_cast<std::uint32_t>(i), 0};
        plan_.load({}, rows.data(), n_);
        bucket_counts counts;
        sort_loaded(rows.data(), spare.data(), n_, {}, counts);
        put_rows(rows.data(), n_, 0);
    }

    void sort_many() {
        scratch<std::uint64_t> keys(n_);
        if (!keys.ready()) throw std::bad_alloc();
        bool const ordered = load_keys(keys.data());
        std::uint64_t const high = plan_.high({});
        if (ordered && plan_.is_last({}))
            return row_blocks(n_).run([&](std::int64_t, std::int64_t b, std::int64_t e) { put_identity(b, e); });
        if (high < static_cast<std::uint64_t>(countable) && plan_.is_last({}))
            return count_keys(keys.data(), static_cast<std::int64_t>(high) + 1);
        scratch<keyed_row> rows(n_);
        if (!rows.ready()) throw std::bad_alloc();
        auto const* const k = keys.data();
        sort_pieces(rows.data(),
                    split([k](std::int64_t i) { return k[i]; },
                          [k](std::int64_t i) {
                              return keyed_row{k[i], static_cast<std::uint32_t>(i), 0};
                          },
                          n_, 0, high, rows.data()),
                    0, {});
    }

    // True: the keys ascend.
    bool load_keys(std::uint64_t* keys) {
        std::atomic<bool> descends{false};
        row_blocks const work(n_);
        work.run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            constexpr std::int64_t block = 1024;  // keys of several columns meet in the cache
            bool down = false;
            for (std::int64_t i = begin; i < end; i += block) {
                std::int64_t const stop = std::min(i + block, end);
                plan_.load_first(i, stop, keys + i);
                for (std::int64_t j = std::max(i, begin + 1); j < stop && !down; ++j) down = keys[j - 1] > keys[j];
            }
            if (down) descends.store(true, std::memory_order_relaxed);
        });
        bool down = descends.load();
        for (std::int64_t t = 1; t < work.count; ++t) down |= keys[work.begin(t) - 1] > keys[work.begin(t)];
        return !down;
    }

    void count_keys(std::uint64_t const* keys, std::int64_t distinct) {
        row_blocks const work(n_);
        std::vector<std::int64_t> start;
        auto at = places(
            work, distinct, [&](std::int64_t i) { return keys[i]; }, start);
        work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
            auto* const next = at[static_cast<std::size_t>(t)].data();
            for (std::int64_t i = begin; i < end; ++i) put(next[keys[i]]++, i);
        });
    }

    // Pieces that lie one behind another in `rows`, the first at `at` in the result; keys are those of `c`.
    void sort_pieces(keyed_row* rows, pieces const& parts, std::int64_t at, level_cursor c) {
        sched::parallel_for(parts.count(), true, [&](std::int64_t p) {
            std::int64_t const begin = parts.begin(p), n = parts.size(p);
            if (n >= limits().large_piece || n == 0) return;
            scratch<keyed_row> spare(n);
            if (!spare.ready()) return failed_.store(true);
            bucket_counts counts;
            sort_loaded(rows + begin, spare.data(), n, c, counts);
            put_rows(rows + begin, n, at + begin);
        });
        for (std::int64_t p = 0; p < parts.count(); ++p)
            if (parts.size(p) >= limits().large_piece)
                sort_large(rows + parts.begin(p), parts.size(p), at + parts.begin(p), c);
    }

    // As one piece, but by all threads.
    void sort_large(keyed_row* rows, std::int64_t n, std::int64_t at, level_cursor c) {
        auto const key = [rows](std::int64_t i) { return rows[i].key; };
        row_blocks const work(n);
        key_bounds b = bounds(key, n);
        while (b.low == b.high) {
            c = plan_.after(c, b.low);
            if (plan_.ends_at(c))
                return work.run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
                    put_rows(rows + begin, end - begin, at + begin);
                });
            work.run(
                [&](std::int64_t, std::int64_t begin, std::int64_t end) { plan_.load(c, rows + begin, end - begin); });
            b = bounds(key, n);
        }
        scratch<keyed_row> moved(n);
        if (!moved.ready()) throw std::bad_alloc();
        auto const parts = split(
            key, [rows](std::int64_t i) { return rows[i]; }, n, b.low, b.high, moved.data());
        sort_pieces(moved.data(), parts, at, c);
    }

    // On one thread, inside the cache.
    void sort_loaded(keyed_row* a, keyed_row* spare, std::int64_t n, level_cursor c, bucket_counts& counts) noexcept {
        sort_piece(a, spare, n, counts);
        if (plan_.is_last(c)) return;
        for (std::int64_t i = 0, j; i < n; i = j) {
            for (j = i + 1; j < n && a[j].key == a[i].key;) ++j;
            if (j - i > 1) sort_equal(a + i, spare + i, j - i, plan_.after(c, a[i].key), counts);
        }
    }
    // Rows that were equal up to the comparison before `c`. A loop while they stay equal: long strings may agree for
    // more levels than a stack holds.
    void sort_equal(keyed_row* a, keyed_row* spare, std::int64_t n, level_cursor c, bucket_counts& counts) noexcept {
        for (; !plan_.ends_at(c); c = plan_.after(c, a[0].key)) {
            plan_.load(c, a, n);
            if (!std::all_of(a, a + n, [&](keyed_row const& r) { return r.key == a[0].key; }))
                return sort_loaded(a, spare, n, c, counts);
        }
    }

    sort_plan const& plan_;
    void* out_;
    bool wide_;
    std::int64_t n_;
    std::atomic<bool> failed_{false};
};

status argsort_one(argsort_args const& a) noexcept {
    return guarded("[argsort] no memory for the keys", [&] {
        if (a.length == 0) return status::ok;
        sort_plan const plan(a);
        return row_sorter(plan, a).run();
    });
}

}  // namespace

status argsort(argsort_args const& a) noexcept {
    if (a.length > most_rows) return fail(status::not_supported, "[argsort] expected fewer than 2^32 rows");
    for (std::int32_t k = 0; k < a.nkeys; ++k)
        if (a.keys[k].offsets == nullptr && is_complex(a.keys[k].dtype))
            return fail(status::not_supported, "[argsort] complex keys have no order here");
    if (a.rows == 1) return argsort_one(a);
    if (a.nkeys != 1 || a.keys[0].validity != nullptr || a.keys[0].offsets != nullptr)
        return fail(status::value_error, "[argsort] a matrix is sorted by one key of fixed width without a bitmap");
    if (a.length == 0) return status::ok;
    if (has_short_lines(a.rows, a.length) && a.keys[0].ascending && !a.nulls_first) {
        visit_key_type(a.keys[0].dtype, [&](auto tag) { argsort_short_lines<typename decltype(tag)::type>(a); });
        return status::ok;
    }
    std::atomic<status> worst{status::ok};
    sched::parallel_for(a.rows, a.length * a.rows > limits().small_sort, [&](std::int64_t r) {
        sort_key key = a.keys[0];
        key.data = static_cast<char const*>(key.data) + r * a.length * itemsize(key.dtype);
        argsort_args one = a;
        one.rows = 1;
        one.keys = &key;
        one.out = static_cast<char*>(a.out) + r * a.length * (a.wide ? 8 : 4);
        if (status const s = argsort_one(one); s != status::ok) worst.store(s);
    });
    return worst.load() == status::ok ? status::ok : fail(worst.load(), "[argsort] no memory for the keys");
}

}  // namespace bascule::cpu::tables::ordering
