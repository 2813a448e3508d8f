// Days since 1970 of the Gregorian calendar, in which the years before it are counted, too.
#pragma once
#include "bascule/core/host_device.hpp"

namespace bascule {

BASCULE_HD constexpr std::int64_t days_before(std::int64_t year, unsigned month, unsigned day) noexcept {
    // Years begin in March, so that the leap day is a year's last; 400 years are 146,097 days.
    std::int64_t const y = year - (month <= 2);
    std::int64_t const era = (y >= 0 ? y : y - 399) / 400;
    unsigned const of_era = static_cast<unsigned>(y - era * 400),
                   of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + static_cast<std::int64_t>(of_era * 365 + of_era / 4 - of_era / 100 + of_year) - 719468;
}
static_assert(days_before(1970, 1, 1) == 0 && days_before(2000, 3, 1) == 11017);

BASCULE_HD constexpr unsigned days_in_month(unsigned year, unsigned month) noexcept {
    constexpr unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : days[month - 1];
}

}  // namespace bascule
