#include "bascule/table/labels.hpp"

#include "table/columns.hpp"

namespace bascule::testing {
namespace {

using table::column_ref;
using table::labels;
using table::labels_ref;
using strings = std::vector<std::string>;
using rows = std::vector<std::int64_t>;

labels_ref range(std::int64_t start, std::int64_t step, std::int64_t count) {
    return std::make_shared<labels const>(cpu(), table::label_range{start, step, count});
}
template <class T> labels_ref of(std::vector<T> const& v) {
    return std::make_shared<labels const>(std::vector<column_ref>{column_of(v)});
}

TEST(labels, a_range_knows_its_facts_without_values) {
    auto const r = range(10, -2, 4);
    EXPECT_TRUE(r->is_unique());
    EXPECT_FALSE(r->is_increasing());
    EXPECT_TRUE(r->is_decreasing());
    EXPECT_EQ(values<std::int64_t>(r->level(0)->values()), (rows{10, 8, 6, 4}));
}

TEST(labels, a_range_equals_the_labels_that_say_the_same) {
    EXPECT_TRUE(range(1, 2, 3)->equals(*of<std::int64_t>({1, 3, 5})));
    EXPECT_FALSE(range(1, 2, 3)->equals(*of<std::int64_t>({1, 3, 6})));
    auto const even = table::as_range(*column_of<std::int64_t>({4, 7, 10}));
    ASSERT_TRUE(even);
    EXPECT_EQ(even->start, 4);
    EXPECT_EQ(even->step, 3);
    EXPECT_FALSE(table::as_range(*column_of<std::int64_t>({4, 7, 11})));
}

TEST(labels, facts_of_repeated_labels) {
    auto const l = of<std::int64_t>({1, 2, 2});
    EXPECT_FALSE(l->is_unique());
    EXPECT_TRUE(l->is_increasing());
    EXPECT_FALSE(l->is_decreasing());
}

TEST(labels, find_gives_every_row_of_a_label) {
    auto const l = of(strings{"b", "a", "b"});
    for (int look = 0; look < 3; ++look)  // the second look-up builds an order
        EXPECT_EQ(values<std::int64_t>(l->find({column_of(strings{"b"})})), (rows{0, 2}));
    EXPECT_EQ(l->find({column_of(strings{"c"})}).size(), 0);
}

TEST(labels, positions_of_labels_that_repeat_are_refused) {
    EXPECT_EQ(values<std::int64_t>(range(0, 5, 4)->positions_of(*of<std::int64_t>({15, 3, 0}))), (rows{3, -1, 0}));
    EXPECT_EQ(values<std::int64_t>(of<std::int64_t>({7, 5})->positions_of(*of<std::int64_t>({5, 6}))), (rows{1, -1}));
    EXPECT_THROW((void)of<std::int64_t>({7, 7})->positions_of(*of<std::int64_t>({7})), value_error);
}

TEST(labels, both_bounds_of_a_slice_by_label_are_in_it) {
    auto const l = of<std::int64_t>({1, 3, 3, 8});
    EXPECT_EQ(l->between(column_of<std::int64_t>({2}), column_of<std::int64_t>({3})),
              (std::pair<std::int64_t, std::int64_t>{1, 3}));
    EXPECT_EQ(l->between(nullptr, column_of<std::int64_t>({1})), (std::pair<std::int64_t, std::int64_t>{0, 1}));
}

TEST(labels, equal_labels_stay_and_others_are_joined_in_order) {
    auto const a = of<std::int64_t>({3, 1}), same = of<std::int64_t>({3, 1}), b = of<std::int64_t>({1, 2});
    EXPECT_EQ(table::align(a, same, join_how::outer).left.memory(), nullptr);
    auto const outer = table::align(a, b, join_how::outer);
    EXPECT_TRUE(outer.joined->equals(*of<std::int64_t>({1, 2, 3})));
    EXPECT_EQ(values<std::int64_t>(outer.left), (rows{1, -1, 0}));
    EXPECT_EQ(values<std::int64_t>(outer.right), (rows{0, 1, -1}));
    EXPECT_THROW(table::align(a, of(strings{"x"}), join_how::outer), type_error);
}

labels_ref masked(std::vector<std::int64_t> const& v, std::vector<std::uint8_t> const& there) {
    auto const c = std::make_shared<table::column const>(make(cpu(), v), make_mask(cpu(), there));
    return std::make_shared<labels const>(std::vector<column_ref>{c});
}
labels_ref times(std::vector<std::int64_t> const& v) {
    dtype t = make_dtype(type_id::datetime64);
    t.unit = time_unit::second, t.multiplier = 1;
    array const a = from_host(cpu(), v.data(), t, {static_cast<std::int64_t>(v.size())}, {8});
    return std::make_shared<labels const>(std::vector<column_ref>{std::make_shared<table::column const>(a)});
}

TEST(labels, what_lies_under_a_mask_is_no_label) {
    auto const a = masked({5, 5, 6}, {0, 1, 1}), b = masked({7, 5, 6}, {0, 1, 1}), c = masked({5, 7, 6}, {1, 0, 1});
    EXPECT_TRUE(a->equals(*b));
    EXPECT_FALSE(a->equals(*c));
    EXPECT_EQ(values<std::int64_t>(a->find({column_of<std::int64_t>({5})})), (rows{1}));
    EXPECT_EQ(values<std::int64_t>(a->find({masked({6}, {0})->level(0)})), (rows{0}));
    auto const joined = table::align(a, c, join_how::outer);
    EXPECT_EQ(values<std::int64_t>(joined.left), (rows{1, 2, 0}));
    EXPECT_EQ(values<std::int64_t>(joined.right), (rows{0, 2, 1}));
    EXPECT_EQ(values<std::int64_t>(range(5, 1, 2)->positions_of(*a)), (rows{-1, 0, 1}));
    EXPECT_EQ(range(5, 1, 2)->find({masked({6}, {0})->level(0)}).size(), 0);
    EXPECT_FALSE(masked({5}, {0})->is_increasing());
}

TEST(labels, a_missing_label_is_no_bound) {
    auto const l = masked({1, 3, 0}, {1, 1, 0});
    EXPECT_EQ(l->between(column_of<std::int64_t>({2}), column_of<std::int64_t>({9})),
              (std::pair<std::int64_t, std::int64_t>{1, 2}));
    EXPECT_THROW((void)l->between(masked({1}, {0})->level(0), nullptr), value_error);
}

TEST(labels, a_range_has_no_label_beyond_int64) {
    std::uint64_t const v[] = {std::numeric_limits<std::uint64_t>::max(), 1};
    array const all_bits = from_host(cpu(), v, make_dtype(type_id::uint64), {2}, {8});
    labels const wanted(std::vector<column_ref>{std::make_shared<table::column const>(all_bits)});
    EXPECT_EQ(values<std::int64_t>(range(-1, 1, 3)->positions_of(wanted)), (rows{-1, 2}));
}

TEST(labels, missing_times_are_joined_last_but_where_labels_repeat) {
    std::int64_t const none = std::numeric_limits<std::int64_t>::min();
    auto const a = times({3, none, 4}), b = times({none, 1});
    EXPECT_TRUE(table::align(a, b, join_how::outer).joined->equals(*times({1, 3, 4, none})));
    EXPECT_TRUE(table::align(a, times({1, 1}), join_how::outer).joined->equals(*times({none, 1, 1, 3, 4})));
}

}  // namespace
}  // namespace bascule::testing
