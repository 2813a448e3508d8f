// Rows with equal keys: the keys of both sides in one order, in which the rows of a key are contiguous, those of the
// left side first; then the number of pairs of each row is computed, and each pair looks up its rows.
#include "backend/cuda/algorithms/thrust/group_by_number.hpp"
#include "backend/cuda/algorithms/thrust/order_key.hpp"

namespace bascule::cuda::algorithms {
namespace {

// Both columns, one after the other.
template <class K> struct key_of_row {
    key_at<K> left, right;
    std::int64_t left_rows;
    bool negative_is_null;
    BASCULE_HD bool is_null(std::uint32_t row) const {
        auto const& side = row < left_rows ? left : right;
        std::int64_t const at = row < left_rows ? row : row - left_rows;
        return side.is_null(at) || (negative_is_null && (side.data[at] >> (8 * sizeof(K) - 1)) != 0);
    }
    BASCULE_HD K operator()(std::uint32_t row) const {
        if (is_null(row)) return left.key.null;
        return row < left_rows ? left.key(left.data[row]) : right.key(right.data[row - left_rows]);
    }
};
template <class K> struct null_of_row {
    key_of_row<K> keys;
    std::uint8_t null;  // 0: before the others
    BASCULE_HD std::uint8_t operator()(std::uint32_t row) const { return keys.is_null(row) ? null : 1 - null; }
};
template <class K> struct mark_keys {
    key_of_row<K> keys;
    std::uint32_t const* order;
    std::uint32_t* marks;
    BASCULE_HD void operator()(std::int64_t i) const {
        bool const begins = i == 0 || keys(order[i]) != keys(order[i - 1]) ||
                            keys.is_null(order[i]) != keys.is_null(order[i - 1]);
        marks[i] = begins ? 1 : 0;
    }
};
// Of each key: where its rows begin, and where those of the right side do.
struct find_keys {
    std::uint32_t const *order, *number;  // number: of the key of each place, from 1
    std::int64_t rows, left_rows;
    std::uint32_t *begin, *right;
    BASCULE_HD void operator()(std::int64_t i) const {
        std::uint32_t const k = number[i] - 1, here = static_cast<std::uint32_t>(i);
        bool const first = i == 0 || number[i - 1] != number[i], last = i + 1 == rows || number[i + 1] != number[i];
        bool const is_right = order[i] >= left_rows;
        if (first) begin[k] = here;
        if (is_right && (first || order[i - 1] < left_rows)) right[k] = here;
        if (last && !is_right) right[k] = here + 1;
        if (i + 1 == rows) begin[k + 1] = here + 1;  // otherwise the first row of the next key writes it
    }
};

struct joined_keys {
    std::uint32_t const *order, *number, *begin, *right;
    std::int64_t left_rows;
    bool keep_left, keep_right, by_right;

    struct segment {
        std::int64_t first, middle, end;
    };
    BASCULE_HD segment at(std::int64_t place) const {
        std::uint32_t const k = number[place] - 1;
        return {begin[k], right[k], begin[k + 1]};
    }
    // Pairs that follow the row at a place.
    BASCULE_HD std::int64_t pairs(std::int64_t place) const {
        segment const s = at(place);
        bool const is_right = order[place] >= left_rows;
        std::int64_t const partners = is_right ? s.middle - s.first : s.end - s.middle;
        if (is_right == by_right) return partners == 0 && (is_right ? keep_right : keep_left) ? 1 : partners;
        return is_right && keep_right && partners == 0 ? 1 : 0;
    }
};
struct count_pairs {
    joined_keys keys;
    std::uint32_t const* place_of_row;  // null: pairs are in the order of the positions
    std::int64_t* counts;
    BASCULE_HD void operator()(std::int64_t i) const { counts[i] = keys.pairs(place_of_row ? place_of_row[i] : i); }
};
struct find_positions {
    std::uint32_t const* order;
    std::uint32_t* place_of_row;
    BASCULE_HD void operator()(std::int64_t i) const { place_of_row[order[i]] = static_cast<std::uint32_t>(i); }
};
template <class W> struct write_pairs {
    joined_keys keys;
    std::uint32_t const* place_of_row;
    std::int64_t const* ends;  // of each item's pairs
    std::int64_t items;
    W *left, *right;
    BASCULE_HD void operator()(std::int64_t t) const {
        std::int64_t const item = count_below(ends, items, t + 1), before = item == 0 ? 0 : ends[item - 1];
        std::int64_t const place = place_of_row ? place_of_row[item] : item, row = keys.order[place];
        auto const s = keys.at(place);
        bool const is_right = row >= keys.left_rows;
        std::int64_t const from = is_right ? s.first : s.middle, to = is_right ? s.middle : s.end;
        std::int64_t const partner = from < to ? static_cast<std::int64_t>(keys.order[from + t - before]) : -1;
        std::int64_t const right_row = is_right ? row : partner;
        left[t] = static_cast<W>(is_right ? partner : row);
        right[t] = static_cast<W>(right_row < 0 ? -1 : right_row - keys.left_rows);
    }
};

class joining {
public:
    joining(context const& c, join_pairs_args& a)
        : c_(c), a_(a), n_(a.left.length + a.right.length), order_(c, n_), number_(c, n_), begin_(c, n_ + 1),
          right_(c, n_) {}

