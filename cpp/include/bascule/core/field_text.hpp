// Values in the text of a field, by pandas' rules: blanks around numbers are allowed, words for booleans in any case.
// For the host and for devices.
#pragma once
#include <charconv>
#include <limits>
#include <string_view>

#include "bascule/core/calendar.hpp"

namespace bascule::field_text {

struct span {
    char const* p;
    std::int64_t n;
};

BASCULE_HD bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
BASCULE_HD bool is_digit(char c) { return c >= '0' && c <= '9'; }

BASCULE_HD span trimmed(span s) {
    while (s.n > 0 && is_blank(s.p[0])) ++s.p, --s.n;
    while (s.n > 0 && is_blank(s.p[s.n - 1])) --s.n;
    return s;
}

// Whether a sign was taken off, and a minus.
BASCULE_HD bool take_sign(span& s) {
    bool const negative = s.n > 0 && s.p[0] == '-';
    if (negative || (s.n > 0 && s.p[0] == '+')) ++s.p, --s.n;
    return negative;
}

// `lower` is in lower case, and has s.n characters.
BASCULE_HD bool same_letters(span s, char const* lower) {
    for (std::int64_t i = 0; i < s.n; ++i) {
        char const c = s.p[i];
        if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c) != lower[i]) return false;
    }
    return true;
}
BASCULE_HD bool is_infinity(span s) {
    return (s.n == 3 && same_letters(s, "inf")) || (s.n == 8 && same_letters(s, "infinity"));
}

enum class number_form : std::uint8_t { none, int64, uint64, beyond };  // beyond: an integer that neither type holds

// The form of an integer's text, and its value (the bits of the uint64).
BASCULE_HD number_form parse_integer(span s, std::int64_t* out) {
    s = trimmed(s);
    bool const negative = take_sign(s);
    if (s.n == 0) return number_form::none;
    constexpr std::uint64_t most = ~std::uint64_t{0}, top = std::uint64_t{1} << 63;
    std::uint64_t value = 0;
    bool beyond = false;
    for (std::int64_t i = 0; i < s.n; ++i) {
        if (!is_digit(s.p[i])) return number_form::none;
        auto const digit = static_cast<std::uint64_t>(s.p[i] - '0');
        beyond = beyond || value > most / 10 || value * 10 > most - digit;
        value = value * 10 + digit;
    }
    if (beyond || (negative && value > top)) return number_form::beyond;
    *out = static_cast<std::int64_t>(negative ? 0 - value : value);
    return !negative && value >= top ? number_form::uint64 : number_form::int64;
}

BASCULE_HD bool parse_boolean(span s, bool* out) {
    if (s.n != 4 && s.n != 5) return false;
    *out = s.n == 4;
    return same_letters(s, s.n == 4 ? "true" : "false");
}

BASCULE_HD std::int64_t count_digits(span s, std::int64_t from) {
    std::int64_t at = from;
    while (at < s.n && is_digit(s.p[at])) ++at;
    return at - from;
}

// digits [. digits] [e [sign] digits], with a digit somewhere before the exponent; without blanks and sign.
BASCULE_HD bool is_decimal(span s, bool* is_integer) {
    std::int64_t digits = count_digits(s, 0), at = digits;
    *is_integer = true;
    if (at < s.n && s.p[at] == '.') {
        std::int64_t const behind = count_digits(s, ++at);
        at += behind, digits += behind;
        *is_integer = false;
    }
    if (digits == 0) return false;
    if (at < s.n && (s.p[at] == 'e' || s.p[at] == 'E')) {
        *is_integer = false;
        ++at;
        if (at < s.n && (s.p[at] == '+' || s.p[at] == '-')) ++at;
        std::int64_t const of_exponent = count_digits(s, at);
        if (of_exponent == 0) return false;
        at += of_exponent;
    }
    return at == s.n;
}

// Whether a number that no double holds is too large rather than too small. s is a decimal without sign.
inline bool is_huge(std::string_view s) noexcept {
    std::size_t const e = s.find_first_of("eE");
    std::int64_t exponent = 0;
    if (e != s.npos) {
        bool const negative = s[e + 1] == '-';
        for (std::size_t i = e + 1; i < s.size(); ++i)
            if (is_digit(s[i]) && exponent < 1'000'000'000'000) exponent = exponent * 10 + (s[i] - '0');
        if (negative) exponent = -exponent;
    }
    std::string_view const digits = s.substr(0, e);
    std::size_t const point = digits.find('.'), first = digits.find_first_not_of("0.");
    std::size_t const whole = point == digits.npos ? digits.size() : point;
    std::int64_t const magnitude = first < whole ? static_cast<std::int64_t>(whole - first)
                                                 : -static_cast<std::int64_t>(first - whole - 1);
    return exponent + magnitude > 0;
}

// The nearest double, on the host; is_integer: it has neither a point nor an exponent.
inline bool parse_float(span s, double* out, bool* is_integer) noexcept {
    s = trimmed(s);
    bool const negative = take_sign(s);
    double value = 0;
    if (is_infinity(s)) {
        *is_integer = false;
        value = std::numeric_limits<double>::infinity();
    } else {
        if (!is_decimal(s, is_integer)) return false;
        auto const [end, failed] = std::from_chars(s.p, s.p + s.n, value);
        if (failed == std::errc::result_out_of_range)
            value = is_huge({s.p, static_cast<std::size_t>(s.n)}) ? std::numeric_limits<double>::infinity() : 0.0;
    }
    *out = negative ? -value : value;
    return true;
}

