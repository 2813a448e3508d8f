// Rows by the values of key columns: numbering and aggregating them. group_plan.hpp decides how.
#pragma once
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "bascule/table/column.hpp"
#include "bascule/table/group_plan.hpp"

namespace bascule::table {

struct numbering {
    array codes;             // uint32: the group of each row, null_group where in none
    array first;             // int64: first row of each group, if requested
    std::int64_t count = 0;  // of groups
    bool runs = false;       // by the statistics of the keys, the rows are in the order of the groups
};

// Gives equal rows equal numbers: in the order of the keys if `sorted`, else in that of first appearance. Rows with a
// missing key are in no group unless `keep_missing`, which puts them last.
numbering factorize(std::span<column const* const> keys, bool sorted, bool keep_missing, bool want_first);
// The different rows of arrays of one length, in order, NaN last and one of a kind.
struct distinct_rows {
    array first;   // int64: where each occurs first
    array number;  // int64, of each row; without elements unless requested
};
distinct_rows distinct(std::span<array const> columns, bool want_number);

struct aggregation {
    column_ref of;                // null for size
    std::uint16_t aggregate = 0;  // number in ops/aggregate.hpp
    std::int64_t ddof = 1, min_count = -1;
    bool running = false;  // sum, prod, min, max, last: a row for each row, the aggregate of its group so far
};
// One column of `groups` rows for each aggregation, in pandas' numbers. Groups without a value are missing: as NaN and
// NaT where the type has them, else by `valid`.
std::vector<column> aggregate(array const& codes, std::int64_t groups, std::span<aggregation const> what,
                              bool runs = false);

struct ranked {
    array counts;     // int64: values of each group that are not missing
    array low, high;  // a row a share: the value at the rank floor(share * (count - 1)), and the next or the last
    array distinct;   // int64: number of distinct values, if requested
};
// Order statistics of the values of each group, without sorting the rows. Numbers and times only; 0 where a group has
// no value.
ranked group_ranks(array const& codes, std::int64_t groups, column const& of, std::span<double const> shares,
                   bool want_distinct = false);

// The groups of rows with equal keys. Numbers and keys are kept once found.
class row_groups {
public:
    row_groups(std::vector<column_ref> keys, bool sorted, bool keep_missing);
    // Groups that are known: uint32, null_group where a row is in none; first rows may be of no length if not asked
    // for.
    row_groups(array codes, array first, std::int64_t count);

    [[nodiscard]] numbering const& numbers() const;
    [[nodiscard]] std::int64_t count() const;
    // The keys of the groups, a column a key.
    [[nodiscard]] std::vector<column_ref> const& keys() const;
    // As the function of this name. Where groups are not numbered yet, perhaps without numbering them.
    [[nodiscard]] std::vector<column> aggregate(std::span<aggregation const> what) const;

private:
    bool aggregate_unnumbered(std::span<aggregation const> what, std::vector<column>& found) const;
    bool aggregate_codes(column_ref const& coded, std::span<aggregation const> what, std::vector<column>& found) const;

    std::vector<column_ref> rows_;
    bool sorted_ = true, keep_missing_ = false;
    mutable std::recursive_mutex mutex_;
    mutable std::optional<numbering> numbers_;
    mutable std::optional<factorize_plan> plan_;
    mutable std::vector<column_ref> keys_;
};

}  // namespace bascule::table
