// Numbers for equal rows: rows in order, a mark where a row differs from the one before, a running sum of the marks.
#include <thrust/fill.h>
#include <thrust/scan.h>

#include <vector>

#include "backend/cuda/algorithms/thrust/order_key.hpp"
#include "backend/cuda/algorithms/thrust/radix_sort.hpp"
#include "backend/cuda/algorithms/thrust/row_numbers.hpp"
#include "backend/cuda/algorithms/thrust/strings/text.hpp"

namespace bascule::cuda::algorithms {
namespace {

// marks[i]: row i in order begins a group.
template <class K> struct mark_heads {
    key_at<K> column;
    std::uint32_t const* order;
    std::uint32_t* marks;
    BASCULE_HD void operator()(std::int64_t i) const {
        if (i == 0) {
            marks[0] = 1;
            return;
        }
        std::int64_t const here = order[i], before = order[i - 1];
        bool const differs = column(here) != column(before) || column.is_null(here) != column.is_null(before);
        if (differs) marks[i] = 1;
    }
};
struct mark_text_heads {
    text_column column;
    std::uint32_t const* order;
    std::uint32_t* marks;
    BASCULE_HD void operator()(std::int64_t i) const {
        if (i == 0) {
            marks[0] = 1;
            return;
        }
        std::int64_t const here = order[i], before = order[i - 1];
        bool const none = column.is_null(here);
        if (none != column.is_null(before) || (!none && !text_order::equal(column[here], column[before]))) marks[i] = 1;
    }
};
struct mark_null_text {
    text_column column;
    std::uint8_t* dropped;
    BASCULE_HD void operator()(std::int64_t i) const {
        if (column.is_null(i)) dropped[i] = 1;
    }
};
template <class K> struct mark_null {
    key_at<K> column;
    std::uint8_t* dropped;
    BASCULE_HD void operator()(std::int64_t i) const {
        if (column.is_null(i)) dropped[i] = 1;
    }
};
struct dropped_at {
    std::uint8_t const* dropped;
    BASCULE_HD std::uint8_t operator()(std::uint32_t at) const { return dropped[at]; }
};
// Marks of rows that are in no group do not count.
struct clear_dropped {
    std::uint32_t const* order;
    std::uint8_t const* dropped;
    std::uint32_t* marks;
    BASCULE_HD void operator()(std::int64_t i) const {
        if (dropped[order[i]]) marks[i] = 0;
    }
};

struct find_first {
    std::uint32_t const *order, *groups;  // groups: counted from 1, of rows in order
    std::int64_t* first;
    std::uint8_t const* dropped;
    BASCULE_HD void operator()(std::int64_t i) const {
        if (dropped && dropped[order[i]]) return;
        if (i == 0 || groups[i] != groups[i - 1]) first[groups[i] - 1] = order[i];
    }
};
struct write_codes {
    std::uint32_t const *order, *groups;
    std::uint8_t const* dropped;
    std::uint32_t const* renamed;  // null: groups keep their numbers
    std::uint32_t* codes;
    std::int64_t* wide;
    BASCULE_HD void operator()(std::int64_t i) const {
        std::uint32_t const row = order[i];
        bool const none = dropped && dropped[row];
        std::uint32_t const sorted = none ? 0 : groups[i] - 1, group = renamed && !none ? renamed[sorted] : sorted;
        if (codes) codes[row] = none ? null_group : group;
        if (wide) wide[row] = none ? -1 : static_cast<std::int64_t>(group);
    }
};
struct rename {
    std::uint32_t const* by_first;
    std::uint32_t* renamed;
    BASCULE_HD void operator()(std::int64_t i) const { renamed[by_first[i]] = static_cast<std::uint32_t>(i); }
};

class grouping {
public:
    grouping(context const& c, factorize_args const& a)
        : c_(c), a_(a), n_(a.length), order_(c, n_), groups_(c, n_), dropped_(c, a.keep_nulls ? 1 : n_) {
        for (std::int32_t i = 0; i < a.nkeys; ++i) {
            group_column const& k = a.keys[i];
            // A bitmap, where there is one, decides alone which cells are null; NaN would then be a value.
            if (!k.offsets && k.validity && (is_float(k.dtype) || is_time(k.dtype)))
                throw unsupported{"floats and times with a bitmap are not grouped"};
            keys_.push_back({.dtype = k.dtype, .data = k.data, .validity = k.validity, .offsets = k.offsets});
        }
        find_groups();
    }
    std::int64_t count() const { return c_.read(groups_.get() + n_ - 1); }
    void write(std::int64_t groups, std::int64_t* first) const {
        for_each_index(c_, n_, find_first{order_.get(), groups_.get(), first, dropped()});
        if (a_.order == group_order::sorted) return codes(nullptr);
        buffer<std::uint32_t> const keys(c_, groups), by_first(c_, groups), renamed(c_, groups);
        auto *const k = keys.get(), *const b = by_first.get();
        fill_by_index(c_, k, groups, element_at<std::int64_t>{first});
        fill_by_index(c_, b, groups, row_number{});
        sort_pairs(c_, k, b, groups);
        fill_by_index(c_, first, groups, element_at<std::uint32_t>{k});
        for_each_index(c_, groups, rename{b, renamed.get()});
        codes(renamed.get());
    }

private:
    void find_groups() {
        auto *const order = order_.get(), *const marks = groups_.get();
        std::int64_t const n = n_;
        order_rows(c_, keys_.data(), static_cast<std::int32_t>(keys_.size()), n, false, order);
        if (dropped()) drop();
        c_.queue([=](auto const& policy) { thrust::fill(policy, marks, marks + n, 0u); });
        for (sort_key const& key : keys_) {
            if (key.offsets) {
                for_each_index(c_, n, mark_text_heads{text_column(key), order, marks});
                continue;
            }
            with_key(key.dtype, [&](auto zero) {
                using K = decltype(zero);
                for_each_index(c_, n, mark_heads<K>{key_column<K>(key), order, marks});
            });
        }
        if (dropped()) for_each_index(c_, n, clear_dropped{order, dropped(), marks});
        c_.queue([=](auto const& policy) { thrust::inclusive_scan(policy, marks, marks + n, marks); });
    }
    // Rows that are in no group go behind the others.
    void drop() const {
        auto* const order = order_.get();
        auto* const dropped = dropped_.get();
        std::int64_t const n = n_;
        c_.queue([=](auto const& policy) { thrust::fill(policy, dropped, dropped + n, std::uint8_t{0}); });
        for (sort_key const& key : keys_) {
            if (key.offsets) {
                for_each_index(c_, n, mark_null_text{text_column(key), dropped});
                continue;
            }
            with_key(key.dtype, [&](auto zero) {
                using K = decltype(zero);
                for_each_index(c_, n, mark_null<K>{key_column<K>(key), dropped});
            });
        }
        buffer<std::uint8_t> const keys(c_, n);
        auto* const k = keys.get();
        fill_by_index(c_, k, n, of_rows<dropped_at>{order, {dropped}});
        sort_pairs(c_, k, order, n);
    }
    void codes(std::uint32_t const* renamed) const {
        if (a_.codes || a_.wide_codes)
            for_each_index(c_, n_,
                           write_codes{order_.get(), groups_.get(), dropped(), renamed, a_.codes, a_.wide_codes});
    }
    std::uint8_t* dropped() const { return a_.keep_nulls ? nullptr : dropped_.get(); }

    context const& c_;
    factorize_args const& a_;
    std::int64_t n_;
    std::vector<sort_key> keys_;
    buffer<std::uint32_t> order_, groups_;
    buffer<std::uint8_t> dropped_;
};

}  // namespace

void factorize(context const& c, factorize_args& a) {
    a.groups = 0;
    a.first = nullptr;
    if (a.length >= most_positions) throw unsupported{"2^32 rows or more"};
    if (a.length == 0) {
        if (a.want_first) a.first = static_cast<std::int64_t*>(a.allocate(a.owner, 0));
        return;
    }
    grouping const found(c, a);
    a.groups = found.count();
    if (a.want_first) {
        a.first = static_cast<std::int64_t*>(a.allocate(a.owner, 8 * a.groups));
        if (!a.first && a.groups > 0) throw host_said_no{};
        return found.write(a.groups, a.first);
    }
    buffer<std::int64_t> const first(c, a.groups);
    found.write(a.groups, first.get());
}

}  // namespace bascule::cuda::algorithms