    template <class K> void find() const {
        bool const nulls_first = is_time(a_.dtype);
        auto const side = [&](join_side const& s) {
            return key_column<K>({.dtype = a_.dtype, .data = s.data, .validity = s.validity}, nulls_first);
        };
        key_of_row<K> const keys{side(a_.left), side(a_.right), a_.left.length, a_.negative_is_null};
        auto *const order = order_.get(), *const number = number_.get();
        std::int64_t const n = n_;
        fill_by_index(c_, order, n, row_number{});
        sort_by<K>(keys);
        if (a_.left.validity || a_.right.validity || a_.negative_is_null)
            sort_by<std::uint8_t>(null_of_row<K>{keys, static_cast<std::uint8_t>(nulls_first ? 0 : 1)});
        for_each_index(c_, n, mark_keys<K>{keys, order, number});
        c_.queue([=](auto const& policy) { thrust::inclusive_scan(policy, number, number + n, number); });
        for_each_index(c_, n, find_keys{order, number, n, a_.left.length, begin_.get(), right_.get()});
    }

    void pair() const {
        bool const by_right = a_.how == join_how::right;
        bool const follows_keys = a_.sorted || a_.how == join_how::outer;
        joined_keys const keys{order_.get(),
                               number_.get(),
                               begin_.get(),
                               right_.get(),
                               a_.left.length,
                               a_.how == join_how::left || a_.how == join_how::outer,
                               a_.how == join_how::right || a_.how == join_how::outer,
                               by_right};
        buffer<std::uint32_t> const positions(c_, follows_keys ? 0 : n_);
        if (!follows_keys) for_each_index(c_, n_, find_positions{order_.get(), positions.get()});
        std::uint32_t const* const place_of_row = follows_keys ? nullptr
                                                               : positions.get() + (by_right ? a_.left.length : 0);
        std::int64_t const items = follows_keys ? n_ : by_right ? a_.right.length : a_.left.length;
        buffer<std::int64_t> const counts(c_, items);
        auto* const ends = counts.get();
        for_each_index(c_, items, count_pairs{keys, place_of_row, ends});
        if (items > 0) {
            c_.queue([=](auto const& policy) { thrust::inclusive_scan(policy, ends, ends + items, ends); });
            a_.count = c_.read(ends + items - 1);
        }
        allocate();
        if (a_.wide) write<std::int64_t>(keys, place_of_row, ends, items);
        else write<std::int32_t>(keys, place_of_row, ends, items);
    }
    void allocate() const {
        std::int64_t const bytes = std::max<std::int64_t>(a_.count, 1) * (a_.wide ? 8 : 4);
        a_.left_rows = a_.allocate(a_.owner, bytes);
        a_.right_rows = a_.allocate(a_.owner, bytes);
        if (!a_.left_rows || !a_.right_rows) throw host_said_no{};
    }

private:
    template <class K, class Key> void sort_by(Key key) const {
        buffer<K> const keys(c_, n_);
        auto* const k = keys.get();
        auto* const order = order_.get();
        std::int64_t const n = n_;
        fill_by_index(c_, k, n, of_rows<Key>{order, key});
        sort_pairs(c_, k, order, n);
    }
    template <class W>
    void write(joined_keys const& keys, std::uint32_t const* place_of_row, std::int64_t const* ends,
               std::int64_t items) const {
        for_each_index(c_, a_.count,
                       write_pairs<W>{keys, place_of_row, ends, items, static_cast<W*>(a_.left_rows),
                                      static_cast<W*>(a_.right_rows)});
    }

    context const& c_;
    join_pairs_args& a_;
    std::int64_t n_;
    buffer<std::uint32_t> order_, number_, begin_, right_;
};

}  // namespace

void join_pairs(context const& c, join_pairs_args& a) {
    a.count = 0;
    if (a.left.length + a.right.length >= most_positions) throw unsupported{"2^32 rows or more on both sides together"};
    joining const found(c, a);
    if (a.left.length + a.right.length == 0) return found.allocate();
    with_key(a.dtype, [&](auto zero) { found.template find<decltype(zero)>(); });
    found.pair();
}

}  // namespace bascule::cuda::algorithms
