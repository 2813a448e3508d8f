// Numbers and times as text, in Python's form. Each function writes from `p` on and returns the end of its text.
#pragma once
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "backend/cpu/common/calendar.hpp"
#include "bascule/core/table_algorithms_csv.hpp"

namespace bascule::cpu::csv {

inline constexpr std::int64_t most_integer_bytes = 24, most_float_bytes = 40, most_time_bytes = 48;
inline constexpr std::int64_t most_digits_before_point = 320;

inline char* put(char* p, std::string_view text) noexcept {
    std::memcpy(p, text.data(), text.size());
    return p + text.size();
}

template <class T> char* put_integer(char* p, T value) noexcept {
    return std::to_chars(p, p + most_integer_bytes, value).ptr;
}

// `digits` of a decimal number whose first one has the weight 10 to the power of `exponent`.
inline char* put_positional(char* p, std::string_view digits, int exponent) noexcept {
    auto const count = static_cast<int>(digits.size());
    if (exponent < 0) {
        p = put(p, "0.");
        std::memset(p, '0', static_cast<std::size_t>(-exponent - 1));
        return put(p - exponent - 1, digits);
    }
    if (exponent + 1 >= count) {
        p = put(p, digits);
        std::memset(p, '0', static_cast<std::size_t>(exponent + 1 - count));
        return put(p + exponent + 1 - count, ".0");
    }
    p = put(p, digits.substr(0, static_cast<std::size_t>(exponent) + 1));
    *p++ = '.';
    return put(p, digits.substr(static_cast<std::size_t>(exponent) + 1));
}

// A number of at most 15 digits, six of them behind the point: as text it can be no shorter, since no two of these are
// the same double.
inline bool is_short(double magnitude, std::int64_t& millionths) noexcept {
    double const scaled = magnitude * 1e6;
    if (!(scaled < 1e15)) return false;
    millionths = static_cast<std::int64_t>(scaled + 0.5);
    return static_cast<double>(millionths) / 1e6 == magnitude;
}

inline char* put_short(char* p, std::int64_t millionths) noexcept {
    std::int64_t const whole = millionths / 1000000;
    auto rest = static_cast<std::int32_t>(millionths % 1000000);
    p = put_integer(p, whole);
    *p++ = '.';
    int positions = 6;
    while (positions > 1 && rest % 10 == 0) rest /= 10, --positions;
    for (int i = positions; i-- > 0; rest /= 10) p[i] = static_cast<char>('0' + rest % 10);
    return p + positions;
}

// The fewest digits that give the value back. With an exponent below 1e-4 and from a limit on.
template <class T> char* put_shortest(char* p, T value, double limit = 1e16) noexcept {
    if (std::signbit(value)) *p++ = '-';
    T const magnitude = std::fabs(value);
    if (std::isinf(magnitude)) return put(p, "inf");
    if (magnitude == 0) return put(p, "0.0");
    bool const positional = static_cast<double>(magnitude) >= 1e-4 && static_cast<double>(magnitude) < limit;
    if constexpr (sizeof(T) == sizeof(double)) {
        std::int64_t millionths = 0;
        if (positional && is_short(magnitude, millionths)) return put_short(p, millionths);
    }
    char text[most_float_bytes];
    char* const end = std::to_chars(text, text + sizeof text, magnitude, std::chars_format::scientific).ptr;
    if (!positional) return put(p, {text, static_cast<std::size_t>(end - text)});
    char* const e = static_cast<char*>(std::memchr(text, 'e', static_cast<std::size_t>(end - text)));
    int exponent = 0;
    std::from_chars(e + 2, end, exponent);
    if (e[1] == '-') exponent = -exponent;
    std::size_t count = 1;
    if (e - text > 1) {  // the digits without their point
        count = static_cast<std::size_t>(e - text) - 1;
        std::memmove(text + 1, text + 2, count - 1);
    }
    return put_positional(p, {text, count}, exponent);
}

inline char* put_formatted(char* p, double value, csv_form form, int precision) noexcept {
    auto const how = form == csv_form::fixed        ? std::chars_format::fixed
                     : form == csv_form::scientific ? std::chars_format::scientific
                                                    : std::chars_format::general;
    return std::to_chars(p, p + most_digits_before_point + precision, value, how, precision).ptr;
}

inline char* put_digits(char* p, std::int64_t value, int count) noexcept {
    for (int i = count; i-- > 0; value /= 10) p[i] = static_cast<char>('0' + value % 10);
    return p + count;
}

// How fine a time is said: days, seconds, or so many digits of a second.
enum class time_detail : std::uint8_t { day, second, ms, us, ns };

struct time_scale {
    std::int64_t per_second = 1;
    int digits = 0;  // of a second that the unit has
    explicit time_scale(time_unit unit) noexcept {
        digits = unit == time_unit::ms ? 3 : unit == time_unit::us ? 6 : unit == time_unit::ns ? 9 : 0;
        for (int i = 0; i < digits; ++i) per_second *= 10;
    }
    time_detail detail(std::int64_t count) const noexcept {
        if (count % (per_second * 86400) == 0) return time_detail::day;
        std::int64_t const part = count % per_second;
        if (part == 0) return time_detail::second;
        if (digits == 3 || part % (per_second / 1000) == 0) return time_detail::ms;
        return digits == 6 || part % 1000 == 0 ? time_detail::us : time_detail::ns;
    }
};

inline char* put_time(char* p, std::int64_t count, time_scale const& scale, time_detail detail) noexcept {
    std::int64_t seconds = count / scale.per_second, part = count % scale.per_second;
    if (part < 0) part += scale.per_second, --seconds;
    std::int64_t days = seconds / 86400, of_day = seconds % 86400;
    if (of_day < 0) of_day += 86400, --days;
    auto const [year, month, day] = date_of(days);
    if (year >= 0 && year <= 9999) p = put_digits(p, year, 4);
    else if (year < 0 && year > -1000) *p++ = '-', p = put_digits(p, -year, 3);
    else p = put_integer(p, year);
    *p++ = '-', p = put_digits(p, month, 2);
    *p++ = '-', p = put_digits(p, day, 2);
    if (detail == time_detail::day) return p;
    *p++ = ' ', p = put_digits(p, of_day / 3600, 2);
    *p++ = ':', p = put_digits(p, of_day / 60 % 60, 2);
    *p++ = ':', p = put_digits(p, of_day % 60, 2);
    if (detail == time_detail::second) return p;
    int const shown = detail == time_detail::ms ? 3 : detail == time_detail::us ? 6 : 9;
    *p++ = '.';
    for (int i = scale.digits; i > shown; --i) part /= 10;
    return put_digits(p, part, shown);
}

}  // namespace bascule::cpu::csv
