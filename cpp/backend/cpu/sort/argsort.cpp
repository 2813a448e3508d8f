// The order of rows: keys of the first level are split and sorted piece by piece; rows still equal are ordered level by
// level.
#include <atomic>
#include <memory>
#include <span>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/sort/limits.hpp"
#include "backend/cpu/sort/packed_rows.hpp"
#include "backend/cpu/sort/short_lines.hpp"
#include "backend/cpu/sort/sort.hpp"
#include "backend/cpu/sort/sort_plan.hpp"

namespace bascule::cpu::sorting {
namespace {

constexpr std::int64_t countable = 2048;  // so few distinct keys need no records: rows go straight to their positions

// R has room for the columns that are moved along.
template <class R> class row_sorter {
public:
    row_sorter(sort_plan const& plan, argsort_args const& a) noexcept
        : plan_(plan), args_(a), n_(a.length), past_caches_(a.length * 8 >= limits().past_caches) {
        int wide = 0;
        for (auto const& c : std::span(a.carried, static_cast<std::size_t>(a.ncarried))) {
            if (c.bytes < 8) small_ = c;
            else wide_[wide++] = c;
        }
    }
    status run() {
        if (plan_.levels() == 0 || n_ < 2) put_identity();
        else if (n_ <= limits().small_sort) sort_few();
        else sort_many();
        return failed_.load() ? fail(status::out_of_memory, "[argsort] no memory for the records of a piece")
                              : status::ok;
    }

private:
    // ---- results
    // f(a store to the positions of rows)
    template <class F> void with_positions(F const& f) {
        auto const as = [&](auto* out) {
            using T = std::remove_pointer_t<decltype(out)>;
            if (past_caches_) f([out](std::int64_t at, std::int64_t row) { store_past_caches(out + at, T(row)); });
            else f([out](std::int64_t at, std::int64_t row) { out[at] = T(row); });
        };
        if (args_.wide) as(static_cast<std::int64_t*>(args_.out));
        else as(static_cast<std::int32_t*>(args_.out));
    }
    void put_identity() noexcept {
        auto const copy = [](void* to, void const* from, std::int64_t begin, std::int64_t end, std::int64_t item) {
            if (to != nullptr)
                std::memcpy(static_cast<char*>(to) + begin * item, static_cast<char const*>(from) + begin * item,
                            static_cast<std::size_t>((end - begin) * item));
        };
        with_positions([&](auto const& put) {
            row_blocks(n_).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) put(i, i);
                copy(args_.sorted, args_.keys[0].data, begin, end, itemsize(args_.keys[0].dtype));
                for (std::int32_t c = 0; c < args_.ncarried; ++c)
                    copy(args_.carried[c].out, args_.carried[c].data, begin, end, args_.carried[c].bytes);
                end_of_stores();
            });
        });
    }
    void put_rows(R const* a, std::int64_t n, std::int64_t at) noexcept {
        with_positions([&](auto const& put) {
            for (std::int64_t i = 0; i < n; ++i) put(at + i, a[i].row);
        });
        if (args_.sorted != nullptr)
            visit_key_type(args_.keys[0].dtype, [&](auto tag) {
                using T = typename decltype(tag)::type;
                value_codes<T> const codes(*plan_.only_values());
                put_all(static_cast<T*>(args_.sorted) + at, n,
                        [&](std::int64_t i) { return codes.value(a[i].key, a[i].row); });
            });
        put_small([a](std::int64_t i) { return a[i].small; }, n, at);
        if constexpr (R::wide_items > 0)
            for (int w = 0; w < R::wide_items; ++w)
                put_all(static_cast<std::uint64_t*>(wide_[w].out) + at, n,
                        [&](std::int64_t i) { return a[i].wide[w]; });
        end_of_stores();
    }
    template <class T, class Item> void put_all(T* out, std::int64_t n, Item const& item) noexcept {
        if (past_caches_)
            for (std::int64_t i = 0; i < n; ++i) store_past_caches(out + i, static_cast<T>(item(i)));
        else
            for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(item(i));
    }

    // ---- other columns, moved along
    R record(std::uint64_t key, std::int64_t row) const noexcept {
        R r;
        r.key = key;
        r.row = static_cast<std::uint32_t>(row);
        r.small = small_item(row);
        if constexpr (R::wide_items > 0)
            for (int w = 0; w < R::wide_items; ++w) r.wide[w] = static_cast<std::uint64_t const*>(wide_[w].data)[row];
        return r;
    }
    std::uint32_t small_item(std::int64_t row) const noexcept {
        switch (small_.bytes) {
            case 1: return static_cast<std::uint8_t const*>(small_.data)[row];
            case 2: return static_cast<std::uint16_t const*>(small_.data)[row];
            case 4: return static_cast<std::uint32_t const*>(small_.data)[row];
            default: return 0;
        }
    }
    template <class Item> void put_small(Item const& item, std::int64_t n, std::int64_t at) noexcept {
        switch (small_.bytes) {
            case 1: return put_all(static_cast<std::uint8_t*>(small_.out) + at, n, item);
            case 2: return put_all(static_cast<std::uint16_t*>(small_.out) + at, n, item);
            case 4: return put_all(static_cast<std::uint32_t*>(small_.out) + at, n, item);
            default: return;
        }
    }
    // The rows of results whose positions are there.
    void gather_carried() noexcept {
        row_blocks(n_).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            put_small([&](std::int64_t i) { return small_item(row_at(begin + i)); }, end - begin, begin);
            for (int w = 0; w < R::wide_items; ++w)
                put_all(static_cast<std::uint64_t*>(wide_[w].out) + begin, end - begin, [&](std::int64_t i) {
                    return static_cast<std::uint64_t const*>(wide_[w].data)[row_at(begin + i)];
                });
            end_of_stores();
        });
    }

    // ---- ways
    void sort_few() {
        if (only_rows()) {
            scratch<std::uint64_t> keys(n_);
            if (!keys.ready()) throw std::bad_alloc();
            plan_.load_first(0, n_, keys.data());
            if (sort_packed([k = keys.data()](std::int64_t i) { return k[i]; })) return;
        }
        scratch<R> rows(n_), spare(n_);
        if (!rows.ready() || !spare.ready()) throw std::bad_alloc();
        for (std::int64_t i = 0; i < n_; ++i) rows[i] = record(0, i);
        plan_.load({}, rows.data(), n_);
        bucket_counts counts;
        put_rows(sort_loaded(rows.data(), spare.data(), n_, {}, counts), n_, 0);
    }

    void sort_many() {
        if (auto const* const p = plan_.only_values()) {
            visit_key_type(p->column.dtype, [&](auto tag) { sort_by(value_codes<typename decltype(tag)::type>(*p)); });
            return;
        }
        scratch<std::uint64_t> keys(n_);
        if (!keys.ready()) throw std::bad_alloc();
        row_blocks(n_).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            constexpr std::int64_t block = 1024;  // keys of several columns are combined in the cache
            for (std::int64_t i = begin; i < end; i += block)
                plan_.load_first(i, std::min(i + block, end), keys.data() + i);
        });
        sort_by([k = keys.data()](std::int64_t i) { return k[i]; });
    }

    // key(i) is the key of row i in the first level.
    template <class Key> void sort_by(Key const& key) {
        std::uint64_t const high = plan_.high({});
        if (plan_.is_last({}) && ascend(key)) return put_identity();
        if (high < static_cast<std::uint64_t>(countable) && plan_.is_last({}))
            return count_keys(key, static_cast<std::int64_t>(high) + 1);
        if (only_rows() && sort_packed(key)) return;
        scratch<R> rows(n_);
        if (!rows.ready()) throw std::bad_alloc();
        auto const parts = split(
            key, [&](std::int64_t i) { return record(key(i), i); }, n_, 0, high, rows.data());
        sort_pieces(rows.data(), parts, 0, {});
    }
    // Whether there is one comparison, and nothing but the rows to be returned.
    bool only_rows() const noexcept { return plan_.is_last({}) && args_.sorted == nullptr && args_.ncarried == 0; }
    template <class Key> bool sort_packed(Key const& key) {
        packed_rows const packed(key, plan_.high({}), n_);
        if (!packed.suits()) return false;
        with_positions([&](auto const& put) { packed.run(put, end_of_stores); });
        return true;
    }
    template <class Key> bool ascend(Key const& key) const {
        std::atomic<bool> down{false};
        row_blocks(n_).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = std::max<std::int64_t>(begin, 1); i < end; ++i)
                if (key(i - 1) > key(i)) return down.store(true, std::memory_order_relaxed);
        });
        return !down.load();
    }

    template <class Key> void count_keys(Key const& key, std::int64_t distinct) {
        row_blocks const work(n_);
        std::vector<std::int64_t> start;
        auto at = positions(
            work, distinct, [&](std::int64_t i) { return key(i); }, start);
        work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
            auto* const next = at[static_cast<std::size_t>(t)].data();
            if (args_.wide)
                for (std::int64_t i = begin; i < end; ++i) static_cast<std::int64_t*>(args_.out)[next[key(i)]++] = i;
            else
                for (std::int64_t i = begin; i < end; ++i)
                    static_cast<std::int32_t*>(args_.out)[next[key(i)]++] = static_cast<std::int32_t>(i);
        });
        if (args_.sorted != nullptr) fill_sorted(start);
        gather_carried();
    }
    // Values in runs of equal keys, whose rows are known.
    void fill_sorted(std::vector<std::int64_t> const& start) {
        visit_key_type(args_.keys[0].dtype, [&](auto tag) {
            using T = typename decltype(tag)::type;
            value_codes<T> const codes(*plan_.only_values());
            auto* const out = static_cast<T*>(args_.sorted);
            row_blocks(n_).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
                auto k = static_cast<std::size_t>(std::upper_bound(start.begin(), start.end(), begin) - start.begin());
                for (std::int64_t i = begin; i < end; ++k)
                    for (std::int64_t const stop = std::min(start[k], end); i < stop; ++i)
                        out[i] = codes.value(k - 1, row_at(i));
            });
        });
    }
    std::int64_t row_at(std::int64_t i) const noexcept {
        return args_.wide ? static_cast<std::int64_t const*>(args_.out)[i]
                          : static_cast<std::int32_t const*>(args_.out)[i];
    }

    // Consecutive pieces of `rows`, the first at `at` in the result; keys are those of `c`.
    void sort_pieces(R* rows, pieces const& parts, std::int64_t at, level_cursor c) {
        sched::parallel_for(parts.count(), true, [&](std::int64_t p) {
            std::int64_t const begin = parts.begin(p), n = parts.size(p);
            if (n >= limits().large_piece || n == 0) return;
            scratch<R> spare(n);
            if (!spare.ready()) return failed_.store(true);
            bucket_counts counts;
            put_rows(sort_loaded(rows + begin, spare.data(), n, c, counts), n, at + begin);
        });
        for (std::int64_t p = 0; p < parts.count(); ++p)
            if (parts.size(p) >= limits().large_piece)
                sort_large(rows + parts.begin(p), parts.size(p), at + parts.begin(p), c);
    }

    // As one piece, but by all threads.
    void sort_large(R* rows, std::int64_t n, std::int64_t at, level_cursor c) {
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
        scratch<R> moved(n);
        if (!moved.ready()) throw std::bad_alloc();
        auto const parts = split(
            key, [rows](std::int64_t i) { return rows[i]; }, n, b.low, b.high, moved.data());
        sort_pieces(moved.data(), parts, at, c);
    }

    // On one thread, inside the cache. The result is in `a` or in `spare`.
    R* sort_loaded(R* a, R* spare, std::int64_t n, level_cursor c, bucket_counts& counts) noexcept {
        R* const sorted = sort_piece(a, spare, n, counts);
        if (plan_.is_last(c)) return sorted;
        R* const other = sorted == a ? spare : a;
        for (std::int64_t i = 0, j; i < n; i = j) {
            for (j = i + 1; j < n && sorted[j].key == sorted[i].key;) ++j;
            if (j - i > 1) sort_equal(sorted + i, other + i, j - i, plan_.after(c, sorted[i].key), counts);
        }
        return sorted;
    }
    // Rows that were equal up to the comparison before `c`. A loop while they stay equal: long strings may agree for
    // more levels than a stack holds.
    void sort_equal(R* a, R* spare, std::int64_t n, level_cursor c, bucket_counts& counts) noexcept {
        for (; !plan_.ends_at(c); c = plan_.after(c, a[0].key)) {
            plan_.load(c, a, n);
            if (std::all_of(a, a + n, [&](R const& r) { return r.key == a[0].key; })) continue;
            if (auto const* const sorted = sort_loaded(a, spare, n, c, counts); sorted != a) std::copy_n(sorted, n, a);
            return;
        }
    }

    sort_plan const& plan_;
    argsort_args const& args_;
    std::int64_t n_;
    bool past_caches_;
    carried_column small_, wide_[std::max(R::wide_items, 1)];
    std::atomic<bool> failed_{false};
};

