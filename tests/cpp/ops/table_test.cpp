// The op table and the aggregate table as a whole: properties of every row.
#include "bascule/ops/table.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "bascule/ops/aggregate.hpp"

namespace {

using namespace bascule;

template <class Table> void names_are_unique(Table const& table) {
    std::set<std::string> seen;
    for (auto const& s : table) {
        EXPECT_TRUE(seen.insert(s.name).second) << s.name;
        std::istringstream aliases{s.aliases};
        for (std::string alias; aliases >> alias;) EXPECT_TRUE(seen.insert(alias).second) << alias;
    }
}

TEST(table, names_and_aliases_are_unique) {
    names_are_unique(ops::table);
    names_are_unique(ops::aggregate_table);
}

TEST(table, every_row_has_a_sentence_and_types) {
    for (auto const& s : ops::table) {
        std::string const doc = s.doc;
        EXPECT_GT(doc.size(), 10u) << s.name;
        EXPECT_EQ(doc.back(), '.') << s.name;
        EXPECT_NE(s.types, 0u) << s.name;
        EXPECT_GT(s.cost, 0.f) << s.name;
        EXPECT_LT(s.range.low, s.range.high) << s.name;
    }
    for (int k = 0; k < ops::aggregate_count; ++k) {
        auto const& s = ops::aggregate_table[k];
        EXPECT_EQ(std::string(s.doc).back(), '.') << s.name;
        EXPECT_TRUE(s.types != 0 || s.group_types != 0 || ops::is_window_aggregate(k)) << s.name;
    }
}

TEST(table, numbers_are_positions_and_names_are_found) {
    ops::for_each_op([](auto op) {
        using op_type = decltype(op);
        EXPECT_STREQ(ops::table[ops::number<op_type>].name, op_type::meta.name);
        EXPECT_EQ(ops::find(op_type::meta.name), ops::number<op_type>);
    });
    EXPECT_EQ(ops::find("atan2"), ops::number<ops::arctan2>);
    EXPECT_EQ(ops::find("bitwise_invert"), ops::number<ops::invert>);
    EXPECT_EQ(ops::find("atan"), ops::number<ops::arctan>);
    EXPECT_EQ(ops::find("at"), -1);
    EXPECT_EQ(ops::find(""), -1);
    EXPECT_EQ(ops::find_aggregate("amax"), ops::aggregate_number<ops::aggregate::maximum>);
}

template <class Op> constexpr type_id result(type_id loop) { return ops::result_type(ops::number<Op>, loop); }
static_assert(result<ops::add>(type_id::bool_) == type_id::bool_);
static_assert(result<ops::add>(type_id::float16) == type_id::float16);
static_assert(result<ops::less>(type_id::float16) == type_id::bool_);
static_assert(result<ops::absolute>(type_id::complex64) == type_id::float32);
static_assert(result<ops::divide>(type_id::timedelta64) == type_id::float64);
static_assert(result<ops::floor_divide>(type_id::timedelta64) == type_id::int64);
static_assert(result<ops::bitwise_count>(type_id::int64) == type_id::uint8);
static_assert(result<ops::clip>(type_id::datetime64) == type_id::datetime64);
static_assert(result<ops::angle>(type_id::complex128) == type_id::float64);
static_assert(ops::divide::meta.integers_as == type_id::float64);

template <class A> constexpr type_id reduce(type_id input) {
    return ops::aggregate_result_type(ops::aggregate_number<A>, input);
}
static_assert(reduce<ops::aggregate::sum>(type_id::bool_) == type_id::int64);
static_assert(reduce<ops::aggregate::prod>(type_id::uint8) == type_id::uint64);
static_assert(reduce<ops::aggregate::mean>(type_id::int32) == type_id::float64);
static_assert(reduce<ops::aggregate::mean>(type_id::float16) == type_id::float16);
static_assert(reduce<ops::aggregate::var>(type_id::complex64) == type_id::float32);
static_assert(reduce<ops::aggregate::argmax>(type_id::float32) == type_id::int64);
static_assert(reduce<ops::aggregate::maximum>(type_id::datetime64) == type_id::datetime64);

template <class A> constexpr type_id in_groups(type_id values) {
    return ops::group_result_type(ops::aggregate_number<A>, values);
}
static_assert(in_groups<ops::aggregate::size>(type_id::float32) == type_id::int64);
static_assert(in_groups<ops::aggregate::count>(type_id::datetime64) == type_id::int64);
static_assert(in_groups<ops::aggregate::sum>(type_id::int8) == type_id::int64);
static_assert(in_groups<ops::aggregate::sum>(type_id::uint8) == type_id::uint64);
static_assert(in_groups<ops::aggregate::sum>(type_id::timedelta64) == type_id::timedelta64);
static_assert(in_groups<ops::aggregate::prod>(type_id::bool_) == type_id::int64);
static_assert(in_groups<ops::aggregate::mean>(type_id::float32) == type_id::float32);
static_assert(in_groups<ops::aggregate::mean>(type_id::datetime64) == type_id::datetime64);
static_assert(in_groups<ops::aggregate::var>(type_id::float32) == type_id::float32);
static_assert(in_groups<ops::aggregate::std_dev>(type_id::float32) == type_id::float64);  // pandas' too
static_assert(in_groups<ops::aggregate::any>(type_id::timedelta64) == type_id::bool_);

}  // namespace