// The layouts of ISO dates that are read here; a column must keep to one of them.
enum class date_form : std::uint8_t {
    none,
    day,
    minute_blank,
    minute_t,
    second_blank,
    second_t,
    fraction_blank,
    fraction_t
};
struct date_value {
    std::int64_t seconds;
    std::int32_t nanoseconds;
    date_form form;
    bool below_micro;
};

// False: they do not fit into 64 bits.
BASCULE_HD bool in_nanoseconds(date_value const& v, std::int64_t* out) {
    constexpr std::int64_t most = 9223372036, rest = 854775807;
    if (v.seconds > most || v.seconds < -most || (v.seconds == most && v.nanoseconds > rest)) return false;
    *out = v.seconds * 1'000'000'000 + v.nanoseconds;
    return true;
}

// Two digits, or something over 99.
BASCULE_HD unsigned two_digits(char const* p) {
    unsigned const a = static_cast<unsigned char>(p[0]) - unsigned{'0'},
                   b = static_cast<unsigned char>(p[1]) - unsigned{'0'};
    return a <= 9 && b <= 9 ? a * 10 + b : 1000;
}
BASCULE_HD bool parse_date(span s, date_value* out) {
    char const* const p = s.p;
    std::int64_t const n = s.n;
    if (n < 10 || n > 29 || p[4] != '-' || p[7] != '-') return false;
    unsigned const century = two_digits(p), rest = two_digits(p + 2), month = two_digits(p + 5),
                   day = two_digits(p + 8), year = century * 100 + rest;
    if (century > 99 || rest > 99 || year == 0 || month - 1 > 11 || day - 1 >= days_in_month(year, month)) return false;
    std::int64_t seconds = days_before(year, month, day) * 86400;
    *out = {seconds, 0, date_form::day, false};
    if (n == 10) return true;
    bool const with_t = p[10] == 'T';
    if ((!with_t && p[10] != ' ') || n < 16 || p[13] != ':') return false;
    unsigned const hour = two_digits(p + 11), minute = two_digits(p + 14);
    if (hour > 23 || minute > 59) return false;
    out->seconds = seconds += hour * 3600 + minute * 60;
    out->form = with_t ? date_form::minute_t : date_form::minute_blank;
    if (n == 16) return true;
    if (n < 19 || p[16] != ':') return false;
    unsigned const second = two_digits(p + 17);
    if (second > 59) return false;
    out->seconds = seconds + second;
    out->form = with_t ? date_form::second_t : date_form::second_blank;
    if (n == 19) return true;
    if (p[19] != '.' || n == 20) return false;
    std::int32_t fraction = 0;
    for (int i = 20; i < 29; ++i) {
        if (i < n && !is_digit(p[i])) return false;
        fraction = fraction * 10 + (i < n ? p[i] - '0' : 0);
    }
    out->nanoseconds = fraction;
    out->below_micro = n > 26;
    out->form = with_t ? date_form::fraction_t : date_form::fraction_blank;
    return true;
}

// The content of a quoted field: each(c) for each of its characters. Two quotes are one, and characters after the
// closing quote are kept as they are.
template <class Each> BASCULE_HD void for_each_unquoted(span s, char quote, Each&& each) {
    std::int64_t at = 1;
    for (; at < s.n; ++at) {
        if (s.p[at] == quote) {
            if (at + 1 >= s.n || s.p[at + 1] != quote) break;
            ++at;
        }
        each(s.p[at]);
    }
    for (++at; at < s.n; ++at) each(s.p[at]);
}

// Where text stops being UTF-8, in Python's words.
struct utf8_fault {
    std::int64_t position;
    char const* reason;
};
BASCULE_HD bool find_utf8_fault(span s, utf8_fault* out) {
    for (std::int64_t i = 0; i < s.n;) {
        unsigned const c = static_cast<unsigned char>(s.p[i]);
        if (c < 0x80) {
            ++i;
            continue;
        }
        int const more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        if (c < 0xc2 || c > 0xf4) return *out = {i, "invalid start byte"}, true;
        // Overlong forms, surrogates and code points beyond 0x10ffff are visible in the second byte.
        unsigned const lowest = c == 0xe0   ? 0xa0
                                : c == 0xf0 ? 0x90
                                            : 0x80,
                       highest = c == 0xed   ? 0x9f
                                 : c == 0xf4 ? 0x8f
                                             : 0xbf;
        for (int k = 1; k <= more; ++k) {
            if (i + k >= s.n) return *out = {i, "unexpected end of data"}, true;
            unsigned const next = static_cast<unsigned char>(s.p[i + k]);
            if (next < (k == 1 ? lowest : 0x80) || next > (k == 1 ? highest : 0xbf))
                return *out = {i, "invalid continuation byte"}, true;
        }
        i += more + 1;
    }
    return false;
}

}  // namespace bascule::field_text
