// Pairs of equal rows. One side is listed by key; the other is walked in order, first counting its matches, then
// writing them behind those of the rows before, so that the order of the result costs no sort. Results by key walk the
// two lists.
#include "backend/cpu/tables/join.hpp"
#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/sort/limits.hpp"
#include "backend/cpu/tables/join_lookup.hpp"

namespace bascule::cpu::tables::joining {
namespace {

using namespace sorting;

constexpr std::int64_t block_rows = 16384;  // rows whose matches are counted and written together
constexpr std::int64_t ahead = 16;
constexpr std::int64_t lopsided = 2;  // a side of so many times the rows of the other is not listed whole

class joiner {
public:
    explicit joiner(join_pairs_args& a) noexcept : a_(a), left_(a, a.left), right_(a, a.right) {}
    status run() {
        if (a_.sorted || a_.how == join_how::outer) return by_key();
        return a_.how == join_how::right ? in_order(right_, left_) : in_order(left_, right_);
    }

private:
    // ---- in the order of one side
    status in_order(join_keys const& walked, join_keys const& listed) {
        std::int64_t const n = walked.length(), others = listed.length();
        std::unique_ptr<rows_by_key> by_key;
        std::optional<row_of_key> numbers;
        if (others > 0 && n <= others / lopsided) {
            bool repeats = false;
            numbers = row_of_key::any_of(walked, others, by_key, repeats);
            if (numbers && !repeats) return match_others(*numbers, walked, listed, true);
            if (by_key) return match_others(row_of_key::number_of_key(std::move(by_key)), walked, listed, false);
        }
        if (others > 0 && (!numbers || fits_table(listed.range(), std::max(n, others))))
            if (auto const rows = row_of_key::of(listed, n, by_key)) return match_once(*rows, walked);
        if (numbers) return match_others(*numbers, walked, listed, false);
        scratch<match_list> matches(walked.length());
        if (!matches.ready()) throw std::bad_alloc();
        key_range const& range = listed.range();
        if (others == 0) {
            std::fill_n(matches.data(), n, match_list{0, 0});
            return write(matches.data(), n, nullptr);
        }
        if (!fits_table(range, std::max(n, others))) {
            blocks(n).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
                by_key->find(walked, begin, end, matches.data() + begin);
            });
            return write(matches.data(), n, by_key->rows());
        }
        rows_by_slot const index = list(listed, range);
        find(walked, range, index, matches.data());
        return write(matches.data(), n, index.row.data());
    }
    static row_blocks blocks(std::int64_t n) noexcept { return row_blocks(n, n / block_rows + 1, block_rows); }
    static rows_by_slot list(join_keys const& keys, key_range const& range) {
        scratch<std::uint32_t> slots(keys.length());
        if (!slots.ready()) throw std::bad_alloc();
        slots_by_range(keys, range, slots.data());
        return rows_by_slot(slots.data(), keys.length(), slot_count(range));
    }
    static void find(join_keys const& walked, key_range const& range, rows_by_slot const& index, match_list* matches) {
        std::int64_t const n = walked.length();
        scratch<std::uint32_t> slots(n);
        if (!slots.ready()) throw std::bad_alloc();
        slots_by_range(walked, range, slots.data());
        auto const* const first = index.first.data();
        auto const* const slot = slots.data();
        blocks(n).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                if (i + ahead < end && slot[i + ahead] != no_slot) __builtin_prefetch(first + slot[i + ahead]);
                std::uint32_t const s = slot[i];
                matches[i] = s == no_slot ? match_list{0, 0} : match_list{first[s], first[s + 1] - first[s]};
            }
        });
    }

    // Rows that have a match, and their matches, a block of rows after another.
    struct matched_rows {
        scratch<std::uint32_t> own, other;
        row_blocks work;
        std::vector<std::int64_t> base;  // pairs before each block, and in all

        matched_rows(row_of_key const& rows, join_keys const& keys)
            : own(keys.length()), other(keys.length()), work(blocks(keys.length())),
              base(static_cast<std::size_t>(work.count) + 1) {
            if (!own.ready() || !other.ready()) throw std::bad_alloc();
            work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
                base[static_cast<std::size_t>(t) + 1] =
                    rows.match(keys, begin, end, own.data() + begin, other.data() + begin);
            });
            for (std::size_t t = 1; t < base.size(); ++t) base[t] += base[t - 1];
        }
        std::int64_t count() const noexcept { return base.back(); }
        // f(place of the pair, row, match)
        template <class F> void each(F const& f) const {
            work.run([&](std::int64_t t, std::int64_t i, std::int64_t) {
                auto const end = base[static_cast<std::size_t>(t) + 1];
                for (auto at = base[static_cast<std::size_t>(t)]; at < end; ++at, ++i) f(at, own[i], other[i]);
            });
        }
        // Whether the matches ascend.
        bool ascend() const {
            std::atomic<bool> falls{false};
            work.run([&](std::int64_t t, std::int64_t begin, std::int64_t) {
                auto const n = base[static_cast<std::size_t>(t) + 1] - base[static_cast<std::size_t>(t)];
                bool fall = falls.load(std::memory_order_relaxed);
                for (std::int64_t i = begin + 1; i < begin + n && !fall; ++i) fall = other[i] < other[i - 1];
                if (fall) falls.store(true, std::memory_order_relaxed);
            });
            std::uint32_t last = 0;
            for (std::int64_t t = 0; t < work.count && !falls.load(); ++t) {
                auto const n = base[static_cast<std::size_t>(t) + 1] - base[static_cast<std::size_t>(t)];
                if (n == 0) continue;
                if (other[work.begin(t)] < last) return false;
                last = other[work.begin(t) + n - 1];
            }
            return !falls.load();
        }
    };

    // Keys of the listed side do not repeat: each walked row has one match or none.
    status match_once(row_of_key const& rows, join_keys const& walked) {
        if (a_.how != join_how::inner) {
            allocate_results(walked.length());
            with_results([&](auto* own, auto* other) { put_all(rows, walked, own, other); });
            return status::ok;
        }
        matched_rows const found(rows, walked);
        allocate_results(found.count());
        with_results([&]<class I>(I* own, I* other) {
            found.each([&](std::int64_t at, std::uint32_t i, std::uint32_t match) {
                own[at] = static_cast<I>(i), other[at] = static_cast<I>(match);
            });
        });
        return status::ok;
    }
    template <class I> static void put_all(row_of_key const& rows, join_keys const& walked, I* own, I* other) {
        blocks(walked.length()).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            rows.each(walked, begin, end, [&](std::int64_t i, std::uint32_t match) {
                own[i] = static_cast<I>(i), other[i] = match == no_row ? I{-1} : static_cast<I>(match);
            });
        });
    }
    // The walked side is the shorter one: its rows, or the numbers of its keys where these repeat, of each of the
    // others, which are listed by them.
    status match_others(row_of_key const& numbers, join_keys const& walked, join_keys const& others, bool unique) {
        std::int64_t const n = walked.length();
        matched_rows const found(numbers, others);
        if (unique && a_.how == join_how::inner && found.ascend()) {
            allocate_results(found.count());
            with_results([&]<class I>(I* own, I* other) {
                found.each([&](std::int64_t at, std::uint32_t i, std::uint32_t match) {
                    own[at] = static_cast<I>(match), other[at] = static_cast<I>(i);
                });
            });
            return status::ok;
        }
        scratch<slot_row> some(found.count());
        if (!some.ready()) throw std::bad_alloc();
        found.each([&](std::int64_t at, std::uint32_t i, std::uint32_t match) { some[at] = {match, i}; });
        rows_by_slot const index(some.data(), found.count(), n);
        scratch<match_list> matches(n);
        if (!matches.ready()) throw std::bad_alloc();
        auto const list = [&](std::int64_t i, std::uint32_t k) {
            matches[i] = {index.first[k], index.first[k + 1] - index.first[k]};
        };
        blocks(n).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            if (!unique) return numbers.each(walked, begin, end, list);
            for (std::int64_t i = begin; i < end; ++i) list(i, static_cast<std::uint32_t>(i));
        });
        return write(matches.data(), n, index.row.data());
    }

    // f with the result's rows of the walked side, and those of the listed one.
    template <class F> void with_results(F const& f) const {
        bool const swapped = a_.how == join_how::right;
        void *const walked = swapped ? a_.right_rows : a_.left_rows, *const listed = swapped ? a_.left_rows
                                                                                             : a_.right_rows;
        if (a_.wide) f(static_cast<std::int64_t*>(walked), static_cast<std::int64_t*>(listed));
        else f(static_cast<std::int32_t*>(walked), static_cast<std::int32_t*>(listed));
    }

    // Pairs before each block; the last entry is their number.
    template <class Count> static std::vector<std::int64_t> prefix(row_blocks const& work, Count const& count) {
        std::vector<std::int64_t> base(static_cast<std::size_t>(work.count) + 1);
        work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
            std::int64_t sum = 0;
            for (std::int64_t i = begin; i < end; ++i) sum += count(i);
            base[static_cast<std::size_t>(t) + 1] = sum;
        });
        for (std::size_t t = 1; t < base.size(); ++t) base[t] += base[t - 1];
        return base;
    }
    void allocate_results(std::int64_t pairs) {
        std::int64_t const bytes = std::max<std::int64_t>(pairs, 1) * (a_.wide ? 8 : 4);
        a_.left_rows = a_.allocate(a_.owner, bytes);
        a_.right_rows = a_.allocate(a_.owner, bytes);
        if (a_.left_rows == nullptr || a_.right_rows == nullptr) throw std::bad_alloc();
        a_.count = pairs;
    }

    status write(match_list const* matches, std::int64_t n, std::uint32_t const* row) {
        std::int64_t const least = a_.how == join_how::inner ? 0 : 1;  // a row without a match still gives a pair
        row_blocks const work = blocks(n);
        auto const base = prefix(work, [&](std::int64_t i) { return std::max<std::int64_t>(matches[i].count, least); });
        allocate_results(base.back());
        work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
            std::int64_t const at = base[static_cast<std::size_t>(t)];
            with_results([&](auto* walked, auto* listed) {
                write_block(matches, row, begin, end, least, walked + at, listed + at);
            });
        });
        return status::ok;
    }
    template <class I>
    static void write_block(match_list const* matches, std::uint32_t const* row, std::int64_t begin, std::int64_t end,
                            std::int64_t least, I* walked, I* listed) noexcept {
        for (std::int64_t i = begin; i < end; ++i) {
            if (i + ahead < end && matches[i + ahead].count > 0) __builtin_prefetch(row + matches[i + ahead].first);
            match_list const m = matches[i];
            for (std::uint32_t j = 0; j < m.count; ++j) {
                *walked++ = static_cast<I>(i);
                *listed++ = static_cast<I>(row[m.first + j]);
            }
            if (m.count == 0 && least == 1) {
                *walked++ = static_cast<I>(i);
                *listed++ = I{-1};
            }
        }
    }

    // ---- in the order of the keys
    status by_key() {
        scratch<std::uint32_t> left_slots(left_.length()), right_slots(right_.length());
        if (!left_slots.ready() || !right_slots.ready()) throw std::bad_alloc();
        key_range range = left_.range();
        range.merge(right_.range());
        std::int64_t slots = 0;
        if (fits_table(range, left_.length() + right_.length())) {
            slots_by_range(left_, range, left_slots.data());
            slots_by_range(right_, range, right_slots.data());
            slots = slot_count(range);
        } else {
            slots = slots_by_sorting(left_, right_, left_slots.data(), right_slots.data());
        }
        rows_by_slot const left(left_slots.data(), left_.length(), slots),
            right(right_slots.data(), right_.length(), slots);
        return walk(left, right, slots);
    }
    status walk(rows_by_slot const& left, rows_by_slot const& right, std::int64_t slots) {
        bool const keep_left = a_.how == join_how::left || a_.how == join_how::outer,
                   keep_right = a_.how == join_how::right || a_.how == join_how::outer;
        row_blocks const work(slots, slots / block_rows + 1, block_rows);
        auto const pairs = [&](std::int64_t s) {
            std::int64_t const l = left.first[s + 1] - left.first[s], r = right.first[s + 1] - right.first[s];
            if (l > 0 && r > 0) return l * r;
            return keep_left && l > 0 ? l : keep_right && r > 0 ? r : std::int64_t{0};
        };
        auto const base = prefix(work, pairs);
        allocate_results(base.back());
        work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
            std::int64_t const at = base[static_cast<std::size_t>(t)];
            auto const write = [&](auto* l, auto* r) {
                for (std::int64_t s = begin; s < end; ++s)
                    if (pairs(s) > 0) write_key(left, right, s, a_.how == join_how::right, l, r);
            };
            if (a_.wide)
                write(static_cast<std::int64_t*>(a_.left_rows) + at, static_cast<std::int64_t*>(a_.right_rows) + at);
            else write(static_cast<std::int32_t*>(a_.left_rows) + at, static_cast<std::int32_t*>(a_.right_rows) + at);
        });
        return status::ok;
    }
    // All pairs of one key; moves l and r behind them. A right join's follow the right rows first.
    template <class I>
    static void write_key(rows_by_slot const& left, rows_by_slot const& right, std::int64_t s, bool right_first, I*& l,
                          I*& r) noexcept {
        std::uint32_t const l0 = left.first[s], l1 = left.first[s + 1], r0 = right.first[s], r1 = right.first[s + 1];
        auto const put = [&](std::int64_t a, std::int64_t b) {
            *l++ = static_cast<I>(a);
            *r++ = static_cast<I>(b);
        };
        if (l0 == l1)
            for (std::uint32_t j = r0; j < r1; ++j) put(-1, right.row[j]);
        else if (r0 == r1)
            for (std::uint32_t i = l0; i < l1; ++i) put(left.row[i], -1);
        else if (right_first)
            for (std::uint32_t j = r0; j < r1; ++j)
                for (std::uint32_t i = l0; i < l1; ++i) put(left.row[i], right.row[j]);
        else
            for (std::uint32_t i = l0; i < l1; ++i)
                for (std::uint32_t j = r0; j < r1; ++j) put(left.row[i], right.row[j]);
    }

    join_pairs_args& a_;
    join_keys left_, right_;
};

}  // namespace

status join_pairs(join_pairs_args& a) noexcept {
    if (a.left.length + a.right.length > most_rows)
        return fail(status::not_supported, "[join] expected fewer than 2^32 rows on both sides together");
    if (is_complex(a.dtype)) return fail(status::not_supported, "[join] complex keys have no order here");
    return guarded("[join] no memory for the lists of rows or the result", [&] { return joiner(a).run(); });
}

}  // namespace bascule::cpu::tables::joining
