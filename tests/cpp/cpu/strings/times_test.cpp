// parse_times: by hand, and the cpu device against the reference's regular expressions.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "bascule/core/table_algorithms_string_search.hpp"
#include "cpu/tables/group_columns.hpp"

namespace {

using namespace bascule;
using bascule::group_tests::with_threads;
using enum time_field;
using items = std::vector<time_item>;

std::vector<std::int64_t> parse(backend const& device, std::vector<std::string> const& string_values,
                                items const& format) {
    std::string bytes;
    std::vector<std::int64_t> offsets{0}, out(string_values.size(), 77);
    for (auto const& t : string_values) bytes += t, offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    parse_times_args a;
    a.in = {bytes.data(), offsets.data(), nullptr, static_cast<std::int64_t>(string_values.size())};
    a.items = format.data(), a.nitems = static_cast<std::int64_t>(format.size()), a.out = out.data();
    EXPECT_EQ(device.algorithm(0, algorithm_kind::parse_times, &a, nullptr), status::ok);
    return out;
}

time_item byte(char c) { return {literal, c}; }

TEST(times, known_strings_give_known_microseconds) {
    items const format{{day}, byte('/'), {month}, byte('/'), {year}, {space}, {hour}, byte(':'), {minute}};
    auto const out =
        parse(*cpu_backend(), {"2/1/1970 00:01", "31/12/1969  23:59", "", "nan", "30/2/2020 1:1", "1/1/1970"}, format);
    EXPECT_EQ(out, (std::vector<std::int64_t>{86'460'000'000, -60'000'000, no_time, no_time, not_a_time, not_a_time}));
}

// A string that mostly matches a format: each item filled with one of a few words.
std::string some_text(items const& format, std::mt19937& random) {
    static std::vector<std::string> const numbers{
        "0",  "1",  "2",  "9",  "00", "01", "07", "10", "12",  "13",  "24",   "28",   "29",   "30",   "31",
        "32", "59", "60", "61", "62", "99", " 5", "5 ", "366", "060", "1900", "2000", "2020", "0000", "1234567"};
    static std::vector<std::string> const names{"jan",     "May", "JUNE", "sept", "september", "february", "tue",
                                                "Tuesday", "am",  "PM",   "mayo", "x",         ""};
    std::string made;
    for (auto const& item : format) {
        auto const k = random();
        if (item.field == literal) made += item.byte;
        else if (item.field == space) made += k % 5 ? " " : "\t ";
        else if (item.field >= month_name) made += names[k % names.size()];
        else if (item.field == year && k % 8) made += std::to_string(1890 + k % 200);
        else made += numbers[k % numbers.size()];
    }
    return random() % 20 ? made : made + " ";
}

TEST(times, the_cpu_finds_in_text_of_every_format_the_times_that_regular_expressions_find) {
    std::mt19937 random(7);
    std::vector<items> const formats{
        {{year}, byte('-'), {month}, byte('-'), {day}},
        {{year}, {month}, {day}},
        {{year}, {month}, {day}, {hour}, {minute}, {second}},
        {{day},
         byte('.'),
         {month},
         byte('.'),
         {short_year},
         {space},
         {hour},
         byte(':'),
         {minute},
         byte(':'),
         {second},
         byte('.'),
         {fraction}},
        {{month_name}, {space}, {day}, byte(','), {space}, {year}},
        {{short_day},
         {space},
         {day},
         {space},
         {short_month},
         {space},
         {year},
         {space},
         {half_hour},
         byte(':'),
         {minute},
         {half_day}},
        {{day_name}, {short_month}, {day}, {short_year}},
        {{year}, {day_of_year}},
        {{day_of_year}, {second}, {fraction}},
        {{half_hour}, {space}, {half_day}},
        {{day}, {hour}, byte('d')},
    };
    for (auto const& format : formats) {
        std::vector<std::string> string_values;
        for (int i = 0; i < 3000; ++i) string_values.push_back(some_text(format, random));
        auto const expected = parse(*reference_backend(), string_values, format);
        for (int const threads : {1, 3}) {
            with_threads const scope(threads);
            auto const out = parse(*cpu_backend(), string_values, format);
            for (std::size_t i = 0; i < string_values.size(); ++i)
                EXPECT_EQ(out[i], expected[i]) << "'" << string_values[i] << "'";
        }
        EXPECT_GT(std::count_if(expected.begin(), expected.end(), [](std::int64_t t) { return t > not_a_time; }), 0);
    }
}

}  // namespace
