// Fields of dates against std::chrono's calendar, and beyond its years by the calendar's period of 400 years.
#include "bascule/ops/calendar.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <random>

namespace {

using namespace bascule;
using std::int64_t;

struct fields {
    int64_t year;
    int month, day, day_of_year, days_in_month, weekday;
    bool leap;
    bool operator==(fields const&) const = default;
};
std::ostream& operator<<(std::ostream& o, fields const& f) {
    return o << f.year << '-' << f.month << '-' << f.day << ", day " << f.day_of_year << " of the year, "
             << f.days_in_month << " in the month, weekday " << f.weekday << (f.leap ? ", leap" : "");
}

fields ours(int64_t days) {
    return {ops::civil_year{}(days),    ops::civil_month{}(days), ops::civil_day{}(days),   ops::day_of_year{}(days),
            ops::days_in_month{}(days), ops::day_of_week{}(days), ops::in_leap_year{}(days)};
}

// std::chrono knows the years -32767 to 32767; 146097 days, 20871 weeks, are 400 years.
fields wanted(int64_t days) {
    using namespace std::chrono;
    int64_t const periods = days / 146097;
    sys_days const point{std::chrono::days{days - periods * 146097}};
    year_month_day const date{point};
    auto const last = year_month_day_last{date.year(), month_day_last{date.month()}};
    return {static_cast<int>(date.year()) + 400 * periods,
            static_cast<int>(static_cast<unsigned>(date.month())),
            static_cast<int>(static_cast<unsigned>(date.day())),
            static_cast<int>((point - sys_days{date.year() / 1 / 1}).count()) + 1,
            static_cast<int>(static_cast<unsigned>(last.day())),
            static_cast<int>(weekday{point}.iso_encoding()) - 1,
            date.year().is_leap()};
}

TEST(calendar, by_hand) {
    EXPECT_EQ(ours(0), (fields{1970, 1, 1, 1, 31, 3, false}));
    EXPECT_EQ(ours(-1), (fields{1969, 12, 31, 365, 31, 2, false}));
    EXPECT_EQ(ours(11016), (fields{2000, 2, 29, 60, 29, 1, true}));
    EXPECT_EQ(ours(-719162), (fields{1, 1, 1, 1, 31, 0, false}));
    EXPECT_EQ(ours(-719528), (fields{0, 1, 1, 1, 31, 5, true}));
    EXPECT_EQ(ours(2932896), (fields{9999, 12, 31, 365, 31, 4, false}));
}

TEST(calendar, every_day_of_a_thousand_years) {
    for (int64_t d = -719468 - 150000; d < -719468 + 150000; ++d) ASSERT_EQ(ours(d), wanted(d)) << d;  // around year 0
    for (int64_t d = -75000; d < 75000; ++d) ASSERT_EQ(ours(d), wanted(d)) << d;
}

TEST(calendar, ends_of_months_and_their_neighbours) {
    using namespace std::chrono;
    for (int y = -9999; y <= 9999; ++y) {
        for (unsigned m = 1; m <= 12; ++m) {
            int64_t const last = sys_days{year{y} / month{m} / std::chrono::last}.time_since_epoch().count();
            ASSERT_EQ(ours(last), wanted(last)) << last;
            ASSERT_EQ(ours(last + 1), wanted(last + 1)) << last + 1;
        }
    }
}

TEST(calendar, far_away_as_near) {
    std::mt19937_64 random(1);
    int64_t const far = int64_t{1} << 40;
    std::uniform_int_distribution<int64_t> any(-far, far);
    for (int i = 0; i < 300000; ++i) {
        int64_t const d = any(random);
        ASSERT_EQ(ours(d), wanted(d)) << d;
    }
    for (int64_t k = 0; k < 150000; ++k) {
        ASSERT_EQ(ours(far - k), wanted(far - k)) << k;
        ASSERT_EQ(ours(k - far), wanted(k - far)) << k;
    }
    EXPECT_EQ(ours(std::numeric_limits<int64_t>::max()), wanted(far));
    EXPECT_EQ(ours(std::numeric_limits<int64_t>::min()), wanted(-far));
}

}  // namespace
