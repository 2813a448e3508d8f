// size, count, first, last: of the rows of a group or a window. Device-clean.
#pragma once
#include "bascule/ops/aggregates/groups.hpp"
#include "bascule/ops/windows/order.hpp"
#include "bascule/ops/windows/sums.hpp"

namespace bascule::ops::aggregate {

template <class T> struct row_count {
    using input = bool;  // any
    using result_type = std::int64_t;
    std::uint32_t n = 0;
    BASCULE_HD void add(T) { ++n; }
    BASCULE_HD void merge(row_count const& later) { n += later.n; }
    BASCULE_HD std::int64_t result(std::int64_t) const { return n; }
};

template <class T, bool Last> struct end_of_rows {
    using input = number<T>;
    using result_type = T;
    T value{};
    std::uint32_t n = 0;
    BASCULE_HD void add(T x) {
        if (n++ == 0 || Last) value = x;
    }
    BASCULE_HD void merge(end_of_rows const& later) {
        if (later.n == 0) return;
        if (n == 0 || Last) value = later.value;
        n += later.n;
    }
    BASCULE_HD T result(std::int64_t) const { return value; }
};

// Missing values count, too: devices give it the rows' numbers for values.
struct size {
    static constexpr aggregate_spec meta{
        .name = "size", .group_types = groupable_types, .identity = 0, .counts_rows = true, .doc = "Number of rows."};
    template <class T> using in_groups = row_count<T>;
};

struct count {
    static constexpr aggregate_spec meta{.name = "count",
                                         .group_types = groupable_types,
                                         .identity = 0,
                                         .counts_rows = true,
                                         .doc = "Number of values that are not missing."};
    template <class T> using in_groups = row_count<T>;
    using in_windows = window::window_count;
};

struct first {
    static constexpr aggregate_spec meta{
        .name = "first", .group_types = groupable_types, .doc = "First value that is not missing."};
    template <class T> using in_groups = end_of_rows<T, false>;
    using in_windows = window::end_value<false>;
};

struct last {
    static constexpr aggregate_spec meta{
        .name = "last", .group_types = groupable_types, .doc = "Last value that is not missing."};
    template <class T> using in_groups = end_of_rows<T, true>;
    template <class T> struct running : in_groups<T> {
        static constexpr bool at_missing = true;  // rows without a value have the one before them
    };
    using in_windows = window::end_value<true>;
};

using row_aggregates = op_list<size, count, first, last>;

}  // namespace bascule::ops::aggregate
