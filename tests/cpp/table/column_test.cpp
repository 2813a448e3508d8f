#include "bascule/table/column.hpp"

#include <cmath>

#include "table/columns.hpp"

namespace bascule::testing {
namespace {

using table::column_ref;
using strings = std::vector<std::string>;
using bits = std::vector<std::uint8_t>;

TEST(column, nan_is_missing_and_integers_are_not) {
    EXPECT_TRUE(column_of<double>({1, nan})->has_missing());
    EXPECT_FALSE(column_of<std::int64_t>({1, 2})->has_missing());
    EXPECT_EQ(booleans(table::missing(*column_of<double>({1, nan, 3}))), (bits{0, 1, 0}));
}

TEST(column, invalid_rows_are_missing_whatever_lies_there) {
    table::column const c(make<std::int64_t>(cpu(), {1, 2, 3}), make_mask(cpu(), {1, 0, 1}));
    EXPECT_TRUE(c.has_missing());
    EXPECT_EQ(booleans(table::missing(c)), (bits{0, 1, 0}));
}

TEST(column, take_with_nulls_gives_nan_for_integers) {
    auto const taken = table::take(*column_of<std::int64_t>({10, 20, 30}), make<std::int64_t>(cpu(), {2, -1, 0}), true);
    auto const got = values<double>(taken.values());
    ASSERT_EQ(got.size(), 3u);
    EXPECT_EQ(got[0], 30);
    EXPECT_TRUE(std::isnan(got[1]));
    EXPECT_EQ(got[2], 10);
}

TEST(column, filter_keeps_the_rows_of_the_mask) {
    auto const kept = table::filter(*column_of<double>({1, 2, 3, 4}), make_mask(cpu(), {1, 0, 0, 1}));
    EXPECT_EQ(values<double>(kept.values()), (std::vector<double>{1, 4}));
    EXPECT_EQ(string_values(table::filter(*column_of(strings{"a", "", "bc"}), make_mask(cpu(), {0, 1, 1}))),
              (strings{"", "bc"}));
}

TEST(column, concat_joins_text_and_refuses_text_with_numbers) {
    column_ref const a = column_of(strings{"x", "yy"}), b = column_of(strings{"", "x"});
    column_ref const both[] = {a, b}, mixed[] = {a, column_of<double>({1})};
    EXPECT_EQ(string_values(table::concat(both)), (strings{"x", "yy", "", "x"}));
    EXPECT_THROW(table::concat(mixed), type_error);
}

TEST(column, text_in_coded_form_has_the_same_rows_and_a_sorted_dictionary) {
    strings rows;
    for (int i = 0; i < 1000; ++i) rows.push_back(i % 3 == 0 ? "pear" : i % 3 == 1 ? "apple" : "fig");
    column_ref const text = column_of(rows), coded = text->encoded();
    ASSERT_TRUE(coded);
    EXPECT_EQ(string_values(*coded->dictionary()), (strings{"apple", "fig", "pear"}));
    EXPECT_EQ(values<std::int32_t>(coded->values())[0], 2);
    EXPECT_EQ(string_values(*coded), rows);
}

TEST(column, strings_compare_by_their_bytes) {
    column_ref const a = column_of(strings{"a", "b", "ab"}), b = column_of(strings{"b"});
    EXPECT_EQ(booleans(table::compare_text(*a, *b, string_comparison::less)), (bits{1, 0, 1}));
    EXPECT_EQ(booleans(table::compare_text(*a, *b, string_comparison::equal)), (bits{0, 1, 0}));
}

}  // namespace
}  // namespace bascule::testing