bool can_carry(argsort_args const& a) noexcept {
    int small = 0, wide = 0;
    for (std::int32_t c = 0; c < a.ncarried; ++c) {
        std::int32_t const bytes = a.carried[c].bytes;
        if (bytes == 8) ++wide;
        else if (bytes == 1 || bytes == 2 || bytes == 4) ++small;
        else return false;
    }
    return a.ncarried == 0 || (a.rows == 1 && small <= 1 && wide <= 2);
}

status argsort_one(argsort_args const& a) noexcept {
    return guarded("[argsort] no memory for the keys", [&] {
        if (a.length == 0) return status::ok;
        sort_plan const plan(a);
        auto const wide = std::count_if(a.carried, a.carried + a.ncarried, [](auto const& c) { return c.bytes == 8; });
        if (wide == 0) return row_sorter<keyed_row>(plan, a).run();
        if (wide == 1) return row_sorter<laden_row<1>>(plan, a).run();
        return row_sorter<laden_row<2>>(plan, a).run();
    });
}

}  // namespace

status argsort(argsort_args const& a) noexcept {
    if (a.length > most_rows) return fail(status::not_supported, "[argsort] expected fewer than 2^32 rows");
    for (std::int32_t k = 0; k < a.nkeys; ++k)
        if (a.keys[k].offsets == nullptr && is_complex(a.keys[k].dtype))
            return fail(status::not_supported, "[argsort] complex keys have no order here");
    if (a.sorted != nullptr && (a.rows != 1 || a.nkeys != 1 || a.keys[0].validity != nullptr || a.keys[0].offsets))
        return fail(status::value_error, "[argsort] values are those of one key of fixed width without a bitmap");
    if (!can_carry(a))
        return fail(status::value_error, "[argsort] one column of up to 4 bytes an item and two of 8 can move along");
    if (a.nkeys == 1 && a.keys[0].validity == nullptr && a.keys[0].offsets == nullptr && a.sorted == nullptr &&
        a.ncarried == 0 && a.wide && is_partition(a.length, a.kth, a.nkth))
        return argpartition(a);
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

}  // namespace bascule::cpu::sorting
