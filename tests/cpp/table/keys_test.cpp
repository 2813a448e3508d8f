#include "bascule/table/keys.hpp"

#include <cmath>

#include "bascule/ops/aggregate.hpp"
#include "bascule/table/groups.hpp"
#include "table/columns.hpp"

namespace bascule::testing {
namespace {

using table::column_ref;
using strings = std::vector<std::string>;
using rows = std::vector<std::int64_t>;

std::vector<std::uint32_t> codes(table::numbering const& n) { return values<std::uint32_t>(n.codes); }

TEST(keys, rows_are_numbered_by_appearance_or_in_order) {
    auto const c = column_of<std::int64_t>({30, 10, 30, 20});
    table::column const* const keys[] = {c.get()};
    auto const seen = table::factorize(keys, false, false, true), sorted = table::factorize(keys, true, false, true);
    EXPECT_EQ(codes(seen), (std::vector<std::uint32_t>{0, 1, 0, 2}));
    EXPECT_EQ(codes(sorted), (std::vector<std::uint32_t>{2, 0, 2, 1}));
    EXPECT_EQ(sorted.count, 3);
    EXPECT_EQ(values<std::int64_t>(sorted.first), (rows{1, 3, 0}));
}

TEST(keys, a_missing_key_is_in_no_group_or_in_the_last) {
    auto const c = column_of<double>({2, nan, 1});
    table::column const* const keys[] = {c.get()};
    EXPECT_EQ(codes(table::factorize(keys, true, false, false)), (std::vector<std::uint32_t>{1, null_group, 0}));
    EXPECT_EQ(codes(table::factorize(keys, true, true, false)), (std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(keys, several_keys_are_one) {
    auto const a = column_of<std::int64_t>({1, 1, 2, 1});
    auto const b = column_of(strings{"x", "y", "x", "x"});
    table::column const* const keys[] = {a.get(), b.get()};
    EXPECT_EQ(codes(table::factorize(keys, true, false, false)), (std::vector<std::uint32_t>{0, 1, 2, 0}));
}

TEST(keys, keys_of_two_lengths_are_refused) {
    auto const a = column_of<std::int64_t>({1, 2}), b = column_of<std::int64_t>({1});
    table::column const* const keys[] = {a.get(), b.get()};
    EXPECT_THROW(table::factorize(keys, true, false, false), value_error);
    EXPECT_THROW(table::factorize({}, true, false, false), value_error);
}

TEST(keys, aggregates_skip_what_is_missing) {
    array const groups =
        from_host(cpu(), std::vector<std::uint32_t>{0, 1, 0, 1}.data(), make_dtype(type_id::uint32), {4}, {4});
    column_ref const of = column_of<double>({1, nan, 3, 5});
    table::aggregation const what[] = {{.of = of, .aggregate = ops::aggregate_number<ops::aggregate::sum>},
                                       {.of = of, .aggregate = ops::aggregate_number<ops::aggregate::mean>},
                                       {.of = of, .aggregate = ops::aggregate_number<ops::aggregate::count>},
                                       {.of = nullptr, .aggregate = ops::aggregate_number<ops::aggregate::size>}};
    auto const got = table::aggregate(groups, 2, what);
    EXPECT_EQ(values<double>(got[0].values()), (std::vector<double>{4, 5}));
    EXPECT_EQ(values<double>(got[1].values()), (std::vector<double>{2, 5}));
    EXPECT_EQ(values<std::int64_t>(got[2].values()), (rows{2, 1}));
    EXPECT_EQ(values<std::int64_t>(got[3].values()), (rows{2, 2}));
}

TEST(keys, order_is_stable_and_missing_keys_come_last_whatever_the_direction) {
    auto const c = column_of<double>({2, nan, 1, 2});
    table::column const* const keys[] = {c.get()};
    bool const up[] = {true}, down[] = {false};
    EXPECT_EQ(values<std::int64_t>(table::order(keys, up)), (rows{2, 0, 3, 1}));
    EXPECT_EQ(values<std::int64_t>(table::order(keys, down)), (rows{0, 3, 2, 1}));
    EXPECT_EQ(values<std::int64_t>(table::order(keys, up, true)), (rows{1, 2, 0, 3}));
}

TEST(keys, joins_give_the_rows_of_equal_keys) {
    column_ref const left[] = {column_of<std::int64_t>({1, 2, 2, 3})}, right[] = {column_of<std::int64_t>({2, 4, 1})};
    auto const inner = table::join(left, right, join_how::inner);
    EXPECT_EQ(values<std::int64_t>(inner.left), (rows{0, 1, 2}));
    EXPECT_EQ(values<std::int64_t>(inner.right), (rows{2, 0, 0}));
    auto const kept = table::join(left, right, join_how::left);
    EXPECT_EQ(values<std::int64_t>(kept.left), (rows{0, 1, 2, 3}));
    EXPECT_EQ(values<std::int64_t>(kept.right), (rows{2, 0, 0, -1}));
}

TEST(keys, text_joins_text_of_another_dictionary) {
    column_ref const left[] = {column_of(strings{"b", "a"})}, right[] = {column_of(strings{"a", "c", "b"})};
    auto const inner = table::join(left, right, join_how::inner);
    EXPECT_EQ(values<std::int64_t>(inner.left), (rows{0, 1}));
    EXPECT_EQ(values<std::int64_t>(inner.right), (rows{2, 0}));
}

}  // namespace
}  // namespace bascule::testing
