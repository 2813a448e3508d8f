// The labels of a table's rows: the equivalent of a pandas index. Immutable; duplicates are legal; several levels make
// a MultiIndex.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "bascule/table/groups.hpp"
#include "bascule/table/keys.hpp"
#include "bascule/table/label_table.hpp"

namespace bascule::table {

// start, start + step, …: stays arithmetic until the values are needed.
struct label_range {
    std::int64_t start = 0, step = 1, count = 0;
};

class labels {
public:
    labels(device where, label_range r);
    explicit labels(std::vector<column_ref> levels);

    [[nodiscard]] std::int64_t length() const noexcept { return length_; }
    [[nodiscard]] int nlevels() const noexcept { return range_ ? 1 : static_cast<int>(levels_.size()); }
    [[nodiscard]] std::optional<label_range> const& range() const noexcept { return range_; }
    [[nodiscard]] column_ref level(int i) const;  // of a range: its values, made once
    [[nodiscard]] device where() const noexcept { return where_; }

    // Found out once.
    [[nodiscard]] bool is_unique() const;
    [[nodiscard]] bool is_increasing() const;  // as pandas' is_monotonic_increasing: equal neighbours are allowed
    [[nodiscard]] bool is_decreasing() const;

    [[nodiscard]] bool equals(labels const& o) const;  // row by row; missing equals missing
    // Rows with one label, by a table that is built at the first look-up and kept; a range needs none. `prepare` does
    // what takes long, if anything.
    [[nodiscard]] bool is_ready() const noexcept;
    void prepare() const;
    [[nodiscard]] label_table::rows rows_of(std::span<label_key const> label) const;
    [[nodiscard]] array positions(label_table::rows const& r) const;  // int64, ascending
    [[nodiscard]] label_table& table() const;
    // The same of a label given as columns of one row, one a level.
    [[nodiscard]] array find(std::vector<column_ref> const& label) const;
    // For each row of `target` its first position here, -1 where it has none. Throws value_error where labels repeat.
    [[nodiscard]] array positions_of(labels const& target) const;
    // [begin, end) of rows between two labels, both included, of labels that increase; a missing bound is open.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> between(column_ref const& low, column_ref const& high) const;

private:
    // `positions_of` by the table, where few labels are looked for among many; nothing where a join is as good.
    [[nodiscard]] std::optional<array> looked_up(labels const& target) const;

    struct facts;
    device where_;
    std::int64_t length_ = 0;
    std::optional<label_range> range_;
    std::vector<column_ref> levels_;
    std::shared_ptr<facts> facts_;
};

using labels_ref = std::shared_ptr<labels const>;

// An int64 column whose values step evenly, as the range that says the same.
std::optional<label_range> as_range(column const& c);

struct alignment {
    labels_ref joined;
    array left, right;  // int64 rows of the two sides, -1: none; no memory: the rows as they are
};
// The labels of two operands brought together as pandas does: equal labels stay, otherwise they are joined (outer:
// sorted), each with each where they repeat. Throws type_error where text and numbers are mixed.
alignment align(labels_ref const& left, labels_ref const& right, join_how how);

}  // namespace bascule::table
