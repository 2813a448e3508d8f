#include <algorithm>
#include <limits>

#include "cpu/tables/group_columns.hpp"

namespace {

using namespace bascule;
using namespace bascule::group_tests;

std::vector<way> const all_ways{way::planned, way::bitmap, way::small_tables, way::partition};
std::vector<way> const wide_ways{way::planned, way::small_tables, way::partition};
constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

TEST(factorize, sorted_and_first_appearance_by_hand) {
    auto const keys = std::vector{column<std::int64_t>({30, 10, 30, 20, 10})};
    factorize_args a;
    EXPECT_EQ(number(*cpu_backend(), keys, a).codes, (std::vector<std::uint32_t>{2, 0, 2, 1, 0}));
    EXPECT_EQ(number(*cpu_backend(), keys, a).first, (std::vector<std::int64_t>{1, 3, 0}));
    a.order = group_order::appearance;
    EXPECT_EQ(number(*cpu_backend(), keys, a).codes, (std::vector<std::uint32_t>{0, 1, 0, 2, 1}));
    EXPECT_EQ(number(*cpu_backend(), keys, a).first, (std::vector<std::int64_t>{0, 1, 3}));
}

TEST(factorize, nulls_have_no_group_or_the_last_one) {
    auto const keys = std::vector{column<double>({nan, 2.0, -0.0, 0.0, nan, -inf})};
    factorize_args a;
    EXPECT_EQ(number(*cpu_backend(), keys, a).wide, (std::vector<std::int64_t>{-1, 2, 1, 1, -1, 0}));
    a.keep_nulls = true;
    EXPECT_EQ(number(*cpu_backend(), keys, a).wide, (std::vector<std::int64_t>{3, 2, 1, 1, 3, 0}));
    a.order = group_order::appearance;
    EXPECT_EQ(number(*cpu_backend(), keys, a).wide, (std::vector<std::int64_t>{0, 1, 2, 2, 0, 3}));
}

TEST(factorize, no_rows_and_one_row) {
    expect_numbered({column<std::int64_t>({})}, all_ways);
    expect_numbered({column<std::int64_t>({-7})}, all_ways);
    expect_numbered({column<double>({nan})}, all_ways);
    expect_numbered({strings({})});
    expect_numbered({strings({""})});
}

TEST(factorize, integers_of_every_path_and_size) {
    for (std::int64_t const n : {2, 65, 1000, 65537}) {
        for (std::int64_t const range : {std::int64_t{0}, std::int64_t{3}, std::int64_t{5000}, n}) {
            expect_numbered({column(integers<std::int64_t>(n, -range, range, 1))}, all_ways);
        }
    }
}

TEST(factorize, more_rows_than_a_task_of_each_pass) {
    expect_numbered({column(integers<std::int64_t>(300000, -200000, 200000, 23))}, all_ways);
}

TEST(factorize, sorted_and_reversed_keys) {
    auto keys = integers<std::int64_t>(70000, -9000000000000, 9000000000000, 2);
    for (std::size_t i = 0; i < keys.size(); i += 3) keys[i] = keys[0];
    std::sort(keys.begin(), keys.end());
    expect_numbered({column(keys)}, {way::planned, way::runs, way::small_tables, way::partition});
    EXPECT_TRUE(planned({column(keys)}).numbering.runs);
    std::reverse(keys.begin(), keys.end());
    expect_numbered({column(keys)}, wide_ways);
}

TEST(factorize, keys_crowded_in_a_few_positions_of_a_wide_range) {
    auto keys = integers<std::int64_t>(200000, 0, 60000, 3);
    keys[5] = std::numeric_limits<std::int64_t>::max();
    keys[6] = std::numeric_limits<std::int64_t>::min();
    expect_numbered({column(keys)}, wide_ways);
}

TEST(factorize, all_64_bits_with_nulls) {
    auto keys = integers<std::int64_t>(3000, std::numeric_limits<std::int64_t>::min(),
                                       std::numeric_limits<std::int64_t>::max(), 4);
    for (std::size_t i = 1000; i < keys.size(); ++i) keys[i] = keys[i % 100];
    keys[0] = std::numeric_limits<std::int64_t>::max();
    keys[1] = std::numeric_limits<std::int64_t>::min();
    expect_numbered({column(keys)}, wide_ways);
    auto nulls = some_nulls(3000, 5);
    nulls[0] = nulls[1] = false;
    expect_numbered({column(keys).with_nulls(nulls)}, wide_ways);
    std::vector<std::uint64_t> unsigned_keys(keys.begin(), keys.end());
    expect_numbered({column(unsigned_keys).with_nulls(nulls)}, wide_ways);
}

template <class T> void expect_type() {
    auto const keys = integers<T>(3000, -120, 120, 6);
    expect_numbered({column(keys)}, all_ways);
    expect_numbered({column(keys).with_nulls(some_nulls(3000, 7))}, all_ways);
}
TEST(factorize, every_type_of_number) {
    expect_type<std::int8_t>();
    expect_type<std::int16_t>();
    expect_type<std::int32_t>();
    expect_type<std::uint8_t>();
    expect_type<std::uint16_t>();
    expect_type<std::uint32_t>();
    auto const bits = integers<std::uint8_t>(3000, 0, 1, 8);
    expect_numbered({column(bits, type_id::bool_)}, all_ways);
    std::vector<double> reals{inf, -inf, nan, 0.0, -0.0, 1e-320, -1e-320, 1.0, -1.0};
    for (auto const v : integers<int>(3000, -50, 50, 9)) reals.push_back(v / 8.0);
    expect_numbered({column(reals)}, wide_ways);
    expect_numbered({column(std::vector<float>(reals.begin(), reals.end()))}, wide_ways);
    auto times = integers<std::int64_t>(3000, -100, 100, 10);
    for (std::size_t i = 0; i < times.size(); i += 11) times[i] = nat;
    expect_numbered({column(times, type_id::datetime64)}, all_ways);
    expect_numbered({column(times, type_id::timedelta64)}, all_ways);
}

TEST(factorize, several_columns_in_64_bits_and_beyond) {
    auto const few = column(integers<std::int8_t>(4000, -3, 3, 11));
    auto const some = column(integers<std::int32_t>(4000, 0, 40, 12)).with_nulls(some_nulls(4000, 13));
    auto const wide = column(integers<std::int64_t>(4000, -4000000000000000000, 4000000000000000000, 14));
    auto const wider =
        column(integers<std::uint64_t>(4000, 0, 9000000000000000000, 15)).with_nulls(some_nulls(4000, 16));
    expect_numbered({few, some}, all_ways);
    expect_numbered({few, some, few}, all_ways);
    expect_numbered({wide, few, wider}, wide_ways);
    expect_numbered({some, wider, wide, wide, wider, few}, wide_ways);
}

TEST(factorize, short_strings_by_the_bits_in_which_they_differ) {
    std::vector<std::string> names, mixed;
    for (auto const v : integers<int>(3000, 0, 150, 17)) {
        names.push_back("id" + std::to_string(1000 + v));
        mixed.push_back(std::string("abcb").substr(0, static_cast<std::size_t>(v) % 5));
    }
    mixed[3] = std::string("a\0", 2);  // not the same as "a"
    expect_numbered({strings(names)}, all_ways);
    expect_numbered({strings(mixed)}, all_ways);
    expect_numbered({strings(mixed).with_nulls(some_nulls(3000, 18))}, all_ways);
    expect_numbered({strings(names), strings(mixed).with_nulls(some_nulls(3000, 19))}, all_ways);
}

TEST(factorize, many_rows_of_few_short_strings) {
    std::int64_t const n = 80000;
    auto const nulls = some_nulls(n, 24);
    auto const numbers = integers<int>(n, 0, 120, 25);
    std::vector<std::string> words, longer;
    for (auto const v : numbers) {
        words.push_back(std::string("abcb").substr(0, static_cast<std::size_t>(v) % 5) +
                        std::string(std::size_t(v % 3), '\0'));
        longer.push_back(std::string(std::size_t(v % 13), 'q') + std::to_string(v));
    }
    for (auto* string_values : {&words, &longer}) {
        expect_numbered({strings(*string_values)});
        expect_numbered({strings(*string_values).with_nulls(nulls)});
        // Rows that a sample is likely to miss: a few rows, then strings that are too long, then too many.
        for (std::size_t i = 100; i < 600; ++i) (*string_values)[i * 7] = "r" + std::to_string(i % 90);
        (*string_values)[1] = std::string("a\0\0", 3);
        (*string_values).back() = "last";
        expect_numbered({strings(*string_values)});
        expect_numbered({strings(*string_values).with_nulls(nulls)});
        EXPECT_EQ(planned({strings(*string_values)}).numbering.direct, direct_path::few_strings);
        (*string_values)[5] = "longer than sixteen bytes";
        (*string_values)[6] = "nine byte";
        expect_numbered({strings(*string_values)});
        (*string_values)[5] = "";
        for (std::size_t i = 20000; i < 22000; ++i) (*string_values)[i] = std::to_string(i);
        expect_numbered({strings(*string_values).with_nulls(nulls)});
    }
    expect_numbered({strings(std::vector<std::string>(20000, ""))});
    expect_numbered({strings(std::vector<std::string>(20000, "x")).with_nulls(std::vector<bool>(20000, true))});
}

template <class T> void expect_small_range(std::int64_t low, std::int64_t high) {
    std::int64_t const n = 70000;
    auto keys = integers<T>(n, low, high, 26);
    expect_numbered({column(keys)});
    expect_numbered({column(keys).with_nulls(some_nulls(n, 27))});
    keys[5] = std::numeric_limits<T>::max();  // a sample is likely to miss it
    keys[6] = std::numeric_limits<T>::min();
    expect_numbered({column(keys)});
    expect_numbered({column(keys).with_nulls(some_nulls(n, 28))});
}
TEST(factorize, many_rows_of_integers_close_together) {
    expect_small_range<std::int8_t>(-128, 127);
    expect_small_range<std::uint8_t>(3, 5);
    expect_small_range<std::int32_t>(-1, 99);
    expect_small_range<std::int64_t>(std::numeric_limits<std::int64_t>::min(),
                                     std::numeric_limits<std::int64_t>::min() + 3);
    expect_small_range<std::int64_t>(std::numeric_limits<std::int64_t>::max() - 5000,
                                     std::numeric_limits<std::int64_t>::max());
    expect_small_range<std::uint64_t>(0, 9000);
    EXPECT_EQ(planned({column(integers<std::int64_t>(70000, 7, 900, 29))}).numbering.direct, direct_path::range);
    expect_numbered({column(std::vector<std::int16_t>(70000, 5))});
    expect_numbered({column(std::vector<std::int16_t>(70000, 5)).with_nulls(std::vector<bool>(70000, true))});
}

TEST(factorize, many_rows_of_several_integers_close_together) {
    std::int64_t const n = 70000;
    auto const few = column(integers<std::int8_t>(n, -3, 3, 41)),
               unsigned_ones = column(integers<std::uint32_t>(n, 7, 9, 42));
    auto const some = column(integers<std::int32_t>(n, 0, 40, 43)).with_nulls(some_nulls(n, 44));
    auto const far = column(integers<std::int64_t>(n, std::numeric_limits<std::int64_t>::max() - 20,
                                                   std::numeric_limits<std::int64_t>::max(), 45));
    auto const lost = column(std::vector<std::int16_t>(n, 5)).with_nulls(std::vector<bool>(n, true));
    auto outlier = integers<std::int64_t>(n, 0, 9, 46);
    outlier[1] = 1 << 20;  // which a sample is likely to miss
    EXPECT_EQ(planned({few, some}).numbering.direct, direct_path::grid);
    expect_numbered({few, some});
    expect_numbered({few, unsigned_ones});
    expect_numbered({some, far, few});
    expect_numbered({far, column(outlier)});
    expect_numbered({some, some});
    expect_numbered({lost, few});
    expect_numbered({column(std::vector<std::int16_t>(n, 5)), few});
}

TEST(factorize, long_strings_are_verified) {
    std::vector<std::string> names;
    for (auto const v : integers<int>(3000, 0, 500, 20))
        names.push_back("the same long beginning " + std::to_string(v) + (v % 7 == 0 ? "\xff" : ""));
    auto const nulls = some_nulls(3000, 21);
    expect_numbered({strings(names)});
    expect_numbered({strings(names).with_nulls(nulls)});
    expect_numbered({strings(names).with_nulls(nulls), column(integers<std::int64_t>(3000, 0, 3, 22))});
    expect_numbered({strings(names).with_nulls(nulls)}, {way::planned}, 7);  // nearly all hashes collide
    expect_numbered({strings(names).with_nulls(std::vector<bool>(3000, true))});
}

TEST(factorize, bad_input_is_refused_by_name) {
    factorize_args none;
    EXPECT_EQ(cpu_backend()->algorithm(0, algorithm_kind::factorize, &none, nullptr), status::value_error);
    EXPECT_EQ(number(*cpu_backend(), {column<std::int64_t>({1, 2}), column<std::int64_t>({1})}, {}).result,
              status::value_error);
    auto const wrong = column(std::vector<double>{1, 2}, type_id::complex64);
    EXPECT_EQ(number(*cpu_backend(), {wrong}, {}).result, status::not_supported);
}

}  // namespace
