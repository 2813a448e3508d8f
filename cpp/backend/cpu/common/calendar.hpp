// Dates of days since 1970.
#pragma once
#include "bascule/core/calendar.hpp"

namespace bascule::cpu {

using bascule::days_before;
using bascule::days_in_month;

struct civil_date {
    std::int64_t year;
    int month, day;
};
inline civil_date date_of(std::int64_t days) noexcept {
    days += 719468;
    std::int64_t const era = (days >= 0 ? days : days - 146096) / 146097;
    auto const of_era = static_cast<std::uint32_t>(days - era * 146097);
    std::uint32_t const year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    std::uint32_t const of_year = of_era - (365 * year + year / 4 - year / 100);
    std::uint32_t const shifted = (5 * of_year + 2) / 153;  // months from March on
    auto const day = static_cast<int>(of_year - (153 * shifted + 2) / 5 + 1);
    int const month = static_cast<int>(shifted) + (shifted < 10 ? 3 : -9);
    return {static_cast<std::int64_t>(year) + era * 400 + (month <= 2), month, day};
}

}  // namespace bascule::cpu
