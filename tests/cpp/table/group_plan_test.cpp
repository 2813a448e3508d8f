#include "bascule/table/group_plan.hpp"

#include <array>

#include "bascule/ops/aggregate.hpp"
#include "bascule/table/groups.hpp"
#include "cpu/tables/group_columns.hpp"
#include "table/columns.hpp"

namespace bascule::testing {
namespace {

using group_tests::column;
using group_tests::integers;
using group_tests::planned;
using group_tests::strings;
using table::group_result;
using words = std::vector<std::string>;

constexpr std::int64_t rows = 100000;

words words_of(std::int64_t n, std::int64_t distinct) {
    words made;
    for (auto const v : integers<int>(n, 0, distinct - 1, 3)) made.push_back("w" + std::to_string(v));
    return made;
}

TEST(group_plan, a_device_without_statistics_gets_a_plan_that_always_works) {
    auto const key = column(integers<std::int64_t>(rows, 0, 9, 1));
    group_column const keys[] = {key.view()};
    auto const plan = table::plan_groups(keys, nullptr, group_result::aggregates);
    EXPECT_EQ(plan.key_range, 0u);
    EXPECT_EQ(plan.numbering.direct, direct_path::none);
    EXPECT_FALSE(plan.numbering.runs);
}

TEST(group_plan, many_integers_of_a_small_range_have_a_table_over_it) {
    auto const plan = planned({column(integers<std::int64_t>(rows, -50, 949, 1))}, group_result::aggregates);
    EXPECT_EQ(plan.numbering.direct, direct_path::range);
    EXPECT_GE(plan.numbering.values, 1000);
    EXPECT_EQ(plan.key_range, 0u);
    EXPECT_EQ(planned({column(integers<std::int64_t>(100, 0, 9, 1))}).numbering.direct, direct_path::none);
    EXPECT_EQ(planned({column(integers<double>(rows, 0, 9, 1))}).numbering.direct, direct_path::none);
}

TEST(group_plan, several_integers_of_small_ranges_are_cells_of_a_grid) {
    auto const some = column(integers<std::int32_t>(rows, 0, 99, 1)),
               other = column(integers<std::int64_t>(rows, -9, 90, 2));
    EXPECT_EQ(planned({some, other}).numbering.direct, direct_path::grid);
    EXPECT_EQ(planned({some, other, other}).numbering.direct, direct_path::none);
    EXPECT_EQ(planned({some, column(integers<double>(rows, 0, 9, 1))}).numbering.direct, direct_path::none);
    EXPECT_EQ(planned({some, column(integers<std::uint64_t>(rows, 0, 9, 1))}).numbering.direct, direct_path::none);
    EXPECT_EQ(planned({column(integers<std::int32_t>(100, 0, 9, 1)), column(integers<std::int32_t>(100, 0, 9, 2))})
                  .numbering.direct,
              direct_path::none);
}

TEST(group_plan, aggregates_of_wide_dense_keys_need_no_numbers) {
    auto const key = column(integers<std::int64_t>(rows, 0, 500000, 1));
    EXPECT_GE(planned({key}, group_result::aggregates).key_range, 500000u);
    EXPECT_EQ(planned({key}, group_result::numbers).key_range, 0u);
    EXPECT_EQ(planned({key, key}, group_result::aggregates).key_range, 0u);
    auto const range = [](group_tests::owned_column const& k) {
        return planned({k}, group_result::aggregates).key_range;
    };
    EXPECT_EQ(range(column(integers<std::int64_t>(rows, 0, std::int64_t{1} << 40, 1))), 0u);
    EXPECT_EQ(range(column(integers<std::int32_t>(rows, 0, 500000, 1))), 0u);
    EXPECT_EQ(range(column(integers<std::int64_t>(100, 0, 500000, 1))), 0u);
    EXPECT_EQ(range(column(integers<std::int64_t>(rows, 0, 500000, 1)).with_nulls(group_tests::some_nulls(rows, 2))),
              0u);
}

TEST(group_plan, few_groups_have_small_tables_and_many_are_parted) {
    auto const few = integers<std::int64_t>(rows, 0, 999, 1), other = integers<std::int64_t>(rows, 0, 999, 3),
               many = integers<std::int64_t>(rows, 0, 1 << 30, 2);
    EXPECT_EQ(planned({column(few), column(other)}).numbering.otherwise, factorize_path::partition);
    EXPECT_EQ(planned({column(few), column(other)}).numbering.partitioned, 0u);
    EXPECT_EQ(planned({column(few), column(many)}).numbering.partitioned, 2u);
    EXPECT_EQ(planned({column(integers<double>(rows, 0, 999, 1))}).numbering.otherwise, factorize_path::small_tables);
    EXPECT_EQ(planned({column(integers<double>(rows, 0, 1 << 30, 1))}).numbering.otherwise, factorize_path::partition);
}

TEST(group_plan, ascending_rows_are_runs) {
    auto first = integers<std::int64_t>(rows, 0, 99, 1), second = integers<std::int64_t>(rows, 0, 99, 2);
    std::sort(first.begin(), first.end());
    EXPECT_TRUE(planned({column(first)}).numbering.runs);
    EXPECT_FALSE(planned({column(first), column(second)}).numbering.runs);
    EXPECT_FALSE(planned({column(second), column(first)}).numbering.runs);
    EXPECT_TRUE(planned({column(std::vector<std::int64_t>(rows, 3)), column(first)}).numbering.runs);
}

TEST(group_plan, few_short_strings_are_found_by_themselves) {
    EXPECT_EQ(planned({strings(words_of(20000, 300))}).numbering.direct, direct_path::few_strings);
    EXPECT_EQ(planned({strings(words_of(20000, 5000))}).numbering.direct, direct_path::none);
    EXPECT_EQ(planned({strings(words_of(1000, 300))}).numbering.direct, direct_path::none);
    EXPECT_EQ(planned({strings(words(20000, "more than sixteen bytes"))}).numbering.direct, direct_path::none);
}

TEST(group_plan, only_short_strings_are_keys_by_their_bits) {
    auto const number = column(integers<std::int64_t>(20000, 0, 99, 1)), brief = strings(words_of(20000, 5000)),
               lengthy = strings(words(20000, "more than sixteen bytes"));
    EXPECT_EQ(planned({number, lengthy, brief}).numbering.short_strings, ~std::uint64_t{2});
}

TEST(group_plan, a_dictionary_pays_where_values_repeat) {
    EXPECT_TRUE(table::dictionary_pays(4096, 2048));
    EXPECT_FALSE(table::dictionary_pays(4096, 2049));
    EXPECT_NE(column_of(words_of(20000, 1000))->encoded(), nullptr);
    EXPECT_EQ(column_of(words_of(20000, 1 << 30))->encoded(), nullptr);
    EXPECT_NE(column_of(words_of(table::always_encoded, 1 << 30))->encoded(), nullptr);
}

TEST(group_plan, a_dictionary_of_more_strings_than_rows_is_not_the_groups) {
    EXPECT_TRUE(table::codes_are_groups(10, 100));
    EXPECT_FALSE(table::codes_are_groups(10, 0));
    EXPECT_FALSE(table::codes_are_groups(10, 5000));
}

// ---- groups

std::vector<table::column> aggregate(table::row_groups const& groups, table::column_ref const& of, std::uint16_t op) {
    table::aggregation const what[] = {{.of = of, .aggregate = op}};
    return groups.aggregate(what);
}

TEST(row_groups, aggregates_are_those_of_numbered_rows_in_each_way) {
    auto const of = column_of(integers<double>(rows, -9, 9, 4));
    table::column_ref const keys[] = {column_of(integers<std::int64_t>(rows, 0, 99, 1)),
                                      column_of(integers<std::int64_t>(rows, 0, 500000, 1)),
                                      column_of(integers<std::int64_t>(rows, 0, std::int64_t{1} << 40, 1)),
                                      column_of(words_of(rows, 50)), column_of(words_of(rows, 50000))};
    for (auto const& key : keys) {
        table::row_groups const direct({key}, true, false), counted({key}, true, false);
        auto const found = aggregate(direct, of, group_tests::names::sum);
        auto const& n = counted.numbers();
        table::aggregation const what[] = {{.of = of, .aggregate = ops::aggregate_number<ops::aggregate::sum>}};
        EXPECT_EQ(values<double>(found[0].values()),
                  values<double>(table::aggregate(n.codes, n.count, what)[0].values()));
        EXPECT_EQ(direct.count(), counted.count());
        EXPECT_EQ(direct.keys()[0]->length(), n.count);
        EXPECT_EQ(values<std::uint32_t>(direct.numbers().codes), values<std::uint32_t>(n.codes));
    }
}

TEST(row_groups, first_and_last_text_are_found_by_row_numbers) {
    for (std::int64_t const n : {4, 4000}) {
        words all(static_cast<std::size_t>(n), "m");
        std::vector<std::int64_t> key;
        for (std::int64_t i = 0; i < n; ++i) key.push_back(i % 2);
        all[0] = "b", all[1] = "a", all[all.size() - 2] = "z", all.back() = "y";
        auto const text = column_of(all);
        table::row_groups const groups({column_of(key)}, true, false);
        EXPECT_EQ(string_values(aggregate(groups, text, group_tests::names::first)[0]), (words{"b", "a"}));
        EXPECT_EQ(string_values(aggregate(groups, text, group_tests::names::last)[0]), (words{"z", "y"}));
        EXPECT_EQ(values<std::int64_t>(aggregate(groups, text, group_tests::names::count)[0].values()),
                  (std::vector<std::int64_t>{n / 2, n / 2}));
        EXPECT_EQ(text->known_codes() == nullptr, n > 1024);
        EXPECT_EQ(string_values(aggregate(groups, text, group_tests::names::max)[0]), (words{"z", "y"}));
        EXPECT_NE(text->known_codes(), nullptr);
    }
}

TEST(row_groups, the_greatest_of_many_different_strings_needs_no_dictionary) {
    words all = words_of(4000, 1 << 30);
    std::vector<std::int64_t> key;
    words least(3, "x"), greatest(3, "");
    for (std::size_t i = 0; i < all.size(); ++i) {
        key.push_back(static_cast<std::int64_t>(i % 3));
        least[i % 3] = std::min(least[i % 3], all[i]), greatest[i % 3] = std::max(greatest[i % 3], all[i]);
    }
    auto const text = column_of(all);
    table::row_groups const groups({column_of(key)}, true, false);
    EXPECT_EQ(string_values(aggregate(groups, text, group_tests::names::max)[0]), greatest);
    EXPECT_EQ(string_values(aggregate(groups, text, group_tests::names::min)[0]), least);
    EXPECT_EQ(text->known_codes(), nullptr);
}

TEST(row_groups, known_groups_need_no_keys) {
    std::vector<std::uint32_t> const codes{0, null_group, 2, 0};
    table::row_groups const groups(make(cpu(), codes), make(cpu(), std::vector<std::int64_t>{}), 3);
    EXPECT_EQ(groups.count(), 3);
    auto const found = aggregate(groups, column_of<double>({1, 2, 3, 4}), group_tests::names::sum);
    EXPECT_EQ(values<double>(found[0].values()), (std::vector<double>{5, 0, 3}));
}

}  // namespace
}  // namespace bascule::testing
