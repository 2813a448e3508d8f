// Fields of dates: days since 1970-01-01 in the proleptic Gregorian calendar. Days farther than 2^40 from there are
// taken as the last ones that near; a caller masks its NaT. Device-clean.
#pragma once
#include "bascule/ops/math/basic.hpp"
#include "bascule/ops/op_list.hpp"

// Every quantity is a whole number below 2^52 held in a float64, because all instruction sets have vector instructions
// for those, and none but the newest multiplies or divides 64-bit integers.
namespace bascule::ops::calendar {

inline constexpr double anchor = 0x1.8p52;  // between 2^52 and 2^53 neighbouring numbers are 1 apart
inline constexpr std::int64_t farthest = std::int64_t{1} << 40;

BASCULE_HD double real(std::int64_t i) {
    return math::from_bits(static_cast<std::uint64_t>(i) + math::bits(anchor)) - anchor;
}
BASCULE_HD std::int64_t whole(double v) {
    return static_cast<std::int64_t>(math::bits(v + anchor) - math::bits(anchor));
}

// floor(x / Divisor). Moved down by (Divisor - 1) / 2 the quotient is at least 1 / (2 Divisor) away from a half, far
// more than its rounding errors, so the nearest whole number is the floor.
template <int Divisor> BASCULE_HD double quotient(double x) {
    return ((x - (Divisor - 1) * 0.5) * (1.0 / Divisor) + anchor) - anchor;
}

// A date by years that begin on 1 March, so that a leap day is the last of its year: day 0 to 365, month 0 to 11.
struct date {
    double year, day, month;
    BASCULE_HD bool in_next_year() const { return day >= 306; }
    BASCULE_HD double civil_year() const { return year + (in_next_year() ? 1.0 : 0.0); }
};

BASCULE_HD date date_of(std::int64_t days) {
    days = days > farthest ? farthest : days;
    days = days < -farthest ? -farthest : days;
    double const quarter_days = 4 * (real(days) + 719468) + 3;  // since the end of February of year 0
    double const century = quotient<146097>(quarter_days);
    double const in_century = 4 * quotient<4>(quarter_days - 146097 * century) + 3;
    double const year = quotient<1461>(in_century);
    double const day = quotient<4>(in_century - 1461 * year);
    return {100 * century + year, day, quotient<153>(5 * day + 2)};
}

// The day of its year on which a month begins.
BASCULE_HD double month_start(double month) { return quotient<5>(153 * month + 2); }

BASCULE_HD double leap_days(double year) {
    auto const last_bits = math::bits(year + anchor);
    bool const by_4 = (last_bits & 3) == 0, by_16 = (last_bits & 15) == 0;
    double const by_100 = year - 100 * quotient<100>(year) == 0 ? 1.0 : 0.0;
    double const skipped = by_16 ? 0.0 : by_100;
    return by_4 ? 1.0 - skipped : 0.0;
}

}  // namespace bascule::ops::calendar

namespace bascule::ops {

inline constexpr type_set day_counts = bit(type_id::int64);
inline constexpr domain calendar_days{-1e6, 1e6};
inline constexpr char const* calendar_source =
    "C. Neri, L. Schneider, Euclidean affine functions and their application to calendar algorithms (2023)";

struct civil_year {
    static constexpr spec meta{.name = "civil_year",
                               .types = day_counts,
                               .cost = 14,
                               .range = calendar_days,
                               .has_ufunc = false,
                               .doc = "Return the year of a day counted from 1970-01-01.",
                               .source = calendar_source};
    BASCULE_HD std::int64_t operator()(std::int64_t days) const {
        return calendar::whole(calendar::date_of(days).civil_year());
    }
};

struct civil_month {
    static constexpr spec meta{.name = "civil_month",
                               .types = day_counts,
                               .cost = 16,
                               .range = calendar_days,
                               .has_ufunc = false,
                               .doc = "Return the month, 1 to 12, of a day counted from 1970-01-01.",
                               .source = calendar_source};
    BASCULE_HD std::int32_t operator()(std::int64_t days) const {
        auto const d = calendar::date_of(days);
        return static_cast<std::int32_t>(calendar::whole(d.month + (d.in_next_year() ? -9.0 : 3.0)));
    }
};

struct civil_day {
    static constexpr spec meta{.name = "civil_day",
                               .types = day_counts,
                               .cost = 18,
                               .range = calendar_days,
                               .has_ufunc = false,
                               .doc = "Return the day of the month of a day counted from 1970-01-01.",
                               .source = calendar_source};
    BASCULE_HD std::int32_t operator()(std::int64_t days) const {
        auto const d = calendar::date_of(days);
        return static_cast<std::int32_t>(calendar::whole(d.day - calendar::month_start(d.month) + 1));
    }
};

struct day_of_year {
    static constexpr spec meta{.name = "day_of_year",
                               .types = day_counts,
                               .cost = 18,
                               .range = calendar_days,
                               .has_ufunc = false,
                               .doc = "Return the day of the year, from 1, of a day counted from 1970-01-01.",
                               .source = calendar_source};
    BASCULE_HD std::int32_t operator()(std::int64_t days) const {
        auto const d = calendar::date_of(days);
        double const before_march = 60 + calendar::leap_days(d.year);
        return static_cast<std::int32_t>(calendar::whole(d.day + (d.in_next_year() ? -305.0 : before_march)));
    }
};

struct days_in_month {
    static constexpr spec meta{.name = "days_in_month",
                               .types = day_counts,
                               .cost = 22,
                               .range = calendar_days,
                               .has_ufunc = false,
                               .doc = "Return the length of the month of a day counted from 1970-01-01.",
                               .source = calendar_source};
    BASCULE_HD std::int32_t operator()(std::int64_t days) const {
        auto const d = calendar::date_of(days);
        double const february = 28 + calendar::leap_days(d.civil_year());
        double const other = calendar::month_start(d.month + 1) - calendar::month_start(d.month);
        return static_cast<std::int32_t>(calendar::whole(d.month == 11 ? february : other));
    }
};

struct in_leap_year {
    static constexpr spec meta{.name = "in_leap_year",
                               .types = day_counts,
                               .cost = 18,
                               .range = calendar_days,
                               .has_ufunc = false,
                               .doc = "Return whether the year of a day counted from 1970-01-01 is a leap year.",
                               .source = calendar_source};
    BASCULE_HD bool operator()(std::int64_t days) const {
        return calendar::leap_days(calendar::date_of(days).civil_year()) == 1;
    }
};

struct day_of_week {
    static constexpr spec meta{
        .name = "day_of_week",
        .types = day_counts,
        .cost = 5,
        .range = calendar_days,
        .has_ufunc = false,
        .doc = "Return the day of the week, Monday 0 to Sunday 6, of a day counted from 1970-01-01."};
    BASCULE_HD std::int32_t operator()(std::int64_t days) const {
        days = days > calendar::farthest ? calendar::farthest : days;
        days = days < -calendar::farthest ? -calendar::farthest : days;
        double const since_monday = calendar::real(days) + 3;
        return static_cast<std::int32_t>(calendar::whole(since_monday - 7 * calendar::quotient<7>(since_monday)));
    }
};

using calendar_ops = op_list<civil_year, civil_month, civil_day, day_of_year, days_in_month, in_leap_year, day_of_week>;

}  // namespace bascule::ops
